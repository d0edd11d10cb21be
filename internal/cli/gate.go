package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/internal/settings"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

// gate handles one event of an agent's session: it decides, and it remembers
// what the session sees.
type gate struct {
	process  *Process
	judge    *judge
	question *host.Question
	start    time.Time

	store    session.Store
	name     string // of the session's record
	homeless error  // there is no directory for records
	alone    bool   // there is no session: nothing is known and nothing remembered
	state    *session.State

	fresh  []session.Event // what the session has seen by this event
	asks   bool            // a person is asked about the tool's use
	review cop.Outcome

	changed []engine.Place // what sessions wrote in the workspace that had seen untrusted content, where the line runs its code
	unasked string         // why nobody can be asked, and what to do, if that is the agent's nature
	moving  bool           // the project may be another one when the line runs its code

	headless bool              // nobody can be asked here, though the request does not say so
	request  *approval.Request // what was asked waits for a person, who may answer elsewhere; nil: nothing does
	patient  time.Duration     // how long a person is waited for beside the agent's dialog; 0 = not at all
	joined   bool              // it waited already
	unasking error             // why nobody can be asked elsewhere

	look *look // nobody waits for the answer, and nothing is done for it; nil: an agent does
}

func newGate(p *Process, q *host.Question, start time.Time) *gate {
	return newGateOf(p, newJudgeOf(p, p.setup().Keeping(p.kept())), q, start)
}

// kept is where it is kept what rule files come to: nowhere if there is no home.
func (p *Process) kept() config.Kept {
	store, err := session.Open(p.Getenv)
	if err != nil {
		return config.Kept{}
	}
	return config.Kept{Dir: filepath.Join(store.Dir, "compiled"), By: gates.Compiler}
}

func newGateOf(p *Process, j *judge, q *host.Question, start time.Time) *gate {
	q.Request.Getenv = p.Getenv
	g := &gate{process: p, judge: j, question: q, start: start, name: session.Name(q.Request.Host, q.Request.Session)}
	g.store, g.homeless = session.Open(p.Getenv)
	g.store.Away = p.Away
	return g
}

func (g *gate) tracks() bool { return !g.judge.config.Taint.Off }

// taintRules is what counts of a session.
func (j *judge) taintRules() session.Rules {
	c := &j.config.Taint
	rules := session.Rules{From: c.From, ContainsSecrets: c.ContainsSecrets}
	if rules.From == 0 {
		rules.From = config.DefaultFrom
	}
	return rules
}

// session reads what is known of the session, once.
func (g *gate) session() *session.State {
	if g.state != nil {
		return g.state
	}
	var s session.State
	switch {
	case !g.tracks(), g.alone:
	case g.homeless != nil:
		s.Damage = g.homeless.Error()
	default:
		s = g.store.Read(g.name)
		g.resolve(&s)
		if s.Lost && g.question.Event == host.BeforeToolUse {
			// From here on it has a record, which a person can clear.
			if err := g.append(session.Event{Kind: session.Resumed, What: "without a record"}); err != nil {
				g.process.complain("remembering that the session has no record: "+err.Error(), "")
			}
		}
	}
	g.state = &s
	return g.state
}

// seen lists what a line or a tool shows, also by files of other sessions.
func (g *gate) seen(v *engine.Verdict) []session.Event {
	if !g.tracks() {
		return nil
	}
	g.judge.taintRules().Declared(v.Tree)
	if g.homeless == nil && !g.judge.config.Taint.ForgetFiles {
		g.store.ReadFiles(v.Tree, g.judge.taintRules().From)
	}
	events := session.Events(v.Tree, g.question.Use, g.question.Agent)
	if g.question.Tool.Unread {
		events = append(events, session.Event{Kind: session.Seen, Corruption: 2, Secret: 2, What: policy.Visible(policy.Clip(g.question.Tool.Name, 100)), Why: "A tool of which it can't be understood what it is given", Use: g.question.Use, Agent: g.question.Agent})
	}
	return events
}

