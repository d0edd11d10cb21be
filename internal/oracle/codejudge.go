//go:build linux

package main

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/trap"
	"github.com/bashgate/bashgate/policy"
)

// codeVerdict judges a line as an agent's that may edit its workspace: nothing is
// asked about for being an ordinary edit, so that what is asked about says more.
func (j *judge) codeVerdict(line string) engine.Verdict {
	return j.evaluate(engine.Request{Command: line, Shell: "bash", Mode: engine.ModeAcceptEdits})
}

// understood reports whether a verdict claims to tell all that a line does: it is
// allowed, or what is asked about is what a text does that was read as a whole.
func understood(v engine.Verdict) bool {
	return v.Decision == policy.Allow || slices.ContainsFunc(v.Reasons, func(r engine.Reason) bool { return r.ID == "code.read" }) &&
		!slices.ContainsFunc(v.Reasons, func(r engine.Reason) bool { // a text in a text was not
			language, _, _ := strings.Cut(r.ID, ".")
			return r.Counts() > policy.Allow && (language == "python" || language == "javascript" || language == "code" || language == "env" || r.ID == "shell.hole")
		})
}

// escaped says what happened that the verdict's tree does not show, or "". A
// verdict that is not understood promises nothing.
func escaped(v engine.Verdict, happened truth) string {
	if !understood(v) {
		return ""
	}
	var nodes []*engine.Node
	collect(v.Tree, &nodes)
	for _, c := range happened.Calls {
		if what := unexplained(v, nodes, c); what != "" {
			return what
		}
	}
	for _, n := range happened.Noticed {
		if what := unsaid(v, n); what != "" {
			return what
		}
	}
	for _, run := range happened.Runs {
		run.Env = slices.DeleteFunc(slices.Clone(run.Env), func(pair string) bool { return pair == "LC_CTYPE=C.UTF-8" }) // Python's own
		var those []*engine.Node
		beside := ofShell(nodes, run.Argv)
		for _, n := range nodes {
			switch {
			case matches(n.Words(), run), matches(n.Words(), itself(run)):
				those = append(those, n)
			case repeats(n.Words(), run), pipes(n.Words(), run), anyProgram(v, n):
				beside = true
			}
		}
		if len(those) == 0 && !beside {
			return fmt.Sprintf("ran %q", run.Argv)
		}
		if what := differs(those, run, nil); what != "" && !beside {
			return fmt.Sprintf("ran %q %s", run.Argv, what)
		}
	}
	return ""
}

// itself is a start of the interpreter under the name that sys.executable is told by,
// however the interpreter was called that started it.
func itself(run started) started {
	if path.Base(run.Path) == "python" {
		run.Path += "3"
	}
	return run
}

