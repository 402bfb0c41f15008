// Package secret measures internal/redact on what others wrote: the arguments and
// environment variables of MCP servers as npm and PyPI have them, and forms of
// secrets beside examples of what only looks like them.
//
// testdata/names.jsonl was collected by asking servers for their tools, and from the
// sources of those that would not start without an account; each name stands there
// once, with one package that has it; of the names in which nothing sounds like a
// credential every second was left out. Those marked as later come from servers that
// were asked when the rules of redact had been mended. Each is labelled by one
// question, not by those rules: may the value be shown to a stranger?
//
//   - secret: it lets whoever has it sign in, sign, decrypt or act for somebody
//     (passwords, keys, tokens, cookies, one-time codes), or it is the number of a
//     card or of a person that others take for proof.
//   - either: it depends on the server. Ids of sessions, addresses that may have a
//     password in them, whole headers and configurations, opaque input for something
//     called credentials, auth or key without more.
//   - harmless: all else, and what is only said about a secret: its name, kind, age.
package secret
