module github.com/recourse-dev/recourse

go 1.25
