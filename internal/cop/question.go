package cop

import (
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/mask"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// maxQuestion is how long a question may be, in bytes. A reviewer that sees a
// part of a command can't clear it, so nothing is cut.
const maxQuestion = 32 << 10

// errTooLong is the error of a command that no reviewer is shown.
var errTooLong = errors.New("the command is too long for a review")

// Question is what a reviewer is told about a line. It is built of what the
// gate has read and decided; nobody's description of the command is in it.
type Question struct {
	JSON    []byte   // one object without line ends
	changed []script // what tainted sessions wrote in the project, where all of it is shown
	texts   []string // words and paths that a target can stand in
}

// question makes the question about a line. The error is of a line that is too
// long.
func (c *Cop) question(r *engine.Request, v *engine.Verdict, step Step) (*Question, error) {
	situation := *r
	if situation.Cwd == "" {
		situation.Cwd = r.Workspace
	}
	if situation.Workspace == "" {
		situation.Workspace = r.Cwd
	}
	r = &situation
	w := writer{request: r, mask: mask.For(r.Command), out: make([]byte, 0, 4<<10)}
	w.open('{')
	w.key("session")
	w.open('{')
	w.number("untrusted_content", r.Taint.Corruption)
	w.number("secrets", r.Taint.Secret)
	w.texts("seen", masked(c.Labels))
	w.close('}')
	w.text("host", r.Host)
	w.text("permission_mode", r.Mode)
	w.bool("attended", !r.Unattended)
	w.text("shell", r.Shell)
	w.text("directory", mask.Text(w.place(r.Cwd)))
	if step == Paths {
		w.texts("allowed_directories", masked(allowedDirs(r)))
	}
	w.text("rules_say", v.Decision.String())
	w.text("reach", v.Reach.String())
	w.texts("effects", v.Effects.Names())
	w.nodes("commands", v.Tree)
	w.scripts("scripts", c.scripts(r, v.Tree))
	changed, all := c.changes(r)
	w.scripts("changed_in_such_sessions", changed)
	w.close('}')
	if len(w.out) > maxQuestion {
		return nil, errTooLong
	}
	q := &Question{JSON: w.out, texts: w.words}
	if all {
		q.changed = changed
	}
	return q, nil
}

func masked(texts []string) []string {
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = mask.Text(text)
	}
	return list
}

// allowedDirs are the directories that the denylist profile keeps to.
func allowedDirs(r *engine.Request) []string {
	if r.AllowedDirs != nil {
		return r.AllowedDirs
	}
	return []string{"the project", "/tmp"}
}

// holds reports whether a text stands in the command.
func (q *Question) holds(target string) bool {
	for _, text := range q.texts {
		if strings.Contains(text, target) {
			return true
		}
	}
	return false
}

// writer writes JSON with its keys in a fixed order. What is empty is left
// out: it costs, and says nothing.
type writer struct {
	request *engine.Request
	out     []byte
	words   []string
	more    bool // a comma comes first
	mask    mask.Masker
	fed     bool // what is written to the command is a secret
}

func (w *writer) comma() {
	if w.more {
		w.out = append(w.out, ',')
	}
	w.more = true
}

func (w *writer) open(bracket byte) {
	w.out = append(w.out, bracket)
	w.more = false
}

func (w *writer) close(bracket byte) {
	w.out = append(w.out, bracket)
	w.more = true
}

func (w *writer) key(key string) {
	w.comma()
	w.out = append(wire.AppendText(w.out, key), ':')
}

func (w *writer) text(key, value string) {
	if value != "" {
		w.key(key)
		w.out = wire.AppendText(w.out, escaped(value))
	}
}

func (w *writer) number(key string, n int) {
	w.key(key)
	w.out = strconv.AppendInt(w.out, int64(n), 10)
}

func (w *writer) bool(key string, b bool) {
	w.key(key)
	w.out = strconv.AppendBool(w.out, b)
}

func (w *writer) texts(key string, values []string) {
	if len(values) == 0 {
		return
	}
	w.key(key)
	w.open('[')
	for _, value := range values {
		w.comma()
		w.out = wire.AppendText(w.out, escaped(value))
	}
	w.close(']')
}

func (w *writer) nodes(key string, nodes []engine.Node) {
	if len(nodes) == 0 || len(w.out) > maxQuestion {
		return
	}
	w.key(key)
	w.open('[')
	fed := w.fed
	for i := range nodes {
		w.comma()
		w.open('{')
		feeds := i+1 < len(nodes) && takesSecret(&nodes[i+1])
		w.fed = fed || takesSecret(&nodes[i])
		w.node(&nodes[i], feeds)
		w.close('}')
	}
	w.fed = fed
	w.close(']')
}

