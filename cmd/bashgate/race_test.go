//go:build race

package main

// raced is whether the race detector is at work, under which a command takes
// ten times as long.
const raced = true
