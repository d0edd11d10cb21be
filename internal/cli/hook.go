package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

// maxInput is how much the hook reads, in bytes. Ten megabytes must be
// answered; somewhere there has to be an end.
const maxInput = 16 << 20

// patience is how long the hook may take before it gives up and denies.
// Agents run the command when their own time limit ends, for which ten seconds
// are the least that people write down. A decision takes milliseconds; a
// reviewer and the user's checkers may need the rest.
const patience = 9500 * time.Millisecond

// patience is how long the hook of this process may take.
func (p *Process) patience() time.Duration { return cmp.Or(p.Patience, patience) }

const hookHelp = `hook is what an agent starts before each of its tools: the event's JSON in, the
agent's own form of the answer out. bashgate install writes it into the agent's
settings.

Usage:
  bashgate hook HOST [EVENT] [flags]
  bashgate [--host HOST] [flags]       the agent is found out by what it sends

HOST is the agent, one of those below. EVENT is the event's name, for agents
that don't send it.

Flags:
  --unattended   nobody can be asked: a question is a denial
  --prompts      the agent asks its user by itself where the hook says nothing:
                 a question is silence. For agents whose hooks can't ask; where
                 such an agent runs everything, a question runs too
  --ipc DIR      in a container: what is not allowed for certain, a server
                 outside decides about (bashgate serve --folder DIR) through a
                 directory that both share
  --wait TIME    how long to wait for that answer (default 9s), or, beside an
                 agent's open dialog, for a person who answers elsewhere
                 (default: not at all). The agent's own limit for the hook must
                 be longer: many agents run the command when it is over

Exit status: 0 answered, 2 denied with a text on standard error.

Example:
  $ echo '{"tool_name":"Bash","tool_input":{"command":"rm -rf /"}}' |
      bashgate hook claude
  {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"...

Agents:
`

// hookFlags are the hook's.
type hookFlags struct {
	name, event         string
	unattended, prompts bool
	ipc                 string        // a directory; "" = the hook decides alone
	wait                time.Duration // 0 = patience
}

func (f *hookFlags) declare(flags *flag.FlagSet) {
	flags.BoolVar(&f.unattended, "unattended", false, "")
	flags.BoolVar(&f.prompts, "prompts", false, "")
	flags.StringVar(&f.ipc, "ipc", "", "DIR")
	flags.Var(&lapse{&f.wait, longestWait}, "wait", "TIME")
}

// declareAll declares those of the hook without a subcommand.
func (f *hookFlags) declareAll(flags *flag.FlagSet, version *bool) {
	f.declare(flags)
	flags.StringVar(&f.name, "host", "", "HOST")
	flags.BoolVar(version, "version", false, "")
}

func hookCommand() command {
	list := ""
	for _, h := range host.All() {
		list += fmt.Sprintf("  %-12s %s\n", h.Name, h.Title)
	}
	return command{
		name:     "hook",
		summary:  "be the hook of an agent that is named",
		help:     hookHelp + list,
		operands: "HOST",
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			var f hookFlags
			f.declare(flags)
			return func(p *Process, args []string) (int, error) { return f.run(p, args) }
		},
	}
}

// namedHook is the subcommand without the others, whose texts would take a
// twentieth of a hook's time. It reports false where help is wanted.
func namedHook(p *Process, args []string) (int, bool) {
	var f hookFlags
	flags := newFlags("hook")
	f.declare(flags)
	operands, err := parseFlags(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0, false
	case err != nil:
		return p.finish(0, hinted(err, "see bashgate hook --help")), true
	}
	return p.finish(f.run(p, operands)), true
}

// run answers an event of the agent that the operands name.
func (f *hookFlags) run(p *Process, operands []string) (int, error) {
	if len(operands) == 0 || len(operands) > 2 {
		return 0, usagef("bashgate hook --help lists them", "hook takes the agent's name, and an event's where the agent does not send it")
	}
	f.name = operands[0]
	if len(operands) == 2 {
		f.event = operands[1]
	}
	return answerEvent(p, f)
}

// welcome is for a person who types the bare name.
const welcome = `bashgate decides allow, ask or block for every shell command that a coding
agent wants to run. Without arguments it is the agent's hook, and reads its JSON;
here is a terminal.

  bashgate init                   set it up: how careful, for which agents
  bashgate check 'git push -f'    decide about a command line
  bashgate doctor                 find out whether the agents' hooks work
  bashgate log                    show what was decided
  bashgate help                   list all commands
`

