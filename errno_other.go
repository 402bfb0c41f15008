//go:build !windows

package recourse

import "syscall"

// nativeErrnos is for numbers that only one system has.
var nativeErrnos map[syscall.Errno]Error
