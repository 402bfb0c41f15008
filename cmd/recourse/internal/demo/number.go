package demo

import (
	"fmt"
	"strconv"
	"time"
)

// span writes a duration for people.
func span(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d%sms", max(1, d.Milliseconds()), hard)
	}
	return strconv.FormatFloat(d.Round(100*time.Millisecond).Seconds(), 'f', -1, 64) + hard + "s"
}

// count writes a number of bytes, its thousands apart.
func count(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits + hard + "bytes"
}
