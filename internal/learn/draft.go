package learn

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// draft is a rule that may answer what is asked about one command.
type draft struct {
	text      string // tables, with idPlace for the ids
	summary   string
	program   string // "" where it is about a place or a variable alone
	name      string // for the id: "git push"
	spare     bool   // it is for where nothing else answers
	exact     bool   // of one command's words, as they are
	limited   bool   // it holds in this workspace alone
	places    []string
	variables []string
	free      []string // texts in whose place it takes others
	stops     string
}

// join adds what another draft says.
func (d draft) join(o draft) draft {
	if d.text == "" {
		return o
	}
	if o.text == "" {
		return d
	}
	d.text += "\n" + o.text
	d.summary += ", and " + o.summary
	d.limited = d.limited && o.limited
	d.places = append(d.places, o.places...)
	d.variables = append(d.variables, o.variables...)
	d.free = append(d.free, o.free...)
	return d
}

// longest is how long a word of a rule may be, in bytes: a person reads it.
const longest = 400

// drafts writes what may answer an ask, the narrowest first.
func (l *learner) drafts(a *ask) ([]draft, error) {
	var programs []draft // about its words
	var files, dirs draft
	var vars draft
	ids := []string{}
	var placed []*engine.Reason
	for _, r := range a.reasons {
		switch {
		case r.OfPlace():
			placed = append(placed, r)
		case strings.HasPrefix(r.ID, "env.") && r.ID != "env.read" && r.Effects&^policy.Reads != 0:
			return nil, &Refusal{"no rule says for which program alone a variable counts: " + r.Text(), once}
		case strings.HasPrefix(r.ID, "env.") && r.ID != "env.read":
			d, err := l.variable(a, strings.TrimPrefix(r.ID, "env."))
			if err != nil {
				return nil, err
			}
			vars = vars.join(d)
		case redirected(a, r):
			return nil, &Refusal{"a rule can't say what is written there: " + r.Text(), once}
		case !slices.Contains(ids, r.ID):
			ids = append(ids, r.ID)
		}
	}
	if len(placed) > 0 {
		var ok bool
		if files, dirs, ok = l.placesOf(a, placed); !ok {
			if slices.ContainsFunc(placed, func(r *engine.Reason) bool { return redirected(a, r) }) {
				return nil, &Refusal{"it is not known which file that is: " + placed[0].Text(), once}
			}
			for _, r := range placed { // by its words, then
				if !slices.Contains(ids, r.ID) {
					ids = append(ids, r.ID)
				}
			}
		}
	}
	if len(ids) > 0 {
		var err error
		if programs, err = l.programRules(a, ids); err != nil {
			return nil, err
		}
	}
	if programs == nil {
		programs = []draft{{}}
	}
	var all []draft
	for _, p := range programs {
		all = append(all, vars.join(p).join(files))
	}
	if dirs.text != "" {
		all = append(all, vars.join(programs[len(programs)-1]).join(dirs))
	}
	if files.text != "" && !slices.ContainsFunc(placed, func(r *engine.Reason) bool { return redirected(a, r) }) { // where the places alone do not answer it
		if more, err := l.programRules(a, a.ids()); err == nil {
			all = append(all, vars.join(more[0]))
		}
	}
	return all, nil
}

// redirected reports whether a reason is about a file that a redirect opens.
func redirected(a *ask, r *engine.Reason) bool {
	if r.ID == "redirect.write" || r.ID == "redirect.network" {
		return true
	}
	_, word, ok := strings.Cut(r.About(), " ")
	return ok && slices.ContainsFunc(a.command.Redirects, func(f policy.Redirect) bool { return f.Path.String() == word })
}

