package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/policy"
)

const pendingHelp = `pending shows the questions that wait for a person: which agent wants to run
what, where, what would change, which rules ask, and what its session has seen.

Usage:
  bashgate pending [FLAGS] [CODE]

The command is shown with all that is invisible in it made visible, each of its
rows behind a bar. bashgate approve CODE and bashgate deny CODE answer.

Flags:
  --all     also what was answered, or was too late, within the last day
  --full    all of a command; otherwise 200 rows of it
  --watch   go on: on a terminal draw them anew, else print those that come
  --json    an object a line; docs/approvals.md tells what it holds
  --codes   the codes alone, a line each

Example:
  $ bashgate pending
  KXRT  claude 7bca2281, 12s ago, waits 4m47s more
    │ git push --force
    in     ~/project
    asks   Overwrites or deletes what is on the remote (git)
           git.push-force  rules/git.toml:1078
    does   removes files
           runs code of the project or of a file
           sends or receives data
`

func pendingCommand() command {
	return command{
		name:     "pending",
		summary:  "show the questions that wait for a person",
		help:     pendingHelp,
		operands: "CODE",
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			t := &pendingTool{most: mostRows}
			flags.BoolVar(&t.all, "all", false, "")
			flags.BoolVar(&t.watch, "watch", false, "")
			flags.BoolVar(&t.json, "json", false, "")
			flags.BoolVar(&t.codes, "codes", false, "")
			full := flags.Bool("full", false, "")
			return func(p *Process, args []string) (int, error) {
				if *full {
					t.most = 0
				}
				switch {
				case len(args) > 1:
					return 0, usagef("see bashgate pending --help", "pending takes one code, found %d", len(args))
				case t.codes && (t.watch || t.json || *full || len(args) > 0), t.watch && len(args) > 0:
					return 0, usagef("see bashgate pending --help", "flags that do not go together")
				}
				queue, err := p.Requests()
				if err != nil {
					return 0, err
				}
				t.process, t.queue = p, queue
				t.style, t.width = styleFor(p, p.Stdout), terminalWidth(p.Stdout)
				switch {
				case len(args) == 1:
					err = t.one(args[0])
				case t.watch:
					err = t.follow()
				default:
					err = t.list()
				}
				return exitOK, err
			}
		},
	}
}

// How many rows of a command are shown at once.
const (
	mostRows    = 200
	mostWatched = 20 // where it is drawn anew and anew
)

// pendingTool is the pending command at work.
type pendingTool struct {
	process *Process
	queue   approval.Queue
	style   style
	width   int // of the terminal in columns; 0 = nothing is cut
	most    int // rows of a command; 0 = all

	all, watch, json, codes bool
}

// request is one that somebody has typed the code of. The error is one for them.
func (p *Process) request(queue approval.Queue, code string) (*approval.Request, error) {
	r, err := queue.Request(code)
	if errors.Is(err, approval.ErrUnknown) {
		return nil, unknownCode(code)
	}
	return r, err
}

func unknownCode(code string) error {
	return usagef("bashgate pending lists them", "no request has the code %s", policy.Visible(policy.Clip(code, 20)))
}

func (t *pendingTool) one(code string) error {
	r, err := t.process.request(t.queue, code)
	if err != nil {
		return err
	}
	_, err = io.WriteString(t.process.Stdout, t.text(r, time.Now()))
	return err
}

// text is what is printed of a request.
func (t *pendingTool) text(r *approval.Request, now time.Time) string {
	switch {
	case t.codes:
		return r.Code + "\n"
	case t.json:
		v := PendingOf(r)
		return string(append(v.JSON(nil), '\n'))
	}
	v := PendingOf(r)
	return v.draw(t.process, t.style, t.width, t.most, now)
}

