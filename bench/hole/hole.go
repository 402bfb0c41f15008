// Package hole is a proxy for TCP that can turn what passes through it into a
// black hole.
package hole

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
)

// A Proxy forwards connections until it is told to swallow what comes over them,
// and to leave them open, as a firewall does that has forgotten them.
type Proxy struct {
	target string
	l      net.Listener
	ended  chan struct{}
	all    sync.WaitGroup

	mu   sync.Mutex
	dark *atomic.Bool // the connections made since the last Darken
}

// Listen starts a Proxy on a free port of the loopback.
func Listen(target string) (*Proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{target: target, l: l, ended: make(chan struct{}), dark: &atomic.Bool{}}
	p.all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			p.all.Go(func() { p.forward(c) })
		}
	})
	return p, nil
}

// Addr returns where to connect to.
func (p *Proxy) Addr() string { return p.l.Addr().String() }

// Darken swallows what comes over the connections that there are, their end
// included. New ones pass.
func (p *Proxy) Darken() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dark.Store(true)
	p.dark = &atomic.Bool{}
}

// Close ends the Proxy with all its connections.
func (p *Proxy) Close() {
	p.l.Close()
	close(p.ended)
	p.all.Wait()
}

func (p *Proxy) forward(c net.Conn) {
	p.mu.Lock()
	dark := p.dark
	p.mu.Unlock()
	s, err := net.Dial("tcp", p.target)
	if err != nil {
		c.Close()
		return
	}
	client, server := make(chan struct{}), make(chan struct{})
	go func() { io.Copy(gate{s, dark}, c); close(client) }()
	go func() { io.Copy(gate{c, dark}, s); close(server) }()
	select {
	case <-client:
	case <-p.ended:
	case <-server:
		if dark.Load() { // the client does not learn of it
			select {
			case <-client:
			case <-p.ended:
			}
		}
	}
	c.Close()
	s.Close()
	<-client
	<-server
}

// A gate drops what is written once it is dark.
type gate struct {
	w    io.Writer
	dark *atomic.Bool
}

func (g gate) Write(b []byte) (int, error) {
	if g.dark.Load() {
		return len(b), nil
	}
	return g.w.Write(b)
}
