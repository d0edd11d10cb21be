package match

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// holding is how far a rule's conditions hold, and whether a hole that may be
// an option or the subcommand is why one of them only may.
//
// doubt says that a value which is not known decides whether it holds. A path
// that may lie outside the workspace is no doubt, and neither is a hole that
// may be an option which turns the rule off.
type holding struct {
	tri   policy.Tri
	hole  bool
	doubt bool
	on    string // the operand that it hangs on, as written
}

func (h *holding) and(t policy.Tri, hole bool) bool {
	h.doubt = h.doubt || t == policy.Maybe
	return h.surely(t, hole)
}

// surely is and for a condition that leaves no doubt.
func (h *holding) surely(t policy.Tri, hole bool) bool {
	if t < h.tri {
		h.tri = t
	}
	h.hole = h.hole || hole && t == policy.Maybe
	return h.tri > policy.No
}

// holds judges a rule's conditions, the most telling ones last, so that the
// one that fails tells how close the rule was.
func (c *Call) holds(r *Rule) holding {
	h := holding{tri: policy.Yes}
	allow := r.Decision == policy.Allow
	if t := c.onPath(r, allow); !h.and(t, c.anyPath) || allow && t < policy.Yes {
		return holding{}
	}
	if r.Bounds != nil && len(r.Bounds.Workspace) > 0 {
		if t := c.inWorkspace(r.Bounds.Workspace); !h.and(t, false) || allow && t < policy.Yes {
			return c.missed(r, nearWorkspace, 0, "")
		}
	}
	if b := r.Bounds; b != nil && allow {
		if b.Unfed && c.Cmd.Stdin.Kind != policy.InputHost {
			return c.missed(r, nearInput, 0, "")
		}
		if b.Fed && c.Cmd.Stdin.Kind == policy.InputHost {
			return c.missed(r, nearNoInput, 0, "")
		}
		if len(b.Directory) > 0 && !c.runsIn(b.Directory) {
			return c.missed(r, nearDirectory, 0, "")
		}
		if i := slices.IndexFunc(c.Cmd.Via, func(via string) bool { return b.Wrappers != nil && (len(b.Wrappers) == 0 || !AnyGlob(b.Wrappers, via)) }); i >= 0 {
			return c.missed(r, nearWrapper, 0, c.Cmd.Via[i])
		}
	}
	if len(r.Any) > 0 {
		best, hole := policy.No, false
		for i := range r.Any {
			t, byHole := c.present(&r.Any[i], allow)
			if best, hole = max(best, t), hole || byHole; best == policy.Yes {
				break
			}
		}
		if !h.and(best, hole) || allow && h.tri < policy.Yes {
			return c.missedFlag(r, best, hole, "")
		}
	}
	for i := range r.All {
		t, hole := c.present(&r.All[i], allow)
		if !h.and(t, hole) || allow && t < policy.Yes {
			return c.missedFlag(r, t, hole, r.All[i].Spelling)
		}
	}
	if len(r.Args) > 0 {
		t, on, outside := c.hasArg(r.Args)
		if !h.surely(t, false) || allow && t < policy.Yes {
			return c.missed(r, nearArgs, 0, "")
		}
		if t == policy.Maybe && !outside {
			h.doubt, h.on = true, on.String()
		}
	}
	for i := range r.Unless {
		t, hole := c.present(&r.Unless[i], !allow)
		if allow && hole && !c.p.Open && !r.AnyFlags {
			// Which options may stand in a hole's place, and whether they
			// matter, is decided by what defeats closed allows.
			t = policy.No
		}
		// An ask that a hole might turn off is told all the same: holes
		// rarely are options.
		if !h.surely(t.Not(), false) || allow && t > policy.No {
			if hole {
				return c.missed(r, nearHole, c.firstHole, "")
			}
			return c.missed(r, nearUnless, 0, r.Unless[i].Spelling)
		}
	}
	t := c.onOperands(r, allow)
	h.doubt = h.doubt || t == policy.Maybe && r.valued()
	if !h.surely(t, false) || allow && t < policy.Yes {
		if t == policy.Maybe {
			c.nearly(r)
			if c.defeat.stage != nearNone {
				c.spoilt(r)
			}
		}
		return c.missed(r, nearOperands, 0, "")
	}
	if !allow {
		if r.HasOnly {
			h.and(c.only(r), false)
		}
		if r.Bounds.pushes() {
			t, _ := c.pushes(r, false)
			h.and(t, false)
		}
		return h
	}
	if f := c.refused(r); f != nil {
		c.nearly(r)
		return c.missed(r, nearActs, f.at, f.name)
	}
	if r.HasOnly && c.firstHole > 0 {
		c.nearly(r)
		return c.missed(r, nearHole, c.firstHole, "")
	}
	if c.defeat.stage != nearNone && !c.p.Open && !r.AnyFlags {
		c.nearly(r)
		c.spoilt(r)
		return holding{}
	}
	if r.Bounds.pushes() {
		if t, why := c.pushes(r, true); t < policy.Yes {
			return c.missed(r, nearPush, 0, why)
		}
	}
	return h
}

