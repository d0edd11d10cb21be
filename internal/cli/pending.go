package cli

import (
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// Pending is what is shown of a request, wherever that is. Command and the
// directories are as the agent gave them. Whoever draws a text of it, on a terminal
// or a page, makes it visible: policy.Visible; Lines does that with the command.
type Pending struct {
	Code      string
	Sum       string // of the question: what approval.Answer wants of who has read it
	State     approval.State
	Agent     string // "claude"
	Session   string // the agent's own id of it; "" = it names none
	Tool      string // "" = the shell
	Command   string // all of it; of another tool what it is given, as JSON
	Cwd       string
	Workspace string
	Mode      string // the agent's permission mode
	Shell     string // "bash"; "" = not known
	Why       []approval.Why
	Does      []string // what would change: "writes /etc/hosts"
	Runs      []string // files whose text runs
	Seen      []string // what the session had seen that counts: "corruption 2: WebFetch example.org"
	Trust     bool     // a person can vouch for that, and is asked because of it
	Made      time.Time
	Ends      time.Time // when the time is over to answer it, or to use the answer; of what has ended, when that was
	By        string    // who has answered; "" = nobody has
	Channel   string    // where: "terminal"
	Reason    string    // what they said
}

// PendingOf makes it of a request.
func PendingOf(r *approval.Request) Pending {
	v := Pending{
		Code: r.Code, Sum: r.Sum(), State: r.State, Agent: r.Host, Session: r.ID, Tool: r.Tool, Command: r.Command, Cwd: r.Cwd, Workspace: r.Workspace,
		Mode: r.Mode, Shell: r.Shell, Why: r.Why, Does: r.Does, Seen: r.Labels, Trust: trustable(r), Made: r.Made, Ends: r.Changed,
		By: r.By, Channel: r.Channel, Reason: r.Reason,
	}
	switch r.State {
	case approval.Pending:
		v.Ends = r.Made.Add(r.Life)
	case approval.Approved:
		v.Ends = r.Changed.Add(approval.TicketLife)
	}
	for _, file := range r.Files {
		// What is only read or is not there runs no text, and programs of the system
		// are no news.
		if i := strings.LastIndexByte(file, '='); i >= 0 && file[0] != '<' && file[i:] != "=-" && !policy.SystemDir(path.Dir(file[:i])) {
			v.Runs = append(v.Runs, file[:i])
		}
	}
	return v
}

// Lines is the command as a person reads it: nothing in it acts on a terminal, or
// is drawn as something else, and no row is longer than width columns (0 = however
// long its lines are).
func (v *Pending) Lines(width int) []string {
	var rows []string
	for line := range strings.SplitSeq(strings.TrimSuffix(v.Command, "\n"), "\n") {
		rows = append(rows, wrapped(policy.Visible(line), width)...)
	}
	return rows
}

// wrapped cuts a line into rows. What may take two columns is counted as two.
func wrapped(line string, width int) []string {
	var rows []string
	if width > 0 {
		used, start := 0, 0
		for i, r := range line {
			columns := 1
			if r >= 0x1100 { // from there on some are wide: East Asian ones, pictures
				columns = 2
			}
			if used+columns > width && i > start {
				rows, start, used = append(rows, line[start:i]), i, 0
			}
			used += columns
		}
		line = line[start:]
	}
	return append(rows, line)
}

// JSON appends it as one object, without a line's end:
//
//	{"v":1, "code":"KXRT", "sum":"3f7a...", "state":"pending", "agent":"claude",
//	 "session":"7bca...", "tool":"", "command":"git push", "lines":["git push"],
//	 "cwd":"/p", "workspace":"/p", "mode":"default", "shell":"bash",
//	 "why":[{"rule":"git.push", "text":"...", "source":"rules/git.toml:..."}],
//	 "does":["..."], "runs":["..."], "seen":["..."], "trust":false,
//	 "made":"2026-11-02T10:00:00Z", "ends":"2026-11-02T10:05:00Z",
//	 "by":"", "channel":"", "reason":""}
//
// "lines" is the command as it is to be drawn; "command" is exact.
func (v *Pending) JSON(dst []byte) []byte {
	text := func(key, value string) {
		dst = wire.AppendText(append(dst, `,"`+key+`":`...), value)
	}
	list := func(key string, texts []string) {
		dst = wire.AppendTexts(append(dst, `,"`+key+`":`...), texts)
	}
	dst = wire.AppendText(append(dst, `{"v":1,"code":`...), v.Code)
	text("sum", v.Sum)
	text("state", v.State.String())
	text("agent", v.Agent)
	text("session", v.Session)
	text("tool", v.Tool)
	text("command", v.Command)
	list("lines", v.Lines(0))
	text("cwd", v.Cwd)
	text("workspace", v.Workspace)
	text("mode", v.Mode)
	text("shell", v.Shell)
	dst = append(dst, `,"why":[`...)
	for i, w := range v.Why {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = wire.AppendText(append(dst, `{"rule":`...), w.ID)
		text("text", w.Text)
		text("source", w.Source)
		dst = append(dst, '}')
	}
	dst = append(dst, ']')
	list("does", v.Does)
	list("runs", v.Runs)
	list("seen", v.Seen)
	dst = strconv.AppendBool(append(dst, `,"trust":`...), v.Trust)
	text("made", v.Made.UTC().Format(time.RFC3339))
	text("ends", v.Ends.UTC().Format(time.RFC3339))
	text("by", v.By)
	text("channel", v.Channel)
	text("reason", v.Reason)
	return append(dst, '}')
}

// draw draws it for a terminal or a pipe, no more than most rows of the command (0 =
// all of them):
//
//	KXRT  claude 7bca2281, 12s ago, waits 4m48s more
//	  │ git push --force
//	  in     ~/p
//	  asks   Overwrites commits of a remote branch (git)
//	         git.push-force  rules/git.toml:1078
//	  seen   corruption 2: WebFetch example.org
//
// A row of the command begins with a bar, and one of another text with blanks,
// whatever stands in it: none looks like another line.
func (v *Pending) draw(p *Process, s style, width, most int, now time.Time) string {
	var b strings.Builder
	colour := yellow
	switch v.State {
	case approval.Approved, approval.Used:
		colour = green
	case approval.Denied:
		colour = red
	}
	who := strings.TrimSpace(policy.Visible(v.Agent + " " + shortID(v.Session)))
	if v.Tool != "" {
		who += ", its tool " + policy.Visible(policy.Clip(v.Tool, 100))
	}
	b.WriteString(s.paint(bold, s.paint(colour, v.Code)) + "  " + who + s.paint(dim, ", "+v.when(now)) + "\n")
	rows := v.Lines(columnsIn(width, "  | "))
	more := 0
	if most > 0 && len(rows) > most {
		rows, more = rows[:most], len(rows)-most
	}
	for _, row := range rows {
		b.WriteString(s.paint(dim, "  │ ") + s.paint(bold, row) + "\n")
	}
	if more > 0 {
		b.WriteString("  " + s.paint(yellow, plural(more, "more line")+": bashgate pending "+v.Code+" --full") + "\n")
	}
	list := func(name string, texts []string) {
		const most = 20
		for i, text := range texts {
			if i == most && len(texts) > most+1 {
				b.WriteString("         " + s.paint(dim, "and "+strconv.Itoa(len(texts)-most)+" more") + "\n")
				break
			}
			for _, row := range wrapped(policy.Visible(policy.Clip(text, maxShown)), columnsIn(width, "  asks   ")) {
				b.WriteString("  " + name + strings.Repeat(" ", 7-len(name)) + row + "\n")
				name = ""
			}
		}
	}
	list("in", []string{p.home(v.Cwd)})
	name := "asks"
	for _, w := range v.Why {
		list(name, []string{w.Text})
		name = ""
		list(name, []string{strings.TrimSpace(w.ID + "  " + w.Source)})
	}
	list("does", v.Does)
	list("runs", v.Runs)
	list("seen", v.Seen)
	if v.Reason != "" {
		list("said", []string{v.Reason})
	}
	if v.Trust && v.State == approval.Pending {
		b.WriteString("         " + s.paint(dim, "approve --trust: it counts no more in this session") + "\n")
	}
	return b.String()
}

// maxShown is how much of a text beside the command is shown, in bytes.
const maxShown = 300

// when says how old it is, and how long it still waits, or what has become of it.
func (v *Pending) when(now time.Time) string {
	age := ago(now.Sub(v.Made))
	switch v.State {
	case approval.Pending:
		return age + " ago, waits " + ago(v.Ends.Sub(now)) + " more"
	case approval.Approved:
		return age + " ago, approved" + v.word() + ", holds for " + ago(v.Ends.Sub(now)) + " more"
	}
	return age + " ago, " + v.State.String() + v.word()
}

// word is who has answered.
func (v *Pending) word() string {
	if v.By == "" {
		return ""
	}
	return " by " + policy.Visible(policy.Clip(v.By, 100))
}

// within is how many columns are left of a width behind what a row begins with; 0 =
// any number.
func columnsIn(width int, head string) int {
	if width == 0 {
		return 0
	}
	return max(width-len(head), 20)
}

// ago is a time in words, at least 0: "48s", "4m12s", "3h10m".
func ago(d time.Duration) string {
	switch d = max(d, 0); {
	case d < time.Hour:
		return d.Truncate(time.Second).String()
	default:
		return strings.TrimSuffix(d.Truncate(time.Minute).String(), "0s")
	}
}