// before decides about a tool's use. Skip means that the agent shall decide in
// its own way.
func (g *gate) before() (policy.Decision, string) {
	r := g.question.Request
	v, d, reason := g.decide(&r)
	g.log(&r, &v, d)
	return d, reason
}

// decide returns what is thought of a tool's use, what the agent is answered, and
// why. It completes the request.
func (g *gate) decide(r *engine.Request) (v engine.Verdict, d policy.Decision, reason string) {
	r.Settings = agentSettings(r)
	if g.question.Shell {
		v = g.shell(r)
	} else {
		v = g.tool(r)
	}
	d = v.Decision
	switch {
	case d == policy.Skip:
	case g.leaves(r.Mode, &v):
		d = policy.Skip
	default:
		reason = reasonLine(&v) + g.because(&v)
		hint := g.hint(r, &v)
		if d == policy.Ask && r.Unattended { // whom?
			d, reason = policy.Block, reason+"; nobody can be asked here"
		}
		if d == policy.Block && g.unasked != "" && slices.ContainsFunc(v.Reasons, func(r engine.Reason) bool { return r.ID == "mode.unattended" }) {
			reason += "; " + g.unasked
		}
		if why := g.judge.config.AskWhy; why != nil && d == policy.Ask && r.Mode == engine.ModeAuto && !v.Incomplete {
			reason += "; it is asked because of " + policy.Visible(g.process.firstLine(why))
		}
		if way := g.way(); way != "" {
			reason, hint = reason+way, ""
		}
		if word := g.word(&v); word != "" {
			reason, hint = word, ""
		}
		reason += hint
	}
	return v, d, reason
}

// permission decides where the agent is about to ask its user. What was a
// question stays one: only what is blocked is denied, and an allow is given to
// agents that hear it here alone. It notes nothing, for the tool's use is an
// event of its own.
//
// Where the agent's dialog is open meanwhile, a person may answer elsewhere.
func (g *gate) permission(agent *host.Host) (policy.Decision, string) {
	q := g.question
	r := q.Request
	r.Unattended = false // somebody is about to be asked
	r.Settings = agentSettings(&r)
	r.Taint = g.session().Taint(g.judge.taintRules().From)
	var v engine.Verdict
	if q.Shell {
		if v = g.judge.evaluate(r); v.Decision > policy.Allow {
			g.bySession(&r, &v)
		}
	} else {
		v = g.judge.evaluateTool(r, q.Tool)
	}
	g.judge.checkers(q, &r, &v, g.start.Add(g.process.patience()-answerTime))
	d, reason := v.Decision, reasonLine(&v)
	switch {
	case d == policy.Block:
	case d == policy.Allow && agent.Approves && q.Shell && (!g.tainted() || v.Reach == policy.ReachLocal && v.Beyond(false) == policy.ReachLocal):
	case g.patient > 0 && !q.Request.Unattended:
		return g.beside()
	default:
		d = policy.Skip
	}
	return d, reason
}

// agentSettings is what the user told the agent, for those agents whose settings
// are read.
func agentSettings(r *engine.Request) *settings.Settings {
	if r.Host != "claude" {
		return nil
	}
	config := ""
	if r.Getenv != nil {
		config = r.Getenv("CLAUDE_CONFIG_DIR")
	}
	if !filepath.IsAbs(config) {
		return settings.Load(disk.OS{}, r.Home, r.Workspace, "")
	}
	return settings.Load(disk.OS{}, r.Home, r.Workspace, system.Slash(config))
}

// defers reports whether a question is left to the agent: in a mode in which
// nobody is asked, and where the user prefers its prompt.
func (g *gate) defers(mode string, v *engine.Verdict) bool {
	switch {
	case g.judge.unasked(mode, v):
		return true
	case mode == engine.ModeBypass:
		return false
	}
	if agent, err := host.Named(g.question.Request.Host); err == nil && agent.Heedless {
		return false // nobody would be asked
	}
	return g.judge.config.DeferUnknown && v.OnlyUnknown() && !g.tainted()
}

// unasked reports whether a question is left to an agent that asks nobody, or
// whose own classifier decides. Neither happens in the place of a file that can't
// be used, which may hold a block.
func (j *judge) unasked(mode string, v *engine.Verdict) bool {
	return !v.Incomplete && (mode == engine.ModeBypass || mode == engine.ModeAuto && !j.config.AskAuto)
}

