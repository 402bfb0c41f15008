package diagnose

import "testing"

func TestWarn(t *testing.T) {
	for _, c := range []struct{ result, want string }{
		{`{"a":1}`, `{"a":1,"_meta":{"dev.recourse/warnings":["one","two \"2\""]}}`},
		{`{}`, `{"_meta":{"dev.recourse/warnings":["one","two \"2\""]}}`},
		{`{"_meta":null,"a":1}`, `{"_meta":{"dev.recourse/warnings":["one","two \"2\""]},"a":1}`},
		{`{"_meta":"x"}`, `{"_meta":{"dev.recourse/warnings":["one","two \"2\""]}}`},
		{`{"_meta":{ "x" : 1.0 }}`, `{"_meta":{ "x" : 1.0,"dev.recourse/warnings":["one","two \"2\""] }}`},
		{`{"_meta":{"dev.recourse/warnings":[ "zero" , 1.0 ],"x":1}}`, `{"_meta":{"dev.recourse/warnings":["zero",1.0,"one","two \"2\""],"x":1}}`},
		{`{"_meta":{"dev.recourse/warnings":["one"]}}`, `{"_meta":{"dev.recourse/warnings":["one","two \"2\""]}}`},
		{`{"_meta":{"dev.recourse/warnings":null}}`, `{"_meta":{"dev.recourse/warnings":["one","two \"2\""]}}`},
		{`{"_meta":{"dev.recourse/warnings":"zero"}}`, `{"_meta":{"dev.recourse/warnings":["zero","one","two \"2\""]}}`},
		// As a server writes it that uses the library.
		{
			`{"_meta":{"dev.recourse/warnings":{"_warnings":["zero"],"_completeness":"partial"}}}`,
			`{"_meta":{"dev.recourse/warnings":{"_warnings":["zero","one","two \"2\""],"_completeness":"partial"}}}`,
		},
		{`{"_meta":{"x":1},"_m\u0065ta":{"y":1}}`, `{"_meta":{"x":1},"_m\u0065ta":{"y":1,"dev.recourse/warnings":["one","two \"2\""]}}`},
		{`null`, `null`},
		{``, ``},
	} {
		if got := string(Warn([]byte(c.result), "one", `two "2"`)); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.result, got, c.want)
		}
		if got := string(Warn([]byte(c.result))); got != c.result {
			t.Errorf("%s: without a warning %s", c.result, got)
		}
	}
}