// inWorkspace tells whether the workspace is one that globs mean.
func (c *Call) inWorkspace(globs []string) policy.Tri {
	if c.World == nil {
		return policy.Maybe
	}
	return c.World.InWorkspace(globs)
}

// runsIn reports whether the command surely runs in a directory that globs mean,
// and where an option leads elsewhere, in such a one too.
func (c *Call) runsIn(globs []string) bool {
	in := func(dirs []string) bool {
		return len(dirs) > 0 && !slices.ContainsFunc(dirs, func(dir string) bool { return c.World.InDirectory(dir, globs) < policy.Yes })
	}
	return c.World != nil && in(c.Cmd.Dirs) && (!c.moved || in(c.inside))
}

// missedFlag notes that an allow lacks an option. Where a hole is why that is
// not sure (sh -c "$x", where the hole may be another option), the operands
// are judged all the same.
func (c *Call) missedFlag(r *Rule, t policy.Tri, hole bool, name string) holding {
	if t == policy.Maybe && hole && r.Decision == policy.Allow {
		for i := range c.flags {
			if f := &c.flags[i]; f.admitted(r.Any) || f.admitted(r.All) {
				c.nearly(r)
				return c.missed(r, nearHole, c.firstHole, "")
			}
		}
	}
	return c.missed(r, nearFlags, 0, name)
}

// onPath tells whether the rule is about the command's subcommand: all of it
// for an allow, its beginning for the others.
func (c *Call) onPath(r *Rule, allow bool) policy.Tri {
	switch {
	case r.Paths == nil && allow && len(r.Any) == 0 && len(r.All) == 0 && !r.AnyFlags:
		// Without a subcommand and without an option that must be there
		// (--help), it speaks of the program alone: "npm --version" is not
		// about "npm publish".
		if c.anyPath {
			return policy.Maybe
		}
		return policy.Sure(len(c.path) == 0)
	case r.Paths == nil && r.Otherwise && r.Task != "":
		// The name of a task stands where a subcommand could: "pnpm lint".
		if c.anyPath {
			return policy.Maybe
		}
		return policy.Sure(len(c.path) == 0)
	case r.Paths == nil:
		return policy.Yes
	case c.anyPath:
		return policy.Maybe
	}
	for _, p := range r.Paths {
		if pathMatches(p, c.path, allow) {
			return policy.Yes
		}
	}
	return policy.No
}

// means reports whether a test names the option.
func (f *flag) means(t *FlagTest) bool {
	if f.name == t.Spelling {
		return true
	}
	return f.line != f.name && spells(f.line, t.Spelling)
}

// valued tells whether the option has one of the values that a test wants.
func (f *flag) valued(t *FlagTest) policy.Tri {
	switch {
	case t.Values == nil:
		return policy.Yes
	case !f.has:
		return policy.No
	}
	return anyGlobWord(t.Values, f.value)
}

// present tells whether an option is there, and whether that hangs on a hole.
//
// Where presence loosens the answer (loosens), the last occurrence counts and
// must surely be one: neither --dry-run=false nor --dry-run --no-dry-run.
// Where it tightens the answer, any occurrence counts.
func (c *Call) present(t *FlagTest, loosens bool) (found policy.Tri, byHole bool) {
	seen := false
	for i := range c.flags {
		f := &c.flags[i]
		is, off := c.matches(f, t)
		if is == policy.No && !off {
			continue
		}
		if f.shadow || f.at > c.doubt {
			is = min(is, policy.Maybe)
		}
		if !loosens {
			if !off {
				found = max(found, is)
			}
			continue
		}
		switch {
		case off:
			found, seen = policy.No, false
			continue
		case f.shadow:
			if found == policy.No {
				found = is
			} else if f.switched() < policy.Yes {
				found = policy.Maybe // in the other reading it is off again
			}
			continue
		case t.Values == nil:
			is = min(is, f.switched())
		}
		if hole := c.firstHole > 0 && f.at > c.firstHole || c.lastHole > f.at && c.undoable(f); hole && is == policy.Yes {
			is, byHole = policy.Maybe, true
		}
		if seen && t.Values != nil {
			is = min(is, found) // all occurrences must have the value
		}
		found, seen = is, true
	}
	if found == policy.No && c.firstHole > 0 {
		return policy.Maybe, true
	}
	return found, byHole
}

// matches tells whether f is the option that a test is about, with the value
// it wants, and whether it switches that option off.
func (c *Call) matches(f *flag, t *FlagTest) (is policy.Tri, off bool) {
	switch {
	case f.opt == nil && c.p.Open:
		return f.looksLike(t, c.Cmd.Words)
	case !f.means(t):
		return policy.No, false
	case f.neg:
		return policy.No, true
	}
	is = f.valued(t)
	if is == policy.No && t.Values != nil {
		// Present, but with another value: that counts as its last word.
		return policy.No, f.opt != nil && (!f.shadow || c.unended > 0)
	}
	return is, false
}