// tainted reports whether the session is known to have seen something that
// counts. Then the agent's own prompt, or its own settings, are not enough.
func (g *gate) tainted() bool {
	if g.state == nil {
		return false
	}
	t := g.state.Taint(g.judge.taintRules().From)
	return t.Damaged || t.Corruption > 0 || t.Secret > 0
}

// uncleared reports whether a reviewer was asked and has not cleared. If that
// were left to the agent, whoever makes the reviewer fail would be let through.
func (g *gate) uncleared() bool {
	return g.review.Kind > cop.Clear
}

// shell decides about a command line: the rules, the user's checkers, then
// what the session has seen.
func (g *gate) shell(r *engine.Request) engine.Verdict {
	v := g.judge.evaluate(*r)
	if v.Decision > policy.Allow {
		g.bySession(r, &v)
	}
	return g.settle(r, v)
}

// settle decides about what the rules have judged.
func (g *gate) settle(r *engine.Request, v engine.Verdict) engine.Verdict {
	if asks := g.question.Asks; asks != "" && v.Decision < policy.Block {
		v.Tighten(r, "container.ask", policy.Ask, "Asked about where it runs: "+policy.Visible(policy.Clip(asks, 300)))
	}
	events := g.seen(&v)
	writes := g.writes(&v)
	if g.tracks() && (v.Beyond(false) != policy.ReachLocal || v.Reach != policy.ReachLocal || len(events)+len(writes) > 0) {
		seen := also(g.session().Taint(g.judge.taintRules().From), g.question.Seen)
		seen.Untouched = !seen.Damaged && g.untouched(r, &v)
		r.Taint = g.judge.taintRules().Within(&v, seen)
	}
	g.recall(r)
	checkers := g.process.patience() - answerTime
	if g.judge.config.Cop.Provider != "" && g.judge.table().Next(r, &v, true).Calls() {
		checkers -= cop.Patience
	}
	g.checkers(r, &v, g.start.Add(checkers))
	g.review = g.reviewed(r, &v)
	g.once(r, &v)
	g.elsewhere(r, &v)
	g.asks = v.Decision == policy.Ask && !g.leaves(r.Mode, &v)
	g.remembered(r, &v, events, writes)
	return v
}

// also is what a session has seen by two records of it.
func also(a, b engine.Taint) engine.Taint {
	return engine.Taint{Corruption: max(a.Corruption, b.Corruption), Secret: max(a.Secret, b.Secret), Damaged: a.Damaged || b.Damaged}
}

// untouched reports whether the record shows that the project's code, which a line
// runs, is as no session left it that had seen untrusted content.
func (g *gate) untouched(r *engine.Request, v *engine.Verdict) bool {
	if g.store.Away || g.alone || g.homeless != nil || g.judge.config.Taint.ForgetFiles || !session.HasCode(v.Tree) {
		return false
	}
	dirs := []string{r.Workspace, r.Cwd}
	if r.Settings != nil {
		dirs = append(dirs, r.Settings.AdditionalDirs...)
	}
	dirs = slices.DeleteFunc(append(dirs, r.AdditionalDirs...), func(dir string) bool { return dir == "" })
	if len(dirs) == 0 {
		return false
	}
	changed, known := g.store.Changed(dirs, above(dirs, r.Home))
	// Of what a line changes itself, or goes on running, nobody sees what it will
	// be then.
	g.changed, g.moving = changed, g.question.Aside || session.Rewrites(v.Tree, dirs)
	return known && len(changed) == 0 && !g.moving
}

// above lists the directories above others, and a home: tools obey files of their
// own that lie in one of these.
func above(dirs []string, home string) []string {
	list := []string{home}
	for _, dir := range dirs {
		for up := filepath.Dir(dir); !slices.Contains(list, up); up = filepath.Dir(up) {
			list = append(list, up)
		}
	}
	return list
}

// answerTime is what is kept of the hook's time for writing down and answering.
const answerTime = 300 * time.Millisecond

