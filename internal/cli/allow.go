package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/audit"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/learn"
	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

const allowHelp = `allow answers a question, so that it is not asked again.

Usage:
  bashgate allow [CMD] [FLAGS]
  bashgate allow --list

It shows the question about CMD, or the last one that the hook has asked in this
directory, and up to three rules that answer it, the narrowest first: what each
allows, what of the log it would have allowed, and what it still stops. You pick
one by its number and a word that stands there. It is added to
~/.config/bashgate/rules/learned.toml; bashgate forget takes it out again.

No answer makes a block an allow. Only a person at a terminal answers.

Flags:
  --project            for this project: into its .bashgate/rules/learned.toml
  --session[=SESSION]  until the session ends; by default the one that has asked
                       last
  --once               this command once, within ten minutes, whatever asks
  --pick N             the Nth rule; the word is asked for all the same
  --dry-run            show the rules and write nothing
  --list               show what has been answered
  --cwd DIR            where it would run (default: here)
  --workspace DIR      the project's directory (default: cwd)

Example:
  $ bashgate allow --dry-run 'acme lint src/a.go'
  ask  No rule knows acme
       acme lint src/a.go

  1  only acme lint src/a.go in ~/project
  ...
`

func allowCommand() command {
	return command{
		name:    "allow",
		summary: "answer a question for good, for a session, or once",
		help:    allowHelp,
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			a := allower{situation: situation{attended: true, mode: "default", shell: "bash"}}
			flags.StringVar(&a.cwd, "cwd", "", "DIR")
			flags.StringVar(&a.workspace, "workspace", "", "DIR")
			flags.BoolVar(&a.project, "project", false, "")
			flags.Var(&a.session, "session", "SESSION")
			flags.BoolVar(&a.once, "once", false, "")
			flags.Var(&number{&a.pick, 1, math.MaxInt}, "pick", "N")
			flags.BoolVar(&a.dry, "dry-run", false, "")
			list := flags.Bool("list", false, "")
			return func(p *Process, args []string) (int, error) {
				switch {
				case *list && len(args) > 0:
					return 0, usagef("see bashgate allow --help", "allow --list takes nothing else")
				case len(args) > 1:
					return 0, usagef("quote it: bashgate allow 'git push'", "allow takes one command, found %d arguments", len(args))
				case a.project && (a.once || a.session.given), a.once && a.session.given:
					return 0, usagef("see bashgate allow --help", "only one of --project, --session and --once")
				case a.once && a.pick > 0:
					return 0, usagef("see bashgate allow --help", "no rule has the number %d", a.pick)
				}
				a.process = p
				if err := a.complete(p); err != nil {
					return 0, err
				}
				if *list {
					return exitOK, a.list()
				}
				if len(args) == 1 {
					return exitOK, a.allow(args[0])
				}
				command, err := a.lastQuestion()
				if err != nil {
					return 0, err
				}
				return exitOK, a.allow(command)
			}
		},
	}
}

// optional is a flag with a value that may be missing: --session, --session=ID.
type optional struct {
	given bool
	value string
}

func (o *optional) String() string   { return o.value }
func (o *optional) IsBoolFlag() bool { return true }

func (o *optional) Set(s string) error {
	o.given = true
	if s != "true" {
		o.value = s
	}
	return nil
}

// allower is the allow command at work.
type allower struct {
	situation
	process       *Process
	project, once bool
	session       optional
	pick          int // counted from 1; 0 = asked for
	dry           bool

	host  string // the agent that has asked; "" = not known
	asked string // the session whose question it is, by the name of its files; "" = not known
}

// answers is where answers are kept that are not for ever.
func (p *Process) answers() (approval.Store, error) {
	store, err := session.Open(p.Getenv)
	return approval.Store{Dir: filepath.Join(store.Dir, "answers")}, err
}