// runHook is the hook without a subcommand. Whatever goes wrong, the command is
// not allowed: what can't be understood is asked about, and where not even
// that can be said, exit status 2 with a text on standard error denies.
func runHook(p *Process) int {
	if len(p.Args) == 0 && isTerminal(p.Stdin) {
		io.WriteString(p.Stderr, welcome)
		return exitUsage // an agent that starts its hook so must not take silence for a yes
	}
	var f hookFlags
	flags := newFlags("bashgate")
	version := false
	f.declareAll(flags, &version)
	operands, err := parseFlags(flags, p.Args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return p.finish(help(p, nil))
	case err != nil:
		return p.finish(0, hinted(err, "see bashgate help"))
	case len(operands) > 0:
		return p.finish(0, usagef("see bashgate help", "the hook takes no arguments, found %q", operands[0]))
	case version:
		return p.finish(printVersion(p, nil))
	}
	return p.finish(answerEvent(p, &f))
}

// answerEvent answers one event, in time.
func answerEvent(p *Process, f *hookFlags) (int, error) {
	var agent *host.Host
	if f.name != "" {
		named, err := host.Named(f.name)
		if err != nil {
			return 0, usagef(alike(f.name, agentNames()), "%s", err)
		}
		agent = named
	}
	if isTerminal(p.Stdin) {
		return 0, usagef("see bashgate help", "the hook reads an agent's JSON, and standard input is a terminal")
	}
	if err := containerFlag(f.ipc); err != nil {
		return 0, err
	}
	switch {
	case f.wait > 0 && f.ipc != "":
		p.Patience = f.wait + answerTime
	}
	h := hook{process: p, flags: f, start: time.Now()}
	h.agent.Store(agent)
	p.Stdout, p.Stderr = unbroken(p.Stdout), unbroken(p.Stderr)
	return within(p, p.patience(), h.fail, h.run), nil
}

// within runs f and returns its exit status. If f panics or takes longer than
// limit, that is what fail returns; f may set another limit, from then on. The work
// stays on this goroutine, for another one would start another thread.
func within(p *Process, limit time.Duration, fail func(what, hint string) int, f func(limit func(time.Duration)) int) (status int) {
	late := time.AfterFunc(limit, func() {
		p.Exit(fail(fmt.Sprintf("no decision within %v", limit), ""))
	})
	defer late.Stop()
	defer func() {
		if cause := recover(); cause != nil {
			stack := debug.Stack()
			status = fail(fmt.Sprintf("internal error: %v", cause), "please report this with the command and what follows")
			p.Stderr.Write(stack)
		}
	}()
	return f(func(limit time.Duration) { late.Reset(limit) })
}

// hook answers one event.
type hook struct {
	process  *Process
	flags    *hookFlags
	start    time.Time
	agent    atomic.Pointer[host.Host] // nil as long as nobody knows whose hook this is
	answered atomic.Bool               // something was said, or is about to be
}