// unexplained says that a call is not shown by the tree, or "".
func unexplained(v engine.Verdict, nodes []*engine.Node, c trap.Call) string {
	switch c.Kind {
	case trap.Write, trap.Delete:
		if c.Path == jailWork && c.Name == "openat" { // a directory is not written
			break
		}
		if c.Path == "/tmp/shadowed" && v.Effects&policy.Executes != 0 {
			break // code of the project that a variable leads to
		}
		if (c.Name == "mkdir" || c.Name == "mkdirat") && slices.ContainsFunc(nodes, func(n *engine.Node) bool {
			return slices.ContainsFunc(n.Writes, func(p engine.Place) bool { return strings.HasPrefix(p.Path, strings.TrimSuffix(c.Path, "/")+"/") }) ||
				v.Decision > policy.Allow && len(n.Writes) > 0 // of a/../x each part is made, and asked about is x
		}) {
			break // directories above
		}
		if v.Decision > policy.Allow && slices.ContainsFunc(nodes, throughProc) {
			break // it is asked about, wherever that leads
		}
		if !slices.ContainsFunc(nodes, func(n *engine.Node) bool {
			return within(n.Writes, c.Path) || compiles(n, c.Path) || within(n.Writes, ofDatabase(c.Path)) || within(n.Alters(), c.Path) || v.Decision > policy.Allow && anyFile(n, n.Writes)
		}) {
			return fmt.Sprintf("%s %s by %s", map[trap.Kind]string{trap.Write: "wrote", trap.Delete: "deleted"}[c.Kind], c.Path, c.Name)
		}
	case trap.Read:
		if strings.HasPrefix(c.Path, jailWork+"/shadow/") && v.Effects&policy.Executes == 0 && !slices.ContainsFunc(nodes, func(n *engine.Node) bool { return anyFile(n, n.Reads) || within(n.Reads, c.Path) }) {
			return "executed code of " + c.Path // nothing else reads it
		}
		if v.Decision == policy.Allow && asksWhoReads(c.Path) {
			return "read " + c.Path // nobody but the text names it here
		}
		if secret(c.Path) && !slices.ContainsFunc(nodes, func(n *engine.Node) bool {
			return within(n.Reads, c.Path) || within(n.Runs, c.Path) || anyFile(n, n.Reads) ||
				c.Name == "openat" && deletes(n, c.Path) // shutil.rmtree opens what it takes for a directory
		}) {
			return "read " + c.Path
		}
	case trap.Run:
		if v.Decision == policy.Allow && len(c.Argv) > 0 && path.Base(c.Argv[0]) == "cat" {
			for _, word := range c.Argv[1:] {
				if asksWhoReads(word) {
					return "read " + word // a stub reads nothing
				}
			}
		}
		if len(c.Argv) > 0 && c.Argv[0] == "" { // there is no such program
			break
		}
		run := started{Path: c.Path, Argv: c.Argv}
		if !ofShell(nodes, c.Argv) && !slices.ContainsFunc(nodes, func(n *engine.Node) bool {
			return matches(n.Words(), run) || matches(n.Words(), itself(run)) || repeats(n.Words(), run) || pipes(n.Words(), run) || anyProgram(v, n)
		}) {
			return fmt.Sprintf("ran %q", c.Argv)
		}
	case trap.Talk:
		if v.Effects&policy.Network == 0 {
			return "talked to " + c.Path
		}
	case trap.Signal:
		return "signalled " + c.Path
	case trap.Other:
		return "called " + c.Name
	}
	return ""
}

// unsaid says of what an interpreter's hook was told that the tree does not show
// it, or "": code of a file, and what never came to the kernel.
func unsaid(v engine.Verdict, n noticed) string {
	first := ""
	if len(n.Args) > 0 {
		first = n.Args[0]
	}
	switch n.Event {
	case "exec":
		if strings.HasPrefix(first, jailHome) || strings.HasPrefix(first, "/tmp/") {
			if v.Effects&policy.Executes == 0 {
				return "executed code of " + first
			}
		}
	case "ctypes.dlopen", "ctypes.dlsym", "ctypes.call_function":
		if first != "None" && v.Decision == policy.Allow {
			return "noticed " + n.Event
		}
	case "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "urllib.Request", "webbrowser.open":
		if v.Effects&policy.Network == 0 && !strings.HasPrefix(first, "file:") && !strings.HasPrefix(first, "data:") {
			return "talked: " + n.Event + " " + first
		}
	}
	return ""
}

// ofDatabase is the file of a database beside which SQLite keeps another for a while
// (https://www.sqlite.org/tempfiles.html), or the path itself.
func ofDatabase(p string) string {
	for _, ending := range []string{"-journal", "-wal", "-shm"} {
		if file, ok := strings.CutSuffix(p, ending); ok {
			return file
		}
	}
	return p
}

// compiles reports whether a command compiles a file of Python, and a path is what comes of
// that: a cache beside the file, or beside what lies below the directory.
func compiles(n *engine.Node, p string) bool {
	words := n.Words()
	if len(words) == 0 || words[0].String() != "py_compile" && words[0].String() != "compileall" {
		return false
	}
	dir, _, is := strings.Cut(p, "/__pycache__")
	return is && slices.ContainsFunc(n.Reads, func(r engine.Place) bool {
		return path.Dir(r.Path) == dir || words[0].String() == "compileall" && within([]engine.Place{{Path: r.Path}}, p)
	})
}