// node writes one simple command: its words as the shell would quote them, and
// what the rules think. Where it feeds one that takes a secret, what it prints
// is one.
func (w *writer) node(n *engine.Node, feeds bool) {
	words := n.Words()
	if words == nil && n.Redirects() == nil && n.Sets() == nil {
		w.text("text", w.seen(n.Command()))
	}
	w.texts("words", w.list(words, feeds))
	w.texts("sets", n.Sets()) // the values may be secrets
	var redirects []string
	for _, r := range n.Redirects() {
		redirects = append(redirects, [...]string{"<", ">", ">>", "<>"}[r.Op]+" "+w.word(r.Path))
	}
	w.texts("redirects", redirects)
	switch in := n.Stdin(); in.Kind {
	case policy.InputText:
		w.text("standard_input", w.input(in.Text))
	case policy.InputPipe:
		w.text("standard_input", "output of another command")
	case policy.InputHole:
		w.text("standard_input", "not known")
	}
	w.texts("run_by", n.Via())
	if dir := n.Dir(); dir != "" && dir != w.request.Cwd {
		w.text("directory", mask.Text(w.place(dir)))
	}
	w.text("reach", n.Reach.String())
	w.texts("effects", n.Effects.Names())
	w.rules(n.Reasons)
	w.nodes("runs", n.Children)
}

func (w *writer) rules(reasons []engine.Reason) {
	if len(reasons) == 0 {
		return
	}
	w.key("rules")
	w.open('[')
	for i := range reasons {
		w.comma()
		w.open('{')
		w.text("id", reasons[i].ID)
		w.text("decision", reasons[i].Counts().String())
		if reasons[i].Counts() > policy.Allow {
			w.text("reason", w.mask.Text(reasons[i].Text()))
		}
		w.close('}')
	}
	w.close(']')
}

// list shows a command's words as the shell would take them, without secrets.
func (w *writer) list(words []policy.Word, feeds bool) []string {
	texts := plain(words)
	feeds = feeds && len(texts) > 0 && mask.Prints(texts[0])
	shown := w.mask.Words(texts)
	for i, word := range words {
		if feeds && i > 0 && word.IsConst() {
			shown[i] = w.mask.Input(texts[i])
		}
		w.words = append(w.words, shown[i])
		if word.IsConst() {
			shown[i] = policy.Quote(shown[i])
		}
	}
	return shown
}

// plain are words as texts: the values of those that are known.
func plain(words []policy.Word) []string {
	texts := make([]string, len(words))
	for i, word := range words {
		text, ok := word.Const()
		if !ok {
			text = word.String()
		}
		texts[i] = text
	}
	return texts
}

// takesSecret reports whether a command takes a secret from what is written to
// it.
func takesSecret(n *engine.Node) bool { return mask.TakesSecret(plain(n.Words())) }

// input shows what a command reads.
func (w *writer) input(word policy.Word) string {
	text, ok := word.Const()
	if !ok || !w.fed {
		return w.word(word)
	}
	text = w.mask.Input(text)
	w.words = append(w.words, text)
	return policy.Quote(text)
}

// word shows a word as the shell would take it, without secrets in it.
func (w *writer) word(word policy.Word) string {
	if text, ok := word.Const(); ok {
		text = w.seen(text)
		return policy.Quote(text)
	}
	return w.seen(word.String())
}

// seen masks a text and remembers it as one that targets can stand in.
func (w *writer) seen(text string) string {
	text = w.mask.Text(text)
	w.words = append(w.words, text)
	return text
}

// place shows a directory without what is around the project.
func (w *writer) place(dir string) string {
	rel, err := filepath.Rel(w.request.Workspace, dir)
	switch {
	case dir == "":
		return "not known"
	case err == nil && rel == ".":
		return "the project"
	case err == nil && rel != ".." && !strings.HasPrefix(rel, "../"):
		return "the project's " + rel
	}
	return dir
}

// escaped shows characters that nobody sees or that turn text around, which
// JSON would carry as they are.
func escaped(text string) string {
	for _, r := range text {
		if r >= 0x7f || r < ' ' && r != '\n' && r != '\t' {
			return visibleLines(text)
		}
	}
	return text
}

// visibleLines is policy.Visible but for line ends and tabs, which scripts
// have.
func visibleLines(text string) string {
	var b strings.Builder
	for text != "" {
		i := strings.IndexAny(text, "\n\t")
		if i < 0 {
			i = len(text)
		}
		b.WriteString(policy.Visible(text[:i]))
		if i < len(text) {
			b.WriteByte(text[i])
			i++
		}
		text = text[i:]
	}
	return b.String()
}
