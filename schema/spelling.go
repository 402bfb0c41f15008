package schema

import (
	"regexp/syntax"
	"strings"

	"github.com/recourse-dev/recourse/schema/internal/draft"
)

var (
	markdownLink = lazily(`^\[[^\]]*\]\(\s*<?([^\s()<>]+)>?\s*(?:"[^"]*")?\)$`)
	webAddress   = lazily(`https?://[^\s<>"'` + "`" + `)\]]+`)
	bareAddress  = lazily(`^(?://)?(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?\.)+[a-zA-Z]{2,}(?::\d+)?(?:[/?#]\S*)?$`)
	localAddress = lazily(`^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?#]\S*)?$`)
	mailAddress  = lazily(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)
	shortColour  = lazily(`^#[0-9a-fA-F]{3}$`)
	bareUUID     = lazily(`^[0-9a-fA-F]{32}$`)
)

// colours are the names that CSS took from HTML 4.
var colours = map[string]string{
	"black": "#000000", "silver": "#c0c0c0", "gray": "#808080", "grey": "#808080", "white": "#ffffff", "maroon": "#800000", "red": "#ff0000",
	"purple": "#800080", "fuchsia": "#ff00ff", "magenta": "#ff00ff", "green": "#008000", "lime": "#00ff00", "olive": "#808000", "yellow": "#ffff00",
	"navy": "#000080", "blue": "#0000ff", "teal": "#008080", "aqua": "#00ffff", "cyan": "#00ffff", "orange": "#ffa500", "pink": "#ffc0cb",
}

// spellings returns how a text may have to be written, the likeliest first. The
// caller takes the first that fits the schema.
func (c *check) spellings(s *draft.Schema, t string) []string {
	if t == "" || len(t) > 1000 || c.spent(100+len(t)) {
		return nil
	}
	all := []string{t, strings.Trim(t, "\"'`<> "), strings.TrimLeft(t, "#@$/"), strings.TrimRight(t, ".,;:!/ ")}
	if m := markdownLink().FindStringSubmatch(t); m != nil {
		all = append(all, m[1])
	}
	if found := webAddress().FindAllString(t, 2); len(found) == 1 {
		all = append(all, found[0], strings.TrimRight(found[0], ".,;:!"))
	}
	if bareAddress().MatchString(t) {
		all = append(all, "https://"+strings.TrimPrefix(t, "//"))
	}
	if localAddress().MatchString(t) {
		all = append(all, "http://"+t)
	}
	if found := mailAddress().FindAllString(t, 2); len(found) == 1 {
		all = append(all, strings.TrimRight(found[0], "."))
	}
	if id := strings.Trim(strings.TrimPrefix(strings.ToLower(t), "urn:uuid:"), "{}"); bareUUID().MatchString(id) {
		all = append(all, id[:8]+"-"+id[8:12]+"-"+id[12:16]+"-"+id[16:20]+"-"+id[20:])
	} else {
		all = append(all, id)
	}
	all = append(all, moments(t)...)
	if colour := colours[strings.ToLower(t)]; colour != "" {
		all = append(all, colour, strings.ToUpper(colour))
	}
	if shortColour().MatchString(t) {
		all = append(all, strings.ToLower("#"+t[1:2]+t[1:2]+t[2:3]+t[2:3]+t[3:4]+t[3:4]))
	}
	all = append(all, strings.ToLower(t), strings.ToUpper(t))
	if p, ok := s.Pattern.(*pattern); ok && len(t) <= 60 {
		for _, with := range []string{"", "-", "_"} {
			joined := strings.Join(strings.Fields(t), with)
			all = append(all, joined, strings.ToLower(joined))
		}
		all = append(all, strings.NewReplacer("-", "", " ", "", ".", "", "/", "").Replace(t))
		all = append(all, filled(p, t)...)
	}
	return all
}

// filled adds to a text what a pattern has around it: 7 for ^ov-[0-9]{3}$ is
// ov-007. If only one word of the text matches, it is that.
func filled(p *pattern, t string) (all []string) {
	if p.linear == nil {
		return nil
	}
	tree, err := syntax.Parse(p.linear.String(), syntax.Perl)
	if err != nil || tree.Op != syntax.OpConcat {
		return nil
	}
	prefix, suffix := "", ""
	digits := 0
	for i, sub := range tree.Sub {
		switch sub.Op {
		case syntax.OpLiteral:
			if i <= 1 {
				prefix = string(sub.Rune)
			} else {
				suffix = string(sub.Rune)
			}
		case syntax.OpRepeat:
			if sub.Min == sub.Max && sub.Sub[0].Op == syntax.OpCharClass && plainest(sub.Sub[0].Rune) == '1' {
				digits = sub.Min
			}
		}
	}
	for _, core := range []string{t, strings.ToLower(t), strings.ToUpper(t)} {
		core = strings.TrimPrefix(core, prefix)
		if bare := normal(prefix); bare != "" {
			if rest, ok := strings.CutPrefix(normal(core), bare); ok {
				core = rest // whatever stands between
			}
		}
		if strings.Trim(core, "0123456789") == "" && len(core) < digits && digits <= 20 {
			core = strings.Repeat("0", digits-len(core)) + core
		}
		all = append(all, prefix+core, core+suffix, prefix+core+suffix)
	}
	found := ""
	for word := range strings.FieldsSeq(t) {
		word = strings.Trim(word, ".,;:!?()[]\"'`")
		if p.linear.MatchString(word) && word != found {
			if found != "" {
				return all
			}
			found = word
		}
	}
	if found != "" {
		all = append(all, found)
	}
	return all
}
