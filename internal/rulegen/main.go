package rulegen

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/bashgate/bashgate/internal/ruleset"
)

// Main is the command: it returns the exit code, 0 done, 1 something is wrong
// with the rules, 2 usage.
func Main(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("rulegen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, "usage: rulegen                 write what is generated from rules/\n"+
			"       rulegen -check FILE... say what is wrong with rule files, write nothing\n")
	}
	check := flags.Bool("check", false, "")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if *check != (flags.NArg() > 0) {
		flags.Usage()
		return 2
	}
	dir, err := findRoot()
	if err != nil {
		fmt.Fprintln(stderr, "rulegen: error:", err)
		return 1
	}
	if *check {
		return checkFiles(dir, flags.Args(), stdout, stderr)
	}
	files, err := Files(os.DirFS(dir))
	if err == nil {
		_, err = write(dir, files)
	}
	if errs, ok := errors.AsType[ruleset.Errors](err); ok {
		fmt.Fprintf(stderr, "%v\n%d %s, nothing written\n", errs, len(errs), plural(len(errs), "error"))
		return 1
	}
	if err != nil {
		fmt.Fprintln(stderr, "rulegen: error:", err)
		return 1
	}
	return 0
}

// findRoot walks up to the directory that holds go.mod: go generate runs in
// the package's directory.
func findRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod here or above")
		}
		dir = parent
	}
}
