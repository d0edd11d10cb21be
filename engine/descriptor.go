package engine

import (
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// A file name may stand for what the process has open already: /dev/stdin,
// /dev/fd/3. To Linux it is another name of that file, so that whoever writes
// to it writes there, though it was opened to be read. This file finds out what
// is meant.

// behind returns the use of the file that a word means, and whether there is
// one: not where the word is a device that keeps nothing, or something open that
// is no file. Input that the host gave may be one.
func behind(n *Node, u *match.Use, o op) (*match.Use, bool) {
	if o == opDelete {
		return u, true // the name goes, and not what is behind it
	}
	name, _ := u.Word.Const()
	fd, ok := policy.Descriptor(name)
	switch {
	case !ok:
		return u, !keepsNothing(name)
	case n.command.Where != policy.Here:
		return u, false // what the other machine makes of this one's input and output
	}
	open := n.command.Opened(fd)
	if open.Harmless || o == opRead && open.File.HasHole() {
		return u, false
	}
	file := *u
	file.Word = open.File
	file.Word.Pos = u.Word.Pos
	return &file, true
}

// passing reports whether a redirect's word is a device that keeps nothing, or
// names what is open and no file.
func passing(w policy.Word) bool {
	name, _ := w.Const()
	_, open := policy.Descriptor(name)
	return open || keepsNothing(name)
}

// keepsNothing reports whether a device forgets what is written to it.
func keepsNothing(name string) bool {
	switch name {
	case "/dev/null", "/dev/tty", "/dev/zero", "/dev/full":
		return true
	}
	return false
}
