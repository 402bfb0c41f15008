// Package call measures the library's Call and Run.
package call
