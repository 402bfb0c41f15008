//go:build !unix

package main

func becomeNobody() {}
