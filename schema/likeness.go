package schema

import (
	"slices"
	"strings"
	"sync"
)

// sole returns the only one of names that another can be: the one that is the same
// but for case and separators, else the only variant. It is certain if no other is
// even near.
func sole(sent string, names []string) (name string, certain bool) {
	equal, alike, near := 0, 0, 0
	for _, other := range names {
		x, y := normal(sent), normal(other)
		switch {
		case x == y && x != "":
			equal++
			name = other
		case variant(sent, other):
			if alike++; equal == 0 {
				name = other
			}
		case typo(x, y) > 0:
			near++
		}
	}
	switch {
	case equal == 1:
		return name, alike == 0
	case equal == 0 && alike == 1 && near == 0:
		return name, true
	}
	return "", false
}

// variant reports whether two names are the same but for case and separators,
// plurals, or one slip of the fingers in one of their words.
func variant(a, b string) bool {
	as, bs := tokens(a), tokens(b)
	x, y := strings.Join(as, ""), strings.Join(bs, "")
	if x == "" || stem(x) == stem(y) {
		return x != ""
	}
	if len(as) != len(bs) {
		return false
	}
	slips := 0
	for i, word := range as {
		if stem(word) == stem(bs[i]) {
			continue
		}
		if slips++; slips > 1 || !slip(word, bs[i]) {
			return false
		}
	}
	return true
}

// stem is a name without its plural.
func stem(name string) string {
	switch {
	case len(name) < 3:
		return name
	case len(name) > 4 && strings.HasSuffix(name, "ies"):
		return name[:len(name)-3] + "y"
	case strings.HasSuffix(name, "xes"), strings.HasSuffix(name, "ches"), strings.HasSuffix(name, "shes"), strings.HasSuffix(name, "sses"):
		return name[:len(name)-2]
	case strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss") && !strings.HasSuffix(name, "us"):
		return name[:len(name)-1]
	}
	return name
}

// slip reports whether one letter of a word is wrong, and it is certain that it is:
// words of three letters differ by one as it is, a digit tells one of several from
// the next, and a slip does not make another word that arguments are called by.
func slip(sent, word string) bool {
	if min(len(sent), len(word)) < 4 || typo(sent, word) == 0 || familiar()[stem(sent)] || strings.ContainsAny(sent+word, "0123456789") {
		return false
	}
	return sent[0] == word[0] || sent[:2] == string([]byte{word[1], word[0]})
}

// undigited is a name without digits: what it has in common with others of a row.
func undigited(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, normal(name))
}

// familiar holds words that are names of arguments themselves, in the singular. Of
// the names that 136 published servers use, these come near another one.
var familiar = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, word := range slices.Concat(synonyms...) {
		all[stem(word)] = true
	}
	for word := range strings.FieldsSeq(`
		action activate activated allot allow altitude angle archive archived area args argv arns assigned auth author auto base basic block
		board body border branch brand cache cake call card cart case cases cast cell center cert chain channel chart chat class clean clear
		client clock code codel color column command comment commit company config consent contact content context contract copy cost count
		country course create created createdb cursor data database date delete depth desk dest detail details device digest disk domain
		draft edit email enable end entity entry event exit export field file fill filter fixes flag folder font force form format from front
		full function game gateway geometry graph group hash head header height history host hour icon image import include included index
		input insert internal interval invert issue issuer item items job key kind label lane lang large last latitude layer lead lease leave
		left length level limit line lines link links list lists load local locale lock logic login logo longitude mail manage managed
		manager mark market mask master match max member memory menu message meta method metric min minute mode model module month move named
		namespace namespaced native network next node note notes number object option order origin output owner page parent parked parse
		parsed part past paste patch path pattern person phone place plan plane platform play point policy poll pool port pose post prefix
		preset price private process product profile profiler project prompt property public pull query queue quote range rank rate ratio
		read reader ready reason record reference referenced region rego release released remote remove removed repeat replay reply repo
		report repr request require required reset resolver resolves resource response rest result retry right role room root route rule
		rules sale sales same sample save scale scene schedule scheduler schema scheme scope score second section seed seen send sender
		server service session set shape share shared sheet short side site size skin skip slack slice slot sort source space speed spender
		sport stack stage start state stats status step stop storage store story stream string style subject subscribe subscribed subscriber
		table tail tails target task team template term test text theme thread time times title token tone tool topic track trail trails
		trial truck type uids unit update upload used user uses uuids valid value verbose version video view volid volume weight width window
		with word words work year zone
	`) {
		all[stem(word)] = true
	}
	return all
})
