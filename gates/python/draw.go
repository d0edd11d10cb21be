package python

import (
	"slices"

	"github.com/bashgate/bashgate/internal/python"
)

// A loop gives names the items of what it goes through. Where the tree shows all of them,
// names have one of several sure values, as others have one:
//
//	for name, text in {'a.txt': 'x', 'b.txt': 'y'}.items():
//	for i, (a, b) in enumerate(zip(names, ends)):

// drawn stands for what a loop gives a name: the items of what it goes through, or what
// stands in each of them at a place.
type drawn struct {
	python.Expr       // what the loop goes through
	at          []int // where in an item, from the outside to the inside
	list        []python.Expr
	state       drawnState
}

type drawnState uint8

const (
	unasked drawnState = iota
	asking             // what is part of its own items is not sure
	known
	unknowable
)

// A piece stands for any item of what an expression gives that is no display: the parts of
// a text, numbers, names of files.
type piece struct {
	python.Expr
	walks bool // a list of such: what os.walk tells of a directory
}

// number stands for any number.
func number() *python.Constant { return &python.Constant{Kind: python.Int} }

// unsure stands for an item of which nothing is known.
type unsure struct{ python.Expr }

// maxDrawn is how many items a loop has that are looked at.
const maxDrawn = 200_000

// draw binds the targets of a loop.
func (s *sight) draw(target, over python.Expr) {
	if c, is := over.(*python.Call); is {
		row := elements(target)
		if len(row) == 3 && !hasStar(row) {
			if dirs, is := row[1].(*python.Name); is {
				if s.walks == nil {
					s.walks = map[*python.Call]string{}
				}
				s.walks[c] = dirs.ID
			}
		}
	}
	s.drawAt(target, over, nil)
}

// prunes notes that a list gets no more than some of what it holds: dirs[:] = [...].
func (s *sight) prunes(t *python.Subscript, value python.Expr) {
	list, is := t.Value.(*python.Name)
	if !is {
		return
	}
	of := func(e python.Expr) bool {
		name, is := e.(*python.Name)
		return is && name.ID == list.ID
	}
	fewer := false
	switch v := value.(type) {
	case *python.List:
		fewer = len(v.Elts) == 0
	case *python.Call:
		fewer = len(v.Args) == 1 && of(v.Args[0]) && s.isNamed(v.Func, "sorted")
	case *python.ListComp:
		elt, is := v.Elt.(*python.Name)
		item, alone := v.Generators[0].Target.(*python.Name)
		fewer = is && alone && len(v.Generators) == 1 && elt.ID == item.ID && of(v.Generators[0].Iter)
	}
	if fewer {
		s.shown[list.ID]++
	}
}

// isNamed reports whether an expression is a name.
func (s *sight) isNamed(e python.Expr, name string) bool {
	n, is := e.(*python.Name)
	return is && n.ID == name
}

// goesDown reports whether a loop over os.walk goes where that leads: whoever changes the
// list of directories leads it elsewhere.
func (s *sight) goesDown(c *python.Call) bool {
	dirs, known := s.walks[c]
	return known && s.loads[dirs] == s.shown[dirs]
}

func (s *sight) drawAt(target, over python.Expr, at []int) {
	var inner []python.Expr
	switch t := target.(type) {
	case *python.Name:
		s.bind(t.ID, &drawn{Expr: over, at: at})
		return
	case *python.Tuple:
		inner = t.Elts
	case *python.List:
		inner = t.Elts
	}
	if inner == nil || hasStar(inner) {
		s.target(target, nil)
		return
	}
	for i, t := range inner {
		s.drawAt(t, over, append(at[:len(at):len(at)], i))
	}
}

// drawn lists what a name of a loop may be.
func (s *sight) drawn(d *drawn, depth int) ([]python.Expr, bool) {
	if d.state == unasked {
		d.state = asking
		list, ok := s.rows(d.Expr, depth)
		for _, i := range d.at {
			if list, ok = places(list, i, ok && s.fresh(d.Expr)); !ok {
				break
			}
		}
		if d.list, d.state = list, known; !ok {
			d.state = unknowable
		}
	}
	return d.list, d.state == known
}

