package cli

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/policy"
)

const taintHelp = `taint shows and clears what the hook remembers of sessions: that they have read
untrusted content (corruption) and secrets.

Usage:
  bashgate taint show [--all | SESSION]
  bashgate taint clear SESSION
  bashgate taint clear --files [PATH]

show prints which read caused which label, of the session that changed last, of
one whose name begins with SESSION, or of all; then the files that such sessions
have written, those that may still hold what they wrote first. Labels have
levels from 1 to 3; from level 2 on, or what [taint] from says, they count. A
label that is "not confirmed" counts too: the agent has not said whether the
tool has run.

clear begins a session's record anew: you vouch for what is in its context. With
--files it takes files off the list of those that tainted sessions have written:
PATH and what lies below it, or all. It asks on a terminal, and only there.

Flags:
  --all     show all sessions
  --files   clear files instead of a session

Example:
  $ bashgate taint show
  claude-7bca2281  corruption 2, secret 2
    2026-11-02 10:42  corruption 2  WebFetch example.org
                      Reads a page of the web
    2026-11-02 10:44  secret 2      cat .env
                      A file of environment variables, secrets among them...
`

func taintCommand() command {
	return command{
		name:    "taint",
		summary: "show and clear what sessions have seen",
		help:    taintHelp,
		verbs: []verb{
			{name: "show", summary: "which read caused which label", operands: "SESSION", own: "all"},
			{name: "clear", summary: "begin a session's record anew", operands: "SESSION", own: "files"},
		},
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			all := flags.Bool("all", false, "")
			files := flags.Bool("files", false, "")
			return func(p *Process, args []string) (int, error) {
				verb, args := args[0], args[1:]
				if len(args) > 1 {
					return 0, usagef("see bashgate taint --help", "taint %s takes one name, found %d", verb, len(args))
				}
				store, err := session.Open(p.Getenv)
				if err != nil {
					return 0, fmt.Errorf("the record of sessions: %w", err)
				}
				name := ""
				if len(args) == 1 {
					name = args[0]
				}
				t := taintTool{p, store, newJudge(p).taintRules().From}
				switch {
				case verb == "show":
					return exitOK, t.show(name, *all)
				case *files:
					return exitOK, t.clearFiles(name)
				case name == "":
					return 0, usagef("bashgate taint show --all names the sessions", "taint clear needs a session")
				}
				return exitOK, t.clear(name)
			}
		},
	}
}

// taintTool is the taint command at work.
type taintTool struct {
	process *Process
	store   session.Store
	from    int // the level from which a label counts
}