// variable is the row about a variable with the value that it is given.
func (l *learner) variable(a *ask, name string) (draft, error) {
	for _, assigns := range [...][]policy.Assign{a.command.Assigns, a.command.Env} {
		for _, v := range assigns {
			value, known := v.Value.Const()
			if v.Name != name || !known || v.Taken || value == "" || len(value) > longest {
				continue
			}
			return draft{
				text:    "[[env]]\nname = " + quoted(name+"="+plain(value)) + "\nset = \"allow\"\n",
				summary: "the variable " + name + " as " + policy.Quote(value), name: name, variables: []string{name},
			}, nil
		}
	}
	return draft{}, &Refusal{"the value of " + name + " is not known", once}
}

// place is an absolute path as a rule says it, and whether it can say it.
func (l *learner) place(abs string) (string, bool) {
	if !path.IsAbs(abs) || strings.ContainsAny(abs, "*?[]{}\\!") || !printable(abs) || len(abs) > longest {
		return "", false
	}
	if home := l.request.Home; home != "" && home != "/" && strings.HasPrefix(abs, home+"/") {
		return "~/" + abs[len(home)+1:], true
	}
	return abs, true
}

func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f })
}

// placesOf are the rows about the ordinary files that a command changes, and
// about their directories.
func (l *learner) placesOf(a *ask, reasons []*engine.Reason) (files, dirs draft, ok bool) {
	ws := l.request.Workspace
	var names, below []string
	wide := ws != "" && ws != l.request.Home && ws != "/"
	for _, p := range a.node.Writes {
		if p.Pattern {
			return files, dirs, false
		}
		name, fine := l.place(p.Path)
		if !fine {
			return files, dirs, false
		}
		if strings.HasPrefix(p.Path, "/dev/") && p.Path == "/dev/null" {
			continue
		}
		names = add(names, name)
		dir := path.Dir(p.Path)
		if !strings.HasPrefix(dir, ws+"/") || strings.Contains(dir[len(ws):], "/.") {
			wide = false
			continue
		}
		if name, fine := l.place(dir); fine {
			below = add(below, name+"/**")
		} else {
			wide = false
		}
	}
	if len(names) == 0 || len(names) > mostCommands {
		return files, dirs, false
	}
	deletes := slices.ContainsFunc(reasons, func(r *engine.Reason) bool {
		return r.ID == "path.delete" || r.Effects&policy.Deletes != 0 || strings.HasPrefix(r.About(), "delete ")
	})
	answers, verb := "write = \"allow\"\n", "changing "
	if deletes {
		answers, verb = "write = \"allow\"\ndelete = \"allow\"\n", "changing and removing "
	}
	row := func(globs []string) string { return "[[paths]]\npath = " + list(globs) + "\n" + answers }
	files = draft{text: row(names), summary: verb + strings.Join(names, ", "), name: "write " + path.Base(names[0]), limited: true, places: names}
	if wide && !deletes {
		dirs = draft{text: row(below), summary: verb + "what lies in " + strings.Join(trimmed(below), ", "), name: files.name, limited: true, places: below}
	}
	return files, dirs, true
}

func trimmed(globs []string) []string {
	var out []string
	for _, g := range globs {
		out = append(out, strings.TrimSuffix(g, "/**"))
	}
	return out
}

