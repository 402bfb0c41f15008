package gosdk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/gosdk"
)

type order struct {
	Qty   int               `json:"qty,omitempty"`
	Big   uint64            `json:"big,omitempty"`
	Price float64           `json:"price,omitempty"`
	Rough float32           `json:"rough,omitempty"`
	Rows  []struct{ N int } `json:"rows,omitempty"`
	By    map[string]int8   `json:"by,omitempty"`
}

// open is a schema that says less than the type.
var open = json.RawMessage(`{"type":"object"}`)

func take(_ context.Context, _ *mcp.CallToolRequest, o order) (*mcp.CallToolResult, any, error) {
	return say(fmt.Sprintf("%+v", o)), nil, nil
}

// orders is a server that takes orders; guarded in one way, or "SDK" for not at
// all.
func orders(way string, g *recourse.Guard, schema any) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "s"}, nil)
	tool := &mcp.Tool{Name: "order", InputSchema: schema}
	switch way {
	case "both", "AddTool":
		gosdk.AddTool(s, g, tool, take)
	default:
		mcp.AddTool(s, tool, take)
	}
	if way == "both" || way == "Middleware" {
		s.AddReceivingMiddleware(gosdk.Middleware(g))
	}
	return s
}

// To a schema these are whole numbers, and the SDK alone takes them too.
func TestWholeNumbersInOtherForms(t *testing.T) {
	cases := []string{
		`{"qty":5.0}`, `{"qty":5e0}`, `{"qty":1.5e3}`, `{"qty":-0.0}`, `{"qty":1e18}`, `{"qty":500e-2}`,
		`{"big":1.8e19}`, `{"price":1e30,"qty":2.0}`, `{"rows":[{"N":1},{"N":7.0}]}`, `{"by":{"a.b":3.0,"c":-1e2}}`,
	}
	for _, era := range eras {
		alone := connect(t, orders("SDK", nil, nil), era, nil)
		for _, way := range []string{"AddTool", "Middleware", "both"} {
			session := connect(t, orders(way, nil, nil), era, nil)
			for _, arguments := range cases {
				want, got := call(t, alone, "order", arguments), call(t, session, "order", arguments)
				if want.IsError || got.IsError || texts(want)[0] != texts(got)[0] {
					t.Errorf("%s, %s: %s: want %q, got %q", era, way, arguments, texts(want), texts(got))
				}
			}
		}
	}
}

// Exact where the SDK alone would round.
func TestABigWholeNumberInAnotherForm(t *testing.T) {
	session := connect(t, orders("AddTool", nil, nil), modern, nil)
	if got := texts(call(t, session, "order", `{"qty":9007199254740993.0}`))[0]; got != fmt.Sprintf("%+v", order{Qty: 9007199254740993}) {
		t.Error(got)
	}
}

// A number that suits the schema and not the type.
func TestNumbersBeyondTheType(t *testing.T) {
	cases := []struct {
		arguments, field, want string
		code                   recourse.Code
	}{
		{`{"qty":1e30}`, "/qty", "qty must be a whole number of at most 9223372036854775807.", recourse.OutOfRange},
		{`{"qty":9223372036854775808}`, "/qty", "qty must be a whole number of at most 9223372036854775807.", recourse.OutOfRange},
		{`{"qty":-1e400}`, "/qty", "qty must be a whole number of at least -9223372036854775808.", recourse.OutOfRange},
		{`{"qty":1.5}`, "/qty", "qty must be a whole number.", recourse.InvalidArgument},
		{`{"qty":5.` + strings.Repeat("0", 2000) + `}`, "/qty", "qty must be a whole number.", recourse.InvalidArgument},
		{`{"big":1.5}`, "/big", "big must be a whole number.", recourse.InvalidArgument},
		{`{"big":-1}`, "/big", "big must be a whole number of at least 0.", recourse.OutOfRange},
		{`{"big":18446744073709551616}`, "/big", "big must be a whole number of at most 18446744073709551615.", recourse.OutOfRange},
		{`{"price":1e400}`, "/price", "price must be a number of at most 1.7976931348623157e+308.", recourse.OutOfRange},
		{`{"rough":-1e39}`, "/rough", "rough must be a number of at least -3.4028235e+38.", recourse.OutOfRange},
		{`{"rows":[{"N":1},{"N":1e30}]}`, "/rows/1/N", "rows[1].N must be a whole number of at most 9223372036854775807.", recourse.OutOfRange},
		{`{"by":{"a.b/c":-200}}`, "/by/a.b~1c", "by.a.b/c must be a whole number of at least -128.", recourse.OutOfRange},
	}
	for _, era := range eras {
		for _, way := range []string{"AddTool", "Middleware", "both"} {
			l := new(journal)
			session := connect(t, orders(way, &recourse.Guard{Log: l.add}, open), era, nil)
			for _, c := range cases {
				if way == "Middleware" && (strings.Contains(c.arguments, "5.000") || c.arguments == `{"qty":-1e400}` || c.arguments == `{"price":1e400}`) {
					continue // the SDK reads all numbers as floats first
				}
				e := failure(t, call(t, session, "order", c.arguments))
				if e.Code != c.code || e.Field != c.field || e.Message != c.want || e.Retryable() || e.Constraint == "" {
					t.Errorf("%s, %s: %s: %s", era, way, c.arguments, e.Envelope())
				}
				if r := l.last(t); r.Fault != "caller" || r.Cause == "" {
					t.Errorf("%s, %s: %s: logged %+v", era, way, c.arguments, r)
				}
			}
		}
	}
	e := failure(t, call(t, connect(t, orders("AddTool", nil, open), modern, nil), "order", `{"qty":1e30,"rough":1e39,"by":{"x":1}}`))
	if e.Code != recourse.OutOfRange || len(e.Violations) != 2 || e.Violations[0].Field != "/qty" || e.Violations[1].Suggestion != "Set rough to a number of at most 3.4028235e+38." {
		t.Error(e.Envelope())
	}
}