// tool decides about another tool, which is left to the agent but for what the
// rules say of it.
func (g *gate) tool(r *engine.Request) engine.Verdict {
	r.Taint = g.session().Taint(g.judge.taintRules().From)
	g.recall(r)
	v := g.judge.evaluateTool(*r, g.question.Tool)
	if len(v.Commands) > 0 {
		return g.ranBy(r, v)
	}
	events := g.seen(&v)
	g.checkers(r, &v, g.start.Add(g.process.patience()-answerTime))
	g.elsewhere(r, &v)
	g.asks = v.Decision == policy.Ask && !g.leaves(r.Mode, &v)
	g.remembered(r, &v, events, g.writes(&v))
	return v
}

// writes is what a line or a tool does, where it may write files and that is
// remembered.
func (g *gate) writes(v *engine.Verdict) []engine.Node {
	if !g.tracks() || g.judge.config.Taint.ForgetFiles || !session.Writes(v.Tree) {
		return nil
	}
	return v.Tree
}

// maxLabels is how many of the things that a session has seen are told to the
// reviewer, and maxLabel how much of each, in bytes.
const (
	maxLabels = 20
	maxLabel  = 150
)

// labels says in words what the session has seen. A session of days has seen
// the same page often, and more than fits into a question.
func (g *gate) labels() []string {
	if g.state == nil {
		return nil
	}
	from := g.judge.taintRules().From
	var list []string
	told := map[string]bool{}
	for i := range g.state.Labels {
		l := &g.state.Labels[i]
		if what := policy.Clip(l.What, maxLabel); l.Trusted == "" && max(l.Corruption, l.Secret) >= from && !told[what] {
			told[what] = true
			list = append(list, what)
		}
	}
	if more := len(list) - maxLabels; more > 0 {
		list = append([]string{plural(more, "earlier thing")}, list[more:]...)
	}
	return list
}

// because tells which of the things that a session has seen made an answer
// stricter: the first one of each kind.
func (g *gate) because(v *engine.Verdict) string {
	if v.Decision <= policy.Allow || g.state == nil || !byTaint(v) {
		return ""
	}
	if g.state.Damage != "" {
		return "; " + policy.Visible(policy.Clip(g.state.Damage, 200))
	}
	from := g.judge.taintRules().From
	var list []string
	corruption, secret, page := false, false, false
	for i := range g.state.Labels {
		l := &g.state.Labels[i]
		if l.Trusted != "" {
			continue
		}
		if c, s := l.Corruption >= from && !corruption, l.Secret >= from && !secret; c || s {
			corruption, secret, page = corruption || c, secret || s, page || c && !strings.HasPrefix(l.What, "/")
			list = append(list, policy.Clip(l.What, 100))
		}
	}
	if list == nil {
		return ""
	}
	return "; seen: " + strings.Join(list, ", ") + g.wayOut(v, page)
}

// wayOut says what a person can do who is asked because of what a session has
// seen.
func (g *gate) wayOut(v *engine.Verdict, page bool) string {
	var ways []string
	if v.Decision == policy.Block && g.review.Kind == cop.Flag && g.question.Request.CanAsk() {
		return "; the same command once more is a question to a person"
	}
	if g.judge.config.Cop.Provider == "" {
		ways = append(ways, "set up a reviewer")
	}
	if page {
		ways = append(ways, "trust the page (taint.trusted_hosts)")
	}
	ways = append(ways, "bashgate taint clear "+policy.Visible(policy.Clip(g.question.Request.Session, 8)))
	return "; to be asked less: " + strings.Join(ways, ", ")
}

func byTaint(v *engine.Verdict) bool {
	return slices.ContainsFunc(v.Reasons, func(r engine.Reason) bool { return ofTaint(r.ID) })
}

// ofTaint reports whether a reason is one because of what a session has seen.
func ofTaint(id string) bool {
	switch id {
	case "taint.person", "taint.place", "taint.sink", "taint.writes":
		return true
	}
	return strings.HasPrefix(id, "cop.")
}

