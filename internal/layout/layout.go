// Package layout gives TOML files one form, and leaves what they say as it is.
//
//   - Tables stay in their order, with a blank line and their comments above
//     each. No other blank lines but single ones that stand between keys or
//     comments.
//   - The keys of a table are in the order of the reference, as far as no blank
//     line is between them. A comment goes with the key below it.
//   - A list stands in one line of at most Width columns, or in several; where
//     somebody has broken it into several that fit, they stay.
//   - Strings, inline tables and lists of these stay as they are written.
package layout

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bashgate/bashgate/internal/toml"
)

// Width is how long a line may be, in characters, where there is a choice.
const Width = 120

// Order lists the keys of the table at a path in their order. Keys that it
// does not list stand behind the others, as they were.
type Order func(path ...string) []string

// Format returns a file in its form. The error of a text that is no TOML is a
// *toml.Error.
func Format(text []byte, order Order) ([]byte, error) {
	before, err := toml.Parse(text)
	if err != nil {
		return nil, err
	}
	s := scanner{text: strings.TrimPrefix(string(text), "\ufeff")}
	entries := s.entries()
	w := writer{order: order}
	w.file(entries)
	out := w.out.String()
	// Whatever went wrong here, nothing of the file may be lost.
	after, err := toml.Parse([]byte(out))
	if err != nil || !same(before, after) {
		return nil, errors.New("its form can't be changed without changing what it says")
	}
	again := scanner{text: out}
	again.entries()
	slices.Sort(s.comments)
	slices.Sort(again.comments)
	if !slices.Equal(s.comments, again.comments) {
		return nil, errors.New("its form can't be changed without losing a comment")
	}
	return []byte(out), nil
}

// same reports whether two values say the same.
func same(a, b *toml.Value) bool {
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Items) != len(b.Items) || len(a.Keys()) != len(b.Keys()) {
		return false
	}
	for i := range a.Items {
		if !same(a.Items[i], b.Items[i]) {
			return false
		}
	}
	for _, key := range a.Keys() {
		if b.Get(key) == nil || !same(a.Get(key), b.Get(key)) {
			return false
		}
	}
	return true
}

// writer writes entries in their form.
type writer struct {
	out   strings.Builder
	order Order
	table []string // the path of the table that is being written
}

// file writes all tables with the comments above them.
func (w *writer) file(entries []entry) {
	for len(entries) > 0 {
		n := slices.IndexFunc(entries, func(e entry) bool { return e.kind == header })
		if n < 0 {
			w.body(entries)
			return
		}
		// Comments right above the header are the table's.
		lead := n
		for lead > 0 && entries[lead-1].kind == comment && !entries[lead].blank {
			lead--
		}
		w.body(entries[:lead])
		if w.out.Len() > 0 {
			w.out.WriteByte('\n')
		}
		for _, e := range entries[lead : n+1] {
			w.line(e)
		}
		w.table = entries[n].path
		if entries = entries[n+1:]; len(entries) > 0 {
			entries[0].blank = false
		}
	}
}

// body writes the keys and comments of one table.
func (w *writer) body(entries []entry) {
	for i := 0; i < len(entries); {
		end := i + 1
		for end < len(entries) && !entries[end].blank {
			end++
		}
		if entries[i].blank && w.out.Len() > 0 {
			w.out.WriteByte('\n')
		}
		w.paragraph(entries[i:end])
		i = end
	}
}

// paragraph writes what no blank line parts, the keys in their order.
func (w *writer) paragraph(entries []entry) {
	type unit struct {
		lines []entry
		rank  int
	}
	keys := w.order(w.table...)
	var units []unit
	from := 0
	for i, e := range entries {
		if e.kind != key {
			continue
		}
		rank := slices.Index(keys, e.path[0])
		if rank < 0 {
			rank = len(keys)
		}
		units = append(units, unit{entries[from : i+1], rank})
		from = i + 1
	}
	slices.SortStableFunc(units, func(a, b unit) int { return a.rank - b.rank })
	for _, u := range units {
		for _, e := range u.lines {
			w.line(e)
		}
	}
	for _, e := range entries[from:] {
		w.line(e)
	}
}

// line writes an entry, which may take several lines.
func (w *writer) line(e entry) {
	w.out.WriteString(e.text)
	if e.kind == key {
		w.out.WriteString(" = ")
		w.value(&e.value, utf8.RuneCountInString(e.text)+len(" = "))
	}
	w.out.WriteString(e.gap + e.note + "\n")
}

// value writes a value that begins in a column, counted from 0.
func (w *writer) value(v *value, column int) {
	if v.items == nil {
		w.out.WriteString(v.raw)
		return
	}
	if line, ok := oneLine(v.items); ok && column+utf8.RuneCountInString(line) <= Width {
		w.out.WriteString(line)
		return
	}
	w.out.WriteString("[")
	l := lines{out: &w.out}
	kept := fits(v.items)
	for i, item := range v.items {
		item.fresh = item.fresh && (kept || item.comment || item.blank)
		if i == 0 && item.comment && !item.fresh {
			w.out.WriteString(" " + item.raw)
			continue
		}
		l.add(item)
	}
	l.end()
	w.out.WriteString("\n]")
}

// oneLine is a list in one line, if that is possible.
func oneLine(items []item) (string, bool) {
	raws := make([]string, len(items))
	for i, item := range items {
		if item.comment || strings.Contains(item.raw, "\n") {
			return "", false
		}
		raws[i] = item.raw
	}
	return "[" + strings.Join(raws, ", ") + "]", true
}

// fits reports whether the lines of a list, as somebody has broken them, are not
// too long. Nobody has to break a long element.
func fits(items []item) bool {
	width := 0 // of the line so far; 0: nothing is in it
	for _, item := range items {
		long := utf8.RuneCountInString(item.raw) + len(",")
		switch {
		case item.comment:
		case item.fresh || width == 0:
			width = len(indent) + long
		default:
			if width += 1 + long; width > Width {
				return false
			}
		}
	}
	return true
}

// lines writes what is between the brackets of a list in lines of its own.
type lines struct {
	out   *strings.Builder
	now   string // the line so far
	full  bool   // nothing more goes into it
	begun bool
}

const indent = "  "

func (l *lines) add(item item) {
	text := item.raw
	if !item.comment {
		text += ","
	}
	switch {
	case item.comment && !item.fresh && l.now != "":
		l.now += " " + text
		l.full = true
		return
	case item.fresh, l.full, item.comment, l.now == "", utf8.RuneCountInString(l.now)+1+utf8.RuneCountInString(text) > Width:
		l.end()
		if item.blank && l.begun {
			l.out.WriteByte('\n')
		}
		l.now = indent + text
	default:
		l.now += " " + text
	}
	l.full = item.comment || strings.Contains(text, "\n")
}

// end ends the line.
func (l *lines) end() {
	if l.now != "" {
		l.out.WriteString("\n" + l.now)
		l.now, l.begun = "", true
	}
}
