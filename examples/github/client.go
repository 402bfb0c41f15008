// Package github makes requests to GitHub's REST API, or to a [Fake] of it that
// needs no network.
package github

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/recourse-dev/recourse"
)

// Base is where GitHub's own API is. GitHub Enterprise Server has it at
// https://HOST/api/v3.
const Base = "https://api.github.com"

// A Client makes the requests. It sends none: that is a [recourse.Dependency]'s
// part.
type Client struct {
	base  *url.URL
	token string
}

// Connect returns a Client of the upstream "github", which has the address base,
// if empty [Base], and wants a token in GITHUB_TOKEN; or of the upstream "fake", a
// [Fake] that is started for it and fails as [Fake.Play] says. A base for the
// fake, or a failure for GitHub, is an error: whoever sets it expects another
// upstream.
func Connect(ctx context.Context, upstream, base, fail string) (Client, error) {
	var c Client
	var err error
	switch upstream {
	case "fake":
		if base != "" {
			return c, recourse.Errorf(recourse.ConfigurationError, "The flag -base-url is for -upstream github; the fake has no address to set.")
		}
		var f Fake
		if err := f.Play(fail); err != nil {
			return c, err
		}
		if base, err = f.Start(ctx); err != nil {
			return c, err
		}
	case "github":
		if fail != "" && fail != string(None) {
			return c, recourse.Errorf(recourse.ConfigurationError, "The flag -fail is for -upstream fake; GitHub itself can't be told to fail.")
		}
		base = cmp.Or(base, Base)
		if c.token, err = recourse.Env("GITHUB_TOKEN"); err != nil {
			return c, err
		}
	default:
		return c, recourse.Errorf(recourse.ConfigurationError, "There is no -upstream %q: it is fake or github.", upstream)
	}
	c.base, err = url.Parse(strings.TrimSuffix(base, "/"))
	if err != nil || c.base.Host == "" {
		return c, recourse.Errorf(recourse.ConfigurationError, "The -base-url %q is no address such as %s.", base, Base)
	}
	return c, nil
}

// Get returns a request for what is at the path made of segments. It has no
// error to return: the address was checked, and segments are escaped.
func (c Client) Get(ctx context.Context, query url.Values, segments ...string) *http.Request {
	u := *c.base
	for _, s := range segments {
		u.RawPath = u.EscapedPath() + "/" + url.PathEscape(s)
		u.Path += "/" + s
	}
	u.RawQuery = query.Encode()
	// GitHub refuses requests without a User-Agent.
	// https://docs.github.com/rest/using-the-rest-api/getting-started-with-the-rest-api
	h := http.Header{
		"Accept":               {"application/vnd.github+json"},
		"User-Agent":           {"recourse-examples"},
		"X-Github-Api-Version": {"2022-11-28"},
	}
	if c.token != "" {
		h.Set("Authorization", "Bearer "+c.token)
	}
	return (&http.Request{Method: http.MethodGet, URL: &u, Header: h}).WithContext(ctx)
}
