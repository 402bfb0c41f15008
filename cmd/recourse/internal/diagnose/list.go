package diagnose

// Null returns result, the result of a list, with an empty array where member is
// null or missing: clients refuse the whole list for that. It reports whether
// there was a need to.
func Null(result []byte, name string) ([]byte, bool) {
	value := member(result, name)
	switch {
	case len(result) == 0 || result[0] != '{' || unfinished(result):
		return result, false
	case value == nil || value[0] == 'n':
		return put(result, name, []byte("[]")), true
	}
	return result, false
}
