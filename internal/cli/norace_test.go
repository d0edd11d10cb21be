//go:build !race

package cli

// raced is whether the race detector is at work, under which each process that a
// test starts takes a second.
const raced = false