// lastQuestion is the last command that the hook has asked about where an agent
// works here.
func (a *allower) lastQuestion() (string, error) {
	none := usagef("name it: bashgate allow 'git push'", "the log holds no question that was asked here")
	c := a.process.setup().Audit
	where, err := a.process.auditLog(&c)
	if err != nil {
		return "", err
	}
	r, err := audit.Open(where.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", none
	}
	if err != nil {
		return "", err
	}
	defer r.Close()
	var line *audit.Line
	err = r.Last(func(rec *audit.Record) bool {
		if rec.Event == "before_tool_use" && rec.Command != "" && questioned(&rec.Line) && worksIn(&rec.Line, a.cwd) {
			last := rec.Line
			line = &last
		}
		return line == nil
	})
	switch {
	case err != nil:
		return "", err
	case line == nil:
		return "", none
	case !line.Exact():
		return "", usagef("name it: bashgate allow 'git push'", "the log does not hold all of the last question: %s", policy.Visible(line.Command))
	}
	a.situation.cwd, a.situation.workspace, a.shell, a.profile = line.Cwd, line.Workspace, line.Shell, line.Profile
	a.host, a.asked = line.Host, session.Name(line.Host, line.Session)
	return line.Command, nil
}

// questioned reports whether a person was asked, or would have been.
func questioned(line *audit.Line) bool {
	if line.Decision == "ask" {
		return true
	}
	for _, id := range line.Rules {
		if id == "mode.unattended" {
			return line.Decision == "block"
		}
	}
	return false
}

// allow shows what is asked about a command and what answers it, and writes the
// answer down.
func (a *allower) allow(command string) error {
	p := a.process
	j := newJudge(p)
	judge := j.learning()
	r := a.request(p, command)
	r.Host = a.host
	r.Settings = agentSettings(&r)
	v := judge(r)
	var out strings.Builder
	s := styleFor(p, p.Stdout)
	switch v.Decision {
	case policy.Allow:
		if !a.once {
			return usagef("bashgate allow --once answers what else is asked in a session", "it is allowed already: %s", policy.Visible(policy.Clip(command, 200)))
		}
	case policy.Block:
		return &usageError{"it is blocked: " + policy.Visible(v.Reason), "a block stands: no answer makes it an allow"}
	}
	text := v.Reason
	if v.Decision == policy.Allow {
		text = "the rules allow it"
	}
	fmt.Fprintf(&out, "%s  %s\n     %s\n", s.paint(bold, s.decision(v.Decision, v.Decision.String())), policy.Visible(text), policy.Visible(command))
	if a.once && j.setup.NoLifts {
		return usagef("ask your administrator", "the administrator lets nobody lift questions")
	}
	if a.once {
		return a.ticket(&r, &out)
	}
	if holdsSecret(command) {
		return usagef("bashgate allow --once answers it this time", "no rule is made of a command with what looks like a password or a key in it")
	}
	list, err := learn.Propose(judge, r)
	if refusal, ok := errors.AsType[*learn.Refusal](err); ok {
		return usagef(refusal.Hint, "no rule can answer it: %s", policy.Visible(refusal.Why))
	}
	if err != nil {
		return err
	}
	if a.pick > len(list) {
		return usagef("see bashgate allow --dry-run", "there are only %d rules", len(list))
	}
	history := a.history()
	for i := range list {
		if a.pick == 0 || a.pick == i+1 {
			a.show(&out, i+1, &list[i], a.would(judge, history, &list[i], func(before, after policy.Decision) bool { return before != policy.Allow && after == policy.Allow }))
		}
	}
	if _, err := io.WriteString(p.Stdout, out.String()); err != nil || a.dry {
		return err
	}
	if a.pick > 0 {
		list = list[a.pick-1 : a.pick]
	}
	picked, err := p.picks(len(list), "allow", "allowed")
	if err != nil {
		return err
	}
	return a.write(&r, &list[picked])
}

