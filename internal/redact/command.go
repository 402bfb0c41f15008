package redact

import "strings"

// A command is a program whose one-letter flag takes a password. Elsewhere -p is a
// port, a path or a project.
type command struct {
	letter byte // of the flag
	joined bool // the password must follow without a space: -psecret
}

// commandOf returns the command that word or path names. "login" is that of docker,
// podman, az, oc and helm registry.
func commandOf(word string) (command, bool) {
	if word != "" && (word[0] == '/' || word[0] == '.') {
		word = word[strings.LastIndexByte(word, '/')+1:]
	}
	switch word {
	case "sshpass", "login", "mongo", "mongosh", "mongodump", "mongorestore", "cqlsh":
		return command{'p', false}, true
	case "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mariadb", "mariadb-dump", "mariadb-admin", "7z", "7za", "rar", "unrar":
		return command{'p', true}, true
	case "zip", "unzip", "sqlcmd", "bcp", "ipmitool":
		return command{'P', false}, true
	case "redis-cli":
		return command{'a', false}, true
	case "ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldapwhoami":
		return command{'w', false}, true
	}
	return command{}, false
}

// takes reports whether word is c's flag with the password after it, or in it.
func (c command) takes(word string) (flag, joined bool) {
	if c.letter == 0 || len(word) < 2 || word[0] != '-' || word[1] != c.letter {
		return false, false
	}
	return len(word) == 2 && !c.joined, len(word) > 2
}

// password returns the password that the flag at i takes, which is a word up to end.
func password(s string, i, end int) span {
	if end < i+2 || i == 0 || s[i-1] != ' ' {
		return span{}
	}
	letter := s[i+1]
	switch letter {
	case 'p', 'P', 'a', 'w':
	default:
		return span{}
	}
	c, ok := before(s, i)
	if !ok || c.letter != letter {
		return span{}
	}
	v := value{flag: true}
	if i+2 < len(s) && s[i+2] != ' ' {
		return v.after(s, i+2)
	}
	if c.joined {
		return span{}
	}
	at := i + 2
	for at < len(s) && s[at] == ' ' {
		at++
	}
	if at < len(s) && s[at] == '-' {
		return span{}
	}
	return v.after(s, at)
}

// before returns the nearest command among the words before i on the same line of a
// shell.
func before(s string, i int) (command, bool) {
	const words, far = 12, 512
	end, first := i, max(0, i-far)
	for range words {
		for end > first && (s[end-1] == ' ' || s[end-1] == '\t') {
			end--
		}
		start := end
		for start > first && s[start-1] > ' ' && strings.IndexByte("|;&", s[start-1]) < 0 {
			start--
		}
		if start == end {
			return command{}, false
		}
		if end-start < 64 {
			if c, ok := commandOf(bare(s[start:end])); ok {
				return c, true
			}
		}
		end = start
	}
	return command{}, false
}

// bare returns word without the quotes and brackets that a shell, or JSON, puts
// before and after it.
func bare(word string) string {
	word = strings.TrimRight(word, "\"'`)\\")
	return word[strings.LastIndexAny(word, "\"'`(")+1:]
}
