package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/audit"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

const logHelp = `log shows what the hook has decided, the newest last: when, what, for which
agent and session, about which command or tool, and by which rule.

Usage:
  bashgate log [FLAGS]
  bashgate log verify [--json] [--head HASH:SEQ]

The decision log is on unless [audit] in config.toml switches it off. Secrets
that are found in it are masked. docs/log.md tells what a line holds.

verify looks whether each line is what was written, where it was written, and
prints the log's head, which you can note down elsewhere; what was changed is
told with its place, and the exit status is 1 then.

Flags:
  -n N               the last N that fit (default 50, with --since all; 0: all)
  --decision WORDS   allow, ask, block, or skip, which is left to the agent;
                     approved, denied
  --code CODE        about a request that waits, or has waited, for a person
  --rule RULE        decided by such a rule: git.push, "git.*"
  --program NAME     a command that runs the program, or the use of a tool
  --session SESSION  of the session whose id begins so
  --here             where the agent works in this directory, above or below it
  --since TIME       2h, 3d, 2026-11-02, "2026-11-02 10:42"
  --until TIME       likewise; a date is all of the day
  --json             the lines as they stand in the log
  --head HASH:SEQ    for verify: the head that you have noted is part of the log
  -f, --follow       go on with what is decided from now on
  --no-pager         print at once; otherwise $PAGER shows it on a terminal

Example:
  $ bashgate log --since 1d --decision ask,block
  2026-11-02 10:42:11  ask    claude 7bca2281  git push  git.push
  2026-11-02 10:44:52  block  claude 7bca2281  rm -rf /  paths.system-root
  $ bashgate log verify
  1042 lines from 2026-10-20 09:12:44 to 2026-11-02 10:44:52, whole
  head 3f7a22b19c04d5e6:1042
`

func logCommand() command {
	return command{
		name:    "log",
		summary: "show what the hook has decided",
		help:    logHelp,
		verbs: []verb{
			{name: "", own: "n decision code rule program session here since until follow f no-pager"},
			{name: "verify", summary: "look whether each line is what was written", own: "head"},
		},
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			l := &logTool{most: -1}
			flags.Var(&choices{(*list)(&l.decisions), []string{"allow", "ask", "block", "skip", "approved", "denied"}}, "decision", "WORDS")
			flags.StringVar(&l.rule, "rule", "", "RULE")
			flags.StringVar(&l.program, "program", "", "NAME")
			flags.StringVar(&l.session, "session", "", "SESSION")
			flags.StringVar(&l.code, "code", "", "CODE")
			here := flags.Bool("here", false, "")
			flags.Var(&instant{to: &l.since}, "since", "TIME")
			flags.Var(&instant{to: &l.until, end: true}, "until", "TIME")
			flags.BoolVar(&l.json, "json", false, "")
			flags.BoolVar(&l.follow, "follow", false, "")
			flags.BoolVar(&l.follow, "f", false, "")
			flags.BoolVar(&l.plain, "no-pager", false, "")
			flags.Var(&number{&l.most, 0, math.MaxInt}, "n", "N")
			head := flags.String("head", "", "HASH:SEQ")
			return func(p *Process, args []string) (int, error) {
				switch {
				case len(args) == 1 && args[0] == "verify":
					return verifyLog(p, *head, l.json)
				case len(args) > 0:
					return 0, usagef("see bashgate log --help", "log takes no arguments but verify, found %q", args[len(args)-1])
				}
				if err := l.prepare(p, *here); err != nil {
					return 0, err
				}
				return exitOK, l.run()
			}
		},
	}
}

// logTool is the log command at work.
type logTool struct {
	process *Process
	style   style
	width   int // of the terminal in characters; 0 = nothing is cut

	decisions              []string
	rule, program, session string
	code                   string // of a request, in any case
	dir                    string // absolute; "" = anywhere
	since, until           time.Time
	most                   int // how many are shown; 0 = all
	json, follow, plain    bool

	judge *judge // for --program
}

