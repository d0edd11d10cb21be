package shell

import (
	"slices"

	"github.com/bashgate/bashgate/policy"
)

// opens notes what a descriptor leads to from now on.
func (r *run) opens(o policy.Open) {
	r.f.open = append(slices.DeleteFunc(slices.Clone(r.f.open), func(p policy.Open) bool { return p.FD == o.FD }), o)
}

// opensInput notes an input that a descriptor leads to.
func (r *run) opensInput(fd string, in policy.Input) {
	o := policy.Open{FD: fd}
	if fd == "" {
		o.FD = "0"
	}
	switch {
	case in.Kind == policy.InputFile:
		r.opensFile(o.FD, in.Text)
		return
	case in.Kind == policy.InputText, in.Kind == policy.InputPipe, in.Kind == policy.InputHole && in.Text.Parts != nil:
		o.Harmless = true
	default:
		o.File = policy.Unknown("/dev/fd/" + o.FD)
	}
	r.opens(o)
}

// opensFile notes a file that a descriptor leads to, by a path that means the
// same in every directory.
func (r *run) opensFile(fd string, w policy.Word) {
	switch text := w.Prefix(); {
	case text == "" && !w.IsConst(), text != "" && (text[0] == '/' || text[0] == '~'):
	case len(r.f.dirs) == 1:
		w = concat(policy.Const(r.f.dirs[0]+"/"), w)
	default:
		w = policy.Unknown(w.String())
	}
	text, _ := w.Const()
	r.opens(policy.Open{FD: fd, File: w, Harmless: text == "/dev/null"})
}

// opensLike notes that a descriptor leads to where another one does; "" is a
// descriptor that is closed.
func (r *run) opensLike(fd, from string) {
	var o policy.Open
	switch from {
	case "0":
		o = r.openInput()
	case "":
		o.File = policy.Unknown("/dev/fd/" + fd) // whatever is opened next may take its number
	default:
		o = policy.Opened(r.f.open, from)
	}
	o.FD = fd
	r.opens(o)
}

// openInput is what standard input leads to. What the host gave is not known.
func (r *run) openInput() policy.Open {
	return (&policy.Command{Stdin: r.f.stdin.rest(), Open: r.f.open}).Opened("0")
}

// behind is the file that a redirect's word means, where the word names what a
// descriptor leads to.
func (r *run) behind(w policy.Word) policy.Word {
	name, _ := w.Const()
	fd, ok := policy.Descriptor(name)
	if !ok {
		return w
	}
	o := (&policy.Command{Stdin: r.f.stdin.rest(), Stdout: r.f.stdout, Open: r.f.open}).Opened(fd)
	if o.Harmless {
		return w
	}
	o.File.Pos = w.Pos
	return o.File
}

// joinOpen keeps what either way opens. Where a descriptor leads to is known
// only where both ways agree.
func joinOpen(a, b []policy.Open) []policy.Open {
	if len(a) == 0 && len(b) == 0 || len(a) == len(b) && &a[0] == &b[0] {
		return b
	}
	var both []policy.Open
	for _, o := range slices.Concat(a, b) {
		if slices.ContainsFunc(both, func(p policy.Open) bool { return p.FD == o.FD }) {
			continue
		}
		x, y := policy.Opened(a, o.FD), policy.Opened(b, o.FD)
		if x.Harmless != y.Harmless || !x.Harmless && !sameValue(x.File, y.File) {
			o = policy.Open{FD: o.FD, File: policy.Unknown("/dev/fd/" + o.FD)}
		}
		both = append(both, o)
	}
	return both
}
