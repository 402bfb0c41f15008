module github.com/recourse-dev/recourse/cmd/recourse

go 1.26.0

require (
	github.com/alecthomas/kong v1.17.0
	github.com/recourse-dev/recourse v0.0.0
	github.com/recourse-dev/recourse/schema v0.0.0
	github.com/rogpeppe/go-internal v1.16.0
	go.uber.org/goleak v1.3.0
	golang.org/x/sys v0.50.0
	golang.org/x/term v0.48.0
	golang.org/x/tools v0.52.0
	pgregory.net/rapid v1.3.0
)

require github.com/dlclark/regexp2 v1.12.0 // indirect

// Until the first tag.
replace (
	github.com/recourse-dev/recourse => ../..
	github.com/recourse-dev/recourse/schema => ../../schema
)
