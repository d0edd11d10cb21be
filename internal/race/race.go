// Package race tells tests whether the race detector is at work. Under it a command
// takes ten times as long, and each process that a test starts takes a second.
package race

import "testing"

// Sequential leaves out a test in which one thing happens after the other: the race
// detector has nothing to find there.
func Sequential(t testing.TB) {
	if On {
		t.Helper()
		t.Skip("one thing after the other: there is nothing for the race detector")
	}
}
