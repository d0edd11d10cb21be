package cli

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/expect"
	"github.com/bashgate/bashgate/internal/history"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/install"
	"github.com/bashgate/bashgate/internal/replay"
	"github.com/bashgate/bashgate/internal/settings"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

const replayHelp = `replay tells what would have been asked of what was run before.

Usage:
  bashgate replay [FLAGS] [PATH...]

It reads the sessions that agents keep (Claude Code, Codex, Gemini, Qwen,
opencode, pi), the histories of shells (bash, zsh, fish), bashgate's own log and
lists with a command on each line, and judges each command by the rules of now,
as the hook would have where it ran. PATH is such a file, or a directory with
some; without one, replay looks where agents and shells keep them. Nothing is
run, and nothing leaves the machine. Secrets are masked.

Flags:
  --since TIME    what ran since then: 2h, 30d, 2026-11-01
  --until TIME    what ran before that; a date is all of the day
  --agent NAMES   of these agents and shells alone: claude,codex,bash
  --here          of this project alone
  --mode MODE     judge as in that permission mode, whatever it was
  --with NAME     what another preset or profile, or a file of rules beside
                  yours, would ask; once for each (default: all presets)
  --top N         how many questions are listed (default 10)
  --json          one line of JSON; docs/replay.md tells its keys
  --suggest       look for rules that would save the most questions, too;
                  bashgate suggest shows them
  --html FILE     write a page for a browser, which holds all it needs
  --force         write it over whatever is there

Example:
  $ bashgate replay --agent claude --since 30d
`

func replayCommand() command {
	return command{
		name:     "replay",
		summary:  "tell what would have been asked so far",
		help:     replayHelp,
		operands: "FILE",
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			var o replayOptions
			o.declare(flags)
			json := flags.Bool("json", false, "")
			suggest := flags.Bool("suggest", false, "")
			html := flags.String("html", "", "FILE")
			force := flags.Bool("force", false, "")
			return func(p *Process, args []string) (int, error) {
				switch {
				case *html != "" && *json:
					return 0, usagef("give one of them", "--html and --json are two forms of the same")
				case *html == "" && *force:
					return 0, usagef("give --html FILE with it", "--force is about the file of --html")
				}
				r, err := newReplayer(p, &o)
				if err != nil {
					return 0, err
				}
				if err := r.read(args); err != nil {
					return 0, err
				}
				report, err := r.report()
				if err != nil {
					return 0, err
				}
				if *suggest {
					s := suggester{replayer: r, least: leastPrompts}
					s.suggest(report)
				}
				if *html != "" {
					err = writePage(p, *html, *force, report)
				} else if *json {
					_, err = p.Stdout.Write(report.AppendJSON(nil))
				} else {
					err = r.print(report, o.top)
				}
				return exitOK, err
			}
		},
	}
}

// replayOptions are the flags that say what of a history is judged, and how.
type replayOptions struct {
	since, until time.Time // zero = whenever
	agents       []string
	here         bool
	mode         string
	with         []string
	top          int
}

func (o *replayOptions) declare(flags *flag.FlagSet) {
	o.declareHistory(flags)
	flags.Var((*list)(&o.with), "with", "NAME")
	o.top = 10
	flags.Var(&number{&o.top, 0, math.MaxInt}, "top", "N")
}

// declareHistory declares those that say which history is judged.
func (o *replayOptions) declareHistory(flags *flag.FlagSet) {
	flags.Var(&instant{to: &o.since}, "since", "TIME")
	flags.Var(&instant{to: &o.until, end: true}, "until", "TIME")
	flags.Var(&choices{(*list)(&o.agents), kinds()}, "agent", "NAMES")
	flags.BoolVar(&o.here, "here", false, "")
	flags.Var(&choice{to: &o.mode, words: expect.Modes()}, "mode", "MODE")
}

