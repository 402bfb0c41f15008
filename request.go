package recourse

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"

	"github.com/recourse-dev/recourse/internal/policy"
)

// maxBody is the size of the largest answer that DoJSON reads: more than any
// model can take in.
const maxBody = 32 << 20

// DoJSON sends req through d's [Dependency.Client] with [Call], checks the
// response with [CheckResponse] and decodes its body; either body may have 32 MiB. Only
// GET, HEAD and requests with an Idempotency-Key are repeated once they may have
// run, and under [Run] only in a tool that is ReadOnly or Idempotent is the model
// told to do so. Without an Accept header it asks for JSON.
//
// That nothing came is not data: a GET that is answered without a body is an
// error unless T is struct{}, and so is null unless T has a nil.
//
// The request's body is closed, as by an [http.Client]; one without GetBody is
// first read into memory, to be there for another attempt.
func DoJSON[T any](d *Dependency, req *http.Request) (T, error) {
	var v, zero T
	if req == nil {
		return v, &Error{Code: InternalError, Err: errors.New("recourse: DoJSON got a nil request")}
	}
	if req.Body != nil {
		defer req.Body.Close() // also to end the reading of one that has no end
	}
	own := prepare(req)
	err := d.call(req.Context(), repeatable(own), func(ctx context.Context) error {
		if err := keepBody(own); err != nil {
			return err
		}
		r := own.Clone(ctx)
		if own.GetBody != nil {
			var err error // not the one outside: the caller may have left
			if r.Body, err = own.GetBody(); err != nil {
				return err
			}
		}
		v = zero
		return exchange(d.Client(), r, &v)
	})
	if err != nil {
		return zero, err
	}
	return v, nil
}

// repeatable reports how a request may be repeated; compare net/http.Transport.
func repeatable(req *http.Request) policy.Repeat {
	switch req.Method {
	case http.MethodGet, http.MethodHead:
		return policy.ReadOnly
	}
	if req.Header.Get("Idempotency-Key") != "" {
		return policy.Idempotent
	}
	return policy.Unsafe
}

// prepare returns a copy of req that can be sent several times, even when the
// caller has gone on to something else.
func prepare(req *http.Request) *http.Request {
	r := req.Clone(req.Context())
	r.Method = cmp.Or(r.Method, http.MethodGet)
	if r.Header == nil {
		r.Header = http.Header{}
	}
	if r.Header.Get("Accept") == "" {
		r.Header.Set("Accept", "application/json")
	}
	if req.Body == http.NoBody {
		r.Body = nil
	}
	if r.Body == nil {
		r.GetBody = nil
	}
	return r
}

// keepBody sees that r's body can be had for each attempt. It may have to read it,
// which takes as long as its source likes, so it belongs to the first attempt.
func keepBody(r *http.Request) error {
	body := r.Body
	if body == nil {
		return nil
	}
	if r.Body = nil; r.GetBody != nil {
		return nil
	}
	all, err := io.ReadAll(io.LimitReader(body, maxBody+1))
	switch {
	case err != nil:
		return &Error{Code: InternalError, Message: "The request's body can't be read.", NotRun: true, Err: err}
	case len(all) > maxBody:
		return &Error{Code: PayloadTooLarge, Message: "The request's body is over 32 MiB.", NotRun: true}
	}
	r.ContentLength = int64(len(all)) // some APIs refuse a body of unknown length
	r.GetBody = func() (io.ReadCloser, error) {
		if len(all) == 0 {
			return http.NoBody, nil
		}
		return io.NopCloser(bytes.NewReader(all)), nil
	}
	return nil
}

// exchange sends r and decodes the answer into v.
func exchange(c *http.Client, r *http.Request, v any) error {
	resp, err := c.Do(r)
	if err != nil {
		return err
	}
	if err := CheckResponse(resp); err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	switch {
	case err != nil:
		return err
	case len(text) > maxBody:
		return unreadable("The service sent more than 32 MiB.", nil)
	}
	text = bytes.TrimSpace(text)
	switch want := reflect.TypeOf(v).Elem(); {
	case len(text) == 0 && (r.Method != http.MethodGet || want.Size() == 0):
		return nil
	case len(text) == 0:
		return unreadable("The service sent an answer without a body.", nil)
	case string(text) == "null" && want.Size() > 0 && !nilable(want.Kind()):
		return unreadable("The service sent null instead of data.", nil)
	}
	if err := json.Unmarshal(text, v); err != nil {
		return unreadable("", err)
	}
	return nil
}

// nilable reports whether a type of that kind can say that there is nothing. In
// any other, null would read as a price of zero.
func nilable(k reflect.Kind) bool {
	return k == reflect.Pointer || k == reflect.Slice || k == reflect.Map || k == reflect.Interface
}

// unreadable says of an answer what can't be used in it. The answer may belong
// to a call that ran.
func unreadable(message string, err error) *Error {
	return &Error{Code: BadUpstreamResponse, Message: message, Err: err, bare: true}
}