// after handles the events that get no answer, and returns the exit status.
func (g *gate) after() int {
	q, status := g.question, exitOK
	var events []session.Event
	switch q.Event {
	case host.AfterToolUse, host.AfterToolFailure:
		g.ended()
		events = g.ran()
	case host.ToolDenied:
		g.ended()
		if g.tracks() && g.homeless == nil && q.Use != "" && g.session().Pending(q.Use) {
			events = []session.Event{{Kind: session.Denied, Use: q.Use}}
		}
	case host.PromptSubmit:
		for _, path := range mentioned(q.Prompt) {
			tool := engine.Tool{Name: "Read", Args: []engine.ToolArg{{Name: "file_path", Value: path}}}
			if strings.Contains(path, "://") { // @server:issue://3
				tool = engine.Tool{Name: "ReadMcpResource", Args: []engine.ToolArg{{Name: "uri", Value: path}}}
			}
			v := g.judge.evaluateTool(q.Request, tool)
			events = append(events, g.seen(&v)...)
		}
		if len(events) > 0 {
			events = g.session().New(events)
		}
		events = append(g.refusals(), events...)
	case host.SessionEnd:
		g.forgetAnswers()
	case host.SessionStart:
		events = g.started()
	}
	if len(events) > 0 && g.homeless != nil {
		status = g.forgotten(g.homeless)
	} else if len(events) > 0 && g.name != "" {
		g.fresh = events
		err := g.store.Append(g.name, events...)
		if err == nil && q.Event == host.SessionStart {
			err = g.store.Begun(g.name)
		}
		if err != nil {
			status = g.forgotten(err)
		}
	}
	g.log(&q.Request, nil, policy.Skip)
	return status
}

// ran notes that a tool has run: what it showed was seen. Where the agent did
// not ask before, that is noted only now.
func (g *gate) ran() []session.Event {
	q := g.question
	var v engine.Verdict
	if q.Shell {
		v = g.judge.evaluate(q.Request)
	} else {
		v = g.judge.evaluateTool(q.Request, q.Tool)
	}
	events := g.seen(&v)
	if len(events) == 0 && (q.Use == "" || !g.tracks() || g.homeless != nil || !g.session().Pending(q.Use)) {
		return nil
	}
	fresh := g.session().New(events)
	if q.Use != "" && (len(fresh) > 0 || g.session().Pending(q.Use)) {
		fresh = append(fresh, session.Event{Kind: session.Ran, Use: q.Use})
	}
	return fresh
}

// started begins a session's record. One that goes on without a record has
// seen nobody knows what.
func (g *gate) started() []session.Event {
	if !g.tracks() || g.session().Known || g.name == "" {
		return nil
	}
	switch source := g.question.Source; source {
	case "startup", "clear":
		return []session.Event{{Kind: session.Started, What: source}}
	case session.Forked:
		return g.inherited()
	default:
		return []session.Event{{Kind: session.Resumed, What: policy.Visible(source)}}
	}
}

// mentioned lists the files that a person names with @, which the agent reads
// without a tool. What stands in a word, like me@example.org, names none.
func mentioned(prompt string) []string {
	const most = 1000 // files
	var paths []string
	seen := map[string]bool{}
	for i := 0; i < len(prompt) && len(paths) < most; i++ {
		if prompt[i] != '@' || i > 0 && inWord(prompt[i-1]) {
			continue
		}
		path := prompt[i+1:]
		if quoted, ok := strings.CutPrefix(path, `"`); ok {
			path, _, _ = strings.Cut(quoted, `"`)
		} else {
			if end := strings.IndexFunc(path, endsMention); end >= 0 {
				path = path[:end]
			}
			path = strings.TrimRight(path, ".,;:!?)]}>*")
			path, _, _ = strings.Cut(path, "#") // @file#L10-20
		}
		if path != "" && !seen[path] {
			seen[path] = true
			paths = append(paths, path)
		}
	}
	return paths
}

func inWord(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || strings.IndexByte("._-+/", b) >= 0
}

func endsMention(r rune) bool {
	return unicode.IsSpace(r) || r == '\ufeff' || r == '"' || r == '\'' || r == '`'
}