// prepare makes sense of the flags.
func (l *logTool) prepare(p *Process, here bool) error {
	l.process, l.style = p, styleFor(p, p.Stdout)
	l.width = terminalWidth(p.Stdout)
	switch {
	case l.most >= 0:
	case l.since.IsZero():
		l.most = 50
	default:
		l.most = 0
	}
	if !here {
		return nil
	}
	dir, err := p.Getwd()
	l.dir = dir
	return err
}

func (l *logTool) run() error {
	p := l.process
	c := p.setup().Audit
	where, err := p.auditLog(&c)
	if err != nil {
		return err
	}
	r, err := audit.Open(where.Path)
	for l.follow && !c.Off && errors.Is(err, fs.ErrNotExist) { // until there is one
		time.Sleep(followEvery)
		r, err = audit.Open(where.Path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return l.nothing(where.Path, c.Off)
	}
	if err != nil {
		return err
	}
	defer r.Close()
	var lines []string
	err = r.Last(func(rec *audit.Record) bool {
		if rec.Time.Before(l.since.Add(-disorder)) {
			return false
		}
		if l.wants(&rec.Line) {
			lines = append(lines, l.text(rec))
		}
		return l.most == 0 || len(lines) < l.most
	})
	if err != nil {
		return err
	}
	slices.Reverse(lines)
	text := strings.Join(lines, "")
	if r.Skipped > 0 {
		fmt.Fprintf(p.Stderr, "bashgate: %s of the decision log can't be read, and left out: %s\n", plural(r.Skipped, "line"), policy.Visible(p.home(where.Path)))
	}
	if len(lines) == 0 {
		l.misspelt()
	}
	if !l.plain && !l.json && !l.follow && isTerminal(p.Stdout) {
		return page(p, text)
	}
	if _, err := io.WriteString(p.Stdout, text); err != nil || !l.follow {
		return err
	}
	var failed error
	err = r.Follow(followEvery, func(rec *audit.Record) bool {
		if l.wants(&rec.Line) {
			_, failed = io.WriteString(p.Stdout, l.text(rec))
		}
		return failed == nil
	})
	return errors.Join(err, failed)
}

// misspelt says that no rule has the id whose decisions were asked for. A log may
// hold ids of rules that are gone, so that it is no error.
func (l *logTool) misspelt() {
	s := situation{}
	if l.rule == "" || match.IsGlob(l.rule) || s.complete(l.process) != nil {
		return
	}
	s.workspace = s.cwd
	files, _ := ruleFiles(l.process, &s)
	if ids := ruleIDs(files); !slices.ContainsFunc(ids, func(id string) bool { return match.Glob(id, l.rule) }) {
		fmt.Fprintf(l.process.Stderr, "bashgate: %s\n", strings.TrimSuffix("no rule has the id "+policy.Visible(policy.Quote(l.rule))+"; "+alike(l.rule, ids), "; "))
	}
}

// disorder is how much later than a line another one can stand that was written
// before: hooks write when they have decided.
const disorder = time.Minute

// followEvery is how often --follow looks.
const followEvery = 300 * time.Millisecond

// nothing says that there is no log, and why.
func (l *logTool) nothing(path string, off bool) error {
	text := "nothing is logged yet: " + policy.Visible(l.process.home(path)) + " is not there\n"
	if off {
		text = "the decision log is switched off: [audit] log = \"on\" in config.toml switches it on\n"
	}
	to := l.process.Stdout
	if l.json {
		to = l.process.Stderr
	}
	_, err := io.WriteString(to, text)
	return err
}

// wants reports whether the flags are about a line.
func (l *logTool) wants(line *audit.Line) bool {
	switch {
	case line.Decision == "",
		l.decisions != nil && !slices.Contains(l.decisions, line.Decision),
		line.Time.Before(l.since),
		!l.until.IsZero() && line.Time.After(l.until),
		l.code != "" && !strings.EqualFold(l.code, line.Code),
		l.session != "" && !ofSession(line, l.session),
		l.rule != "" && !slices.ContainsFunc(line.Rules, func(id string) bool { return match.Glob(l.rule, id) }),
		l.dir != "" && !worksIn(line, l.dir):
		return false
	}
	return l.program == "" || l.runs(line)
}

// ofSession reports whether a line is of the session whose id, or whose name with
// the agent's, begins so.
func ofSession(line *audit.Line, prefix string) bool {
	return line.Session != "" && (strings.HasPrefix(line.Session, prefix) || strings.HasPrefix(line.Host+"-"+line.Session, prefix))
}

// worksIn reports whether a line's agent works in a directory, above or below it.
func worksIn(line *audit.Line, dir string) bool {
	for _, d := range []string{dir, linked(dir)} {
		for _, of := range []string{line.Workspace, line.Cwd} {
			if of != "" && (inside(d, of) || inside(of, d)) {
				return true
			}
		}
	}
	return false
}

// inside reports whether a path is a directory or lies below it.
func inside(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

// runs reports whether a line's command runs a program, in any directory and by
// any wrapper, or whether it is the use of a tool of that name.
func (l *logTool) runs(line *audit.Line) bool {
	switch {
	case line.Command == "":
		return line.Tool == l.program
	case !strings.Contains(line.Command, l.program):
		return false
	case line.Names:
		return slices.Contains(strings.Fields(line.Command), l.program)
	}
	if l.judge == nil {
		l.judge = newJudge(l.process)
	}
	v := l.judge.evaluate(engine.Request{Command: line.Command, Cwd: line.Cwd, Workspace: line.Workspace, Home: system.Slash(l.process.Getenv("HOME")), Shell: line.Shell})
	return slices.ContainsFunc(programs(v.Tree), func(name string) bool { return filepath.Base(name) == l.program })
}

// text is what is printed of a record, with the line's end:
//
//	2026-11-02 10:42:11  ask    claude 7bca2281  git push  git.push
//	2026-11-02 10:42:51         claude 7bca2281  approval KXRT approved by u at a terminal
func (l *logTool) text(rec *audit.Record) string {
	if l.json {
		return string(rec.Raw) + "\n"
	}
	line := &rec.Line
	head := line.Time.Local().Format("2006-01-02 15:04:05")
	who := strings.TrimSpace(policy.Visible(line.Host + " " + shortID(line.Session)))
	what, rule := policy.Visible(subject(line)), ""
	if len(line.Rules) > 0 {
		rule = policy.Visible(line.Rules[0])
	}
	if line.Code != "" && line.Event != "approval" {
		rule = strings.TrimSpace(rule + " " + policy.Visible(line.Code))
	}
	if l.width > 0 {
		left := l.width - len(head) - len("  block    ") - utf8.RuneCountInString(who) - utf8.RuneCountInString(rule) - 2
		what = shorten(what, max(left, 20))
	}
	s := l.style
	word := fmt.Sprintf("%-5s", line.Decision)
	if line.Event == "approval" {
		word, rule = "     ", ""
	}
	if d, ok := policy.ParseDecision(line.Decision); ok {
		word = s.decision(d, word)
	}
	return strings.TrimRight(s.paint(dim, head)+"  "+word+"  "+s.paint(dim, who)+"  "+what+"  "+s.paint(dim, rule), " ") + "\n"
}

// subject is what a line is about, as far as that was logged.
func subject(line *audit.Line) string {
	what := line.Command
	if line.Event == "approval" {
		what = "approval " + line.Code + " " + line.Decision
		if line.By != "" {
			what += " by " + line.By
		}
		if line.Reason != "" {
			what += ": " + line.Reason
		}
		return what
	}
	if what == "" {
		what = line.Tool
		for _, a := range line.Args {
			what += " " + a.Value
		}
	}
	if what == "" {
		what = line.Event
	}
	return what
}
