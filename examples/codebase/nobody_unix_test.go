//go:build unix

package main

import (
	"os"
	"syscall"
)

// becomeNobody gives up root's rights if the test wants that: to root everything
// is readable.
func becomeNobody() {
	if os.Getenv("BE_NOBODY") != "" && os.Getuid() == 0 {
		if err := syscall.Setuid(65534); err != nil {
			panic(err)
		}
	}
}
