package diagnose

import "testing"

func TestNull(t *testing.T) {
	for _, c := range []struct{ result, want string }{
		{`{"tools":null}`, `{"tools":[]}`},
		{`{ "tools" : null , "nextCursor":"a"}`, `{ "tools" : [] , "nextCursor":"a"}`},
		{`{"t\u006fols":null}`, `{"t\u006fols":[]}`},
		{`{"_meta":{}}`, `{"_meta":{},"tools":[]}`},
		{`{}`, `{"tools":[]}`},
		{`{"tools":[1],"tools":null}`, `{"tools":[1],"tools":[]}`},
		{`{"tools":[]}`, ``},
		{`{"tools":[{"tools":null}]}`, ``},
		{`{"tools":"x"}`, ``},
		{`{"resultType":"input_required"}`, ``},
		{`null`, ``},
		{`[]`, ``},
		{``, ``},
	} {
		got, changed := Null([]byte(c.result), "tools")
		if changed != (c.want != "") || changed && string(got) != c.want || !changed && string(got) != c.result {
			t.Errorf("%s: %v %s", c.result, changed, got)
		}
	}
}