func add(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// programRules are rules about the words of a command.
func (l *learner) programRules(a *ask, ids []string) ([]draft, error) {
	words := a.command.Words
	if len(words) == 0 {
		return nil, &Refusal{a.reasons[0].Text(), once}
	}
	word, known := words[0].Const()
	if !known || word == "" || len(word) > longest || !printable(word) {
		return nil, &Refusal{"it is not known which program runs: " + a.reasons[0].Text(), once}
	}
	name, file := path.Base(word), false
	if dir := path.Dir(word); strings.Contains(word, "/") && !policy.SystemDir(dir) {
		if file = true; !path.IsAbs(word) {
			if a.node.Dir() == "" {
				return nil, &Refusal{"it is not known in which directory it runs: " + a.reasons[0].Text(), once}
			}
			word = path.Join(a.node.Dir(), word)
		}
		abs := path.Clean(word)
		ok := false
		if ws := l.request.Workspace; ws != "" && strings.HasPrefix(abs, strings.TrimSuffix(ws, "/")+"/") {
			name, ok = "./"+abs[len(strings.TrimSuffix(ws, "/"))+1:], !strings.ContainsAny(abs, "*?[]{}\\!")
		} else {
			name, ok = l.place(abs)
		}
		if !ok {
			return nil, &Refusal{"a rule can't name that file: " + a.reasons[0].Text(), once}
		}
	}
	p := l.known.Program(name)
	if p == nil {
		// A rule of the user's may know the program, and ask what it does not cover.
		ids = add(slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "unknown-command" }), "unknown-use")
	}
	if a.effects()&policy.Secret != 0 && len(a.node.Writes) > 0 {
		return nil, &Refusal{"what it writes holds a secret, and nothing sees that later: " + a.reasons[0].Text(), once}
	}
	if obeysInput(a.command, p, name) {
		return nil, &Refusal{"what runs is its input, and a rule can't say what that is", once}
	}
	var all []draft
	if d, ok := l.pushing(a, p, ids, false); ok {
		all = append(all, d)
	}
	if d, ok := l.pushing(a, p, ids, true); ok {
		all = append(all, d)
	}
	if d, ok := l.exactly(a, p, name, file, ids); ok {
		d.spare = len(all) > 0
		all = append(all, d)
	}
	if p == nil {
		if d, ok := l.wideUnknown(a, name, file, ids); ok {
			all = append(all, d)
		}
	} else if d, ok := l.wideKnown(a, p, ids); ok {
		all = append(all, d)
	}
	if all == nil {
		return nil, &Refusal{"not all of its words are known, or they are too long for a rule: " + a.node.Command(), once}
	}
	return all, nil
}

// obeysInput reports whether a program may do what its input says.
func obeysInput(cmd *policy.Command, p *match.Program, name string) bool {
	if cmd.Stdin.Kind == policy.InputHost {
		return false
	}
	if p == nil {
		return true
	}
	c := match.Call{Cmd: cmd, Name: name}
	gates.Judge(&c)
	for _, h := range c.Held {
		if h.Rule.Effects&(policy.Persistence|policy.Privilege) != 0 {
			return true // crontab -, at now
		}
	}
	return slices.ContainsFunc(c.Uses, func(u match.Use) bool { return u.FromStdin })
}

// ofProject reports whether what a command means hangs on where it runs: it runs
// code, or names files from there.
func (a *ask) ofProject() bool {
	if (a.effects()|a.node.Effects)&(policy.Executes|policy.Persistence) != 0 || a.node.Place() != "" {
		return true
	}
	if slices.ContainsFunc(a.reasons, func(r *engine.Reason) bool { return r.About() != "" || r.Effects&(policy.Secret|policy.Deletes) != 0 }) {
		return true
	}
	return slices.ContainsFunc(a.command.Words, func(w policy.Word) bool {
		text := w.Prefix()
		return strings.Contains(text, "/") && !strings.Contains(text, "://") && !path.IsAbs(text) || strings.Contains(path.Ext(text), ".") && len(path.Ext(text)) > 1
	})
}

// runsFiles reports whether the words may name code that lies elsewhere in another
// directory.
func (a *ask) runsFiles() bool {
	return (a.effects()|a.node.Effects)&policy.Executes != 0
}

// limit is the condition that a command runs in this workspace, or where it does,
// outside of it.
func (l *learner) limit(a *ask) (line, summary string, ok bool) {
	dir, ws := a.node.Dir(), strings.TrimSuffix(l.request.Workspace, "/")
	if dir == "" {
		return "", "", false
	}
	dir = path.Clean(dir)
	in := ws != "" && (dir == ws || strings.HasPrefix(dir, ws+"/"))
	if in && !a.runsFiles() {
		dir = ws
	}
	name, ok := l.place(dir)
	if dir == l.request.Home {
		name, ok, in = "~", true, false
	}
	if !ok {
		return "", "", false
	}
	globs := []string{name}
	if in && !a.runsFiles() {
		globs = append(globs, name+"/**")
	}
	return "directory = " + list(globs) + "\n", " in " + name, true
}

