package redact

import "strings"

// stems holds three letters of every word and pair below, as sets of the third
// by the first two. Most names hold none of them and need no second look. Only
// "pat" is missing: it would hold up every "path".
var stems = func() (t [32][32]uint32) {
	for s := range strings.FieldsSeq("pas pwd psw ken sen sec cre jwt csr xsr otp cvv cvc ssn mne aut bea coo key " +
		"tok ses onn acc cod car ans phr amz pin dsn psk") {
		t[s[0]&31][s[1]&31] |= bit(s[2])
	}
	return t
}()

// endings holds the last two letters of the stems, for a first look.
var endings = func() (t [32]uint32) {
	for _, second := range stems {
		for b, third := range second {
			t[b] |= third
		}
	}
	return t
}()

// secretWord lists words that make any name secret. Some are pairs that people
// write without a boundary.
func secretWord(w []byte) bool {
	switch string(w) {
	case "password", "passwords", "passwd", "passphrase", "passcode", "passkey", "pwd", "pswd",
		"passwort", "kennwort", "contraseña", "contrasena", "senha",
		"secret", "secrets", "credential", "credentials", "creds",
		"jwt", "csrf", "xsrf", "otp", "totp", "cvv", "cvc", "ssn", "mnemonic",
		"authorization", "bearer", "cookie", "cookies", "apikey", "apikeys", "apitoken",
		"accesskey", "secretkey", "privatekey", "privkey", "masterkey", "encryptionkey", "authkey",
		"writekey", "presharedkey", "storepass", "keypass", "passin", "passout", "authtoken",
		"accesstoken", "refreshtoken", "sessiontoken", "bearertoken", "idtoken", "usertoken",
		"sessionid", "sessid", "phpsessid", "jsessionid", "connectionstring", "connstr", "authcode":
		return true
	}
	for _, end := range []string{"password", "passphrase", "passwd", "secret", "apikey"} {
		if len(w) > len(end) && string(w[len(w)-len(end):]) == end {
			return true
		}
	}
	return false
}

// secretPair lists neighbours that are secret together.
func secretPair(pair []byte) bool {
	switch string(pair) {
	case "api key", "api keys", "app key", "access key", "private key", "signing key", "encryption key",
		"decryption key", "account key", "master key", "auth key", "service key", "ssh key", "shared key",
		"shared access", "license key", "subscription key", "session key", "deploy key", "integration key",
		"hmac key", "write key", "workspace key", "cipher key", "storage key", "admin key", "consumer key", "function key", "secret access",
		"session id", "session cookie", "access tokens", "refresh tokens", "api tokens", "auth tokens",
		"connection string", "connection str", "conn string", "conn str", "connection uri",
		"auth code", "authorization code", "access code", "verification code", "security code",
		"recovery code", "recovery codes", "backup code", "backup codes", "mfa code", "fa code", "login code",
		"sms code", "device code", "code verifier", "activation code", "activation key",
		"card number", "credit card", "security answer", "seed phrase", "recovery phrase",
		"mnemonic phrase", "pass phrase", "pass word", "pass code", "amz signature", "auth header",
		"preshared key", "wpa key", "recovery key", "webhook key", "licence key", "product key",
		"bot token", "social security", "auth data", "auth value":
		return true
	}
	return false
}

// lastSecret lists words that make a name secret when they end it.
func lastSecret(w []byte) bool {
	switch string(w) {
	case "token", "auth", "pin", "dsn", "pat", "psk":
		return true
	}
	return false
}

// countsTokens lists words that take the secret out of a lastSecret after them:
// a page token is a cursor, an input token is counted, a base token is traded, a
// data pin is soldered.
func countsTokens(w []byte) bool {
	switch string(w) {
	case "page", "paging", "pagination", "next", "prev", "previous", "cursor", "continuation", "resume",
		"sync", "delta", "change", "changes", "list", "start", "end", "stop", "begin", "first", "last",
		"max", "min", "num", "n", "per", "total", "count", "input", "output", "prompt", "completion",
		"reasoning", "thinking", "cached", "context", "generated", "new", "special",
		"eos", "bos", "pad", "unk", "mask", "sep", "cls", "idempotency", "request", "skip",
		"design", "css", "color", "theme", "syntax", "search", "text",
		"base", "quote", "from", "to", "sell", "buy", "reward", "native", "collateral", "erc", "nft",
		"gpio", "led", "data", "clock", "map", "drop", "location", "tx", "rx", "sda", "scl",
		"no", "use", "require", "requires",
		"folder", "file", "node", "obj", "doc", "wiki", "filter":
		return true
	}
	return false
}

// aboutSecret lists last words of names for something said about a secret.
func aboutSecret(w []byte) bool {
	switch string(w) {
	case "name", "names", "id", "ids", "arn", "version", "versions", "type", "types", "length", "len", "count",
		"policy", "policies", "hint", "reset", "protected", "limit", "limits", "size", "budget", "expiry", "expires", "expiration", "ttl", "age",
		"format", "enabled", "required", "optional", "strength", "status", "state", "prefix", "path", "paths",
		"file", "filename", "dir", "url", "uri", "endpoint", "usage", "used", "min", "max", "rotation",
		"manager", "store", "engine", "at", "date", "days", "algorithm", "label", "kind", "method", "scheme",
		"provider", "scope", "scopes", "index", "placeholder", "description", "domain", "consent", "banner",
		"sock", "visible", "visibility", "column", "ref", "selector", "mode", "source", "rules", "only",
		"configuration", "config", "setting", "settings", "options", "encryption", "mask", "lifetime", "validity", "duration", "timeout",
		"strategy", "plugin", "flow", "generator", "reference", "requirements", "audience", "issuer", "template",
		"pattern", "question", "group", "owner", "vault", "folder", "namespace", "env", "var", "variable", "command", "stdin", "exists", "identity", "metadata", "server", "sid", "sids":
		return true
	}
	return false
}

func isSession(w []byte) bool { return string(w) == "session" || string(w) == "sess" }

// shortPassword reports whether w is short for password, after a word that hasLogin.
func shortPassword(w []byte) bool { return string(w) == "pass" || string(w) == "pw" }

// hasLogin lists words after which "pass" is short for password.
func hasLogin(w []byte) bool {
	switch string(w) {
	case "db", "database", "user", "ssh", "smtp", "imap", "mail", "email", "mysql", "pg", "postgres", "redis",
		"mongo", "root", "admin", "ftp", "sftp", "http", "https", "proxy", "basic", "auth", "login", "master",
		"mqtt", "rabbitmq", "amqp", "wifi", "wp", "ldap", "bind", "keystore", "truststore", "key", "account",
		"service", "sudo", "vpn", "sql", "es", "elastic", "jira", "my", "the", "old", "new", "current":
		return true
	}
	return false
}

// asks lists first words of names that ask whether, as in "include_password". With
// "confirm", "verify", "reset" and "enable" before it, a password is one.
func asks(w []byte) bool {
	switch string(w) {
	case "hide", "include", "show", "allow", "require", "requires", "has", "is", "needs", "skip", "return", "mask", "without", "generate":
		return true
	}
	return false
}
