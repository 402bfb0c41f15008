package rules

import "testing"

func TestChoice(t *testing.T) {
	words := []Check{Auto, Enforce, Explain, Off}
	for _, tt := range []struct {
		texts []string
		tool  string
		want  Check
	}{
		{nil, "a", Auto},
		{[]string{"enforce"}, "a", Enforce},
		{[]string{"enforce", "a=off"}, "a", Off},
		{[]string{"a=off", "enforce"}, "a", Off},
		{[]string{"enforce", "a=off"}, "b", Enforce},
		{[]string{"a=off", "a=explain"}, "a", Explain},
		{[]string{"x=y=off"}, "x=y", Off},
	} {
		var c Choice[Check]
		if err := c.Set(tt.texts, words...); err != nil || c.For(tt.tool, Auto) != tt.want {
			t.Errorf("%q for %s: %s, %v", tt.texts, tt.tool, c.For(tt.tool, Auto), err)
		}
	}
	for _, text := range []string{"", "on", "a=", "=off", "off=a", "Enforce"} {
		if new(Choice[Check]).Set([]string{text}, words...) == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
