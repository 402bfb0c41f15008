package recourse

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"reflect"
	"strings"
)

// A redirected is how a request failed that a redirect led to by another method:
// the one before it was answered, and may have run.
type redirected struct{ error }

func (r redirected) Unwrap() error { return r.error }

// moved reports whether req comes from a redirect that changed the method, as a
// 303 does that shows what a POST has made. One that keeps it only says where to
// send the request.
func moved(req *http.Request) bool {
	first := req
	for first != nil && first.Response != nil {
		first = first.Response.Request
	}
	return first != nil && cmp.Or(first.Method, http.MethodGet) != cmp.Or(req.Method, http.MethodGet)
}

// late returns the verdict on a time-out.
func (t trail) late() Error { return t.adjust(Error{Code: Timeout}) }

// adjust returns v as it looks where it was met.
func (t trail) adjust(v Error) Error {
	switch {
	case t.start && (v.Code == NotFound || v.Code == PermissionDenied):
		return missingProgram
	case t.start:
		v.NotRun = true
		return v
	case t.dial:
		return undialed(v)
	case t.own && !t.wire && v.blames():
		return Error{Code: InternalError}
	case v.Code != PermissionDenied:
	case t.wire:
		v.Message = noAddress
	case t.file:
		v.Message = "The server may not use a file or folder."
	default:
		v.Message = "The server is not allowed to do this."
	}
	return v
}

// blames reports whether v lays a failure at the door of the call's arguments or
// of a service, where nobody has answered.
func (e *Error) blames() bool {
	switch e.Code {
	case NotFound, PermissionDenied, DuplicateEntry, InvalidArgument, PreconditionFailed, BadUpstreamResponse:
		return !e.heard
	}
	return false
}

// undialed returns v as it looks while a connection is being made.
func undialed(v Error) Error {
	v.NotRun = true
	switch v.Code {
	case Timeout:
		v.Message = "No connection could be made in time."
	case NotFound: // the socket file of a local service that is not there
		v.Code, v.Message, v.lost = ServiceUnavailable, refused, true
	case PermissionDenied:
		v.Message = noAddress
	case InvalidArgument, NotSupported, UnknownError:
		v.Code, v.Message = HostUnreachable, ""
	}
	return v
}

// connection judges what net, crypto/tls and net/http return.
func connection(err error, t trail) (Error, bool) {
	switch x := err.(type) {
	case *net.DNSError:
		return lookup(x), true
	case *net.AddrError, *net.ParseError, net.InvalidAddrError, net.UnknownNetworkError:
		return t.adjust(Error{Code: HostUnreachable, Message: "The host's address is not well-formed."}), true
	case *tls.CertificateVerificationError:
		v := certificate(x.Err)
		v.NotRun = true // the handshake comes before the first byte of a request
		return v, true
	case x509.UnknownAuthorityError, x509.HostnameError, x509.CertificateInvalidError, x509.SystemRootsError:
		return certificate(err), true
	case tls.RecordHeaderError:
		if x.Conn == nil { // after a handshake: the request may have been sent
			return t.adjust(Error{Code: ServiceUnavailable, Message: broken, lost: true}), true
		}
		return Error{Code: HostUnreachable, Message: noTLS, NotRun: true}, true
	case tls.AlertError:
		return Error{Code: HostUnreachable, Message: noTLS}, true
	case *net.OpError:
		// crypto/tls keeps the type of the alerts it receives to itself.
		if x.Op == "remote error" || x.Op == "local error" {
			return Error{Code: HostUnreachable, Message: noTLS}, true
		}
	}
	if !t.wire {
		if fromHTTP2(err) {
			return nameless(err.Error())
		}
		return Error{}, false
	}
	switch {
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return t.adjust(Error{Code: ServiceUnavailable, Message: broken, lost: true}), true
	case err == http.ErrSchemeMismatch: // mostly of the first record, but net/http does not say
		return Error{Code: HostUnreachable, Message: noTLS}, true
	case errors.Unwrap(err) == nil:
		return nameless(err.Error())
	}
	return Error{}, false
}

const noAddress = "The server may not use this address."

const noTLS = "No secure connection to the host could be made."

func lookup(x *net.DNSError) Error {
	switch {
	case x.IsTimeout:
		return Error{Code: Timeout, Message: "The host's name could not be looked up in time.", NotRun: true}
	case x.IsTemporary && !x.IsNotFound:
		return Error{Code: ServiceUnavailable, Message: "The host's name can't be looked up for now.", NotRun: true}
	}
	return Error{Code: HostUnreachable, Message: "The host's name is not known.", NotRun: true}
}

func certificate(err error) Error {
	v := Error{Code: HostUnreachable, Message: "The host's certificate is not trusted."}
	left := maxTree
	walk(err, &left, func(err error) bool {
		switch x := err.(type) {
		case x509.CertificateInvalidError:
			if x.Reason == x509.Expired {
				v.Message = "The host's certificate has expired or is not valid yet."
			}
			return true
		case x509.HostnameError:
			v.Message = "The host's certificate is for another name."
			return true
		}
		return false
	})
	return v
}

// fromHTTP2 reports whether err comes from an HTTP/2 connection. While a body is
// read, no [url.Error] around it says so, and net/http keeps the types and the
// values to itself.
func fromHTTP2(err error) bool {
	switch reflect.TypeOf(err).String() {
	case "http.http2StreamError", "http.http2GoAwayError", "http.http2ConnectionError",
		"http2.StreamError", "http2.GoAwayError", "http2.ConnectionError": // of golang.org/x/net
		return true
	case "*errors.errorString":
		return strings.HasPrefix(err.Error(), "http2: ")
	}
	return false
}

// nameless judges errors of net/http that have neither a name nor a type to
// tell them by.
func nameless(text string) (Error, bool) {
	for _, n := range []struct {
		prefix string
		is     Error
	}{
		{"net/http: TLS handshake timeout", Error{Code: Timeout, Message: "No secure connection could be made in time.", NotRun: true}},
		{"http: server closed idle connection", Error{Code: ServiceUnavailable, Message: broken, lost: true}},
		{"http2: server sent GOAWAY", Error{Code: ServiceUnavailable, Message: broken, lost: true}},
		{"http2: client conn", Error{Code: ServiceUnavailable, Message: broken, lost: true}}, // "connection lost": no answer to a ping
		{"http2: timeout awaiting response headers", Error{Code: Timeout}},
		{"stream error: ", Error{Code: ServiceUnavailable, Message: broken, lost: true}},
		{"connection error: ", Error{Code: ServiceUnavailable, Message: broken, lost: true}},
		{"malformed HTTP ", Error{Code: BadUpstreamResponse, Message: "The answer is not valid HTTP."}},
	} {
		if strings.HasPrefix(text, n.prefix) {
			return n.is, true
		}
	}
	return Error{}, false
}
