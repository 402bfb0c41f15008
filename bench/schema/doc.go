// Package schema measures the check of arguments, and compares it with others.
package schema
