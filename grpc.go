package recourse

import (
	"reflect"
	"strings"
	"time"
)

// byGRPC judges errors of grpc-go and connect-go, which this module can't
// import. The names of the methods are constants, so that the linker still
// drops what nobody calls.
func byGRPC(err error) (Error, bool) {
	v := reflect.ValueOf(err)
	if m := v.MethodByName("GRPCStatus"); yields(m) {
		v = m.Call(nil)[0]
	}
	m := v.MethodByName("Code")
	if !yields(m) || m.Type().Out(0).Kind() != reflect.Uint32 || m.Type().Out(0).Name() != "Code" {
		return Error{}, false
	}
	e, ok := rpcs[m.Call(nil)[0].Uint()]
	if !ok {
		return Error{}, false
	}
	if e.Code == RateLimited && strings.Contains(err.Error(), " larger than ") {
		// grpc-go and connect-go have the same code for a message over the size
		// limit, which may be the answer of a call that ran.
		return Error{Code: PayloadTooLarge, heard: true}, true
	}
	if m := v.MethodByName("Details"); yields(m) {
		e.detail(m.Call(nil)[0])
	}
	return e, true
}

// yields reports whether m is a method that takes nothing and returns one value.
func yields(m reflect.Value) bool {
	return m.IsValid() && m.Type().NumIn() == 0 && m.Type().NumOut() == 1
}

// rpcs are the codes of https://grpc.io/docs/guides/status-codes/.
var rpcs = map[uint64]Error{
	1:  {Code: Cancelled},
	2:  {Code: UnknownError},
	3:  {Code: InvalidArgument, heard: true},
	4:  {Code: Timeout},
	5:  {Code: NotFound, heard: true},
	6:  {Code: DuplicateEntry, heard: true},
	7:  {Code: PermissionDenied, heard: true},
	8:  {Code: RateLimited, heard: true},
	9:  {Code: PreconditionFailed, heard: true},
	10: {Code: Conflict, heard: true},
	11: {Code: OutOfRange, heard: true},
	12: {Code: NotSupported, heard: true},
	13: {Code: UpstreamError}, // not heard, as HTTP's 500 is not
	14: {Code: ServiceUnavailable, lost: true},
	15: {Code: UpstreamError, MaxRetries: -1},
	16: {Code: InvalidCredentials, heard: true},
}

// detail takes over what google.rpc's RetryInfo and QuotaFailure say.
func (e *Error) detail(list reflect.Value) {
	if list.Kind() != reflect.Slice {
		return
	}
	var wait time.Duration
	var quota strings.Builder
	for i := range min(list.Len(), 16) {
		d := message(list.Index(i))
		if !d.IsValid() {
			continue
		}
		if m := d.MethodByName("GetRetryDelay"); yields(m) {
			if m := m.Call(nil)[0].MethodByName("AsDuration"); yields(m) && m.Type().Out(0) == reflect.TypeFor[time.Duration]() {
				wait = time.Duration(m.Call(nil)[0].Int())
			}
		}
		if m := d.MethodByName("GetViolations"); yields(m) && m.Type().Out(0).Kind() == reflect.Slice {
			all := m.Call(nil)[0]
			for i := range min(all.Len(), 16) {
				if m := all.Index(i).MethodByName("GetDescription"); yields(m) {
					quota.WriteString(m.Call(nil)[0].String() + "\n")
				}
			}
		}
	}
	e.limit(wait, quota.String())
}

// limit refines a RateLimited, of which the wait may be unknown.
func (e *Error) limit(wait time.Duration, text string) {
	switch {
	case e.Code == RateLimited && lasting(text, wait > 0):
		e.Code = QuotaExceeded
	case wait > 0:
		e.RetryAfter = ceil(wait)
		if e.Code == RateLimited {
			e.NotRun = true // whoever names a time has refused the call
		}
	}
}

// message returns the message in an element of Details, which connect-go wraps;
// the zero Value if there is none.
func message(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return v
	}
	if m := v.MethodByName("Value"); m.IsValid() && m.Type().NumIn() == 0 && m.Type().NumOut() == 2 {
		v = m.Call(nil)[0]
		if v.Kind() == reflect.Interface {
			v = v.Elem()
		}
	}
	return v
}
