package cli

import (
	"cmp"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/audit"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/policy"
)

// auditFile is the decision log's name where the settings give none, and auditKey
// that of the key that chains its lines.
const (
	auditFile = "audit.log"
	auditKey  = "audit.key"
)

// auditLog is where decisions are logged. The error is that of session.Open.
func (p *Process) auditLog(c *config.Audit) (audit.Log, error) {
	l := audit.Log{Path: c.File, Key: c.Key, MaxBytes: cmp.Or(c.MaxBytes, config.DefaultAuditBytes), Keep: cmp.Or(c.Keep, config.DefaultAuditKeep)}
	store, err := session.Open(p.Getenv)
	switch {
	case err == nil:
		l.Path = cmp.Or(l.Path, filepath.Join(store.Dir, auditFile))
		l.Key = cmp.Or(l.Key, filepath.Join(store.Dir, auditKey))
	case l.Path != "": // with no place for a key the lines are not chained
		err = nil
	}
	return l, err
}

// DecisionLog is where the hook logs its decisions. on is false where the settings
// say that it shall not.
func (p *Process) DecisionLog() (l audit.Log, on bool, err error) {
	c := p.setup().Audit
	if c.Off {
		return l, false, nil
	}
	l, err = p.auditLog(&c)
	return l, true, err
}

// writeLog appends a line to the decision log, and complains where that fails.
func (p *Process) writeLog(l audit.Log, line *audit.Line) {
	err := l.Append(line)
	var unchained *audit.UnchainedError
	switch {
	case errors.As(err, &unchained):
		p.complain("the decision log: "+policy.Visible(err.Error()), "bashgate log verify tells where; docs/log.md")
	case err != nil:
		p.complain("the decision log: "+policy.Visible(err.Error()), logOffHint)
	}
}

const logOffHint = `[audit] log = "off" in config.toml switches it off`

// log writes the decision log, unless there shall be none.
func (g *gate) log(r *engine.Request, v *engine.Verdict, d policy.Decision) {
	c := &g.judge.config.Audit
	if c.Off {
		return
	}
	l, err := g.process.auditLog(c)
	if err != nil {
		g.process.complain("the decision log: "+policy.Visible(err.Error()), logOffHint)
		return
	}
	line := g.line(r, v, d)
	g.process.writeLog(l, &line)
	if c.Why != nil {
		g.process.complain("the decision log has no commands: "+policy.Visible(g.process.firstLine(c.Why)), "")
	}
}

// line is what is logged of the event.
func (g *gate) line(r *engine.Request, v *engine.Verdict, d policy.Decision) audit.Line {
	c, q := &g.judge.config.Audit, g.question
	now := time.Now()
	line := audit.Line{
		Time: now, Event: q.Event.String(), Host: r.Host, Session: r.Session, Agent: q.Agent, Use: q.Use, Tool: q.Tool.Name,
		Cwd: r.Cwd, Workspace: r.Workspace, Mode: r.Mode, Shell: r.Shell, Unattended: r.Unattended,
		Corruption: r.Taint.Corruption, Secret: r.Taint.Secret, Damaged: r.Taint.Damaged, Untouched: r.Taint.Untouched,
		Microseconds: now.Sub(g.start).Microseconds(),
	}
	if g.request != nil {
		line.Code, line.By = g.request.Code, g.request.By
	}
	switch {
	case c.Commands == "off":
	case q.Shell && c.Commands == "names":
		line.Names = true
		if v != nil {
			line.Command = strings.Join(programs(v.Tree), " ")
		}
	case q.Shell:
		line.Command = r.Command
	case c.Commands != "names":
		line.Args, line.Cut = loggedArgs(&q.Tool)
	}
	for i := range g.fresh {
		if c.Commands != "off" && g.fresh[i].Kind == session.Seen {
			line.Seen = append(line.Seen, g.fresh[i].What)
		}
	}
	if v == nil {
		if d != policy.Skip {
			line.Decision = d.String()
		}
		return line
	}
	if line.Profile, _ = g.judge.config.Choose(r.Profile); line.Profile == "default" {
		line.Profile = ""
	}
	line.Decision, line.Human, line.Reach = d.String(), v.Human, v.Reach.String()
	if c.Commands != "off" {
		line.Reason = policy.Visible(audit.Text(v.Reason)) // masked first: what is visible is one line
	}
	for i := range v.Reasons {
		line.Rules = append(line.Rules, v.Reasons[i].ID)
	}
	if o := &g.review; o.Kind != cop.NotAsked {
		line.Cop, line.CopCode, line.CopCached, line.CopMillis = o.Kind.String(), o.Code, o.Cached, o.Milliseconds
		line.CopRisk, line.Provider = o.Risk.String(), g.judge.config.Cop.Provider
		if c.Commands != "off" {
			line.CopText = o.Text
		}
	}
	return line
}

// programs names the programs of a line.
func programs(nodes []engine.Node) []string {
	var names []string
	for i := range nodes {
		if words := nodes[i].Words(); len(words) > 0 {
			names = append(names, words[0].String())
		}
		names = append(names, programs(nodes[i].Children)...)
	}
	return names
}

// loggedArgs are the arguments of a tool that name a place: these are short, and
// what rules are about. What else it is given may be anything, a secret too, and so
// may an address's query. Less says that there is more.
func loggedArgs(t *engine.Tool) (list []audit.Arg, less bool) {
	less = t.Unread || len(t.Others) > 0
	for _, a := range t.Args {
		if !namesPlace(a.Name) {
			less = true
			continue
		}
		if i := strings.IndexAny(a.Value, "?#"); i >= 0 && strings.Contains(a.Value[:i], "://") {
			a.Value, less = a.Value[:i], true
		}
		list = append(list, audit.Arg{Name: a.Name, Value: a.Value})
	}
	return list, less
}

// namesPlace reports whether an argument of that name is a file, a directory or
// an address: file_path, absolutePath, TargetFile, paths, url.
func namesPlace(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), "s")
	for _, ending := range [...]string{"path", "file", "directory", "dir", "url", "uri"} {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	return false
}