// run reads an event, decides and answers.
func (h *hook) run(limit func(time.Duration)) int {
	p := h.process
	data, err := readAll(p.Stdin, maxInput)
	if len(data) > largeInput {
		defer sooner()()
	} else {
		defer seldom()()
	}
	large := errors.As(err, new(*tooLarge))
	if err != nil && !large {
		return h.fail("reading the agent's input: "+err.Error(), "")
	}
	payload := host.Parse(host.Input{Data: data, Event: h.flags.event, Getenv: p.Getenv, Dir: p.dir, Ancestors: ancestors})
	agent := h.agent.Load()
	if agent == nil {
		if agent = host.Detect(payload); agent == nil {
			return h.fail(stranger(payload))
		}
		h.agent.Store(agent)
	}
	question, badInput := agent.Read(payload)
	if large {
		question.Event = host.None // the rest might say another one
	} else {
		err = badInput
	}
	r := &question.Request
	r.Unattended = r.Unattended || h.flags.unattended
	unasked := unheard(agent, &question, h.flags.prompts)
	switch {
	case err != nil:
		what := policy.Visible(agent.Title + "'s input can't be understood: " + err.Error())
		var a host.Answer
		if question.Event == host.None || question.Event.Waits() {
			r.Unattended = r.Unattended || agent.Asking != host.Asks // silence would let the agent run what nobody has understood
			d, reason := misread(p, payload, r, what)
			a = agent.Answer(&question, d, reason)
		} else {
			a = agent.Answer(&question, policy.Skip, "")
		}
		if len(a.Stderr) == 0 {
			p.complain(what, "")
		}
		return h.answer(a)
	case question.Event == host.None:
		return h.answer(agent.Answer(&question, policy.Skip, ""))
	}
	g := newGate(p, &question, h.start)
	g.unasked = unasked
	switch question.Event {
	case host.BeforeToolUse:
		decide := g.before
		if dir := h.flags.ipc; dir != "" {
			decide = func() (policy.Decision, string) { return g.handOn(dir) }
		}
		d, reason := decide()
		return h.answer(agent.Answer(&question, d, reason))
	case host.PermissionAsk:
		if h.flags.wait > 0 && h.flags.ipc == "" && agent.Beside {
			limit(h.flags.wait + answerTime)
			g.patient = h.flags.wait
		}
		d, reason := g.permission(agent)
		return h.answer(agent.Answer(&question, d, reason))
	case host.ConfigChange:
		d, reason := g.configChange(agent)
		return h.answer(agent.Answer(&question, d, reason))
	}
	status := g.after()
	return max(status, h.answer(agent.Answer(&question, policy.Skip, "")))
}

// dir is the working directory; "" where there is none.
func (p *Process) dir() string {
	dir, _ := p.Getwd()
	return dir
}

// unheard marks a question as one of a session without a person where the agent's
// hook can't ask one, and returns why, and what to do; "" where it can, or where
// the agent says so itself. Prompts is that the agent asks by itself.
func unheard(agent *host.Host, q *host.Question, prompts bool) (why string) {
	r := &q.Request
	switch {
	case !agent.Hears(q.Name):
		why = agent.Title + " hears no question at " + policy.Visible(policy.Clip(q.Name, 80)) + ": run it yourself, or allow it by a rule of yours"
	case r.Unattended:
	case agent.Asking == host.Refuses:
		why = "a hook of " + agent.Title + " has no way to ask: run it yourself, or allow it by a rule of yours"
	case agent.Asking == host.Silences && !prompts:
		why = "a hook of " + agent.Title + " has no way to ask: run it yourself, allow it by a rule of yours, or add --prompts to the hook if " + agent.Title + " asks by itself"
	}
	r.Unattended = r.Unattended || why != ""
	return why
}

// stranger says that nobody knows whose payload this is. An answer in the form of
// one agent may mean "run it" to another.
func stranger(p host.Payload) (what, hint string) {
	what = "nobody knows which agent sends this"
	if p.Err != nil {
		what += ": " + p.Err.Error()
	}
	names := "HOST"
	if list := host.Guess(p); len(list) > 0 {
		titles := make([]string, len(list))
		for i, h := range list {
			titles[i] = h.Title
		}
		what += "; it may be " + strings.Join(titles, ", or ")
		names = list[0].Name
	}
	return policy.Visible(what), "write bashgate hook " + names + " into its settings, or let bashgate install " + names + " do it"
}

// fail denies where no decision can be made, and returns the exit status.
func (h *hook) fail(what, hint string) int {
	if !h.answered.CompareAndSwap(false, true) {
		return exitUsage // what comes late must not stand beside another answer
	}
	a := h.agent.Load().Fail("bashgate: error: " + what)
	status := h.process.put(a)
	if len(a.Stderr) == 0 {
		h.process.complain(what, "")
	}
	if hint != "" {
		fmt.Fprintln(h.process.Stderr, "bashgate: hint:", hint)
	}
	return status
}

// answer writes an answer and returns the exit status.
func (h *hook) answer(a host.Answer) int {
	if !h.answered.CompareAndSwap(false, true) {
		select {} // the process is about to end with another answer
	}
	return h.process.put(a)
}

// put writes an answer and returns the exit status that goes with it.
func (p *Process) put(a host.Answer) int {
	p.Stderr.Write(a.Stderr)
	if len(a.Stdout) == 0 {
		return a.Exit
	}
	_, err := p.Stdout.Write(a.Stdout)
	if err == nil && isNull(p.Stdout) {
		err = errors.New("standard output is closed, or " + os.DevNull)
	}
	if err != nil {
		p.complain("writing the answer: "+err.Error(), "")
		return exitUsage
	}
	return a.Exit
}

