package status

import "runtime"

const unix = runtime.GOOS != "windows"
