package relay

import (
	"encoding/json"
	"strings"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/diagnose"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/redact"
	"github.com/recourse-dev/recourse/schema"
)

// A tool is what the server said of one, and what its calls have taught since.
type tool struct {
	raw   json.RawMessage // its item of tools/list, byte for byte
	hints hints

	studied       bool // of the following:
	name          string
	conduct       diagnose.Conduct
	input, output *schema.Schema // nil: it has none, or one that can't be used
	structured    bool           // it has promised structuredContent
	secret        *redact.Declared

	memory diagnose.Memory // of its results
	barred map[string]bool // rules of input that the server itself enforces
	wants  bool            // an object, even if it is empty
	good   []byte          // arguments of the last call that worked
	simple *simple         // input, if it is so simple
	fits   []byte          // arguments that were found right last
	names  map[string]bool // of input's properties
}

// study reads a tool's description, when it is called for the first time. A schema
// that can't be used ends the checking of this tool, and nothing else.
func (r *Relay) study(t *tool) *tool {
	if t.studied {
		return t
	}
	t.studied = true
	var item struct {
		Name         string          `json:"name"`
		Description  string          `json:"description"`
		InputSchema  json.RawMessage `json:"inputSchema"`
		OutputSchema json.RawMessage `json:"outputSchema"`
	}
	_ = json.Unmarshal(t.raw, &item) // a description of another type leaves the rest
	if item.Name != "" {
		t.name = item.Name
	}
	t.conduct = diagnose.ConductOf(t.name, item.Description, t.hints.readOnly)
	if t.input = r.compile(t.name, "inputSchema", item.InputSchema); t.input != nil {
		t.input.StrictFormats = true // what the server takes nevertheless is only explained if it fails
	}
	var input struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	_ = json.Unmarshal(item.InputSchema, &input)
	t.simple = simpleOf(item.InputSchema)
	t.names = make(map[string]bool, len(input.Properties))
	for name := range input.Properties {
		t.names[name] = true
	}
	t.secret = redact.DeclaredIn(item.InputSchema)
	t.output = r.compile(t.name, "outputSchema", item.OutputSchema)
	t.structured = diagnose.Kind(item.OutputSchema) == "an object"
	return t
}

// compile reads a schema of a tool, nil if there is none or it is of no use.
func (r *Relay) compile(tool, what string, raw []byte) *schema.Schema {
	if diagnose.Kind(raw) != "an object" {
		return nil
	}
	s, err := schema.Compile(raw)
	if err != nil {
		r.say("the tool " + tool + " is not checked against its " + what + ": " + strings.Replace(err.Error(), "input schema", "schema", 1))
		return nil
	}
	return s
}

// toolOf returns the tool that a call is for, be it listed or not.
func (r *Relay) toolOf(c *call) *tool {
	if t := r.table.tools[c.tool]; t != nil {
		return t
	}
	t := r.table.met[c.tool]
	if t == nil {
		t = &tool{name: c.tool}
		r.table.meet(t)
	}
	return t
}

// knows reports whether all arguments have names that the tool knows, which most have:
// only of others it has to be asked what they were meant to be.
func (t *tool) knows(args []byte) bool {
	for key := range wire.Members(args) {
		name := key.Of(args)
		if !t.names[string(name[1:len(name)-1])] {
			return false
		}
	}
	return true
}
