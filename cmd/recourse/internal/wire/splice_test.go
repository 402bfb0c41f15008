package wire

import (
	"strings"
	"testing"
)

func TestAppendSplice(t *testing.T) {
	const frame = `{"id":1,"x":12345678901234567890, "method":"m","params":{"_meta":{"progressToken":"t"}}}` + "\r"
	at := func(part string) Span {
		i := strings.Index(frame, part)
		return Span{i, i + len(part)}
	}
	id, method, token := at(`1`), at(`"m"`), at(`"t"`)
	for _, c := range []struct {
		edits []Edit
		want  string
	}{
		{nil, frame},
		{[]Edit{{id, []byte("900")}}, strings.Replace(frame, `:1,`, `:900,`, 1)},
		{[]Edit{{Span{}, []byte("absent")}}, frame},
		{[]Edit{{id, nil}}, strings.Replace(frame, `:1,`, `:,`, 1)},
		{[]Edit{{token, []byte(`5`)}, {id, []byte(`2`)}, {method, []byte(`"n"`)}},
			strings.NewReplacer(`:1,`, `:2,`, `"m"`, `"n"`, `"t"`, `5`).Replace(frame)},
		{[]Edit{{method, []byte(`"n"`)}, {Span{}, nil}, {id, []byte(`2`)}},
			strings.NewReplacer(`:1,`, `:2,`, `"m"`, `"n"`).Replace(frame)},
	} {
		if got := string(AppendSplice([]byte("before\n"), []byte(frame), c.edits...)); got != "before\n"+c.want+"\n" {
			t.Errorf("%v:\ngot  %q\nwant %q", c.edits, got, c.want)
		}
	}
}