// places are what stands at a place of each row. A list can be changed by whoever has it,
// where others have the rows, too.
func places(rows []python.Expr, i int, fresh bool) (list []python.Expr, ok bool) {
	for _, row := range rows {
		switch row := row.(type) {
		case *unsure:
			list = append(list, row)
			continue
		case *python.List:
			if !fresh {
				return nil, false
			}
		case *python.Tuple:
		default:
			return nil, false
		}
		elts := elements(row)
		if hasStar(elts) || i >= len(elts) {
			return nil, false
		}
		list = append(list, elts[i])
	}
	return list, true
}

// fresh reports whether nothing but one loop has what it goes through.
func (s *sight) fresh(e python.Expr) bool {
	switch e := e.(type) {
	case *python.Name:
		return s.loads[e.ID] == 1
	case *python.Call:
		if a, is := e.Func.(*python.Attribute); is {
			return s.fresh(a.Value)
		}
		return !slices.ContainsFunc(e.Args, func(a python.Expr) bool { return !s.fresh(a) })
	case *python.BinOp:
		return s.fresh(e.Left) && s.fresh(e.Right)
	case *python.List, *python.Tuple, *python.Dict, *python.Set, *python.Constant:
		return true
	}
	return false
}

// rows lists the items of what an expression gives; false where the tree does not show
// them.
func (s *sight) rows(e python.Expr, depth int) (list []python.Expr, ok bool) {
	if s.looked++; depth > maxSure {
		return nil, false
	}
	depth++
	ok = true
	add := func(more []python.Expr, is bool) {
		list = append(list, more...)
		ok = ok && is && len(list) <= maxDrawn
	}
	switch e := e.(type) {
	case *python.List, *python.Tuple, *python.Set:
		elts := elements(e)
		if set, is := e.(*python.Set); is {
			elts = set.Elts
		}
		for _, item := range elts {
			if star, is := item.(*python.Starred); is {
				add(s.rows(star.Value, depth))
			} else {
				list = append(list, item)
			}
		}
		return list, ok && len(list) <= maxDrawn
	case *python.Dict:
		return e.Keys, !slices.Contains(e.Keys, nil) && len(e.Keys) <= maxDrawn
	case *python.BinOp:
		if e.Op != python.Add {
			return nil, false
		}
		if add(s.rows(e.Left, depth)); ok {
			add(s.rows(e.Right, depth))
		}
		return list, ok
	case *python.IfExp:
		if add(s.rows(e.Body, depth)); ok {
			add(s.rows(e.Orelse, depth))
		}
		return list, ok
	case *python.ListComp:
		return []python.Expr{e.Elt}, true
	case *python.GeneratorExp:
		return []python.Expr{e.Elt}, true
	case *python.Name:
		return s.rowsOfName(e.ID, depth)
	case *piece:
		return []python.Expr{&piece{Expr: e.Expr}}, e.walks
	case *python.Call:
		return s.rowsOfCall(e, depth)
	}
	return nil, false
}

func (s *sight) rowsOfName(name string, depth int) (list []python.Expr, ok bool) {
	values := s.bindings[name]
	if _, imported := s.imports[name]; imported || len(values) != 1 || s.loads[name] != s.shown[name] {
		return nil, false
	}
	d, is := values[0].(*drawn)
	if !is {
		return s.rows(values[0], depth)
	}
	inner, ok := s.drawn(d, depth)
	for _, e := range inner {
		more, is := s.rows(e, depth)
		list = append(list, more...)
		ok = ok && is && len(list) <= maxDrawn
	}
	return list, ok
}

