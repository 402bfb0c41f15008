package status

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"time"
)

// Serve tells everybody who asks how this process is, until it is closed. The
// socket is in the first of the places that will have it; its folder is made,
// but not the one above. now is called by one goroutine at a time. The error
// says of each place why it won't do.
func Serve(places []string, server string, now func() Process) (io.Closer, error) {
	if len(places) == 0 {
		return nil, errors.New("this user has no folder for it")
	}
	var faults []error
	for _, place := range places {
		ln, err := listen(place, server)
		if err == nil {
			go answer(ln, now)
			return ln, nil
		}
		faults = append(faults, err)
	}
	return nil, errors.Join(faults...)
}

func listen(place, server string) (*net.UnixListener, error) {
	s, err := socketIn(place, server)
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(place, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	if err := trusted(place); err != nil {
		return nil, err
	}
	sweep(place)
	return net.ListenUnix("unix", &net.UnixAddr{Name: s.path, Net: "unix"})
}

// answer needs no goroutine for each that asks: what it writes fits into the
// socket's buffer.
func answer(ln *net.UnixListener, now func() Process) {
	for {
		conn, err := ln.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // out of file descriptors
			time.Sleep(100 * time.Millisecond)
			continue
		}
		_ = conn.SetDeadline(time.Now().Add(patience))
		_ = json.NewEncoder(conn).Encode(now())
		conn.Close()
	}
}