// find returns the one session whose name, or whose id in it, begins so.
func (t *taintTool) find(prefix string) (string, error) {
	names, err := t.store.Names()
	if err != nil {
		return "", err
	}
	var found []string
	for _, name := range names {
		_, id, _ := strings.Cut(name, "-")
		if name == prefix {
			return name, nil
		}
		if strings.HasPrefix(name, prefix) || strings.HasPrefix(id, prefix) {
			found = append(found, name)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", usagef("bashgate taint show --all names the sessions", "no session is called %q", prefix)
	}
	return "", usagef("they are "+someOf(found, 200), "%d sessions are called %q", len(found), prefix)
}

func (t *taintTool) show(prefix string, all bool) error {
	names, err := t.store.Names()
	if err != nil {
		return err
	}
	switch {
	case prefix != "":
		name, err := t.find(prefix)
		if err != nil {
			return err
		}
		names = []string{name}
	case !all && len(names) > 1:
		names = names[:1]
	}
	var b strings.Builder
	if len(names) == 0 {
		b.WriteString("no session has a record\n")
	}
	for _, name := range names {
		t.session(&b, name)
	}
	t.files(&b)
	_, err = t.process.Stdout.Write([]byte(b.String()))
	return err
}

// session prints one session's labels, the one that was seen first first.
func (t *taintTool) session(b *strings.Builder, name string) {
	s := styleFor(t.process, t.process.Stdout)
	state := t.store.Read(name)
	taint := state.Taint(1)
	words := []string{}
	if taint.Corruption > 0 {
		words = append(words, fmt.Sprintf("corruption %d", taint.Corruption))
	}
	if taint.Secret > 0 {
		words = append(words, fmt.Sprintf("secret %d", taint.Secret))
	}
	if state.Damage != "" {
		words = append(words, s.paint(red, "the record can't be trusted, and counts as both"))
	}
	if len(words) == 0 {
		words = append(words, "clean")
	}
	fmt.Fprintf(b, "%s  %s\n", s.paint(bold, policy.Visible(name)), strings.Join(words, ", "))
	if state.Damage != "" {
		fmt.Fprintf(b, "  %s\n", policy.Visible(state.Damage))
	}
	for i := range state.Labels {
		t.label(b, &state.Labels[i])
	}
}

func (t *taintTool) label(b *strings.Builder, l *session.Label) {
	s, e := styleFor(t.process, t.process.Stdout), l.Event()
	var notes []string
	if max(l.Corruption, l.Secret) < t.from {
		notes = append(notes, "does not count")
	}
	if l.Trusted != "" {
		notes = append(notes, "trusted by "+policy.Visible(l.Trusted))
	}
	if l.Pending {
		notes = append(notes, "not confirmed")
	}
	if e.Agent != "" {
		notes = append(notes, "by the subagent "+policy.Visible(e.Agent))
	}
	note := ""
	if notes != nil {
		note = "  (" + strings.Join(notes, ", ") + ")"
	}
	fmt.Fprintf(b, "  %s  %-12s  %s%s\n", stamp(e.At), e.Levels(), policy.Visible(l.What), s.paint(dim, note))
	if e.Why != "" {
		fmt.Fprintf(b, "  %16s  %s\n", "", s.paint(dim, policy.Visible(e.Why)))
	}
}

func stamp(at time.Time) string { return at.Local().Format("2006-01-02 15:04") }

// files prints the files that tainted sessions have written.
func (t *taintTool) files(b *strings.Builder) {
	s := styleFor(t.process, t.process.Stdout)
	written, damage := t.store.Files()
	if damage != "" {
		fmt.Fprintf(b, "the list of files that tainted sessions have written can't be trusted, and every file counts: %s\n", policy.Visible(damage))
	}
	if len(written) == 0 {
		return
	}
	const most = 20
	b.WriteString("files written by tainted sessions\n")
	for i := range written {
		if i == most {
			fmt.Fprintf(b, "  and %s more\n", plural(len(written)-most, "file"))
			break
		}
		w := &written[i]
		note := ""
		switch {
		case !w.Holds:
			note = "  (gone, as before, or committed by a person)"
		case max(w.Corruption, w.Secret) < t.from:
			note = "  (does not count)"
		}
		fmt.Fprintf(b, "  %s  %-12s  %s  by %s%s\n", stamp(w.At), w.Levels(), policy.Visible(t.process.home(w.What)), policy.Visible(w.Session), s.paint(dim, note))
	}
}

func (t *taintTool) clear(prefix string) error {
	name, err := t.find(prefix)
	if err != nil {
		return err
	}
	var b strings.Builder
	t.session(&b, name)
	t.process.Stdout.Write([]byte(b.String()))
	by, err := t.process.person("Does nothing of this matter any more?", "clear", "cleared")
	if err != nil {
		return err
	}
	return t.store.Clear(name, by)
}

func (t *taintTool) clearFiles(path string) error {
	if path == "" {
		path = "/"
	} else if !filepath.IsAbs(path) {
		here, err := t.process.Getwd()
		if err != nil {
			return err
		}
		path = filepath.Join(here, path)
	}
	path = filepath.Clean(path)
	what := policy.Visible(path) + " and all below it"
	if path == "/" {
		what = "all files"
	}
	if _, err := t.process.person("Can "+what+" be trusted and read by everybody?", "clear", "cleared"); err != nil {
		return err
	}
	return t.store.CleanFiles(path)
}
