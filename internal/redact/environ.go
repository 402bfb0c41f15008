package redact

import "strings"

// Environ returns the secrets among KEY=VALUE pairs, for [Redactor.Secrets]:
// the value if the name is a [SecretName], else those parts of it that look
// like secrets, such as the password in a URL. Values under 6 bytes and everyday
// words are left out: hiding them everywhere would cost more than it protects.
func Environ(env []string) []string {
	var secrets []string
	for _, pair := range env {
		name, value, _ := strings.Cut(pair, "=")
		if SecretName(name) && !strings.HasSuffix(name, "PWD") {
			secrets = keep(secrets, value)
			continue
		}
		for _, sp := range scan(value) {
			part := value[sp.start:sp.end]
			secrets = keep(secrets, part)
			if _, password, ok := strings.Cut(part, ":"); ok {
				secrets = keep(secrets, password)
			}
		}
	}
	return secrets
}

func keep(secrets []string, value string) []string {
	if len(value) < 6 || everyday(value) {
		return secrets
	}
	return append(secrets, value)
}

// everyday reports whether value says nothing, though it is somebody's password.
func everyday(value string) bool {
	switch strings.ToLower(value) {
	case "default", "disabled", "enabled", "required", "optional", "localhost",
		"postgres", "development", "production", "testing":
		return true
	}
	return strings.Trim(value, "0") == ""
}
