package recourse_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/recourse-dev/recourse"
)

// How does a server ask for what it can't run without?
func ExampleEnv() {
	_, err := recourse.Env("WEATHER_API_KEY")
	fmt.Println(err)
	fmt.Println(recourse.Classify(err).Suggestion)
	// Output:
	// The environment variable WEATHER_API_KEY is not set.
	// Tell the user to set WEATHER_API_KEY in the server's environment and to start the server again.
}

// What does an operator read of a slip in a configuration file?
func ExampleReadConfig() {
	dir, _ := os.MkdirTemp("", "example")
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "server.json")
	var config struct {
		City string `json:"city"`
		Days int    `json:"days"`
	}
	for _, text := range []string{
		`{"city": "Berlin", "days": 7}`,
		"{\n  \"city\": \"Berlin\",\n}",
		`{"city": "Berlin", "days": "seven"}`,
		`{"town": "Berlin"}`,
	} {
		_ = os.WriteFile(name, []byte(text), 0o600)
		err := recourse.ReadConfig(name, &config)
		fmt.Println(strings.TrimPrefix(fmt.Sprint(err), dir+string(filepath.Separator)))
	}
	// Output:
	// <nil>
	// server.json:3:1: invalid character '}' looking for beginning of object key string.
	// server.json:1:28: days is a text, but has to be a whole number.
	// server.json:1:2: there is no setting "town".
}

// How does a server end so that nobody restarts it in vain, and whoever asks is
// told why?
func ExampleFatal() {
	os.Setenv("WEATHER_API_KEY", "k")
	defer os.Unsetenv("WEATHER_API_KEY")

	key, err := recourse.Env("WEATHER_API_KEY")
	recourse.Fatal(err) // goes on if err is nil; else writes one line and exits with status 78
	fmt.Println("serving with a key of length", len(key))
	// Output: serving with a key of length 1
}