// ticket lets a command pass once.
func (a *allower) ticket(r *engine.Request, out *strings.Builder) error {
	p := a.process
	if _, err := io.WriteString(p.Stdout, out.String()); err != nil || a.dry {
		return err
	}
	if _, err := p.picks(1, "allow", "allowed"); err != nil {
		return err
	}
	store, err := p.answers()
	if err != nil {
		return err
	}
	id, err := store.Issue(approval.Ticket{Command: r.Command, Cwd: r.Cwd, Workspace: r.Workspace, Session: a.asked, By: p.who()})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.Stdout, "%s: allowed once, within %d minutes\n", id, int(approval.TicketLife.Minutes()))
	return err
}

// show prints a rule with what it comes to.
func (a *allower) show(out *strings.Builder, number int, proposal *learn.Proposal, would []string) {
	s := styleFor(a.process, a.process.Stdout)
	fmt.Fprintf(out, "\n%s  %s\n", s.paint(bold, fmt.Sprint(number)), policy.Visible(proposal.Summary))
	for line := range strings.Lines(proposal.Text) {
		fmt.Fprintf(out, "   %s\n", s.paint(dim, policy.Visible(strings.TrimRight(line, "\n"))))
	}
	out.WriteString(ofTheLog(would, "it would have allowed"))
	if proposal.Stops != "" {
		fmt.Fprintf(out, "   still stopped: %s\n", policy.Visible(shorten(proposal.Stops, widest)))
	}
}

// write adds a rule to the file that it is for, and says so.
func (a *allower) write(r *engine.Request, proposal *learn.Proposal) error {
	p := a.process
	head := learn.Head(proposal.ID, time.Now(), p.home(r.Cwd), r.Command)
	if a.session.given {
		return a.writeSession(head, proposal)
	}
	f, err := a.learned(r.Workspace)
	if err != nil {
		return err
	}
	if err := f.add(head, proposal.Text); err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "%s: written to %s\n", proposal.ID, policy.Visible(p.home(f.path)))
	return f.trusted()
}

// writeSession adds a rule to those of a session.
func (a *allower) writeSession(head string, proposal *learn.Proposal) error {
	p := a.process
	name := a.asked
	if a.session.value != "" || name == "" {
		store, err := session.Open(p.Getenv)
		if err != nil {
			return err
		}
		if a.session.value == "" {
			names, err := store.Names()
			if err != nil || len(names) == 0 {
				return usagef("bashgate allow --session=ID", "no session has a record")
			}
			name = names[0]
		} else if name, err = (&taintTool{process: p, store: store}).find(a.session.value); err != nil {
			return err
		}
	}
	store, err := p.answers()
	if err != nil {
		return err
	}
	text, err := store.Session(name)
	if err != nil {
		return err
	}
	if text, err = learn.With(name, text, head, proposal.Text); err != nil {
		return err
	}
	if err := store.SetSession(name, text); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.Stdout, "%s: counts until the session %s ends\n", proposal.ID, policy.Visible(name))
	return err
}

// list prints what has been answered.
func (a *allower) list() error {
	p := a.process
	var out strings.Builder
	block := func(where string, text []byte) {
		for i, answer := range learn.Answers(text) {
			if i == 0 {
				fmt.Fprintf(&out, "%s\n", policy.Visible(p.home(where)))
			}
			fmt.Fprintf(&out, "  %s  %s\n", answer.ID, policy.Visible(answer.Note))
		}
	}
	files, err := a.files()
	if err != nil {
		return err
	}
	for _, f := range files {
		block(f.path, f.text)
	}
	store, err := p.answers()
	if err != nil {
		return err
	}
	entries, complaint := store.List()
	if complaint != nil {
		p.complain(policy.Visible(complaint.Error()), "")
	}
	for _, e := range entries {
		switch {
		case e.Over:
		case e.Ticket != nil:
			fmt.Fprintf(&out, "%s  once, %s: %s\n", e.ID, stamp(e.Made), policy.Visible(shorten(e.Ticket.Command, widest)))
		default:
			block("the session "+e.Session, e.Rules)
		}
	}
	if out.Len() == 0 {
		out.WriteString("nothing has been answered\n")
	}
	_, err = io.WriteString(p.Stdout, out.String())
	return err
}

