package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
)

// patch is unittest.mock.patch, which imports what stands before the last dot of a name, as
// far as that is a module, and puts something in the place of the last. It may reach
// through code of the project to a module of Python's own library: that is known by its
// name.
func (in *reader) patch(args arguments) code.Value {
	name, ok := in.sureText(&args, 0)
	parts := strings.Split(name, ".")
	if !ok || len(parts) < 2 || in.find(parts[0]).Kind != code.Nothing || IsStandard(parts[0]) || strings.HasPrefix(parts[len(parts)-1], "_") || slices.ContainsFunc(parts[1:len(parts)-1], in.isModule) {
		return in.unknown("patch() of what is not the project's")
	}
	last := parts[len(parts)-1]
	if above := strings.Join(parts[:len(parts)-1], "."); in.origin(above) != code.Local && in.isOfLibrary(last) {
		return in.unknown("patch() of what may be another name of Python's own library")
	}
	in.load(parts[0]) // what lies in it may be no module
	for i := 2; i < len(parts); i++ {
		if up := strings.Join(parts[:i], "."); in.mayHaveWritten(up) || in.origin(up) == code.Strange {
			return in.unknown("patch() of what the text may have written")
		}
	}
	in.handsAll(args.call, &args)
	for a := range args.all() {
		in.escape(a)
		in.tell(a)
	}
	in.loosen(project[0])
	return project
}

// isOfLibrary reports whether a module of Python's own library has something under a name,
// or one that the text imports, or a class in such a module.
func (in *reader) isOfLibrary(name string) (known bool) {
	in.text.Facts.Owners(language, name, func(owner string) bool {
		module := first(owner)
		known = in.sight.gets[module] || IsStandard(module) && in.find(owner).Kind != code.Class
		return !known
	})
	return known
}

// isModule reports whether a module of Python's own library is called so, one that facts
// know and that the text has as well, or something in such a module.
func (in *reader) isModule(name string) bool {
	kind := in.find(name).Kind
	known := strings.HasPrefix(name, "_") || IsStandard(name) || kind != code.Nothing && (kind != code.Module && kind != code.Asked || in.sight.gets[name])
	in.text.Facts.Owners(language, name, func(owner string) bool {
		known = known || in.find(owner).Kind == code.Module && IsStandard(first(owner))
		return !known
	})
	return known
}
