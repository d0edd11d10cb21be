package replay

import (
	"strconv"
	"time"

	"github.com/bashgate/bashgate/internal/wire"
)

// AppendJSON appends the report as one line of JSON. Numbers and lists are always
// there; a text or a time that is not known is "".
func (r *Report) AppendJSON(dst []byte) []byte {
	w := writer{dst}
	w.object(func() {
		w.number("version", r.Version)
		w.time("made", r.Made)
		w.number("commands", r.Commands)
		w.number("distinct", r.Distinct)
		w.time("from", r.From)
		w.time("to", r.To)
		w.key("total")
		w.object(func() { w.count(&r.Total) })
		list(&w, "days", r.Days, func(d *Day) { w.text("date", d.Date); w.count(&d.Count) })
		list(&w, "hosts", r.Hosts, func(c *Count) { w.text("name", c.Name); w.count(c) })
		list(&w, "asked", r.Asked, func(q *Question) {
			w.text("rule", q.Rule)
			w.text("program", q.Program)
			w.text("reason", q.Reason)
			w.number("prompts", q.Prompts)
			w.texts("examples", q.Examples)
		})
		list(&w, "danger", r.Danger, func(f *Finding) {
			w.text("command", f.Command)
			w.text("rule", f.Rule)
			w.text("reason", f.Reason)
			w.text("host", f.Host)
			w.text("session", f.Session)
			w.time("time", f.Time)
			w.key("ran")
			w.b = strconv.AppendBool(w.b, f.Ran)
		})
		list(&w, "skipped", r.Skipped, func(s *Skip) { w.text("path", s.Path); w.text("why", s.Why); w.number("count", s.Count) })
		list(&w, "with", r.With, func(v *Variant) {
			w.text("name", v.Name)
			w.number("prompts", v.Prompts)
			w.number("blocked", v.Blocked)
			w.key("per_day")
			w.b = strconv.AppendFloat(w.b, v.PerDay, 'f', 2, 64)
		})
		list(&w, "suggestions", r.Suggestions, func(s *Suggestion) {
			w.text("id", s.ID)
			w.text("summary", s.Summary)
			w.text("program", s.Program)
			w.text("stops", s.Stops)
			w.number("prompts", s.Prompts)
			w.texts("examples", s.Examples)
			w.text("text", s.Text)
		})
		list(&w, "rows", r.Rows, func(row *Row) {
			w.text("command", row.Command)
			w.text("decision", row.Decision)
			w.text("rule", row.Rule)
			w.text("reason", row.Reason)
			w.number("count", row.Count)
			w.time("last", row.Last)
		})
	})
	return append(w.b, '\n')
}

// writer appends JSON.
type writer struct{ b []byte }

// key begins a member.
func (w *writer) key(name string) {
	if last := w.b[len(w.b)-1]; last != '{' {
		w.b = append(w.b, ',')
	}
	w.b = append(wire.AppendText(w.b, name), ':')
}

func (w *writer) object(members func()) {
	w.b = append(w.b, '{')
	members()
	w.b = append(w.b, '}')
}

func (w *writer) text(name, value string) {
	w.key(name)
	w.b = wire.AppendText(w.b, value)
}

func (w *writer) texts(name string, values []string) {
	w.key(name)
	w.b = append(w.b, '[')
	for i, value := range values {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.b = wire.AppendText(w.b, value)
	}
	w.b = append(w.b, ']')
}

func (w *writer) number(name string, n int) {
	w.key(name)
	w.b = strconv.AppendInt(w.b, int64(n), 10)
}

func (w *writer) time(name string, t time.Time) {
	value := ""
	if !t.IsZero() {
		value = t.UTC().Format(time.RFC3339)
	}
	w.text(name, value)
}

func (w *writer) count(c *Count) {
	w.number("allow", c.Allow)
	w.number("ask", c.Ask)
	w.number("block", c.Block)
	w.number("left", c.Left)
}

func list[T any](w *writer, name string, of []T, members func(*T)) {
	w.key(name)
	w.b = append(w.b, '[')
	for i := range of {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.object(func() { members(&of[i]) })
	}
	w.b = append(w.b, ']')
}