// deletes reports whether a command removes a file, or a directory above it.
func deletes(n *engine.Node, p string) bool {
	words := n.Words()
	return len(words) > 0 && words[0].String() == "rm" && within(n.Writes, p)
}

// throughProc reports whether a command writes by way of /proc, where the names of
// processes lead anywhere, or of /dev/fd, which is one of its directories.
func throughProc(n *engine.Node) bool {
	return slices.ContainsFunc(n.Writes, func(p engine.Place) bool {
		return strings.HasPrefix(p.Path, "/proc/") || within([]engine.Place{{Path: "/dev/fd"}}, p.Path)
	})
}

// anyFile reports whether one of a command's places is how a tree shows a file of
// which the beginning is not known: something in the directory where it runs.
func anyFile(n *engine.Node, places []engine.Place) bool {
	dirs := []string{jailWork}
	if c := n.Simple(); c != nil {
		dirs = append(dirs, c.Dirs...)
	}
	return slices.ContainsFunc(places, func(place engine.Place) bool {
		return place.Pattern && slices.ContainsFunc(dirs, func(dir string) bool { return strings.HasPrefix(place.Path, dir+"/*") })
	})
}

// anyProgram reports whether a command that is asked about starts a program, or
// runs a text, of which nothing is known.
func anyProgram(v engine.Verdict, n *engine.Node) bool {
	words := n.Words()
	return v.Decision > policy.Allow && (len(words) > 0 && !words[0].IsConst() ||
		slices.ContainsFunc(n.Reasons, func(r engine.Reason) bool { return r.ID == "shell.hole" }))
}

// secret reports whether a file is none that ordinary code reads.
func secret(p string) bool {
	switch p {
	case "/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/hosts", "/etc/resolv.conf", "/etc/services": // the C library asks there
		return false
	}
	return !strings.HasPrefix(p, jailWork+"/") || path.Base(p) == ".env"
}

// asksWhoReads reports whether whoever reads a file is asked about it, by any name.
func asksWhoReads(p string) bool {
	return path.Base(p) == ".env" || strings.HasPrefix(p, jailHome+"/.ssh/")
}

// within reports whether a path is one of the places, or lies below one.
func within(places []engine.Place, p string) bool {
	return slices.ContainsFunc(places, func(place engine.Place) bool {
		if !place.Pattern {
			return p == place.Path || strings.HasPrefix(p, strings.TrimSuffix(place.Path, "/")+"/")
		}
		return globs(place.Path, p)
	})
}

// globs reports whether a pattern is of a path, or of a directory above it: "*"
// stands for anything.
func globs(pattern, p string) bool {
	literal, rest, ok := strings.Cut(pattern, "*")
	if !ok {
		return p == pattern || strings.HasPrefix(p, pattern+"/")
	}
	if !strings.HasPrefix(p, literal) {
		return false
	}
	rest = strings.TrimLeft(rest, "*")
	for i := len(literal); i <= len(p); i++ {
		if globs(rest, p[i:]) {
			return true
		}
	}
	return rest == ""
}

// ofShell reports whether words are those of the shell that os.system, popen and
// the like start. What it starts must be seen on its own; the tree holds that as
// what the interpreter's command runs.
func ofShell(nodes []*engine.Node, argv []string) bool {
	if len(argv) < 3 || argv[0] != "sh" && argv[0] != "/bin/sh" || argv[1] != "-c" {
		return false
	}
	return slices.ContainsFunc(nodes, func(n *engine.Node) bool {
		words := n.Words()
		if len(words) == 0 || len(n.Children) == 0 {
			return false
		}
		name, _ := words[0].Const()
		_, is := interpreters[path.Base(name)]
		return is
	})
}
