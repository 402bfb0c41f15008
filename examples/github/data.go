package github

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"
)

var (
	//go:embed repositories.json
	repositoriesJSON []byte
	//go:embed deployments.json
	deploymentsJSON []byte
)

// A repository is GitHub's whole object, and the members that the fake looks at.
type repository struct {
	ID       uint64 `json:"id"`
	Name     string `json:"name"`
	FullName string `json:"full_name"`
	whole    json.RawMessage
}

func (r *repository) UnmarshalJSON(b []byte) error {
	type plain repository
	err := json.Unmarshal(b, (*plain)(r))
	r.whole = append(json.RawMessage(nil), b...)
	return err
}

func (r repository) owner() string {
	owner, _, _ := strings.Cut(r.FullName, "/")
	return owner
}

// formerly is the name from which GitHub redirects, if the repository was
// renamed.
func (r repository) formerly() string {
	if r.FullName == "acme/billing" {
		return "acme/invoices"
	}
	return ""
}

// A rollout is a deployment and its statuses, the latest first: each one GitHub's
// whole object.
type rollout struct {
	ID          int               `json:"id"`
	Environment string            `json:"environment"`
	Deployment  json.RawMessage   `json:"deployment"`
	Statuses    []json.RawMessage `json:"statuses"`
}

var repositories = sync.OnceValue(func() (all []repository) {
	if err := json.Unmarshal(repositoriesJSON, &all); err != nil {
		panic(err)
	}
	return all
})

var deployments = sync.OnceValue(func() (all map[string][]rollout) {
	if err := json.Unmarshal(deploymentsJSON, &all); err != nil {
		panic(err)
	}
	return all
})

// wholes returns the objects of the repositories for which keep is true.
func wholes(keep func(repository) bool) []json.RawMessage {
	found := []json.RawMessage{}
	for _, r := range repositories() {
		if keep(r) {
			found = append(found, r.whole)
		}
	}
	return found
}
