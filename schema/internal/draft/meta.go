package draft

import (
	"bytes"
	"embed"
	"encoding/json"
	"strings"
	"sync"
)

// The drafts' own schemas, as json-schema.org publishes them. They are licensed
// under the BSD 3-Clause License or the Academic Free License 3.0, at choice.
//
//go:embed meta
var meta embed.FS

// decoded holds those that have been asked for. No one writes to them.
var decoded sync.Map

// own returns the draft's own schema that has an address, and the address that it
// gives itself: http and https are taken for each other. There may be none.
func own(address string) (doc any, self string) {
	scheme, rest, ok := strings.Cut(address, "://json-schema.org/")
	if !ok || scheme != "http" && scheme != "https" {
		return nil, ""
	}
	if scheme = "http"; strings.HasPrefix(rest, "draft/") {
		scheme = "https" // since 2019-09
	}
	self = scheme + "://json-schema.org/" + rest
	if doc, ok := decoded.Load(rest); ok {
		return doc, self
	}
	text, err := meta.ReadFile("meta/" + rest + ".json")
	if err != nil { // there is none
		return nil, ""
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&doc); err != nil {
		return nil, ""
	}
	decoded.Store(rest, doc)
	return doc, self
}
