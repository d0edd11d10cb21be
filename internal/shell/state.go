package shell

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// attrs are a variable's attributes. After a join a variable may have those of
// both sides: each of them makes an assignment mean more, and one that a variable
// has for certain makes more known of what was assigned.
type attrs uint16

const (
	exported attrs = 1 << iota // the first ones are those of attrLetters
	readonly
	integer
	lower
	upper
	indexed   // an array
	assoc     // an associative array
	local     // declared in the function being interpreted
	lent      // exported for a command alone, by what stands before it
	confirmed // exported by a declaration while it was lent
	counted   // arithmetic assigned it first: an integer to zsh, text to bash
)

const arrayAttrs = indexed | assoc

// variable is what is known of one. It is never changed once it is in the
// state, so that states can share it.
//
//	x=1          {set: yes, value: 1}
//	x=$(date)    {set: yes, value: hole}
//	x=(a b)      {set: yes, attrs: indexed, elems: [0:a 1:b]}
type variable struct {
	set   policy.Tri
	value policy.Word // of a scalar; of an array's element 0 it is not used
	elems []element   // of an array, sorted by index for an indexed one
	blur  bool        // an array whose elements are not known
	attrs attrs       // those that it may have
	sure  attrs       // of integer, lower and upper, those that it has
}

// attrsOr returns the attributes of a variable, or others for nil.
func (v *variable) attrsOr(others attrs) attrs {
	if v == nil {
		return others
	}
	return v.attrs
}

// at returns an element of an array.
func (v *variable) at(key string) (policy.Word, bool) {
	i := slices.IndexFunc(v.elems, func(e element) bool { return e.key == key })
	if i < 0 {
		return policy.Word{}, false
	}
	return v.elems[i].value, true
}

// element is what a parameter is that is an element of an array.
func (v *variable) element(key string) param {
	if value, set := v.at(key); set {
		return scalar(value, policy.Yes)
	}
	return scalar(policy.Word{}, policy.No)
}

type element struct {
	key   string
	value policy.Word
}

// get returns a variable that the text sets, or nil for one that only the
// environment may have.
func (r *run) get(name string) *variable {
	v := r.vars[name]
	if v == nil && r.f.foreign && is(name, presumed) {
		return &anything
	}
	return v
}

// anything is a variable of which nothing is known.
var anything = variable{set: policy.Maybe, value: policy.Word{Parts: []policy.Part{{Kind: policy.Hole}}}}

// set changes a variable.
func (r *run) set(name string, v *variable) {
	if r.vars == nil {
		r.vars = make(map[string]*variable, 8)
	}
	r.note(symbol{name: name})
	r.vars[name] = v
	r.tell(name, v.value)
	for i := range v.elems {
		r.tell(name, v.elems[i].value)
	}
	if v.attrs != 0 || is(name, presumed) {
		r.seed(name, v)
	}
}

// given is one text that a variable holds; "" for those of which nothing is known.
type given struct{ name, text string }

// tell puts what a variable is given in the reading: texts, patterns, and what is
// known in part.
func (r *run) tell(name string, values ...policy.Word) {
	for _, v := range values {
		text, known := v.Const()
		value := policy.Const(text)
		if !known && (len(v.Parts) > 1 || v.HasGlob()) {
			text, value = "\x00"+v.String(), v
		}
		g := given{name, text}
		if r.told[g] || name == "" && text == "" || !r.spend(1) {
			continue
		}
		if r.told == nil {
			r.told = make(map[given]bool, 8)
		}
		r.told[g] = true
		r.out.Given = append(r.out.Given, policy.Assign{Name: name, Value: value})
	}
}

// forget makes a variable one that only the environment may have.
func (r *run) forget(name string) {
	if r.vars[name] != nil {
		r.note(symbol{name: name})
		delete(r.vars, name)
	}
}

// setFunc defines a function; nil undefines it.
func (r *run) setFunc(name string, f *function) {
	if r.funcs == nil {
		r.funcs = make(map[string]*function, 4)
	}
	r.note(symbol{name, true})
	if f == nil {
		delete(r.funcs, name)
	} else {
		r.funcs[name] = f
	}
}

// frame is the part of the state that is copied rather than logged. What its
// slices hold is never changed.
type frame struct {
	location
	arguments
	streams
	env       []policy.Assign // exported by the text
	allExport bool            // set -a
	foreign   bool            // a text that is not known ran in this shell: see the fact presumed
	execs     int             // how often exec redirected the shell itself
}

// arguments are $0, $1, $2 and so on.
type arguments struct {
	arg0      policy.Word
	args      []policy.Word
	argsKnown bool
}

// streams are where the descriptors lead.
type streams struct {
	stdin  input
	stdout policy.Output
	fds    []descriptor
	open   []policy.Open // the same, as files
}

// setArgs sets them, where each of them is one word.
func (a *arguments) setArgs(args []policy.Word) {
	a.args, a.argsKnown = args, true
	if slices.ContainsFunc(args, policy.Word.MaySplit) {
		a.loseArgs()
	}
}

func (a *arguments) loseArgs() { a.args, a.argsKnown = nil, false }

// descriptor is an open file other than standard input and output. Standard
// error is among them once it leads elsewhere than the host gave it.
type descriptor struct {
	fd    string
	input input
}

