package redact

import "strings"

// botToken returns the token of a Telegram bot, whose colon is at i: eight to ten
// digits before it and 35 characters from the A after it. Else it may end a name.
func botToken(s string, i, from int) span {
	const after = 35
	if i+after >= len(s) {
		return assigned(s, i)
	}
	start := i
	for start > from && i-start < 11 && digit(s[start-1]) {
		start--
	}
	end := tokenEnd(s, i+1, after+1)
	if i-start < 8 || i-start > 10 || end != i+1+after {
		return assigned(s, i)
	}
	return span{start, end}
}

// parted reports whether the dot at i may be the first of a token that dotted knows.
func parted(s string, i int) bool {
	return s[i+1] == 'a' || s[i+1] == 'w' || i+7 < len(s) && s[i+7] == '.' || i >= 17 && s[i-17] == 'p'
}

// dotted returns a token whose first dot is at i and that is known by its prefix, or by the lengths
// of its parts: of Discord's bots (24 to 28, 6 and at least 27), Airtable (pat and
// 14, then 64) or Terraform (14, atlasv1 and at least 60).
func dotted(s string, i, from int) span {
	const longest = 128
	if sp := prefixed(s, i, from); sp.end > 0 {
		return sp
	}
	var start, second, least int
	switch {
	case i+7 < len(s) && s[i+7] == '.' && tokenEnd(s, i+1, 6) == i+7:
		for start = i; start > from && i-start < 29 && base64url(s[start-1]); {
			start--
		}
		if i-start < 24 || i-start > 28 || strings.IndexByte("MNO", s[start]) < 0 {
			return span{}
		}
		second, least = i+8, 27
	case s[i+1] == 'w':
		return office(s, i)
	case s[i+1] == 'a' && i-14 >= from && strings.HasPrefix(s[i+1:], "atlasv1."):
		start, second, least = i-14, i+len(".atlasv1."), 60
	case i-17 >= from && s[i-17] == 'p' && s[i-16:i-14] == "at":
		start, second, least = i-17, i+1, 64
	default:
		return span{}
	}
	end := tokenEnd(s, second, longest)
	if end-second < least || !wordStart(s, start) || tokenEnd(s, start, i-start) != i {
		return span{}
	}
	return span{start, end}
}

// tokenEnd returns where the characters of base64url from s[at] end, at most n further.
func tokenEnd(s string, at, n int) int {
	limit := min(len(s), at+n)
	for at < limit && base64url(s[at]) {
		at++
	}
	return at
}

// literals returns the quoted passwords of SQL statements: PASSWORD '…',
// IDENTIFIED BY '…'. Without these words what is in quotes is mostly a name.
func literals(s string) (found []span) {
	for at := 0; ; {
		i := strings.IndexByte(s[at:], '\'')
		if i < 0 {
			return found
		}
		at += i + 1
		if at < 10 || s[at-2] != ' ' || !introduced(s[max(0, at-49):at-1]) {
			continue
		}
		sp := span{at, closing(s, at, '\'', 0)}
		if at = sp.end; !hidden(s[sp.start:sp.end]) {
			found = append(found, sp)
		}
	}
}

// introduced reports whether what comes after before is a password in SQL.
func introduced(before string) bool {
	before = strings.TrimRight(before, " ")
	if cutWord(before, "password") != before {
		return true
	}
	by := cutWord(before, "by")
	return by != before && strings.Contains(strings.ToLower(by), "identified ")
}

// cutWord returns s without its last word, if that is word, in either case.
func cutWord(s, word string) string {
	n := len(s) - len(word)
	if n < 0 || !strings.EqualFold(s[n:], word) || n > 0 && ident(s[n-1]) {
		return s
	}
	return s[:n]
}
