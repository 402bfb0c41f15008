package redact

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

// TestSecretNames holds the rule to its aim: of names as found in the wild it
// misses, and wrongly hides, at most two in a hundred.
func TestSecretNames(t *testing.T) {
	f, err := os.Open("testdata/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	total, wrong := map[string]int{}, map[string][]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		kind, name, ok := strings.Cut(lines.Text(), " ")
		if kind == "#" || !ok {
			continue
		}
		name = strings.TrimSpace(name)
		total[kind]++
		if SecretName(name) != (kind == "secret") {
			wrong[kind] = append(wrong[kind], name)
		}
	}
	for _, kind := range []string{"secret", "plain"} {
		if total[kind] < 75 {
			t.Errorf("%d %s names: too few to say anything", total[kind], kind)
		}
		if len(wrong[kind])*100 > total[kind]*2 {
			t.Errorf("%d of %d %s names judged wrong: %v", len(wrong[kind]), total[kind], kind, wrong[kind])
		}
		t.Logf("%d of %d %s names judged wrong: %v", len(wrong[kind]), total[kind], kind, wrong[kind])
	}
}

// These must never be hidden, whatever the corpus says of others.
func TestPlainNames(t *testing.T) {
	for _, name := range []string{
		"author", "max_tokens", "page_token", "cursor", "token_count", "keyboard", "primary_key", "sort_key", "",
		"_", "--", "X", "12", strings.Repeat("a", 10_000),
	} {
		if SecretName(name) {
			t.Errorf("%q is taken for a secret", name)
		}
	}
}
