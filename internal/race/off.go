//go:build !race

// Package race tells tests whether the race detector is at work. Under it a command
// takes ten times as long and each process that a test starts takes a second, so
// that what runs one thing after the other is left out.
package race

const On = false
