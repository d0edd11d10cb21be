// Rulegen compiles the rule files to Go.
//
//	rulegen                    write gen/, gates/*_gen.go, rules/schema.json and docs/rules
//	rulegen -check FILE...     load the files, say what is wrong, write nothing
//
// It is run by `go generate ./...`.
package main

import (
	"os"

	"github.com/bashgate/bashgate/internal/rulegen"
)

func main() {
	os.Exit(rulegen.Main(os.Args[1:], os.Stdout, os.Stderr))
}