// replayer reads a history and judges it.
type replayer struct {
	process  *Process
	options  *replayOptions
	judge    *judge
	here     string
	tally    replay.Tally
	looked   []string // where nothing was named
	left     int      // commands that the flags leave out
	settings map[string]*settings.Settings
	progress *workProgress
}

func newReplayer(p *Process, o *replayOptions) (*replayer, error) {
	here, err := p.Getwd()
	if err != nil {
		return nil, err
	}
	debug.SetMemoryLimit(160 << 20) // a soft limit in bytes: garbage is collected more often where a history is large
	r := &replayer{process: p, options: o, judge: newJudge(p), here: here, settings: map[string]*settings.Settings{}, progress: newWorkProgress(p)}
	r.judge.kept = map[string]loaded{}
	return r, nil
}

// kinds are the agents and shells whose histories are read, and lists.
func kinds() []string {
	var names []string
	for _, h := range host.All() {
		names = append(names, h.Name)
	}
	return append(names, "bash", "zsh", "fish", "list")
}

// read reads the named paths, or all places.
func (r *replayer) read(paths []string) error {
	var sources []history.Source
	if len(paths) == 0 {
		at := install.Place{Home: r.process.Getenv("HOME"), Workspace: r.here, Getenv: r.process.Getenv}
		for _, place := range history.Where(at, r.log()) {
			r.looked = append(r.looked, place.Path)
			if r.wants(place.Kind) {
				sources = append(sources, history.Find(place, r.tally.Skip)...)
			}
		}
	}
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(r.here, path)
		}
		found, err := history.Open(path, r.tally.Skip)
		if err != nil {
			return err
		}
		sources = append(sources, found...)
	}
	size := int64(0)
	for _, s := range sources {
		size += s.Size
	}
	r.progress.begin("reading", "bytes", int(size))
	defer r.progress.end()
	reader := history.Reader{Getenv: r.process.Getenv, Found: r.add, Skipped: r.tally.Skip, Read: r.progress.step}
	for _, s := range sources {
		reader.From(s)
	}
	r.tally.End()
	return nil
}

// wants reports whether a kind of source may hold what was asked for.
func (r *replayer) wants(kind string) bool {
	return len(r.options.agents) == 0 || kind == "bashgate" || slices.Contains(r.options.agents, kind)
}

// log is the decision log's file; "" where there is none.
func (r *replayer) log() string {
	l, err := r.process.auditLog(&r.judge.config.Audit)
	if err != nil {
		return ""
	}
	return l.Path
}

// add adds a command, unless the flags leave it out.
func (r *replayer) add(c history.Command) {
	switch {
	case len(r.options.agents) > 0 && !slices.Contains(r.options.agents, c.Host),
		!r.options.since.IsZero() && c.Time.Before(r.options.since),
		!r.options.until.IsZero() && (c.Time.IsZero() || !c.Time.Before(r.options.until)),
		r.options.here && !inside(c.Cwd, r.here) && !inside(c.Workspace, r.here):
		r.left++
		return
	}
	if r.options.mode != "" {
		c.Mode = r.options.mode
	}
	r.tally.Add(c)
}

// request is what the hook would have judged.
func (r *replayer) request(c *replay.Case) engine.Request {
	q := engine.Request{
		Command: c.Text, Cwd: c.Cwd, Workspace: c.Workspace, Home: system.Slash(r.process.Getenv("HOME")),
		Mode: c.Mode, Shell: c.Shell, Host: c.Host, Session: c.Session,
	}
	if q.Cwd == "" {
		q.Cwd = cmp.Or(q.Workspace, r.here)
	}
	if q.Workspace == "" {
		q.Workspace = q.Cwd
	}
	for _, dir := range [...]*string{&q.Cwd, &q.Workspace} { // of a list
		if !filepath.IsAbs(*dir) {
			*dir = filepath.Join(r.here, *dir)
		}
	}
	if q.Host == "claude" {
		known, ok := r.settings[q.Workspace]
		if !ok {
			known = agentSettings(&q)
			r.settings[q.Workspace] = known
		}
		q.Settings = known
	}
	return q
}

