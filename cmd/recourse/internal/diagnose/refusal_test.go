package diagnose

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

func TestRefusal(t *testing.T) {
	const plain = `"The server failed without saying why."`
	for _, c := range []struct{ member, want string }{
		{`{"code":-32602,"message":"no"}`, ``},
		{`{ "data":[1e2], "x":0, "message":"not\u0020found", "code":-32002 }`, ``},
		{`{"code":1,"code":2,"message":"","message":"m"}`, ``},

		{`"broken"`, `{"code":-32603,"message":"broken"}`},
		{`"\u0062roken"`, `{"code":-32603,"message":"\u0062roken"}`},
		{`""`, `{"code":-32603,"message":` + plain + `}`},
		{`true`, `{"code":-32603,"message":` + plain + `}`},
		{`false`, `{"code":-32603,"message":` + plain + `}`},
		{`{}`, `{"code":-32603,"message":` + plain + `}`},
		{`42`, `{"code":42,"message":` + plain + `}`},
		{`1e99`, `{"code":-32603,"message":` + plain + `,"data":1e99}`},
		{`["broken", "twice"]`, `{"code":-32603,"message":"broken","data":["broken", "twice"]}`},
		{`[]`, `{"code":-32603,"message":` + plain + `,"data":[]}`},

		{`{"message":"broken"}`, `{"code":-32603,"message":"broken"}`},
		{`{"code":"-32602","message":"broken"}`, `{"code":-32602,"message":"broken"}`},
		{`{"code":-32602.0,"message":"broken"}`, `{"code":-32602,"message":"broken"}`},
		{`{"code":1e3,"message":"broken"}`, `{"code":1000,"message":"broken"}`},
		{`{"code":1.5,"message":"broken"}`, `{"code":-32603,"message":"broken"}`},
		{`{"code":99999999999,"message":"broken","x":1}`, `{"code":-32603,"message":"broken","x":1}`},
		{`{"code":null,"message":"broken"}`, `{"code":-32603,"message":"broken"}`},
		{`{"code":"E_FAIL","message":"broken"}`, `{"code":-32603,"message":"broken","data":{"code":"E_FAIL"}}`},
		{`{"code":"E_FAIL","message":"broken","data":1.0}`, `{"code":-32603,"message":"broken","data":1.0}`},

		{`{"code":-32602}`, `{"code":-32602,"message":` + plain + `}`},
		{`{"code":-32602,"message":" "}`, `{"code":-32602,"message":` + plain + `}`},
		{`{"code":-32602,"message":null,"data":"why"}`, `{"code":-32602,"message":"why","data":"why"}`},
		{`{"data":{"why":"broken"}}`, `{"code":-32603,"message":"broken","data":{"why":"broken"}}`},
		{`{"data":{"n":1},"code":5}`, `{"code":5,"message":"{\"n\":1}","data":{"n":1}}`},
		{`{"code":5,"data":{"error":{"code":"X","message":"m"}}}`, `{"code":5,"message":"m","data":{"error":{"code":"X","message":"m"}}}`},
		{`{"code":5,"message":{"text":"broken"}}`, `{"code":5,"message":"broken"}`},
		{`{"code":5,"message":17}`, `{"code":5,"message":"17"}`},
		{`{"error_description":"expired","error":"invalid_token"}`, `{"code":-32603,"message":"invalid_token","error_description":"expired","error":"invalid_token"}`},
	} {
		if got := string(Refusal([]byte(c.member))); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.member, got, c.want)
		}
		legible(t, []byte(c.member))
	}
}

// legible checks what holds of every value.
func legible(t *testing.T, member []byte) {
	if !json.Valid(member) {
		return
	}
	member = bytes.TrimSpace(member)
	before := bytes.Clone(member)
	got := Refusal(member)
	if !bytes.Equal(before, member) {
		t.Fatal("the bytes that came were changed")
	}
	if got == nil {
		got = member
	} else if Refusal(got) != nil {
		t.Errorf("%s is not good", got)
	}
	var all, was map[string]json.RawMessage
	json.Unmarshal(got, &all)
	json.Unmarshal(member, &was)
	n, err := strconv.ParseInt(string(all["code"]), 10, 32)
	var message string
	json.Unmarshal(all["message"], &message)
	if err != nil || n == 0 && string(all["code"]) != "0" || strings.TrimSpace(message) == "" {
		t.Errorf("%s: %s", member, got)
	}
	for name := range was {
		if _, kept := all[name]; !kept {
			t.Errorf("%s: %s is gone", member, name)
		}
	}
}

func FuzzRefusal(f *testing.F) {
	for _, member := range []string{`{"code":-32602,"message":"no"}`, `"x"`, `5`, `[1,"a"]`, `{"code":"1e2","message":{"a":["b"]},"data":{"error":{"message":"m"}}}`, `{"error":{"detail":" "}}`} {
		f.Add([]byte(member))
	}
	f.Fuzz(legible)
}