// waiting are the requests that are wanted, the oldest first.
func (t *pendingTool) waiting() []*approval.Request {
	list, complaint := t.queue.Requests()
	if complaint != nil && !t.watch && !t.codes {
		t.process.complain(policy.Visible(complaint.Error()), "bashgate shows only what nobody else can have written")
	}
	if !t.all {
		list = slices.DeleteFunc(list, func(r *approval.Request) bool { return r.State != approval.Pending })
	}
	slices.Reverse(list)
	return list
}

func (t *pendingTool) list() error {
	list := t.waiting()
	_, err := io.WriteString(t.process.Stdout, t.texts(list))
	return err
}

// texts is what is printed of several requests, a blank line between them.
func (t *pendingTool) texts(list []*approval.Request) string {
	if len(list) == 0 && !t.json && !t.codes {
		return "nothing waits for a person\n"
	}
	var b strings.Builder
	now := time.Now()
	for i, r := range list {
		if i > 0 && !t.json && !t.codes {
			b.WriteString("\n")
		}
		b.WriteString(t.text(r, now))
	}
	return b.String()
}

// How often --watch looks: for others to read, and for a person, whose screen counts
// the seconds.
const (
	watchEvery = 300 * time.Millisecond
	drawEvery  = time.Second
)

// follow shows what waits from now on, until it is ended or nobody reads it.
func (t *pendingTool) follow() error {
	if !t.json && isTerminal(t.process.Stdout) {
		t.most = mostWatched
		for {
			var rows int
			t.width, rows = terminalSize(t.process.Stdout)
			// Home, and each line up to its end: nothing flickers.
			text := strings.ReplaceAll(fitting(t.texts(t.waiting()), rows), "\n", "\x1b[K\n")
			if _, err := io.WriteString(t.process.Stdout, "\x1b[H"+text+"\x1b[J"); err != nil {
				return err
			}
			time.Sleep(drawEvery)
		}
	}
	told := map[string]approval.State{} // by sum and code
	for ; ; time.Sleep(watchEvery) {
		for _, r := range t.waiting() {
			key := r.Sum() + r.Code
			if told[key] == r.State {
				continue
			}
			text := t.text(r, time.Now())
			if !t.json && len(told) > 0 {
				text = "\n" + text
			}
			told[key] = r.State
			if _, err := io.WriteString(t.process.Stdout, text); err != nil {
				return err
			}
		}
	}
}

// fitting is as much of a text as a screen of so many rows shows (0 = any number):
// more than that would push its beginning off it.
func fitting(text string, rows int) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	if rows < 3 || len(lines) < rows {
		return text
	}
	shown := rows - 2
	return strings.Join(lines[:shown], "") + plural(len(lines)-shown, "more line") + ": bashgate pending\n"
}

// waits is how many requests wait.
func (p *Process) waits() int {
	queue, err := p.Requests()
	if err != nil {
		return 0
	}
	list, _ := queue.Requests()
	n := 0
	for _, r := range list {
		if r.State == approval.Pending {
			n++
		}
	}
	return n
}

// spell says what is wrong with an answer, and what to do. Others are as they are.
func spell(code string, err error) error {
	ended, _ := errors.AsType[*approval.EndedError](err)
	switch {
	case errors.Is(err, approval.ErrUnknown):
		return unknownCode(code)
	case errors.Is(err, approval.ErrOther):
		return usagef("bashgate pending shows it", "%s is another question now than the one that was shown: nothing is answered", policy.Visible(policy.Clip(code, 20)))
	case errors.Is(err, ErrNothingToTrust):
		return usagef("without --trust it can be approved", "there is nothing to trust: %s", err)
	case ended == nil:
		return err
	}
	by := ""
	if ended.By != "" {
		by = " by " + policy.Visible(policy.Clip(ended.By, 100))
	}
	hint := "the agent runs the same command again to ask once more"
	if ended.State == approval.Approved {
		hint = "it holds once, within " + fmt.Sprint(int(approval.TicketLife.Minutes())) + " minutes; bashgate deny " + ended.Code + " takes it back"
	}
	return usagef(hint, "%s is %s already%s", ended.Code, ended.State, by)
}
