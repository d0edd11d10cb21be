package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// location is where the shell is, and where it can go back to.
type location struct {
	dirs []string // possible working directories; nil: not known
	old  []string // those of $OLDPWD; nil: not known

	// What pushd keeps is not one stack but several where a pushd may have failed:
	// the first sure directories, or one more, and so on to all.
	stack     [][]string // last pushed last
	sure      int        // how many of them are there for certain
	stackLost bool       // the stack is not known
}

// join returns what is known where the shell may be in either.
func (l location) join(o location) location {
	l.dirs, l.old = joinDirs(l.dirs, o.dirs), joinDirs(l.old, o.old)
	switch {
	case l.stackLost || o.stackLost:
		l.loseStack()
	case !l.sameStack(&o):
		low, high := l.stack, o.stack
		if len(low) > len(high) {
			low, high = high, low
		}
		l.stack = slices.Clone(high)
		for i := range low {
			l.stack[i] = joinDirs(low[i], high[i])
		}
		l.sure = min(l.sure, o.sure)
	}
	return l
}

func (l *location) sameStack(o *location) bool {
	return l.stackLost == o.stackLost && l.sure == o.sure && slices.EqualFunc(l.stack, o.stack, slices.Equal[[]string])
}

func (l *location) loseStack() { l.stack, l.sure, l.stackLost = nil, 0, true }

// push keeps the directory that pushd leaves. Where it is not known how many there
// are, each place behind those that are certain may be its.
func (l *location) push(dirs []string) {
	switch {
	case l.stackLost:
	case len(l.stack) >= maxStack:
		l.loseStack()
	default:
		stack := append(slices.Clone(l.stack), dirs)
		for i := l.sure; i < len(stack)-1; i++ {
			stack[i] = joinDirs(stack[i], dirs)
		}
		l.stack, l.sure = stack, l.sure+1
	}
}

// pop takes the last directory away and returns it. There is at least one that may
// be there.
func (l *location) pop() []string {
	n := len(l.stack)
	to := l.stack[n-1]
	for i := max(l.sure-1, 0); i < n-1; i++ {
		to = joinDirs(to, l.stack[i])
	}
	l.stack, l.sure = l.stack[:n-1], max(l.sure-1, 0)
	return to
}

// cd changes the directory, if it can.
func (r *run) cd(in *invocation, args []policy.Word) {
	opts, args := in.own.getopt(args)
	physical := opts.any("P")
	var to []string
	switch {
	case len(args) > 1, opts.alien: // an error in bash, a replacement in zsh
	case len(args) == 0:
		to = r.home()
	default:
		if to = r.resolve(args[0], physical); physical {
			to = nil // which name the directory has now is for the disk to say
		}
	}
	r.moveTo(in, r.f.location, to)
}

// moveTo leaves the shell in the new directories, with the stack of after, or, if
// that failed, where it is.
func (r *run) moveTo(in *invocation, after location, to []string) {
	r.moves++
	after.dirs, after.old = to, r.f.dirs
	in.did.stays = false
	in.did.ok, in.did.fail = ending{location: after}, r.here()
	r.enter(in.did.end())
}

// loseDirs makes it unknown where the shell is.
func (r *run) loseDirs() {
	r.moves++
	r.f.dirs, r.f.old = nil, nil
	r.loseStack()
}

// home is where cd without an operand goes.
func (r *run) home() []string {
	if v := r.get("HOME"); v != nil {
		if s, ok := v.value.Const(); ok && v.set == policy.Yes && path.IsAbs(s) {
			return absolute(s)
		}
		return nil
	}
	if r.in.Home == "" {
		return nil
	}
	return []string{r.in.Home}
}

// resolve returns the directories that the operand of cd may name.
func (r *run) resolve(w policy.Word, physical bool) []string {
	s, ok := w.Const()
	switch {
	case !ok:
		return nil
	case s == "":
		return r.f.dirs
	case s == "-":
		return r.f.old
	case physical && strings.Contains(s, ".."):
		return nil // symbolic links count
	case path.IsAbs(s):
		return absolute(s)
	case strings.HasPrefix(s, "~"):
		return nil // somebody's home
	case r.get("CDPATH") != nil && s != "." && s != ".." && !strings.HasPrefix(s, "./") && !strings.HasPrefix(s, "../"):
		return nil
	case r.may(namedPlaces) && r.get(first(s)) != nil:
		return nil // zsh may take it for the directory that the variable holds
	case (s[0] == '+' || s[0] == '-') && isDigits(s[1:]):
		return nil // zsh's stack of directories
	}
	var to []string
	for _, d := range r.f.dirs {
		to = append(to, path.Join(d, s))
	}
	return to
}

// absolute returns the directory of a path from the root. Behind two slashes POSIX
// lets be anything, and shells keep them in PWD.
func absolute(s string) []string {
	if strings.HasPrefix(s, "//") && !strings.HasPrefix(s, "///") {
		return nil
	}
	return []string{path.Clean(s)}
}

// first is the first element of a relative path.
func first(s string) string {
	name, _, _ := strings.Cut(s, "/")
	return name
}

func (r *run) pushd(in *invocation, args []policy.Word) {
	opts, args := in.own.getopt(args)
	if opts.any("n") || len(args) != 1 || opts.alien || isRotation(args[0]) {
		r.moveAnyhow(in, opts)
		return
	}
	r.stacks++
	after := r.f.location
	after.push(r.f.dirs)
	r.moveTo(in, after, r.resolve(args[0], false))
}

// moveAnyhow does what pushd and popd may do to the stack. With -n they change no
// more than that.
func (r *run) moveAnyhow(in *invocation, opts options) {
	r.loseStack()
	if !opts.any("n") {
		r.moveTo(in, r.f.location, nil)
	}
}

func (r *run) popd(in *invocation, args []policy.Word) {
	opts, args := in.own.getopt(args)
	if opts.any("n") || len(args) > 0 || opts.alien || r.f.stackLost || len(r.f.stack) == 0 {
		r.moveAnyhow(in, opts)
		return
	}
	r.stacks++
	after := r.f.location
	to := after.pop()
	r.moveTo(in, after, to)
}

// loseStack makes it unknown what pushd keeps.
func (r *run) loseStack() {
	r.stacks++
	r.f.loseStack()
}

// isRotation reports whether a word is +N or -N, or may be.
func isRotation(w policy.Word) bool {
	s, ok := w.Const()
	return !ok || len(s) > 1 && (s[0] == '+' || s[0] == '-') && isDigits(s[1:])
}

// dirs shows the stack, or changes it: -c empties it, and zsh sets it.
func (r *run) dirs(_ *invocation, args []policy.Word) {
	for _, w := range args {
		if s, ok := w.Const(); !ok || s == "" || s[0] != '-' || strings.Trim(s[1:], "lpv") != "" {
			r.loseStack()
		}
	}
}

// joinDirs returns the directories of both, or nil if one is not known or they
// are too many.
func joinDirs(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	if len(a) == len(b) && (&a[0] == &b[0] || slices.Equal(a, b)) {
		return a
	}
	both := slices.Clip(slices.Clone(a))
	for _, d := range b {
		if !slices.Contains(both, d) {
			both = append(both, d)
		}
	}
	if len(both) > maxDirs {
		return nil
	}
	return both
}