// joinVar returns what is known when a variable is one of two. Nil is one that
// only the environment may have.
func joinVar(a, b *variable) *variable {
	if a == b {
		return a
	}
	if a == nil {
		a, b = b, a
	}
	if b == nil {
		return &variable{set: policy.Maybe, value: hole(policy.ShapeAny), attrs: calculated(a.attrs), blur: a.attrs&arrayAttrs != 0}
	}
	v := &variable{set: a.set.Either(b.set), attrs: a.attrs | b.attrs, sure: a.sure & b.sure}
	if (a.attrs^b.attrs)&assoc != 0 {
		v.attrs = calculated(v.attrs)
	}
	if v.attrs&arrayAttrs != 0 {
		if a.attrs&arrayAttrs == b.attrs&arrayAttrs && !a.blur && !b.blur && sameElements(a.elems, b.elems) {
			v.elems = a.elems
			return v
		}
		v.blur = true
		return v
	}
	v.value = joinValue(a.value, b.value)
	return v
}

// calculated are the attributes of an array that may not be associative: its
// subscripts may be calculated.
func calculated(a attrs) attrs {
	if a&assoc != 0 {
		a = a&^assoc | indexed
	}
	return a
}

func sameElements(a, b []element) bool {
	return slices.EqualFunc(a, b, func(x, y element) bool { return x.key == y.key && sameValue(x.value, y.value) })
}

// joinValue returns what is known of a text that is one of two.
func joinValue(a, b policy.Word) policy.Word {
	if sameValue(a, b) {
		return a
	}
	return hole(joinShape(shapeOf(a), shapeOf(b)))
}

func sameValue(a, b policy.Word) bool {
	if a.Parts == nil && b.Parts == nil {
		return a.Text == b.Text
	}
	return a.Parts != nil && slices.Equal(a.Parts, b.Parts) && !a.HasHole()
}

func joinShape(a, b policy.Shape) policy.Shape {
	if a == b {
		return a
	}
	return policy.ShapeAny
}

// hole is a value of which only the shape is known.
func hole(s policy.Shape) policy.Word {
	return policy.Word{Parts: []policy.Part{{Kind: policy.Hole, Shape: s}}}
}

// shapeOf says what is known of a value without its text.
func shapeOf(w policy.Word) policy.Shape {
	if w.Parts != nil {
		if len(w.Parts) == 1 && w.Parts[0].Kind == policy.Hole {
			return w.Parts[0].Shape
		}
		return policy.ShapeAny
	}
	switch s := w.Text; {
	case policy.IsNumber(s):
		return policy.ShapeNumber
	case s == "" || s[0] == '-' || strings.ContainsFunc(s, func(c rune) bool { return !isWordRune(c) }):
		return policy.ShapeAny
	case s[0] == '/':
		return policy.ShapePath
	}
	return policy.ShapeWord
}

func isWordRune(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_./:@%+=,-", c)
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func joinFrame(a, b *frame) frame {
	f := *b
	f.location = a.location.join(b.location)
	if !a.argsKnown || !b.argsKnown || !slices.EqualFunc(a.args, b.args, sameValue) {
		f.loseArgs()
	}
	if !sameValue(a.arg0, b.arg0) {
		f.arg0 = unknownArg0
	}
	if a.stdin.Kind != b.stdin.Kind || a.stdin.drawn != b.stdin.drawn || !sameValue(a.stdin.Text, b.stdin.Text) {
		f.stdin = input{Input: policy.Input{Kind: policy.InputHole}}
	}
	if a.stdout != b.stdout {
		f.stdout = policy.OutputPipe
	}
	f.fds = joinDescriptors(a.fds, b.fds)
	f.open = joinOpen(a.open, b.open)
	f.env = joinEnv(a.env, b.env)
	f.allExport = a.allExport || b.allExport
	f.foreign = a.foreign || b.foreign
	f.execs = max(a.execs, b.execs)
	return f
}

// joinDescriptors keeps what either way opens. What a descriptor leads to is
// known only where both ways agree.
func joinDescriptors(a, b []descriptor) []descriptor {
	if len(a) == 0 && len(b) == 0 || len(a) == len(b) && &a[0] == &b[0] {
		return b
	}
	both := make([]descriptor, 0, len(a)+len(b))
	for _, d := range slices.Concat(a, b) {
		if !slices.ContainsFunc(both, func(o descriptor) bool { return o.fd == d.fd }) {
			both = append(both, descriptor{d.fd, input{Input: policy.Input{Kind: policy.InputHole}}})
		}
	}
	return both
}

// joinEnv keeps what either way exports.
func joinEnv(a, b []policy.Assign) []policy.Assign {
	if len(a) == 0 || len(a) == len(b) && &a[0] == &b[0] {
		return b
	}
	if len(b) == 0 {
		return a
	}
	env := slices.Clone(b)
next:
	for _, x := range a {
		for i := range env {
			if env[i].Name == x.Name {
				if !sameValue(env[i].Value, x.Value) {
					env[i].Value = hole(policy.ShapeAny)
				}
				continue next
			}
		}
		env = append(env, x)
	}
	return env
}

// blurred is a variable whose value is a hole.
func blurred(v *variable, s policy.Shape) *variable {
	b := &variable{set: policy.Maybe, value: hole(s)}
	if v != nil {
		b.attrs, b.sure = v.attrs, v.sure
		b.blur = v.attrs&arrayAttrs != 0
	}
	return b
}

// loseShell makes nothing known of the shell: a text that is not known ran in it.
func (r *run) loseShell() {
	r.blurAll()
	r.f.foreign, r.foreign, r.nounset, r.errtrace, r.onError = true, true, true, true, true
	r.loseStreams()
}

// blurAll makes every variable of the text a hole.
func (r *run) blurAll() {
	for name, v := range r.vars {
		r.set(name, blurred(v, policy.ShapeAny))
	}
	r.f.loseArgs()
	r.loseDirs()
}
