package recourse

import "context"

// Go runs fn in a goroutine of the call and delivers its error; a panic in fn
// becomes an [InternalError], and so does a [runtime.Goexit]. The channel gets
// one value, nil if all went well, and is then closed; nobody has to receive from
// it.
//
// The call does not wait for fn. What is still at work when the answer leaves has
// a context that has ended, and can warn no more.
func Go(ctx context.Context, fn func(context.Context) error) <-chan error {
	c := make(chan error, 1)
	go func() {
		var err error
		defer func() {
			c <- err
			close(c)
		}()
		shield(ctx, fn, &err)
	}()
	return c
}