// learned is a file of answers.
type learned struct {
	path    string
	text    []byte // nil: it is not there
	process *Process
	project string       // whose it is; "" = the user's
	was     config.Trust // of the project, before
	fresh   bool         // the project had no rules before
}

// learned is the file that an answer goes to.
func (a *allower) learned(workspace string) (*learned, error) {
	p := a.process
	if !a.project {
		dir := p.setup().Places.Below(config.User, "rules")
		if dir == "" {
			return nil, errors.New("neither XDG_CONFIG_HOME nor HOME names a directory for it")
		}
		return readLearned(p, dir, "")
	}
	dir := workspace
	if projects := config.Projects(workspace, workspace, p.Getenv("HOME")); len(projects) > 0 {
		dir = projects[0]
	}
	return readLearned(p, filepath.Join(dir, ".bashgate", "rules"), dir)
}

// files are those that answers here may stand in.
func (a *allower) files() ([]*learned, error) {
	var files []*learned
	for _, project := range []bool{false, true} {
		other := *a
		other.project = project
		workspace := a.workspace
		if workspace == "" {
			workspace = a.cwd
		}
		f, err := other.learned(workspace)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

func readLearned(p *Process, dir, project string) (*learned, error) {
	f := &learned{path: filepath.Join(dir, learn.FileName), process: p, project: project}
	if project != "" {
		f.was = p.setup().Trusts(project)
		files, _ := filepath.Glob(filepath.Join(dir, "*.toml"))
		f.fresh = len(files) == 0
	}
	text, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	f.text = text
	return f, err
}

// add writes a block more. What is broken is told with its place, and stays as it
// is.
func (f *learned) add(head, tables string) error {
	text, err := learn.With(f.path, f.text, head, tables)
	if err != nil {
		return fmt.Errorf("%w\nnothing is written", err)
	}
	return f.put(text)
}

// put replaces the file, unless somebody else has changed it meanwhile.
func (f *learned) put(text []byte) error {
	path := f.path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	mode := os.FileMode(0o600)
	if f.project != "" {
		mode = 0o644 // for whoever works in it
	}
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	fresh, err := os.CreateTemp(dir, ".learned-*")
	if err != nil {
		return err
	}
	_, err = fresh.Write(text)
	if err == nil {
		err = fresh.Chmod(mode)
	}
	if err == nil {
		err = fresh.Sync()
	}
	if closeErr := fresh.Close(); err == nil {
		err = closeErr
	}
	if now, readErr := os.ReadFile(path); err == nil && readErr == nil && string(now) != string(f.text) {
		err = fmt.Errorf("%s has changed meanwhile", f.path)
	}
	if err == nil {
		err = system.Replace(fresh.Name(), path)
	}
	if err != nil {
		os.Remove(fresh.Name())
	}
	return err
}

// trusted lets a project's rules count on, if they did before or there were none.
// Whoever answers at a terminal has seen what is new in them.
func (f *learned) trusted() error {
	if f.project == "" {
		return nil
	}
	if f.was != config.IsTrusted && !f.fresh {
		_, err := fmt.Fprintf(f.process.Stdout, "the rules of the project only tighten until you trust them: bashgate trust %s\n", policy.Quote(f.project))
		return err
	}
	setup := f.process.setup()
	for _, r := range setup.Project([]string{f.project}, catalogue.Known).Rules {
		if r.Project == f.project && r.Faults() == nil {
			return setup.Trusted().Add(r, f.process.who(), time.Now())
		}
	}
	return nil
}