// each judges all cases with a profile ("" = the one that is set), as many at once
// as there are processors, and hands each verdict on to one of them.
func (r *replayer) each(j *judge, profile string, use func(*replay.Case, *engine.Verdict)) {
	type task struct {
		c      *replay.Case
		engine *engine.Engine
		r      engine.Request
	}
	tasks := make(chan task, 256)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for t := range tasks {
				v := evaluated(t.engine, t.r)
				use(t.c, &v)
			}
		})
	}
	for _, c := range r.tally.Cases {
		q := r.request(c)
		q.Profile = profile
		q, _ = j.configured(q)
		tasks <- task{c, j.engine, q}
		r.progress.step(1)
	}
	close(tasks)
	wait.Wait()
}

// evaluated is an engine's verdict, and a block where there is none: a hook that
// fails denies.
func evaluated(e *engine.Engine, r engine.Request) (v engine.Verdict) {
	defer func() {
		if cause := recover(); cause != nil {
			v = engine.Verdict{Decision: policy.Block, Reason: fmt.Sprintf("internal error: %v", cause)}
		}
	}()
	return e.Evaluate(r)
}

// report judges what was read, by the rules of now and by others.
func (r *replayer) report() (*replay.Report, error) {
	variants, err := r.variants()
	if err != nil {
		return nil, err
	}
	report := r.judgeAll()
	for _, variant := range variants {
		report.With = append(report.With, r.with(report, variant))
	}
	return report, nil
}

// judgeAll judges what was read by the rules of now.
func (r *replayer) judgeAll() *replay.Report {
	r.progress.begin("judging", "commands", len(r.tally.Cases))
	defer r.progress.end()
	r.each(r.judge, "", func(c *replay.Case, v *engine.Verdict) { c.Verdict = r.verdict(c, v) })
	return r.tally.Report(time.Now())
}

// with judges it by other rules.
func (r *replayer) with(report *replay.Report, other variant) replay.Variant {
	r.progress.begin("judging with "+other.name, "commands", len(r.tally.Cases))
	defer r.progress.end()
	var prompts, dated, blocked atomic.Int64
	r.each(other.judge, other.profile, func(c *replay.Case, v *engine.Verdict) {
		switch {
		case v.Decision == policy.Block:
			blocked.Add(int64(c.Count))
		case v.Decision == policy.Ask && !unasked(other.judge, c, v):
			prompts.Add(int64(c.Count))
			dated.Add(int64(c.Dated))
		}
	})
	return replay.Variant{Name: other.name, Prompts: int(prompts.Load()), PerDay: report.PerDay(int(dated.Load())), Blocked: int(blocked.Load())}
}

// verdict is what a report keeps of one.
func (r *replayer) verdict(c *replay.Case, v *engine.Verdict) replay.Verdict {
	kept := replay.Verdict{Decision: v.Decision, Reason: v.Reason, Left: v.Decision == policy.Ask && unasked(r.judge, c, v)}
	if v.Decision == policy.Allow || len(v.Reasons) == 0 {
		return kept
	}
	for i := range v.Reasons {
		if reason := &v.Reasons[i]; explains(v, reason) && !strings.HasPrefix(reason.ID, "mode.") {
			kept.Rule = reason.ID
			if words := strings.Fields(reason.Command()); len(words) > 0 && (reason.ID == "unknown-command" || reason.ID == "unknown-use") {
				kept.Program = words[0]
			}
			break
		}
	}
	if kept.Rule == "" {
		kept.Rule = v.Reasons[0].ID
	}
	return kept
}

// unasked reports whether a question is left to the agent, which asks nobody.
func unasked(j *judge, c *replay.Case, v *engine.Verdict) bool {
	return !v.Human && j.unasked(c.Mode, v)
}
