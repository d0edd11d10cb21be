// Release builds programs as they are released: static, without paths and
// symbols, and without inlining in the packages whose speed nobody feels,
// which saves 380 kB of what a hook's process maps. Its arguments go to go
// build.
//
//	go run ./internal/release -o bin/ ./cmd/bashgate
//
// `share DIR` writes what is installed beside the programs: completions, manual
// pages, the licence.
//
//	go run ./internal/release share bin
//
// `all` writes a whole release into an empty directory: archives, packages,
// what package managers read, and sums of all. The same source, version,
// revision, date, Go and xz give the same bytes, wherever it lies.
//
//	go run ./internal/release all -version v0.1.0 -revision 8f2c… -date 1764172800 dist
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release: error:", err)
		os.Exit(1)
	}
}

func command(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "share":
		return share(args[1])
	case len(args) > 0 && args[0] == "all":
		r, err := parse(args[1:])
		if err != nil {
			return err
		}
		return r.write()
	}
	return goBuild(append([]string{"-ldflags=-s -w"}, args...))
}
