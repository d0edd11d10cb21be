//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Shells are named by what they are called: bash, dash, zsh; sh is bash by that
// name and posix is bash --posix. Another build is given with its path,
// bash53=/opt/bash/bin/bash, and read as the shell whose name it begins with.

// builds are the shells that were given with a path.
var builds = map[string]string{}

// installed lists the shells that are there, of names parted by commas. It says
// of each other one that it is skipped.
func installed(names string) (shells []string) {
	for name := range strings.SplitSeq(names, ",") {
		name, path, given := strings.Cut(name, "=")
		if given {
			builds[name] = path
		} else {
			path = program(name)
		}
		if _, err := exec.LookPath(path); err != nil {
			fmt.Fprintf(os.Stderr, "oracle: SKIPPED: %s is not installed (%s); its share goes to the others\n", name, path)
			continue
		}
		shells = append(shells, name)
	}
	return shells
}

// program is what runs as a shell, in the jail's directory of real programs.
func program(shell string) string {
	if shell == "sh" || shell == "posix" {
		return "bash"
	}
	return shell
}

// dialect is what the engine is told about a shell.
func dialect(shell string) string {
	if shell == "posix" {
		return "sh"
	}
	return strings.TrimRight(shell, "0123456789.")
}

// calls are the words that make a shell run a line.
func calls(shell, line string, options ...string) []string {
	words := []string{dialect(shell)}
	if shell == "posix" {
		words = []string{"bash", "--posix"}
	}
	return append(append(words, options...), "-c", line)
}
