package rulegen

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/shell"
	"github.com/bashgate/bashgate/policy"
)

// judgeExamples judges all examples as far as the rules decide them: what the
// engine makes of paths, hosts, variables and texts in other languages is
// tested with the engine, which this package must not import.
func (s *set) judgeExamples() ruleset.Errors {
	var errs ruleset.Errors
	reader := shell.New()
	builtIn := interp.New(s.builtIn)
	for _, l := range []struct {
		dir   string
		gates []*match.Gate
	}{{"", s.builtIn}, {"packs", s.packs}, {"profiles", s.profiles}} {
		for _, f := range s.order(l.gates, l.dir) {
			rules := []*interp.Rules{builtIn}
			if l.dir != "" {
				rules = append(rules, interp.New([]*match.Gate{f.Gate}))
			}
			var idle idleAllows
			for _, e := range ruleset.Examples(f.file, f.Gate) {
				v := view{reader: reader, rules: rules, set: s, profile: f.Gate.Profile}
				if err := v.example(&e); err != nil {
					errs = append(errs, err)
				} else {
					idle.note(&e, v.calls)
				}
			}
			if l.dir == "" {
				errs = append(errs, idle.errors()...)
			}
		}
	}
	return errs
}

// idleAllows finds allows without which all of their examples would be
// allowed as well: an example must test its rule.
type idleAllows struct {
	order []ruleset.Example // the last example of each allow
	works map[*match.Rule]bool
}

func (a *idleAllows) note(e *ruleset.Example, calls []*match.Call) {
	if e.Decision() != policy.Allow || e.Rules[0].Prints != policy.ShapeAny || e.Rules[0].Into != match.IntoNothing || e.Rules[0].Effects != 0 {
		return // or it says more than that something is allowed
	}
	if a.works == nil {
		a.works = map[*match.Rule]bool{}
	}
	rule := e.Rules[0]
	if n := len(a.order); n > 0 && a.order[n-1].Rules[0] == rule {
		a.order[n-1] = *e
	} else {
		a.order = append(a.order, *e)
	}
	for _, c := range calls {
		others, mine := 0, slices.Contains(c.Cmd.Via, rule.Program)
		for _, h := range c.Held {
			if slices.Contains(e.Rules, h.Rule) {
				mine = true
			} else if h.Decision == policy.Allow {
				others++
			}
		}
		if mine && others == 0 {
			a.works[rule] = true
		}
	}
}

func (a *idleAllows) errors() ruleset.Errors {
	var errs ruleset.Errors
	for i := range a.order {
		e := &a.order[i]
		if rule := e.Rules[0]; !a.works[rule] {
			errs = append(errs, e.Errorf("add an example that needs the rule, or remove the rule", fmt.Sprintf("another rule allows all examples of %s", rule.ID)))
		}
	}
	return errs
}

// view is what the rules see in one example.
type view struct {
	reader  *shell.Reader
	rules   []*interp.Rules
	set     *set
	profile *match.Profile // nil outside profiles
	calls   []*match.Call
	asks    []policy.Finding
	depth   int
}

const (
	exampleWorkspace = "/home/user/project"
	exampleHome      = "/home/user"
)

func (v *view) example(e *ruleset.Example) *ruleset.Error {
	v.text(e.Command, []string{exampleWorkspace})
	switch {
	case e.Pipe != "":
		return nil // pipes are the engine's
	case len(e.Rules) > 0:
		return v.mustHold(e)
	case len(e.Without) > 0:
		return v.mustNotHold(e)
	}
	return v.mustNotAllow(e)
}

// mustHold checks that one of the example's rules holds and, for an allow,
// that no other rule asks about the same command.
func (v *view) mustHold(e *ruleset.Example) *ruleset.Error {
	var held []string
	why := ""
	for _, c := range v.calls {
		mine := slices.ContainsFunc(c.Facts, func(r *match.Rule) bool { return slices.Contains(e.Rules, r) })
		for _, h := range c.Held {
			mine = mine || slices.Contains(e.Rules, h.Rule)
		}
		// The reader has unwrapped command, exec and their like itself.
		mine = mine || slices.Contains(c.Cmd.Via, e.Rules[0].Program)
		if !mine {
			for _, h := range c.Held {
				held = append(held, h.Rule.ID)
			}
			if why == "" {
				why = c.Objection
			}
			continue
		}
		if e.Decision() != policy.Allow {
			return nil
		}
		for _, h := range c.Held {
			if objects(c, &h) {
				return e.Errorf(fmt.Sprintf("%s at %s:%d: %s", h.Rule.ID, h.Rule.File, h.Rule.Line, h.Rule.Reason), fmt.Sprintf("%s also holds for %q", h.Rule.ID, e.Command))
			}
		}
		for _, u := range c.Unknowns {
			if u.Decision > policy.Allow {
				return e.Errorf(c.Objection, fmt.Sprintf("the table of %s in %s has no allow for %q", u.Program.Name, u.Program.File, e.Command))
			}
		}
		return nil
	}
	if len(held) > 0 {
		slices.Sort(held)
		why = strings.TrimSuffix("held: "+strings.Join(slices.Compact(held), ", ")+"; "+why, "; ")
	}
	return e.Errorf(why, fmt.Sprintf("%s does not hold for %q", e.Rules[0].ID, e.Command))
}

// objects reports whether a rule that holds is asked about, or blocks: an allow
// of a profile that holds too may lift it.
func objects(c *match.Call, h *match.Held) bool {
	lifted := h.Decision == policy.Ask && slices.ContainsFunc(c.Held, func(by match.Held) bool {
		return by.Decision == policy.Allow && len(by.Rule.Lifts()) > 0 && match.AnyGlob(by.Rule.Lifts(), h.Rule.ID)
	})
	return h.Decision > policy.Allow && !lifted
}

