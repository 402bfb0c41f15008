package github

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// A route is a part of the API and how it answers.
type route struct {
	part  string
	serve http.HandlerFunc
}

var routes = map[string]route{
	"GET /repos/{owner}/{repo}":                           {Repository, serveRepository},
	"GET /repositories/{id}":                              {Repository, serveNumber},
	"GET /users/{owner}/repos":                            {Search, serveOwner},
	"GET /search/repositories":                            {Search, serveSearch},
	"GET /repos/{owner}/{repo}/stats/participation":       {Statistics, serveParticipation},
	"GET /repos/{owner}/{repo}/deployments":               {Deployments, serveDeployments},
	"GET /repos/{owner}/{repo}/deployments/{id}/statuses": {Deployments, serveStatuses},
}

func serveRepository(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("owner") + "/" + r.PathValue("repo")
	for _, repo := range repositories() {
		if strings.EqualFold(repo.FullName, name) {
			write(w, http.StatusOK, repo.whole)
			return
		}
		if strings.EqualFold(repo.formerly(), name) {
			w.Header().Set("Location", "/repositories/"+strconv.FormatUint(repo.ID, 10))
			refuse(w, http.StatusMovedPermanently, "Moved Permanently", "/guides/best-practices-for-using-the-rest-api#follow-redirects")
			return
		}
	}
	Missing.serve(w, r)
}

func serveNumber(w http.ResponseWriter, r *http.Request) {
	for _, repo := range repositories() {
		if strconv.FormatUint(repo.ID, 10) == r.PathValue("id") {
			write(w, http.StatusOK, repo.whole)
			return
		}
	}
	Missing.serve(w, r)
}

func serveOwner(w http.ResponseWriter, r *http.Request) {
	found := wholes(func(repo repository) bool { return strings.EqualFold(repo.owner(), r.PathValue("owner")) })
	if len(found) == 0 {
		Missing.serve(w, r)
		return
	}
	write(w, http.StatusOK, firstPage(r.URL.Query(), found))
}

// serveSearch finds each word of q in the name, as GitHub does with in:name.
func serveSearch(w http.ResponseWriter, r *http.Request) {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(r.FormValue("q"), "in:name", "")))
	if len(words) == 0 {
		refuse(w, http.StatusUnprocessableEntity, "Validation Failed", "/search/search#search-repositories")
		return
	}
	found := wholes(func(repo repository) bool {
		for _, word := range words {
			if !strings.Contains(strings.ToLower(repo.Name), word) {
				return false
			}
		}
		return true
	})
	write(w, http.StatusOK, map[string]any{
		"total_count":        len(found),
		"incomplete_results": false,
		"items":              firstPage(r.URL.Query(), found),
	})
}

// serveParticipation makes up the commits of 52 weeks, the same ones every time.
func serveParticipation(w http.ResponseWriter, r *http.Request) {
	repo, ok := find(r)
	if !ok {
		Missing.serve(w, r)
		return
	}
	dice := rand.New(rand.NewPCG(repo.ID, 0))
	all, owner := make([]int, 52), make([]int, 52)
	for week := range all {
		all[week] = dice.IntN(24)
		owner[week] = all[week] / 3
	}
	write(w, http.StatusOK, map[string][]int{"all": all, "owner": owner})
}

func serveDeployments(w http.ResponseWriter, r *http.Request) {
	repo, ok := find(r)
	if !ok {
		Missing.serve(w, r)
		return
	}
	list := []json.RawMessage{}
	for _, d := range deployments()[repo.FullName] {
		if env := r.FormValue("environment"); env == "" || env == d.Environment {
			list = append(list, d.Deployment)
		}
	}
	write(w, http.StatusOK, firstPage(r.URL.Query(), list))
}

func serveStatuses(w http.ResponseWriter, r *http.Request) {
	if repo, ok := find(r); ok {
		for _, d := range deployments()[repo.FullName] {
			if strconv.Itoa(d.ID) == r.PathValue("id") {
				write(w, http.StatusOK, firstPage(r.URL.Query(), d.Statuses))
				return
			}
		}
	}
	Missing.serve(w, r)
}

func find(r *http.Request) (repository, bool) {
	for _, repo := range repositories() {
		if strings.EqualFold(repo.FullName, r.PathValue("owner")+"/"+r.PathValue("repo")) {
			return repo, true
		}
	}
	return repository{}, false
}

// firstPage cuts a list to per_page, which is 30 at GitHub unless asked for.
func firstPage[T any](q url.Values, list []T) []T {
	n, err := strconv.Atoi(q.Get("per_page"))
	if err != nil || n < 1 || n > 100 {
		n = 30
	}
	return list[:min(n, len(list))]
}
