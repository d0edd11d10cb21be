package shell

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// cd changes the directory, if it can.
func (r *run) cd(in *invocation, args []policy.Word) {
	opts, args := in.own.getopt(args)
	physical := opts.any("P")
	before := r.f.dirs
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
	r.moveTo(in, before, to)
}

// moveTo leaves the shell in the new directories or, if that failed, in the
// old ones.
func (r *run) moveTo(in *invocation, before, to []string) {
	r.moves++
	in.did.ok, in.did.fail = ending{dirs: to, old: before}, r.here()
	r.enter(in.did.end())
}

// loseDirs makes it unknown where the shell is.
func (r *run) loseDirs() {
	r.moves++
	r.f.dirs, r.f.old = nil, nil
	r.f.loseStack()
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
	before := r.f.dirs
	to := r.resolve(args[0], false)
	if n := len(r.f.stack); n >= maxStack {
		r.f.loseStack()
	} else if !r.f.stackLost {
		r.f.stack = append(r.f.stack[:n:n], before)
	}
	r.moveTo(in, before, to)
}

// moveAnyhow does what pushd and popd may do to the stack. With -n they change no
// more than that.
func (r *run) moveAnyhow(in *invocation, opts options) {
	r.f.loseStack()
	if !opts.any("n") {
		r.moveTo(in, r.f.dirs, nil)
	}
}

func (r *run) popd(in *invocation, args []policy.Word) {
	opts, args := in.own.getopt(args)
	n := len(r.f.stack)
	if opts.any("n") || len(args) > 0 || opts.alien || r.f.stackLost || n == 0 {
		r.moveAnyhow(in, opts)
		return
	}
	to := r.f.stack[n-1]
	r.f.stack = r.f.stack[:n-1]
	r.moveTo(in, r.f.dirs, to)
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
			r.f.loseStack()
		}
	}
}
