package python

import (
	"slices"

	"github.com/bashgate/bashgate/internal/code"
)

// A list, set or table of the library's own, which it reads again when it likes: what an
// import looks into, what warnings load. Facts tell it as a view, which is looked at.
const view = "view"

// viewChanges reports whether plain data may be a view, and a method of data changes it.
func (in *reader) viewChanges(method string) bool {
	switch method {
	case "append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "add", "discard", "update", "setdefault", "popitem",
		"difference_update", "intersection_update", "symmetric_difference_update":
		return in.isViewLoose()
	}
	return false
}

// looseView asks about plain data that is changed, where it may be a view.
func (in *reader) looseView() {
	if in.isViewLoose() {
		in.unknown("changing what Python itself may read")
	}
}

// isViewLoose reports whether a view was let out of sight, so that plain data may be it.
func (in *reader) isViewLoose() bool {
	return slices.ContainsFunc(in.loose, func(s code.Shape) bool { return s.Kind == code.Object && s.Type == view })
}
