package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/audit"
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

// What explain shows of a session: what its hook would answer, and what it has
// answered.

// lastFlag is --last, alone or with a number: 0 = not given.
type lastFlag int

func (l *lastFlag) String() string { return strconv.Itoa(int(*l)) }

func (l *lastFlag) IsBoolFlag() bool { return true }

func (l *lastFlag) Set(text string) error {
	if text == "true" {
		*l = 1
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return errors.New("want 1, 2, 3 and so on")
	}
	*l = lastFlag(n)
	return nil
}

// known is a session of which something is known.
type known struct {
	host, id string
	name     string      // of its record
	last     *audit.Line // the newest that is logged of it; nil: none is
}

// findSession returns the one session whose id, or whose name with the agent's,
// begins so. The agent "" is any.
func (p *Process) findSession(prefix, agent string) (*known, error) {
	store, err := session.Open(p.Getenv)
	if err != nil {
		return nil, err
	}
	names, err := store.Names()
	if err != nil {
		return nil, err
	}
	var list []*known
	add := func(k *known) {
		if (agent == "" || agent == k.host) && !slices.ContainsFunc(list, func(o *known) bool { return o.name == k.name }) {
			list = append(list, k)
		}
	}
	err = p.logged(func(rec *audit.Record) bool {
		if ofSession(&rec.Line, prefix) {
			add(&known{host: rec.Host, id: rec.Session, name: session.Name(rec.Host, rec.Session), last: &rec.Line})
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		agent, id, _ := strings.Cut(name, "-")
		if strings.HasPrefix(name, prefix) || strings.HasPrefix(id, prefix) {
			add(&known{host: agent, id: id, name: name})
		}
	}
	for _, k := range list {
		if k.id == prefix || k.name == prefix {
			return k, nil
		}
	}
	switch len(list) {
	case 1:
		return list[0], nil
	case 0:
		return nil, usagef("bashgate log and bashgate taint show --all name the sessions", "no session is called %q", prefix)
	}
	var all []string
	for _, k := range list {
		all = append(all, k.name)
	}
	return nil, usagef("they are "+someOf(all, 200), "%d sessions are called %q", len(list), prefix)
}

// logged yields the decision log, the newest line first. That there is none is no
// error.
func (p *Process) logged(yield func(*audit.Record) bool) error {
	c := p.setup().Audit
	l, err := p.auditLog(&c)
	if err != nil {
		return err
	}
	r, err := audit.Open(l.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close()
	return r.Last(yield)
}

// lastAnswer returns the n-th last question or block that is logged: of an agent
// that works in a directory, above or below it, or of a session whose id begins
// so, if one is named.
func (p *Process) lastAnswer(dir, session string, n int) (*audit.Line, error) {
	var found *audit.Line
	left := n
	err := p.logged(func(rec *audit.Record) bool {
		l := &rec.Line
		if l.Event != host.BeforeToolUse.String() || l.Decision != policy.Ask.String() && l.Decision != policy.Block.String() {
			return true
		}
		if session == "" && worksIn(l, dir) || session != "" && ofSession(l, session) {
			if left--; left == 0 {
				found = l
			}
		}
		return found == nil
	})
	switch {
	case err != nil || found != nil:
		return found, err
	case p.setup().Audit.Off:
		return nil, usagef(`[audit] log = "on" in config.toml switches it on`, "the decision log is switched off")
	case left < n:
		return nil, usagef("bashgate log --decision ask,block shows them", "only %d that were asked about or denied are logged here", n-left)
	}
	return nil, usagef("bashgate log shows what was decided elsewhere", "nothing that was asked about or denied is logged here")
}

// explainLast shows what was answered then, and how that is judged now.
func explainLast(p *Process, dir, session string, n int) (string, error) {
	line, err := p.lastAnswer(dir, session, n)
	if err != nil {
		return "", err
	}
	s := styleFor(p, p.Stdout)
	var b strings.Builder
	logged(&b, s, line)
	q := host.Question{
		Event: host.BeforeToolUse, Use: line.Use, Agent: line.Agent, Shell: line.Command != "" && !line.Names,
		Tool: engine.Tool{Name: line.Tool},
		Request: engine.Request{
			Command: line.Command, Cwd: line.Cwd, Workspace: line.Workspace, Home: system.Slash(p.Getenv("HOME")), Mode: line.Mode, Shell: line.Shell,
			Host: line.Host, Session: line.Session, Unattended: line.Unattended, Profile: line.Profile,
		},
	}
	for _, a := range line.Args {
		q.Tool.Args = append(q.Tool.Args, engine.ToolArg{Name: a.Name, Value: a.Value})
	}
	if !q.Shell && (line.Names || line.Args == nil) {
		b.WriteString("\nWhat it was about is not in the log, and can't be judged again.\n")
		return b.String(), nil
	}
	g := newLook(p, &q, line)
	g.alone = line.Session == "" && line.Host == execHost
	a := g.answer()
	switch {
	case a.decision.String() != line.Decision:
		fmt.Fprintf(&b, "\n%s: %s, and %s then. Rules, settings or files have changed since, or the log does not hold all of it.\n\n",
			s.paint(bold, "Now the answer is another one"), a.decision, line.Decision)
	case line.Reason != "" && line.Reason != audit.Text(policy.Visible(a.verdict.Reason)):
		b.WriteString("\nNow the answer is the same, for another reason:\n\n")
	default:
		b.WriteString("\nNow the answer is the same:\n\n")
	}
	a.request.Command = subject(line)
	b.WriteString(explain(s, &a.request, &a.verdict))
	a.tell(&b, s)
	return b.String(), nil
}

// logged shows a line of the log:
//
//	2026-11-02 10:42:11  ask  claude 7bca2281  git push
//	Sends commits to a remote repository (git)
func logged(b *strings.Builder, s style, line *audit.Line) {
	d, _ := policy.ParseDecision(line.Decision)
	fmt.Fprintf(b, "%s  %s  %s  %s\n", line.Time.Local().Format("2006-01-02 15:04:05"), s.decision(d, line.Decision),
		policy.Visible(strings.TrimSpace(line.Host+" "+shortID(line.Session))), shorten(policy.Visible(subject(line)), widest))
	if line.Reason != "" {
		b.WriteString(policy.Visible(line.Reason) + "\n")
	}
	if line.Cop != "" {
		fmt.Fprintf(b, "the reviewer (%s) said: %s\n", policy.Visible(line.Provider), policy.Visible(strings.TrimSpace(line.Cop+" "+line.CopCode)))
	}
	var lacks []string
	if line.Masked {
		lacks = append(lacks, "secrets are masked")
	}
	if line.Cut {
		lacks = append(lacks, "not all of it is there")
	}
	if lacks != nil {
		b.WriteString("in the log " + strings.Join(lacks, ", and ") + ": what is judged now is what stands there\n")
	}
}

// shortID is as much of a session's id as a person needs.
func shortID(id string) string { return strings.TrimSuffix(policy.Clip(id, 8), "...") }

// explainIn shows what the hook of an agent, in a session if one is named, would
// answer about a command line. The given flags count before what is logged of the
// session.
func explainIn(p *Process, s situation, given []string, agent, prefix, command string) (string, error) {
	k := &known{host: agent}
	if prefix != "" {
		found, err := p.findSession(prefix, agent)
		if err != nil {
			return "", err
		}
		k = found
	}
	if k.host != execHost && k.host != host.Protocol {
		if _, err := host.Named(k.host); err != nil { // of the log
			return "", usagef("", "%s", err)
		}
	}
	if l := k.last; l != nil {
		for name, set := range map[string]func(){
			"cwd": func() { s.cwd = l.Cwd }, "workspace": func() { s.workspace = l.Workspace }, "mode": func() { s.mode = l.Mode },
			"shell": func() { s.shell = l.Shell }, "attended": func() { s.attended = !l.Unattended }, "profile": func() { s.profile = l.Profile },
		} {
			if !slices.Contains(given, name) {
				set()
			}
		}
	}
	r := s.request(p, command)
	r.Host, r.Session = k.host, k.id
	q := host.Question{Event: host.BeforeToolUse, Shell: true, Tool: engine.Tool{Name: "Bash"}, Request: r}
	g := newLook(p, &q, nil)
	g.name = cmp.Or(k.name, g.name)
	g.alone = prefix == ""
	a := g.answer()
	var b strings.Builder
	style := styleFor(p, p.Stdout)
	b.WriteString(explain(style, &a.request, &a.verdict))
	a.tell(&b, style)
	return b.String(), nil
}

// answer is what a hook would say.
type answer struct {
	gate     *gate
	request  engine.Request
	verdict  engine.Verdict
	decision policy.Decision
	reason   string
}

// answer decides as the hook does, or exec.
func (g *gate) answer() *answer {
	q := g.question
	if agent, err := host.Named(q.Request.Host); err == nil {
		for i := range agent.Events {
			if e := &agent.Events[i]; e.Event == q.Event && (q.Name == "" || !agent.Hears(q.Name)) {
				q.Name = e.Name
			}
		}
		if then := g.look.then; then == nil || then.Unattended {
			g.unasked = unheard(agent, q, false)
		}
	}
	a := &answer{gate: g, request: q.Request}
	if q.Request.Host == execHost {
		a.verdict = g.shell(&a.request)
		a.decision, a.reason = a.verdict.Decision, reasonLine(&a.verdict)+g.because(&a.verdict)
	} else {
		a.verdict, a.decision, a.reason = g.decide(&a.request)
	}
	return a
}

// tell adds who else would be asked, and what the agent is told:
//
//	claude, session 7bca2281: the session has read untrusted content
//	the hook answers: ask  bashgate: Sends commits to a remote repository (git)
func (a *answer) tell(b *strings.Builder, s style) {
	r, look := &a.request, a.gate.look
	who := r.Host
	if r.Session != "" {
		who += ", session " + shortID(r.Session) + ": " + lower(cop.Seen(r.Taint))
	}
	b.WriteString(s.paint(dim, policy.Visible(who)) + "\n")
	for _, name := range look.checkers {
		b.WriteString("a checker of yours would be run, and may deny it: " + policy.Visible(name) + "\n")
	}
	said := "the hook answers: "
	if look.reviewer != "" {
		b.WriteString("a reviewer would be asked: " + policy.Visible(look.reviewer) + "\n")
		said = "where it clears this, the hook answers: "
	}
	if a.decision == policy.Skip {
		b.WriteString(said + "nothing, the agent decides in its own way\n")
		return
	}
	b.WriteString(said + s.decision(a.decision, a.decision.String()) + "  " + a.reason + "\n")
}

// lower is a sentence in the middle of another one.
func lower(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToLower(text[:1]) + text[1:]
}
