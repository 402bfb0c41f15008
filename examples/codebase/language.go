package main

import (
	"path"
	"strings"
)

// language returns the language of a file by its name; a file of any other kind
// is just text.
func language(name string) string {
	name = path.Base(name)
	if l, ok := names[name]; ok {
		return l
	}
	if l, ok := extensions[strings.ToLower(path.Ext(name))]; ok {
		return l
	}
	return "Text"
}

var names = map[string]string{
	"BUILD": "Starlark", "CMakeLists.txt": "CMake", "Dockerfile": "Dockerfile", "Gemfile": "Ruby",
	"Jenkinsfile": "Groovy", "Makefile": "Makefile", "Rakefile": "Ruby", "go.mod": "Go module", "go.sum": "Go module",
}

var extensions = map[string]string{
	".asm": "Assembly", ".s": "Assembly", ".awk": "Awk", ".bat": "Batch", ".bzl": "Starlark",
	".c": "C", ".h": "C", ".cc": "C++", ".cpp": "C++", ".cxx": "C++", ".hpp": "C++", ".cs": "C#",
	".clj": "Clojure", ".cmake": "CMake", ".coffee": "CoffeeScript", ".css": "CSS", ".scss": "CSS", ".less": "CSS", ".csv": "CSV",
	".dart": "Dart", ".ex": "Elixir", ".exs": "Elixir", ".elm": "Elm", ".erl": "Erlang", ".fs": "F#", ".f90": "Fortran",
	".go": "Go", ".gradle": "Groovy", ".groovy": "Groovy", ".graphql": "GraphQL", ".hs": "Haskell", ".html": "HTML", ".htm": "HTML",
	".ini": "INI", ".java": "Java", ".js": "JavaScript", ".cjs": "JavaScript", ".mjs": "JavaScript", ".jsx": "JavaScript",
	".json": "JSON", ".jl": "Julia", ".ipynb": "Jupyter", ".kt": "Kotlin", ".kts": "Kotlin", ".lua": "Lua", ".md": "Markdown",
	".ml": "OCaml", ".mli": "OCaml", ".m": "Objective-C", ".pas": "Pascal", ".pl": "Perl", ".pm": "Perl", ".php": "PHP",
	".ps1": "PowerShell", ".proto": "Protocol Buffers", ".py": "Python", ".pyi": "Python", ".r": "R", ".rb": "Ruby",
	".rst": "reStructuredText", ".rs": "Rust", ".scala": "Scala", ".sh": "Shell", ".bash": "Shell", ".zsh": "Shell", ".sql": "SQL",
	".svelte": "Svelte", ".svg": "SVG", ".swift": "Swift", ".tf": "Terraform", ".toml": "TOML",
	".ts": "TypeScript", ".mts": "TypeScript", ".tsx": "TypeScript", ".vue": "Vue", ".xml": "XML", ".yaml": "YAML", ".yml": "YAML", ".zig": "Zig",
}
