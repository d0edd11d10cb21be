// Command javascript compares what internal/javascript reads in texts with
// what acorn reads, and fails where the trees differ.
//
//	go run ./e2e/javascript -packages DIR [-v] PATH...
//
// DIR holds node_modules with acorn. Texts are the files below each PATH that
// are named .js, .mjs or .cjs, and each line of a file named .texts, which is a
// JSON string.
//
// A text that only one of the two takes is counted. Where the gate refuses, it
// asks; what no engine takes is never run.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/javascript"
)

// source is a text and where it is from.
type source struct{ name, text string }

func main() {
	packages := flag.String("packages", "", "directory with acorn in node_modules")
	verbose := flag.Bool("v", false, "list what only one of the two takes")
	flag.Parse()
	ok, err := compare(*packages, flag.Args(), *verbose)
	if err != nil {
		fmt.Fprintln(os.Stderr, "javascript: error:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func compare(packages string, paths []string, verbose bool) (bool, error) {
	var sources []source
	for _, path := range paths {
		found, err := collect(path)
		if err != nil {
			return false, err
		}
		sources = append(sources, found...)
	}
	theirs, err := acorn(packages, sources)
	if err != nil {
		return false, err
	}
	same, both, wrong := 0, 0, 0
	refused, lenient := map[string]int{}, 0
	for i, s := range sources {
		program, err := javascript.Parse(s.text)
		their := theirs[i]
		switch {
		case err != nil && their == "error":
			both++
		case err != nil:
			e := err.(*javascript.Error)
			refused[e.Text]++
			if verbose {
				fmt.Printf("%s:%v\n", s.name, err)
			}
		case their == "error":
			lenient++
			if verbose {
				fmt.Printf("%s: acorn refuses\n", s.name)
			}
		default:
			our := dump(program)
			if our == their {
				same++
				continue
			}
			wrong++
			at := 0
			for at < min(len(our), len(their)) && our[at] == their[at] {
				at++
			}
			from := max(0, at-60)
			fmt.Printf("%s: the trees differ\n  ours   %.160s\n  theirs %.160s\n", s.name, our[from:], their[from:])
		}
	}
	fmt.Printf("%d texts: %d the same tree, %d refused by both, %d that only the gate takes, %d that differ\n", len(sources), same, both, lenient, wrong)
	total := 0
	for _, n := range refused {
		total += n
	}
	fmt.Printf("%d that only the gate refuses:\n", total)
	for _, text := range slices.SortedFunc(maps.Keys(refused), func(a, b string) int { return refused[b] - refused[a] })[:min(len(refused), 25)] {
		fmt.Printf("%7d %.100s\n", refused[text], text)
	}
	if len(sources) == 0 {
		return false, fmt.Errorf("no texts in %q", paths)
	}
	return wrong == 0, nil
}

// collect finds the texts below a path.
func collect(path string) ([]source, error) {
	var list []source
	err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		switch filepath.Ext(name) {
		case ".js", ".mjs", ".cjs":
			text, err := os.ReadFile(name)
			if err == nil && len(text) <= javascript.Limit {
				list = append(list, source{name, string(text)})
			}
			return err
		case ".texts":
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
				s := source{name: fmt.Sprintf("%s:%d", name, i+1)}
				if err := json.Unmarshal(line, &s.text); err != nil {
					return fmt.Errorf("%s: %w", s.name, err)
				}
				list = append(list, s)
			}
		}
		return nil
	})
	return list, err
}

// acorn returns the trees that acorn reads in texts.
func acorn(packages string, sources []source) ([]string, error) {
	packages, err := filepath.Abs(packages)
	if err != nil {
		return nil, err
	}
	c := exec.Command("node", "--stack-size=4000", "e2e/javascript/acorn.js", packages)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	go func() {
		w := bufio.NewWriter(in)
		encoder := json.NewEncoder(w)
		for _, s := range sources {
			if encoder.Encode(s.text) != nil {
				break
			}
		}
		w.Flush()
		in.Close()
	}()
	var trees []string
	lines := bufio.NewReaderSize(out, 1<<20)
	for range sources {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		trees = append(trees, strings.TrimSuffix(line, "\n"))
	}
	if err := c.Wait(); err != nil {
		return nil, err
	}
	if len(trees) != len(sources) {
		return nil, fmt.Errorf("acorn answered %d of %d", len(trees), len(sources))
	}
	return trees, nil
}
