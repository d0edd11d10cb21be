// Package system holds what differs between the systems that bashgate runs on:
// Linux, macOS, FreeBSD and Windows. What one of them can't do is an error or
// "not known" here, and never a weaker answer that looks like the others'.
package system

import "errors"

// ErrLocked is the error of a lock that somebody else holds.
var ErrLocked = errors.New("somebody else holds the lock")

// Mode is how a file is locked: many may share it, or one has it.
type Mode int

// The modes of Lock.
const (
	Shared Mode = iota
	Exclusive
)