// switched tells whether an option that is there is also on.
func (f *flag) switched() policy.Tri {
	if !f.glued {
		return policy.Yes
	}
	if o := f.opt; o != nil && (o.Arity == Value && !strings.HasPrefix(f.name, "--") || o.Kind != Flag && o.Kind != Data && o.Kind != Acts) {
		return policy.Yes
	}
	text, ok := f.value.Const()
	if !ok {
		return policy.Maybe
	}
	switch strings.ToLower(text) {
	case "false", "f", "no", "n", "off", "0", "none", "never":
		return policy.No
	}
	return policy.Yes
}

// undoable reports whether a later word could switch the option off again.
func (c *Call) undoable(f *flag) bool {
	switch {
	case f.opt == nil:
		return true
	case f.opt.Arity == Value:
		return c.traits&Negate != 0
	}
	return f.opt.Arity >= Optional || c.traits&(Negate|Exact) != 0 || c.style == Long
}

// looksLike is matches for an option of a program whose options are not
// declared.
func (f *flag) looksLike(t *FlagTest, words []policy.Word) (is policy.Tri, off bool) {
	long := strings.HasPrefix(t.Spelling, "--")
	switch {
	case f.name == t.Spelling:
		is = policy.Yes
	case long && len(f.name) > 2 && strings.HasPrefix(t.Spelling, f.name):
		is = policy.Maybe // it may be abbreviated
	case long && strings.HasPrefix(f.name, "--no-") && f.name[5:] == t.Spelling[2:]:
		return policy.No, true
	case len(t.Spelling) == 2 && len(f.name) > 2 && f.name[1] != '-' && strings.IndexByte(f.name[1:], t.Spelling[1]) >= 0:
		is = policy.Maybe // it may be a cluster, and what follows the letter its value
		if t.Values != nil && !AnyGlob(t.Values, f.name[strings.IndexByte(f.name[1:], t.Spelling[1])+2:]) {
			is = policy.No
		}
		return is, false
	}
	if is == policy.No || t.Values == nil {
		return is, false
	}
	switch {
	case f.has:
		is = min(is, anyGlobWord(t.Values, f.value))
	case f.at+1 < len(words):
		is = min(is, anyGlobWord(t.Values, words[f.at+1]))
	default:
		is = policy.No
	}
	return is, is == policy.No
}

// valued reports whether it hangs on the operands' values whether a rule holds.
func (r *Rule) valued() bool {
	return slices.ContainsFunc(r.Operands, func(o Operand) bool { return o.Values != nil })
}

// hasArg tells whether some operand matches one of the globs, or lies in one
// of the places, which one does or may, and whether it may be because one may lie
// outside.
func (c *Call) hasArg(globs []string) (best policy.Tri, on policy.Word, outside bool) {
	for i := range c.operands {
		o := &c.operands[i]
		t := policy.No
		for _, g := range globs {
			place, ok := strings.CutPrefix(g, "@")
			switch {
			case !ok:
				t = max(t, globWord(g, o.word))
			case c.World == nil:
				t = max(t, policy.Maybe)
			default:
				var dirs []string
				if c.moved {
					dirs = c.around
				}
				in := c.World.Place(o.word, place, dirs)
				t, outside = max(t, in), outside || in > policy.No && place == Outside
			}
		}
		if o.wild && !o.some {
			t = min(t, policy.Maybe)
		}
		if t > best {
			best, on = t, o.word
		}
		if best == policy.Yes {
			break
		}
	}
	return best, on, outside
}

// onOperands tells whether the operands fit the rule's pattern.
func (c *Call) onOperands(r *Rule, allow bool) policy.Tri {
	if !r.HasOperands && (!allow || c.p.Open) {
		return policy.Yes
	}
	return c.place(r.Operands)
}

// refused returns the first option that keeps an allow from holding: one that
// acts and is not named, or one that only_flags does not list.
func (c *Call) refused(r *Rule) *flag {
	for i := range c.flags {
		f := &c.flags[i]
		switch {
		case f.opt == nil && !c.p.Open:
			continue // the defeat says so
		case f.admitted(r.Any), f.admitted(r.All), f.admitted(r.Only):
		case r.HasOnly, f.acts() && !r.Acts:
			return f
		}
	}
	return nil
}

func (f *flag) admitted(tests []FlagTest) bool {
	for i := range tests {
		if f.means(&tests[i]) && f.valued(&tests[i]) == policy.Yes {
			return true
		}
	}
	return false
}

// only tells whether an ask or block that lists all options it is about holds.
func (c *Call) only(r *Rule) policy.Tri {
	f := c.refused(r)
	switch {
	case f == nil && c.firstHole == 0 && c.defeat.stage == nearNone:
		return policy.Yes
	case f == nil || f.shadow || f.at > c.doubt:
		return policy.Maybe
	}
	return policy.No
}
