package table

// Lone reports whether a JSON text has an escaped surrogate without its other half.
func Lone(text []byte) bool {
	high := false // the last character was the first half of a pair
	for i := 0; i < len(text); i++ {
		unit := 0
		if text[i] == '\\' && i+1 < len(text) {
			i++
			if text[i] == 'u' {
				unit, i = hex4(text[i+1:]), i+4
			}
		}
		switch {
		case unit>>10 == 0xDC00>>10:
			if !high {
				return true
			}
			high = false
		case high:
			return true
		default:
			high = unit>>10 == 0xD800>>10
		}
	}
	return high
}

// hex4 reads four digits; 0 if they are none.
func hex4(b []byte) (n int) {
	for i := range 4 {
		if i >= len(b) {
			return 0
		}
		switch c := b[i] | 0x20; {
		case '0' <= b[i] && b[i] <= '9':
			n = n<<4 | int(b[i]-'0')
		case 'a' <= c && c <= 'f':
			n = n<<4 | int(c-'a'+10)
		default:
			return 0
		}
	}
	return n
}
