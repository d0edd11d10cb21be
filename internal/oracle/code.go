//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// codeFiles are what code finds: a project with a secret and modules of its own,
// one of them called like one of Python's, and what lies outside of it. What runs
// without being asked for is felt.
var codeFiles = func() map[string]string {
	files := maps.Clone(fixture)
	maps.Copy(files, map[string]string{
		".env": "TOKEN=secret\n", "data.json": `{"a": [1, "b"], "c": null}` + "\n", "rows.csv": "a,b\n1,2\n",
		"own.py":          "LIMIT = 3\ndef same(x):\n    return x\ndef call(f, *a):\n    return f(*a)\nclass Box:\n    def __init__(self, x=None):\n        self.x = x\n    def put(self, x):\n        self.x = x\n        return self\n",
		"pkg/__init__.py": "", "pkg/sub.py": "def twice(x):\n    return x + x\n",
		"shadow/json.py": "def loads(x):\n    return x\n", "shadow/sitecustomize.py": "open('/tmp/shadowed', 'w')\n",
		"own.js": "exports.same = x => x;\nexports.call = (f, ...a) => f(...a);\n", "package.json": `{"name": "project", "main": "own.js"}` + "\n",
		jailHome + "/.ssh/id_rsa": "secret\n", jailHome + "/notes.txt": "note\n", "/tmp/elsewhere.py": "open('/tmp/stranger', 'w')\n",
	})
	return files
}()

// interpreters are the programs that are real in the jail of code, by the names
// that agents call them by.
var interpreters = map[string]string{"python3": "/usr/bin/python3", "python": "/usr/bin/python3", "node": "/usr/bin/node"}

// coding is what is in the jail of code.
func coding() kit {
	k := kit{stubNames(), codeFiles}
	for name, path := range interpreters {
		if _, err := exec.LookPath(path); err == nil {
			k.Names = append(k.Names, name+"="+path)
		}
	}
	return k
}

// runnable lists the languages, parted by commas, whose interpreter is there. It
// says of each other one that it is skipped.
func runnable(names string) (langs []string) {
	for name := range strings.SplitSeq(names, ",") {
		path := interpreters[map[string]string{"python": "python3", "javascript": "node"}[name]]
		if _, err := exec.LookPath(path); err != nil {
			fmt.Fprintf(os.Stderr, "oracle: SKIPPED: nothing runs %s (%s)\n", name, path)
			continue
		}
		langs = append(langs, name)
	}
	return langs
}

// text is one in a language.
type text struct{ lang, text string }

// code tries a text of a language, in the words of an agent.
func (w *worker) code() (*find, error) {
	lang := w.langs[0]
	if w.chance(0.2) {
		lang = w.langs[w.IntN(len(w.langs))]
	}
	g := w.texts[lang]
	t := text{lang, g.text(lang)}
	if w.harsh && len(w.bases) > 0 && w.chance(0.3) {
		t = w.bases[w.IntN(len(w.bases))]
		g = w.texts[t.lang]
		switch w.IntN(3) {
		case 0:
			t.text += "\n" + g.text(t.lang)
		case 1:
			t.text = g.text(t.lang) + "\n" + t.text
		}
		for range 1 + w.IntN(2) {
			t.text = g.scramble(t.text)
		}
	} else if w.harsh && w.chance(0.3) {
		t.text = g.scramble(t.text + "\n" + g.text(lang))
	}
	w.counts.texts++
	f := g.form(t.lang)
	line, code := f.spell(t)
	v := w.codeVerdict(line)
	if !understood(v) {
		return nil, nil
	}
	w.counts.understood++
	if v.Decision == policy.Allow {
		w.counts.allowed++
	}
	if joins(t, f) {
		if w.held = append(w.held, t.text); len(w.held) < mostTogether {
			return nil, nil
		}
		texts := w.held
		w.held = nil
		return w.together(texts, f)
	}
	return w.happens(t, f, line, code, v, 1)
}