// exactly is the rule about the words of a command as they are.
func (l *learner) exactly(a *ask, p *match.Program, name string, file bool, ids []string) (draft, bool) {
	var operands []string
	for _, w := range a.command.Words[1:] {
		text, known := w.Const()
		if !known || len(text) > longest || !utf8.ValidString(text) || strings.Contains(text, "\x00") {
			return draft{}, false
		}
		kind := "data="
		if p == nil && isFile(text) {
			kind = "arg=" // wherever it runs, a file of the workspace
		}
		operands = append(operands, kind+plain(text))
	}
	d := draft{program: name, name: called(a, p, name)}
	table := "[[programs]]\nname = " + quoted(name) + "\n"
	if slices.Contains(operands, "data=--") {
		table += "dashes = \"skip\"\n"
	}
	if p != nil && p.Unsteered {
		table += "unsteered = true\n"
	}
	where, summary := "", ""
	if file || a.ofProject() {
		if where, summary, d.limited = l.limit(a); !d.limited {
			return draft{}, false
		}
	}
	d.exact = true
	d.text = table + "\n[[programs.options]]\nstyle = \"none\"\n\n" + rule(where, "operands = "+list(operands)+"\n", ids, a)
	d.summary = "only " + shown(a.node.Command()) + behind(a) + summary
	return d, true
}

// behind says what runs a command: " behind sudo".
func behind(a *ask) string {
	if len(a.command.Via) == 0 {
		return ""
	}
	return " behind " + shown(strings.Join(a.command.Via, ", "))
}

// rule is an allow with its conditions, which are lines.
func rule(where, conditions string, ids []string, a *ask) string {
	text := "[[programs.allow]]\nid = \"learned." + idPlace + "\"\n" + conditions + "wrappers = " + list(a.command.Via) + "\n"
	if a.command.Stdin.Kind == policy.InputHost {
		text += "unfed = true\n"
	}
	text += where + "lifts = " + list(ids) + "\n"
	if example, ok := exampleOf(a); ok {
		text += "examples = " + list([]string{example}) + "\n"
	}
	return text
}

// exampleOf is the command as an example, where all of it is known.
func exampleOf(a *ask) (string, bool) {
	for _, w := range a.command.Words {
		if !w.IsConst() {
			return "", false
		}
	}
	return a.node.Command(), true
}

// shown is a command in a line of words.
func shown(command string) string {
	command = policy.Visible(strings.ReplaceAll(command, "\n", " "))
	if len(command) > 100 {
		n := 100
		for !utf8.RuneStart(command[n]) {
			n--
		}
		command = command[:n] + "..."
	}
	return command
}

// called is the program with its subcommand: "git push".
func called(a *ask, p *match.Program, name string) string {
	if p == nil {
		return path.Base(name)
	}
	return strings.Join(append([]string{name}, match.Called(p, a.command).Path...), " ")
}

// lifting is a draft about exact words that answers more: what is asked only
// where something else is not.
func (d draft) lifting(ids []string) (draft, bool) {
	before, after, ok := strings.Cut(d.text, "\nlifts = [")
	if !d.exact || !ok || strings.Contains(after, "\nlifts = [") {
		return d, false
	}
	more := ""
	for _, id := range ids {
		if strings.HasPrefix(id, "redirect.") || strings.HasPrefix(id, "env.") || strings.Contains(after, quoted(id)) {
			return d, false
		}
		more += quoted(id) + ", "
	}
	d.text = before + "\nlifts = [" + more + after
	return d, true
}
