// Command weather is an MCP server with one tool, get_forecast. It asks
// Open-Meteo, or a stand-in for it that can be told to fail.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/examples/weather/openmeteo"
	"github.com/recourse-dev/recourse/gosdk"
)

var (
	api  = recourse.Dependency{Name: "Open-Meteo", Trip: 3}
	last = recourse.Cache[string, forecast]{MaxAge: 6 * time.Hour} // until the next model run
	site openmeteo.Site
)

var tool = &mcp.Tool{
	Name:        "get_forecast",
	Description: "Daily weather forecast for a city.",
	Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	InputSchema: json.RawMessage(`{"type": "object", "additionalProperties": false, "required": ["city"], "properties": {
		"city": {"type": "string", "minLength": 2, "maxLength": 100, "description": "Name of a city; a country may follow, as in Paris, US"},
		"days": {"type": "integer", "minimum": 1, "maximum": 16, "default": 7, "description": "Number of days, from today on"}}}`),
}

type query struct {
	City string `json:"city"`
	Days int    `json:"days"`
}

type forecast struct {
	Place string `json:"place"`
	Days  []day  `json:"days"`
}

type day struct {
	Date string   `json:"date"`
	Sky  string   `json:"sky"`
	Max  *float64 `json:"max_celsius"` // null where no model looks so far ahead
	Min  *float64 `json:"min_celsius"`
	Rain *float64 `json:"precipitation_mm"`
}

// advice says what a failure means here: what to change, and whom to tell.
var advice = map[recourse.Code]struct{ message, suggestion string }{
	recourse.RateLimited:        {"Open-Meteo takes no more calls for the moment.", "Wait retry_after_seconds, then call get_forecast again; ask for no other city meanwhile."},
	recourse.InvalidCredentials: {"Open-Meteo refuses this server's API key; it may have expired.", "Tell the user that the operator must renew OPEN_METEO_API_KEY; don't call get_forecast again before that."},
	recourse.Timeout:            {"Open-Meteo gave no answer in time.", "Call get_forecast again with the same city; if that takes too long as well, tell the user that there is no forecast now."},
}

func getForecast(ctx context.Context, _ *mcp.CallToolRequest, q query) (*mcp.CallToolResult, forecast, error) {
	city := strings.ToLower(strings.TrimSpace(q.City))
	f, err := fetch(ctx, q.City, max(q.Days, 7)) // a week at least, for last
	if err == nil {
		last.Put(city, f)
		f.Days = f.Days[:min(q.Days, len(f.Days))]
		return nil, f, nil
	}
	e := recourse.Classify(err)
	if e.Code == recourse.InvalidArgument && site.Key != "" {
		// 400 means either, and the schema has checked our arguments.
		e = &recourse.Error{Code: recourse.InvalidCredentials, Related: e.Related, Err: err}
	}
	if a, ok := advice[e.Code]; ok {
		e = &recourse.Error{Message: a.message, Suggestion: a.suggestion, Related: e.Related, Err: e}
	}
	if e.Retryable() {
		if old, ok := last.Last(ctx, city); ok {
			old.Days = old.Days[:min(q.Days, len(old.Days), 3)]
			recourse.Warn(ctx, "%v Here are %d of %d days, from an earlier answer.", e, len(old.Days), q.Days)
			return nil, old, nil
		}
	}
	return nil, f, e
}

func fetch(ctx context.Context, city string, days int) (f forecast, err error) {
	places, err := locate(ctx, city, 1)
	if err != nil {
		return f, err
	}
	if len(places) == 0 {
		near, _ := locate(ctx, fmt.Sprintf("%.3s", city), 5) // if this fails, there is less to suggest
		return f, &recourse.Error{
			Code: recourse.NotFound, Message: "Open-Meteo knows no city of this name.",
			Field: "/city", Value: city, Constraint: "must be the name of a city",
			Suggestion: "Set city to one of near_names if that is meant; else check its spelling, or name a larger city nearby.",
			Related:    map[string]any{"near_names": near.Names()},
		}
	}
	answer, err := recourse.DoJSON[openmeteo.Forecast](&api, site.Forecast(ctx, places[0], days))
	if err != nil {
		return f, err
	}
	if !answer.Complete() {
		return f, recourse.Errorf(recourse.BadUpstreamResponse, "Open-Meteo sent an incomplete forecast.")
	}
	d := answer.Daily
	for i, date := range d.Time {
		f.Days = append(f.Days, day{date, openmeteo.Sky(d.WeatherCode[i]), d.Max[i], d.Min[i], d.Precipitation[i]})
	}
	f.Place = places[0].String()
	return f, nil
}

func locate(ctx context.Context, name string, count int) (openmeteo.Places, error) {
	answer, err := recourse.DoJSON[openmeteo.Found](&api, site.Search(ctx, name, count))
	return answer.Results, err
}

func main() {
	upstream := flag.String("upstream", "fake", "`site` to ask: fake, open-meteo, customer (with the key in OPEN_METEO_API_KEY) or a URL")
	fail := flag.String("fail", "none", "how the fake fails until told otherwise: "+openmeteo.Failures.String())
	flag.DurationVar(&api.Timeout, "timeout", 5*time.Second, "how long Open-Meteo may take to answer")
	flag.DurationVar(&api.Cooldown, "cooldown", 2*time.Minute, "how long to leave it alone after three failures in a row")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "weather serves get_forecast(city, days) over standard input and output.")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 {
		recourse.Fatal(recourse.Errorf(recourse.ConfigurationError, "There is no argument %q; -help lists the flags.", flag.Arg(0)))
	}
	var err error
	if site, err = openmeteo.Find(*upstream, openmeteo.Failure(*fail)); err != nil {
		recourse.Fatal(err)
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "1"}, nil)
	g := &recourse.Guard{Log: recourse.LogTo(os.Stderr)}
	s.AddReceivingMiddleware(gosdk.Middleware(g)) // answers names of tools that don't exist
	gosdk.AddTool(s, g, tool, getForecast)
	if err = s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Fatal(err)
	}
}