// rowsOfCall are the items of what a call gives: of what it is given or called on, or of
// what facts know to be texts or names.
func (s *sight) rowsOfCall(c *python.Call, depth int) (list []python.Expr, ok bool) {
	if hasStar(c.Args) || slices.ContainsFunc(c.Keywords, func(k python.Keyword) bool { return k.Name == "" }) {
		return nil, false
	}
	full, named := s.dotted(c.Func)
	switch {
	case !named:
	case full == "range":
		return []python.Expr{number()}, true
	case full == "enumerate" && len(c.Args) > 0:
		rows, ok := s.rows(c.Args[0], depth)
		if !ok {
			rows = []python.Expr{&unsure{}}
		}
		for _, row := range rows {
			list = append(list, &python.Tuple{Elts: []python.Expr{number(), row}})
		}
		return list, true
	case full == "zip":
		return s.zipped(c.Args, depth)
	case (full == "sorted" || full == "reversed" || full == "list" || full == "tuple" || full == "set" || full == "iter") && len(c.Args) == 1:
		return s.rows(c.Args[0], depth)
	case full == "os.walk":
		dir, names := python.Expr(&piece{Expr: c}), &piece{c, true}
		if !s.goesDown(c) {
			dir = &unsure{}
		}
		return []python.Expr{&python.Tuple{Elts: []python.Expr{dir, names, names}}}, true
	case full == "glob.glob" || full == "glob.iglob" || full == "os.listdir":
		return []python.Expr{&piece{Expr: c}}, true
	}
	a, is := c.Func.(*python.Attribute)
	if named || !is {
		return nil, false
	}
	switch a.Attr {
	case "split", "splitlines", "glob", "rglob", "iterdir":
		return []python.Expr{&piece{Expr: c}}, true
	}
	table := s.table(a.Value)
	if table == nil || !isView(a.Attr) || len(c.Args) > 0 {
		return nil, false
	}
	for i, k := range table.Keys {
		switch a.Attr {
		case "keys":
			list = append(list, k)
		case "values":
			list = append(list, table.Values[i])
		default:
			list = append(list, &python.Tuple{Elts: []python.Expr{k, table.Values[i]}})
		}
	}
	return list, true
}

// isView reports whether a method of a table gives what is in it, and changes nothing.
func isView(name string) bool { return name == "items" || name == "keys" || name == "values" }

// table is what a table holds whose items the tree shows; nil for others.
func (s *sight) table(e python.Expr) *python.Dict {
	if name, is := e.(*python.Name); is {
		values := s.bindings[name.ID]
		if _, imported := s.imports[name.ID]; imported || len(values) != 1 || s.loads[name.ID] != s.shown[name.ID] {
			return nil
		}
		e = values[0]
	}
	table, is := e.(*python.Dict)
	if !is || slices.Contains(table.Keys, nil) || len(table.Keys) > maxDrawn {
		return nil
	}
	return table
}

// zipped are rows of the items of several lists.
func (s *sight) zipped(args []python.Expr, depth int) (list []python.Expr, ok bool) {
	columns, most := make([][]python.Expr, len(args)), 0
	for i, a := range args {
		rows, ok := s.rows(a, depth)
		switch {
		case !ok:
			rows = []python.Expr{&unsure{}}
		case len(rows) == 0:
			return nil, true
		}
		columns[i], most = rows, max(most, len(rows))
	}
	for n := range most {
		row := &python.Tuple{}
		for _, rows := range columns {
			row.Elts = append(row.Elts, rows[min(n, len(rows)-1)])
		}
		list = append(list, row)
	}
	return list, true
}

// unpacked looks at targets that are given the items of a value: a, b = 'x', 'y'.
func (s *sight) unpacked(targets []python.Expr, value python.Expr) {
	list := elements(value)
	if len(list) != len(targets) || hasStar(targets) || hasStar(list) {
		list = make([]python.Expr, len(targets))
	}
	for i, t := range targets {
		s.target(t, list[i])
	}
}

// hasStar reports whether one of several expressions stands for more than one.
func hasStar(list []python.Expr) bool {
	return slices.ContainsFunc(list, func(e python.Expr) bool { _, is := e.(*python.Starred); return is })
}