// mustNotHold checks that a fact does not hold.
func (v *view) mustNotHold(e *ruleset.Example) *ruleset.Error {
	for _, c := range v.calls {
		if slices.ContainsFunc(c.Facts, func(r *match.Rule) bool { return slices.Contains(e.Without, r) }) {
			return e.Errorf("", fmt.Sprintf("%s holds for %q", e.Without[0].ID, e.Command))
		}
	}
	return nil
}

// mustNotAllow checks that something objects, or that something is left for
// the engine to judge.
func (v *view) mustNotAllow(e *ruleset.Example) *ruleset.Error {
	if len(v.asks) > 0 {
		return nil
	}
	var ids []string
	for _, c := range v.calls {
		if !c.Known || len(c.Handlers) > 0 || len(c.Uses) > 0 || len(c.Cmd.Redirects) > 0 || len(c.Cmd.Assigns) > 0 || len(c.Cmd.Words) == 0 {
			return nil
		}
		for _, h := range c.Held {
			if objects(c, &h) {
				return nil
			}
			ids = append(ids, h.Rule.ID)
		}
		for _, u := range c.Unknowns {
			if u.Decision > policy.Allow {
				return nil
			}
		}
	}
	return e.Errorf("by "+strings.Join(ids, ", "), fmt.Sprintf("%q is allowed", e.Command))
}

// text reads a line and runs the rules over all of its commands, and over
// those that they run.
func (v *view) text(line string, dirs []string) {
	if v.depth > 8 {
		return
	}
	reading := v.reader.Read(shell.Input{Text: line, Dialect: shell.Bash, Dirs: dirs, Home: exampleHome})
	for _, f := range reading.Findings {
		if f.Decision > policy.Allow {
			v.asks = append(v.asks, f)
		}
	}
	for i := range reading.Commands {
		v.command(&reading.Commands[i])
	}
}

func (v *view) command(cmd *policy.Command) {
	c := &match.Call{Cmd: cmd, World: v.set}
	v.calls = append(v.calls, c)
	if len(cmd.Words) == 0 {
		return
	}
	name, ok := cmd.Words[0].Const()
	if !ok {
		return
	}
	c.Name = name[strings.LastIndexByte(name, '/')+1:]
	files := v.files(name)
	for i, r := range v.rules {
		if len(files) == 0 {
			interp.Judge(r, c)
		}
		if i == 0 && v.profile != nil && v.profile.GrammarOnly {
			onlyGrammar(c)
		}
	}
	for _, p := range files {
		c.Judge(p)
	}
	v.depth++
	defer func() { v.depth-- }()
	if v.depth > 8 {
		return
	}
	for i := range c.Uses {
		switch u := &c.Uses[i]; u.Kind {
		case match.Command:
			inner := *cmd
			inner.Words, inner.Assigns, inner.Redirects = u.Words, nil, nil
			v.command(&inner)
		case match.Script:
			if text, ok := u.Word.Const(); ok {
				v.text(text, cmd.Dirs)
			}
		}
	}
}

// onlyGrammar drops what the built-in rules think of a command, but for blocks:
// the profile has opinions of its own.
func onlyGrammar(c *match.Call) {
	c.Held = slices.DeleteFunc(c.Held, func(h match.Held) bool { return h.Decision < policy.Block })
	c.Unknowns, c.Known = c.Unknowns[:0], false
}

// files lists the tables about the file of a path, by its text alone.
func (v *view) files(name string) []*match.Program {
	var files []*match.Program
	for _, p := range interp.Files(v.rules[len(v.rules)-1]) {
		if match.Glob(p.Name, name) {
			files = append(files, p)
		}
	}
	return files
}

// InWorkspace, InDirectory and Pushed know nothing: an example stands nowhere.
func (s *set) InWorkspace([]string) policy.Tri         { return policy.Maybe }
func (s *set) InDirectory(string, []string) policy.Tri { return policy.Maybe }
func (s *set) Pushed(*match.Invocation) match.Push {
	return match.Push{Why: "it is not known where it sends to"}
}

// Place reports whether a word is a path in a named place, by its text alone.
func (s *set) Place(w policy.Word, place string, _ []string) policy.Tri {
	text, ok := w.Const()
	if !ok {
		return policy.Maybe
	}
	if place == match.Known {
		for _, g := range s.builtIn {
			if g.Has(text) {
				return policy.Yes
			}
		}
		return policy.No
	}
	switch {
	case text == "~" || strings.HasPrefix(text, "~/"):
		text = exampleHome + text[1:]
	case !strings.HasPrefix(text, "/"):
		text = exampleWorkspace + "/" + text
	}
	switch place {
	case match.Outside:
		if text = path.Clean(text); text == exampleWorkspace || strings.HasPrefix(text, exampleWorkspace+"/") {
			return policy.No
		}
		return policy.Yes
	case match.Workspace:
		if path.Clean(text) == exampleWorkspace {
			return policy.Yes
		}
		return policy.No
	case match.File: // all that has a name with a dot is there
		if strings.Contains(path.Base(text), ".") {
			return policy.Yes
		}
		return policy.No
	}
	for _, g := range s.builtIn {
		for i := range g.Paths {
			p := &g.Paths[i]
			if p.Place != place {
				continue
			}
			globs := slices.Clone(p.Globs)
			for k := range globs {
				globs[k] = strings.Replace(globs[k], "~", exampleHome, 1)
			}
			in := false
			for _, g := range globs {
				if exclude, ok := strings.CutPrefix(g, "!"); ok {
					in = in && !match.PathGlob(exclude, text)
				} else {
					in = in || match.PathGlob(g, text)
				}
			}
			if in {
				return policy.Yes
			}
		}
	}
	return policy.No
}
