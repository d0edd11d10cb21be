package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/shell"
	"github.com/bashgate/bashgate/policy"
)

// A path that is not known may be any that the line names: shells keep arguments,
// input and directories in variables of their own ($_, $REPLY, $OLDPWD), and
// programs hand on what they are given. So a word that is not known and read counts
// as each secret file that the line names, whatever it does with that there.
//
//	test -f ~/.ssh/id_rsa && cat $_

// maxHanded bounds the names that are looked up for the unknown words of one
// request.
const maxHanded = 1 << 14

// handed is a secret file that a text names.
type handed struct {
	word   policy.Word
	places []target
	rule   *match.PathRule // that asks about reading it; nil: the agent's settings do
	by     int             // the only command that names it, or -1
}

// handedOn asks about reading a word that is not known as about the secret files
// that the line names.
func (j *judge) handedOn(n *Node, u *match.Use) {
	if n.command == nil || !j.mayBeHanded(u.Word) {
		return
	}
	dirs := j.useDirs(n, u)
	defer func() {
		if j.looked >= maxHanded {
			n.reason("shell.limit", policy.Ask, "Reads files whose names are not known, and names too many to tell which it may be", 0, policy.ReachUnknown)
		}
	}()
	for i, s := range j.above {
		inner := i == len(j.above)-1 && n.command != &s.text.commands[s.at]
		for _, h := range j.handed(s.text, dirs) {
			if inner && h.by == s.at {
				continue // what a command's own words mean for what it runs is for rules to say
			}
			for _, t := range h.places {
				j.agentPlace(n, t, opRead, h.word)
			}
			if h.rule == nil {
				continue
			}
			j.pathReason(n, h.rule, h.rule.Read, opRead, u.Word)
			n.last().text += ", which may be " + h.word.String()
			n.rows = append(n.rows, askingRow{h.rule, opRead, h.word, h.places})
			j.grants(n, h.word, h.places, opRead)
			return
		}
	}
}

// mayBeHanded reports whether a word may be a path of the line: it begins with a
// value that is not known, and that neither is a number or the name of a revision, nor matches a pattern, nor
// comes from the environment.
func (j *judge) mayBeHanded(w policy.Word) bool {
	if len(w.Parts) == 0 {
		return false
	}
	p := w.Parts[0]
	return (p.Kind == policy.Hole || p.Kind == policy.Split) && !p.Shape.Numeric() && p.Shape != policy.ShapeName && !strings.ContainsAny(p.Match, "*?[") && !j.foreign(p.Text)
}

// foreign reports whether an expansion is of a variable that the line neither sets
// nor makes the shell set.
func (j *judge) foreign(source string) bool {
	name := variable(source)
	if name == "" || strings.HasPrefix(source, "${!") || shell.Keeps(name) {
		return false
	}
	for _, s := range j.above {
		for i := range s.text.given {
			if s.text.given[i].Name == name {
				return false
			}
		}
	}
	return true
}

// handed lists the secret files that a text names, seen from where its commands
// stand and from the directories of the one that reads.
func (j *judge) handed(t *readText, dirs []string) []handed {
	key := strings.Join(dirs, "\x00")
	found, known := t.handed[key]
	if known {
		return found
	}
	type place struct{ from, text string }
	seen := make(map[place]int) // where they are in found, or -1
	by := -1
	add := func(w policy.Word, from []string) {
		places := [...][]string{from, dirs}
		n := len(places)
		if slices.Equal(from, dirs) {
			n = 1
		}
		text := w.Text
		if w.Parts != nil {
			text = "\x01" + w.String()
		}
		for _, from := range places[:n] {
			id := place{strings.Join(from, "\x00"), text}
			if at, known := seen[id]; known {
				if at >= 0 && found[at].by != by {
					found[at].by = -1
				}
				continue
			}
			if j.looked >= maxHanded {
				return
			}
			seen[id] = -1
			j.looked++
			places := j.resolve(w, from)
			h := handed{word: w, places: places, by: by}
			denied := false
			for _, t := range places {
				if rule := j.readRule(t); rule != nil && rule.Read > policy.Allow && (h.rule == nil || rule.Read > h.rule.Read) {
					h.rule = rule
				}
				r, _ := j.forbidden(t, opRead)
				denied = denied || r != nil
			}
			if h.rule != nil || denied {
				seen[id] = len(found)
				found = append(found, h)
			}
			if strings.HasPrefix(w.Prefix(), "/") || strings.HasPrefix(w.Prefix(), "~") {
				break
			}
		}
	}
	for i := range t.commands {
		c := &t.commands[i]
		by = i
		if c.Where != policy.Here {
			continue
		}
		for _, w := range c.Words {
			pathsIn(w, func(w policy.Word) { add(w, c.Dirs) })
		}
		for k := range c.Redirects {
			pathsIn(c.Redirects[k].Path, func(w policy.Word) { add(w, c.Dirs) })
		}
		for k := range c.Assigns {
			pathsIn(c.Assigns[k].Value, func(w policy.Word) { add(w, c.Dirs) })
		}
		if c.Stdin.Kind == policy.InputText {
			pathsIn(c.Stdin.Text, func(w policy.Word) { add(w, c.Dirs) })
		}
		for _, dir := range c.Dirs {
			add(policy.Const(path.Clean(dir)), c.Dirs) // $OLDPWD
		}
	}
	by = -1
	for i := range t.given {
		text, _ := t.given[i].Value.Const()
		program := t.given[i].Name == "" && strings.Contains(strings.TrimRight(text, "\n"), "\n") // or a text else that is fed
		pathsIn(t.given[i].Value, func(w policy.Word) {
			if !program || strings.Trim(w.Text, "/.") != "" { // a sign of the program's
				add(w, dirs)
			}
		})
	}
	if t.handed == nil {
		t.handed = make(map[string][]handed)
	}
	t.handed[key] = found
	return found
}

// pathsIn gives on the paths that a word may hold: itself, and what stands between
// signs that part names in it.
func pathsIn(w policy.Word, add func(policy.Word)) {
	text, known := w.Const()
	if !known {
		if p := w.Parts[0]; len(w.Parts) > 1 || p.Kind == policy.Glob {
			add(w)
		}
		return
	}
	if text = strings.TrimRight(text, "\n"); text != "" {
		add(policy.Const(text))
	}
	from := 0
	for i := range len(text) {
		if strings.IndexByte(parting, text[i]) < 0 {
			continue
		}
		if from < i {
			add(policy.Const(text[from:i]))
		}
		from = i + 1
	}
	if from > 0 && from < len(text) {
		add(policy.Const(text[from:]))
	}
}

// parting are the signs that part names in a text.
const parting = " \t\n:=,;|&<>()'\"`"
