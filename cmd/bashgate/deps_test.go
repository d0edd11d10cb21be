package main

import (
	"bytes"
	"debug/elf"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/bashgate/bashgate/"

// goPackage is what `go list -json` says of a package.
type goPackage struct {
	ImportPath string
	Standard   bool
	Imports    []string
}

func goList(t *testing.T, args ...string) []goPackage {
	t.Helper()
	c := exec.Command("go", append([]string{"list", "-json=ImportPath,Standard,Imports"}, args...)...)
	c.Dir = "../.."
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	var list []goPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

// A hook's time is the time of its start, and every package linked into it
// has its share in that, called or not.
func TestLinked(t *testing.T) {
	// regexp comes with the shell parser's file utilities.
	never := map[string]string{
		"net/http":       "a third of the hook's time, and the gate has nobody to talk to",
		"crypto/tls":     "comes with net/http only",
		"text/template":  "help and messages are written by hand",
		"html/template":  "bashgate shows no pages",
		"database/sql":   "bashgate keeps no database",
		"os/exec":        "the gate runs nothing",
		"log/slog":       "messages go to standard error as they are",
		"encoding/gob":   "nothing is stored",
		"go/ast":         "rules are compiled before, not when they are used",
		"plugin":         "makes the binary dynamic",
		"net":            "costs start-up; bashgated talks to networks",
		"net/netip":      "starts threads before main: a tenth of the hook's time",
		"os/user":        "looks users up through the C library",
		"testing":        "belongs to tests",
		"expvar":         "comes with net/http",
		"encoding/xml":   "agents speak JSON",
		"html":           "bashgate shows no pages",
		"net/http/pprof": "comes with net/http",
	}
	third := []string{"github.com/pelletier/go-toml/v2", "mvdan.cc/sh/v3", "github.com/tailscale/hujson", "github.com/tdewolff/parse/v2"}
	for _, p := range goList(t, "-deps", "./cmd/bashgate") {
		if why, ok := never[p.ImportPath]; ok {
			t.Errorf("%s is linked: %s", p.ImportPath, why)
		}
		if !p.Standard && !strings.HasPrefix(p.ImportPath, module) &&
			!slices.ContainsFunc(third, func(m string) bool { return p.ImportPath == m || strings.HasPrefix(p.ImportPath, m+"/") }) {
			t.Errorf("%s is linked: a new dependency needs a reason in docs/architecture.md and its place here", p.ImportPath)
		}
	}
}

// floors lists the packages from the ground up. A package imports only what
// lies on a lower floor.
var floors = [...][]string{
	{"internal/system"},
	{"internal/handbook", "internal/javascript", "internal/mask", "internal/python", "internal/race", "internal/schema", "internal/spawn", "internal/sqlite", "internal/toml", "internal/trap", "internal/wire", "policy"},
	{"internal/approval", "internal/audit", "internal/child", "internal/disk", "internal/edit", "internal/folder", "internal/layout", "internal/match", "internal/shell"},
	{"internal/code"},
	{"gates/javascript", "gates/python", "gen", "internal/interp", "internal/manual", "internal/ruleset", "internal/settings", "internal/task"},
	{"gates", "internal/config", "internal/draft", "internal/expect", "internal/rulegen"},
	{"internal/catalogue"},
	{"engine"},
	{"internal/cop", "internal/export", "internal/host", "internal/learn", "internal/session"},
	{"internal/install"},
	{"internal/doctor", "internal/history"},
	{"internal/replay"},
	{"internal/cli", "internal/provider"},
	{"internal/serve"},
	// What nothing imports: programs, and packages of tests alone.
	{"cmd/bashgate", "cmd/bashgated", "cmd/rulegen", "e2e", "e2e/compare", "e2e/drift", "e2e/hosts", "e2e/javascript", "e2e/page", "e2e/wine", "internal/acceptance", "internal/bench", "internal/measure", "internal/oracle", "internal/reference", "internal/release", "internal/workday"},
}

func TestImportsPointDown(t *testing.T) {
	floor := func(path string) int {
		name := strings.TrimPrefix(path, module)
		return slices.IndexFunc(floors[:], func(f []string) bool { return slices.Contains(f, name) })
	}
	for _, p := range goList(t, "./...") {
		at := floor(p.ImportPath)
		if at < 0 {
			t.Errorf("%s has no floor: give it one", p.ImportPath)
			continue
		}
		for _, i := range p.Imports {
			if strings.HasPrefix(i, module) && floor(i) >= at {
				t.Errorf("%s imports %s, which is not below it", p.ImportPath, i)
			}
		}
	}
}

// Some packages have one door.
func TestOnlyImporters(t *testing.T) {
	only := map[string][]string{
		"mvdan.cc/sh/v3/syntax":                    {"internal/shell", "internal/bench"},
		"github.com/pelletier/go-toml/v2/unstable": {"internal/toml"},
		"github.com/tdewolff/parse/v2":             {"internal/javascript"},
		"github.com/tdewolff/parse/v2/js":          {"internal/javascript"},
		"os/exec":                                  {"e2e", "e2e/compare", "e2e/drift", "e2e/hosts", "e2e/javascript", "e2e/page", "e2e/wine", "internal/bench", "internal/handbook", "internal/oracle", "internal/release", "internal/spawn", "internal/workday"},
		"github.com/fsnotify/fsnotify":             {"internal/serve"},
		"net/http":                                 {"e2e/hosts", "internal/provider", "internal/serve"},
		"embed":                                    {"e2e/page", "gen", "internal/export", "internal/oracle", "internal/release", "internal/replay", "internal/serve"}, // pages, what rule files were packed to, and what is kept of an export
		module + "internal/provider":               {"cmd/bashgated"},
		"golang.org/x/sys/unix":                    {"internal/handbook", "internal/system", "internal/trap"},
		"golang.org/x/sys/windows":                 {"internal/system"},
		module + "internal/serve":                  {"cmd/bashgated", "e2e/page"},
		"regexp":                                   {"e2e/drift", "internal/handbook", "internal/oracle", "internal/schema"}, // nothing is decided by patterns over text
		module + "gen":                             {"gates"},
	}
	for _, p := range goList(t, "./...") {
		for _, i := range p.Imports {
			if allowed, ok := only[i]; ok && !slices.Contains(allowed, strings.TrimPrefix(p.ImportPath, module)) {
				t.Errorf("%s imports %s, which is for %q", p.ImportPath, i, allowed)
			}
		}
	}
	for _, p := range goList(t, "-deps", "./internal/rulegen") {
		if name := strings.TrimPrefix(p.ImportPath, module); name == "gen" || name == "gates" || name == "engine" {
			t.Errorf("internal/rulegen needs %s: then a broken one can't be generated again", name)
		}
	}
}

// TestBinary builds bashgate as it is released.
func TestBinary(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "bashgate")
	build := exec.Command("go", "run", "../../internal/release", "-o", binary, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	info, err := os.Stat(binary)
	if err != nil {
		t.Fatal(err)
	}
	// Names and tables of programs are most of what grows: some 70 bytes for
	// a name that shares a table, 600 for a table of its own.
	// Reading Python took 1.2 MB (its parser, the interpreter, the facts), reading
	// JavaScript 0.75, what an answer is bound to and the tools of servers 0.1.
	const limit = 27<<19 + 160<<10
	if info.Size() > limit {
		t.Errorf("the binary has %d bytes, and %d are the limit", info.Size(), limit)
	}

	// Of our own packages, none may do anything before main.
	run := exec.Command(binary, "version")
	run.Env = []string{"GODEBUG=inittrace=1"}
	out, err := run.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("init runtime")) {
		t.Fatalf("tracing the start: %v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, module) {
			t.Errorf("runs before main: %s", line)
		}
	}

	if runtime.GOOS != "linux" {
		t.Log("NOT CHECKED: whether the binary is static, and its data, are looked at on Linux only")
		return
	}
	file, err := elf.Open(binary)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if libraries, err := file.ImportedLibraries(); err != nil || len(libraries) > 0 {
		t.Errorf("the binary needs %q (%v)", libraries, err)
	}
	for _, p := range file.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the binary needs a dynamic loader")
		}
	}
	expectFewPointers(t, file)
}

// expectFewPointers holds how much initialised data has pointers in it. The
// runtime makes a bitmap of where they are at each start, the collector goes
// through all of it, and a write near one of them copies its page. Tables of
// numbers and texts in .rodata cost none of that, and are read where they are
// used.
func expectFewPointers(t *testing.T, file *elf.File) {
	t.Helper()
	const limit = 293 << 10
	pointers := file.Section(".data")
	if pointers == nil {
		t.Fatal("the binary has no section .data")
	}
	if pointers.Size <= limit {
		return
	}
	t.Errorf(".data has %d bytes, and %d are the limit: a table with pointers in it has grown", pointers.Size, limit)
	for _, name := range []string{".data", ".bss", ".noptrdata", ".noptrbss", ".rodata"} {
		if s := file.Section(name); s != nil {
			t.Logf("%-10s %9d bytes", name, s.Size)
		}
	}
}