// happens runs what so many texts say, and compares.
func (w *worker) happens(t text, f form, line string, code *snippet, v engine.Verdict, texts int) (*find, error) {
	happened, err := w.jail.run(task{Shell: "bash", Line: line, Code: code, Trap: true})
	if err != nil {
		return nil, fmt.Errorf("%q: %w", line, err)
	}
	w.counts.ran += texts
	w.counts.programs += len(happened.Calls) + len(happened.Runs)
	what := escaped(v, happened)
	if what == "" || !w.fresh(what) {
		return nil, nil
	}
	runs, end := 0, time.Now().Add(round)
	t.text = shrink(t.text, func(s string) bool {
		shorter, code := f.spell(text{t.lang, s})
		v := w.codeVerdict(shorter)
		if time.Now().After(end) || runs > mostCodeRuns || !understood(v) {
			return false
		}
		runs++
		happened, err := w.jail.run(task{Shell: "bash", Line: shorter, Code: code, Trap: true})
		if err != nil {
			return false
		}
		now := escaped(v, happened)
		if now == "" || codeClass(now) != codeClass(what) {
			return false
		}
		what = now
		return true
	})
	line, _ = f.spell(t)
	return &find{Shell: "bash", Line: line, Want: "seen", Note: w.codeVerdict(line).Decision.String() + ", " + what}, nil
}

// mostCodeRuns bounds the executions in which one find is made short.
const mostCodeRuns = 40

// fresh reports whether so few finds are like this one that it is worth making
// short.
func (w *worker) fresh(what string) bool {
	if w.seen == nil {
		w.seen = map[string]int{}
	}
	class := codeClass(what)
	w.seen[class]++
	return w.seen[class] <= 3
}

// codeClass is what a find is about.
func codeClass(what string) string {
	how, rest, _ := strings.Cut(what, " ")
	if how == "wrote" || how == "deleted" || how == "read" {
		first, _, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
		how += " " + first // a find in /etc stays one
		if strings.HasPrefix(rest, jailWork) {
			how += " " + jailWork
		}
	}
	if at := strings.LastIndex(what, " by "); at >= 0 {
		how += what[at:]
	}
	return how
}

// proveCode tries the same texts each time for a seed.
func (s *search) proveCode(n int, seed uint64, need float64) int {
	start := time.Now()
	fmt.Printf("seed %d, %d texts of %v\n", seed, n, s.langs)
	var t tally
	kind := &kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.code })]
	if len(s.langs) == 0 || s.stub == "" {
		fmt.Fprintln(os.Stderr, "oracle: SKIPPED: code runs only as root, with name spaces and an interpreter; nothing was proved by it")
		return 0
	}
	if err := s.run(kind, seed, false, &t, func(w *tally) bool { return w.tried >= n/s.workers }); err != nil {
		fmt.Fprintln(os.Stderr, "oracle: error:", err)
		return 1
	}
	took := time.Since(start).Seconds()
	fmt.Printf("%d texts, %d understood, %d allowed, %d run, %d things that they did, %d unseen; %.0f texts and %.0f runs a second\n",
		t.texts, t.understood, t.allowed, t.ran, t.programs, len(t.finds), float64(t.texts)/took, float64(t.ran)/took)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for _, f := range t.finds {
		out.Encode(f)
	}
	switch {
	case len(t.finds) > 0:
		return 1
	case float64(t.understood) < need*float64(t.texts):
		fmt.Fprintf(os.Stderr, "oracle: error: only %d of %d texts were understood: that proves too little\n", t.understood, t.texts)
		return 1
	}
	return 0
}

// oneCode prints what happens when a text runs.
func (s *search) oneCode(c snippet) error {
	j, err := newJail(s.stub, coding())
	if err != nil {
		return err
	}
	defer j.close()
	line, _ := spellings[c.Lang][0].spell(text{c.Lang, c.Text})
	v := newJudge(codeFiles).codeVerdict(line)
	fmt.Printf("%s: %s %v\n", v.Decision, v.Reason, v.Effects.Names())
	for _, r := range v.Reasons {
		fmt.Printf("  %s %s: %s %v %s\n", r.Counts(), r.ID, r.Text(), r.Effects.Names(), r.Reach)
	}
	var nodes []*engine.Node
	collect(v.Tree, &nodes)
	for _, n := range nodes {
		fmt.Printf("  believed %.200s reads %v, writes %v or %v, runs %v\n", n.Command(), n.Reads, n.Writes, n.Alters(), n.Runs)
	}
	happened, err := j.run(task{Code: &c, Trap: true})
	if err != nil {
		return err
	}
	for _, c := range happened.Calls {
		fmt.Printf("  asked the kernel: %s %s %s %q\n", c.Kind, c.Name, c.Path, c.Argv)
	}
	for _, r := range happened.Runs {
		fmt.Printf("  started %q in %s with %q\n", r.Argv, r.Dir, r.Env)
	}
	fmt.Printf("  changed %q\n", happened.Changed)
	if what := escaped(v, happened); what != "" {
		fmt.Println("  UNSEEN:", what)
	}
	return nil
}