// unbroken is a stream to which writing fails where nobody reads it. On standard
// output and standard error themselves that ends a Go program by a signal, which
// agents take for a hook that has nothing to say.
func unbroken(w io.Writer) io.Writer {
	f, ok := w.(*os.File)
	if !ok {
		return w
	}
	return system.Unbroken(f)
}

// misread answers an input that can't be understood. What may be the command in
// it is judged for blocks, by the rules alone; it is never allowed.
func misread(p *Process, payload host.Payload, r *engine.Request, what string) (policy.Decision, string) {
	// Modes and absent people turn questions into blocks, and most of these
	// texts are no commands.
	q := *r
	q.Mode, q.Unattended = "default", false
	if q.Workspace == "" {
		q.Workspace = q.Cwd
	}
	q.Settings = agentSettings(&q)
	j := newJudge(p)
	q.Command = ""
	nothing := j.evaluate(q)
	for _, q.Command = range host.Salvage(payload.Input) {
		if v := j.evaluate(q); v.Decision == policy.Block && !nothing.Silent {
			return policy.Block, reasonLine(&v) + "; " + what
		}
	}
	if r.Unattended || nothing.Silent { // whom to ask?
		return policy.Block, "bashgate: " + what
	}
	return policy.Ask, "bashgate: " + what
}

// reasonLine says in one line why: all reasons of the strictest decision, as
// long as they are few and short.
func reasonLine(v *engine.Verdict) string {
	if v.Decision == policy.Allow {
		return "bashgate: allowed by the rules"
	}
	const most, longest = 3, 300 // reasons, bytes of each
	reasons := []string{policy.Clip(v.Reason, longest)}
	more := 0
	for i := range v.Reasons {
		r := &v.Reasons[i]
		if r.Counts() != v.Decision {
			break
		}
		text := policy.Clip(r.Text(), longest)
		if containsText(reasons, text) {
			continue
		}
		if len(reasons) == most {
			more++
			continue
		}
		reasons = append(reasons, text)
	}
	line := "bashgate: " + policy.Visible(strings.Join(reasons, "; "))
	if more > 0 {
		line += fmt.Sprintf("; and %s more", plural(more, "reason"))
	}
	return line
}

// containsText reports whether one of the texts already says it.
func containsText(texts []string, text string) bool {
	for _, t := range texts {
		if strings.Contains(t, text) {
			return true
		}
	}
	return false
}

// tooLarge is the error of input over a limit, in bytes.
type tooLarge struct{ limit int }

func (e *tooLarge) Error() string { return fmt.Sprintf("it is larger than %d bytes", e.limit) }

// readAll reads a stream to its end; of more than limit bytes it returns the
// first ones and a *tooLarge error.
func readAll(r io.Reader, limit int) ([]byte, error) {
	data := make([]byte, 0, 8<<10)
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case len(data) > limit:
			return data[:limit], &tooLarge{limit}
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		case len(data) == cap(data):
			data = roomier(data, 1, limit+8<<10)
		}
	}
}

// largeInput is the size of an input, in bytes, from which on what was left behind is
// collected sooner: it would take several times its size else.
const largeInput = 1 << 20

// sooner makes the heap be collected sooner until the function is called that it
// returns.
func sooner() (end func()) {
	before := debug.SetGCPercent(20)
	return func() { debug.SetGCPercent(before) }
}

// seldom makes the heap not be collected until the function is called that it returns,
// as long as all of the process stays below mostMemory: what is made for a question is
// thrown away with it, and looking for what may be thrown away before takes a third of the
// time of a large program in Python.
func seldom() (end func()) {
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(mostMemory)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

// mostMemory is how much memory a process takes, in bytes, before it looks for what may be
// thrown away: less than what it takes where all of it is needed.
const mostMemory = 88 << 20

// roomier returns a buffer with room for n more bytes; it need not hold more than
// most. It grows in large steps.
func roomier(data []byte, n, most int) []byte {
	if len(data)+n <= cap(data) {
		return data
	}
	return append(make([]byte, 0, max(min(4*cap(data), most), len(data)+n)), data...)
}
