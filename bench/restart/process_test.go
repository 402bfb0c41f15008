// Package restart holds the proof that an MCP server outlives its API: the API is
// killed again and again while clients of the server call.
package restart

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/gosdk"
)

// What this binary is when it starts itself: an API or an MCP server.
const (
	roleKey = "RESTART_ROLE"
	kindKey = "RESTART_KIND"
	addrKey = "RESTART_ADDR" // of the API
)

func TestMain(m *testing.M) {
	role, ok := map[string]func(kind, addr string) error{"api": serveAPI, "mcp": serveMCP}[os.Getenv(roleKey)]
	if !ok {
		os.Exit(m.Run())
	}
	go func() { // ends with the parent, however that ends
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	log.Fatal(role(os.Getenv(kindKey), os.Getenv(addrKey)))
}

// A process is one of this binary's children.
type process struct {
	cmd  *exec.Cmd
	addr string // where it listens
}

// start starts a child and waits until it listens.
func start(t *testing.T, role, kind, addr string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleKey+"="+role, kindKey+"="+kind, addrKey+"="+addr)
	cmd.Stderr = os.Stderr
	if _, err := cmd.StdinPipe(); err != nil { // stays open as long as we live
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		cmd.Process.Kill()
		t.Fatalf("the %s did not start: %v, %v", role, err, cmd.Wait())
	}
	p := &process{cmd, strings.TrimSpace(line)}
	t.Cleanup(p.kill)
	return p
}

// kill ends the process as the kernel does when memory is short.
func (p *process) kill() {
	p.cmd.Process.Kill()
	p.cmd.Wait()
}

// serveAPI answers GET /item after a moment.
func serveAPI(kind, addr string) error {
	l, err := net.Listen("tcp", cmp.Or(addr, "127.0.0.1:0"))
	if err != nil {
		return err
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(2 * time.Millisecond): // so that there is something to interrupt
		case <-r.Context().Done():
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"id":7}`)
	}))
	s.Listener.Close()
	s.Listener = l
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.EnableHTTP2 = strings.HasPrefix(kind, "HTTP/2")
	if kind == "plain" {
		s.Start()
	} else {
		s.StartTLS()
	}
	fmt.Println(l.Addr())
	select {}
}

// attempt is the time-out of one request, and whole that of a call.
const (
	attempt = 500 * time.Millisecond
	whole   = 5 * time.Second
)

type item struct {
	ID  int `json:"id"`
	PID int `json:"pid"`
}

// serveMCP offers one tool, which asks the API, and says on /state how large it is.
func serveMCP(kind, addr string) error {
	api := &recourse.Dependency{Name: "item API", Timeout: attempt, Cooldown: 50 * time.Millisecond}
	url := "http://" + addr + "/item"
	if kind != "plain" {
		url = "https://" + addr + "/item"
		trusted := x509.NewCertPool()
		trusted.AddCert(httptest.NewTLSServer(nil).Certificate()) // all of httptest's have the same
		api.Transport = &http.Transport{
			TLSClientConfig:   &tls.Config{RootCAs: trusted},
			ForceAttemptHTTP2: strings.HasPrefix(kind, "HTTP/2"),
		}
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "items", Version: "1"}, nil)
	tool := &mcp.Tool{Name: "get_item", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
	guard := &recourse.Guard{Timeout: whole, Log: func(r recourse.Record) {
		if r.Code == recourse.UnknownError {
			fmt.Fprintln(os.Stderr, "a cause that is not known:", r.Cause)
		}
	}}
	gosdk.AddTool(s, guard, tool, func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, item, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return nil, item{}, err
		}
		got, err := recourse.DoJSON[item](api, req)
		got.PID = os.Getpid()
		return nil, got, err
	})
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	mux.HandleFunc("/state", func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(measure())
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	return http.Serve(l, mux)
}

// A state is the size of a process.
type state struct {
	Goroutines int
	Heap       int // bytes in use after a collection
	Files      int // descriptors open; zero if unknown
}

func measure() state {
	runtime.GC()
	runtime.GC() // what finalizers let go of
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s := state{Goroutines: runtime.NumGoroutine(), Heap: int(m.HeapAlloc)}
	if files, err := os.ReadDir("/proc/self/fd"); err == nil {
		s.Files = len(files)
	}
	return s
}

// state asks an MCP server how large it is.
func (p *process) state(t *testing.T) (s state) {
	t.Helper()
	resp, err := http.Get("http://" + p.addr + "/state")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&s); err != nil {
		t.Fatal(err)
	}
	return s
}
