module github.com/recourse-dev/recourse/schema

go 1.25.0

require (
	github.com/dlclark/regexp2 v1.12.0
	github.com/recourse-dev/recourse v0.0.0
)

// Until the first tag.
replace github.com/recourse-dev/recourse => ..
