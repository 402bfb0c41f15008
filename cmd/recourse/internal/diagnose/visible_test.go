package diagnose

import "testing"

var visibles = []struct {
	lit  string
	want bool
}{
	{`""`, false},
	{`" "`, false},
	{`"\n\t\r\f\b"`, false},
	{`"\u0000\u001b\u007f\u0085"`, false},
	{"\"\u00a0\u1680\u2003\u202f\u205f\u3000\u2028\u2029\"", false},
	{`"\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u202a\u2066"`, false},
	{"\"\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u202a\u2066\"", false},
	{"\"\u3164\u115f\u1160\uffa0\u17b4\u034f\u180b\ufe0f\u2800\"", false},
	{`"a"`, true},
	{`"   .   "`, true},
	{`"\""`, true},
	{`"\\"`, true},
	{`"\/"`, true},
	{`"\u0041"`, true},
	{`"\u200b\u200bé"`, true},
	{"\"\u200bé\"", true},
	{`"😀"`, true},
	{`"\ud83d\ude00"`, true},
	{`"\ufffd"`, true},
	{"\"\u0600\u06dd\"", true}, // signs that stand around numbers
}

func TestVisible(t *testing.T) {
	for _, c := range visibles {
		if got := visible([]byte(c.lit)); got != c.want {
			t.Errorf("%s: %v", c.lit, got)
		}
	}
}
