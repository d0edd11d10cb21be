package python

import (
	"encoding/base64"
	"encoding/hex"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/policy"
)

// fold tells what functions make of what is known of their arguments, where facts
// can't say it. It reports false for others.
func (in *reader) fold(name string, args arguments, self *code.Shape) (code.Value, bool) {
	if self != nil && self.Box != nil {
		return in.foldContainer(name, args, self)
	}
	if args.open || len(args.named) > 0 && name != "zip" && name != "enumerate" && name != "str.format" {
		return nil, false
	}
	if v, ok := in.goesThrough(name, args); ok {
		return v, true
	}
	pos := args.positional
	switch name {
	case "os.path.join", "pathlib.Path", "pathlib.PurePath", "pathlib.Path.joinpath":
		kind := "str"
		var v code.Value
		if name != "os.path.join" {
			kind = "pathlib.Path"
		}
		if self != nil {
			v = code.Value{*self}
		}
		for i := range pos {
			v = eachPair(v, pos[i], kind)
		}
		if len(pos) == 0 && self == nil {
			return code.Const(kind, "."), true
		}
		if kind != "str" {
			v = paths(v)
		}
		return v, true
	case "str", "os.fspath", "os.path.normpath", "os.path.abspath", "os.path.realpath", "os.path.expanduser", "pathlib.Path.resolve", "pathlib.Path.absolute", "pathlib.Path.expanduser", "pathlib.Path.as_posix":
		v := code.Value(nil)
		if self != nil {
			v = code.Value{*self}
		} else if len(pos) == 1 {
			v = pos[0]
		} else {
			return nil, false
		}
		if name == "str" && mayRun(v) {
			return nil, false
		}
		kind := "str"
		if self != nil && name != "pathlib.Path.as_posix" {
			kind = "pathlib.Path"
		}
		switch {
		case strings.HasSuffix(name, ".expanduser"):
			return in.expanded(retype(v, kind)), true
		case strings.HasSuffix(name, ".normpath"):
			return normal(retype(v, kind)), true
		case strings.HasSuffix(name, ".abspath"):
			return normal(in.absolute(retype(v, kind))), true
		case strings.HasSuffix(name, ".absolute"): // leaves `..` as it is
			return in.absolute(retype(v, kind)), true
		case strings.HasSuffix(name, ".realpath"), strings.HasSuffix(name, ".resolve"):
			return in.real(in.absolute(retype(v, kind))), true
		}
		if name == "str" {
			return textOf(v, true), true
		}
		return retype(v, kind), true
	case "os.path.dirname", "pathlib.Path.parent":
		if len(pos) == 1 {
			return mapConst(pos[0], "str", func(s string) string {
				if i := strings.LastIndexByte(s, '/'); i >= 0 {
					return s[:max(i, 1)]
				}
				return ""
			}), true
		}
	case "pathlib.Path.with_name", "pathlib.Path.with_suffix":
		if v, ok := renamed(name, self, pos); ok {
			return v, true
		}
	case "os.path.basename":
		if len(pos) == 1 {
			return mapConst(pos[0], "str", func(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }), true
		}
	case "str.lower", "str.upper", "str.strip", "str.encode", "bytes.decode":
		if text, ok := constOf(self); (len(pos) == 0 || len(pos) == 1 && isPlainEncoding(name, pos[0])) && self != nil && self.Type != "plain" && (!ok || isPrintable(text)) {
			kind, f := "str", func(s string) string { return s }
			switch name {
			case "str.lower":
				f = strings.ToLower
			case "str.upper":
				f = strings.ToUpper
			case "str.strip":
				f = strings.TrimSpace
			case "str.encode":
				kind = "bytes"
			}
			return mapConst(code.Value{*self}, kind, f), true
		}
	case "str.splitlines":
		if text, ok := constOf(self); ok && len(pos) == 0 && isPrintable(text) {
			var items []code.Value
			for line := range strings.Lines(text) {
				items = append(items, code.Const("str", strings.TrimSuffix(line, "\n")))
			}
			return in.container("list", args.at, nil, items, true), true
		}
	case "str.split":
		if text, ok := constOf(self); ok && len(pos) <= 1 && isPrintable(text) {
			var parts []string
			if len(pos) == 0 {
				parts = strings.Fields(text)
			} else if sep, ok := pos[0].Const("str"); ok && sep != "" {
				parts = strings.Split(text, sep)
			} else {
				return nil, false
			}
			var items []code.Value
			for _, p := range parts {
				items = append(items, code.Const("str", p))
			}
			return in.container("list", args.at, nil, items, true), true
		}
	case "str.join":
		if sep, ok := constOf(self); ok && len(pos) == 1 {
			items, exact := in.exactItems(pos[0])
			if !exact {
				return nil, false
			}
			texts, between := []code.Value{code.Const("str", "")}, code.Const("str", sep)
			for i, item := range items {
				if i > 0 {
					texts = append(texts, between)
				}
				texts = append(texts, retype(item, "str"))
			}
			return concat(texts...), true
		}
	case "str.format":
		if format, ok := constOf(self); ok {
			return filledIn(format, args)
		}
	case "chr":
		if len(pos) == 1 {
			number, known := pos[0].Const("int")
			n, err := strconv.Atoi(number)
			if known && err == nil && ' ' <= n && n <= '~' {
				return code.Const("str", string(rune(n))), true
			}
		}
	case "bytes.fromhex", "binascii.unhexlify", "binascii.a2b_hex", "binascii.a2b_base64", "base64.b64decode", "base64.standard_b64decode", "base64.urlsafe_b64decode", "base64.decodebytes":
		if len(pos) == 1 {
			if text, ok := decoded(name, pos[0]); ok {
				return code.Const("bytes", text), true
			}
		}
	case "str.zfill":
		if self != nil && self.Word != nil && len(pos) == 1 && len(self.Word.Parts) == 1 && self.Word.Parts[0].Shape == policy.ShapeNumber {
			return code.Value{*self}, true
		}
	case "str.replace":
		if text, ok := constOf(self); ok && len(pos) == 2 {
			from, a := pos[0].Const("str")
			to, b := pos[1].Const("str")
			if a && b && from != "" && len(text)+strings.Count(text, from)*len(to) <= code.MaxText {
				return code.Const("str", strings.ReplaceAll(text, from, to)), true
			}
		}
	case "sys._Path.insert", "sys._Path.append", "sys._Path.extend":
		if len(pos) > 0 {
			in.searches(pos[len(pos)-1])
			return code.Of("none"), true
		}
	}
	return nil, false
}

// isPlainEncoding reports whether an argument of encode or decode is an encoding in which
// ASCII is what it is.
func isPlainEncoding(name string, v code.Value) bool {
	encoding, ok := v.Const("str")
	switch strings.ToLower(encoding) {
	case "utf-8", "utf8", "ascii", "latin-1", "latin1", "iso-8859-1":
		return ok && (name == "str.encode" || name == "bytes.decode")
	}
	return false
}

// filledIn is a format with texts and numbers in its fields; false where a field says more
// than which of them.
func filledIn(format string, args arguments) (code.Value, bool) {
	pieces := strings.Split(format, "{")
	if strings.Contains(pieces[0], "}") {
		return nil, false
	}
	texts := []code.Value{code.Const("str", pieces[0])}
	next := 0
	for _, piece := range pieces[1:] {
		field, rest, closed := strings.Cut(piece, "}")
		name, spec, formats := strings.Cut(field, ":")
		if name == "" {
			name = strconv.Itoa(next)
			next++
		}
		var v code.Value
		if at, err := strconv.Atoi(name); err == nil && 0 <= at && at < len(args.positional) {
			v = args.positional[at]
		} else if at := slices.IndexFunc(args.named, func(n named) bool { return n.name == name }); at >= 0 {
			v = args.named[at].value
		}
		text := textOf(v, true)
		if formats {
			number, ok := numberBy(v, spec)
			if text = number; !ok {
				return nil, false
			}
		}
		if !closed || v == nil || strings.Contains(rest, "}") {
			return nil, false
		}
		texts = append(texts, text, code.Const("str", rest))
	}
	return concat(texts...), true
}

// decoded is what a text says that is written in the digits of base64, or in pairs of those
// of 16; false where versions of Python may read it in other ways.
func decoded(by string, v code.Value) (string, bool) {
	text, ok := v.Const("str")
	if !ok {
		text, ok = v.Const("bytes")
	}
	decode := base64.StdEncoding.DecodeString
	switch by {
	case "base64.urlsafe_b64decode":
		decode = base64.URLEncoding.DecodeString
	case "bytes.fromhex", "binascii.unhexlify", "binascii.a2b_hex":
		decode = hex.DecodeString
	}
	out, err := decode(text)
	return string(out), ok && err == nil
}

// paths are texts as Paths.
func paths(v code.Value) (out code.Value) {
	for _, s := range v {
		if s.Word != nil {
			w := asPath(*s.Word)
			s.Word = &w
		}
		out = code.Join(out, code.Value{s})
	}
	return out
}

// renamed is a path with another last name, or with another suffix of that.
func renamed(how string, self *code.Shape, pos []code.Value) (code.Value, bool) {
	if self == nil || self.Word == nil || len(pos) != 1 {
		return nil, false
	}
	path, known := self.Word.Const()
	text, ok := pos[0].Const("str")
	dir, base := path[:strings.LastIndexByte(path, '/')+1], path[strings.LastIndexByte(path, '/')+1:]
	if !known || !ok || strings.Contains(text, "/") || base == "" || base[0] == '.' || base[len(base)-1] == '.' {
		return nil, false // versions of Python split such names in different ways
	}
	if how == "pathlib.Path.with_suffix" {
		if i := strings.LastIndexByte(base, '.'); i > 0 {
			base = base[:i]
		}
		text = base + text
	}
	return code.Const("pathlib.Path", dir+text), true
}

// searches notes that modules are looked for in further directories.
func (in *reader) searches(v code.Value) {
	for _, s := range v {
		w := policy.Unknown("sys.path")
		if s.Kind == code.Object && s.Word != nil {
			w = *s.Word
		}
		if !slices.ContainsFunc(in.paths, func(o policy.Word) bool { return o.String() == w.String() }) {
			in.paths = append(in.paths, w)
			in.grown++
		}
	}
}

func constOf(s *code.Shape) (string, bool) {
	if s == nil || s.Word == nil || s.Type != "str" {
		return "", false
	}
	return s.Word.Const()
}

// absolute is what paths are seen from the root.
func (in *reader) absolute(v code.Value) (out code.Value) {
	for _, s := range v {
		if s.Word != nil && !strings.HasPrefix(s.Word.Prefix(), "/") {
			if in.text.Dir == "" || len(in.moved) > 0 || s.Word.Prefix() == "" && !s.Word.IsConst() {
				s.Word = nil
			} else {
				w := pathJoin(policy.Const(in.text.Dir), *s.Word)
				s.Word = &w
			}
		}
		out = code.Join(out, code.Value{s})
	}
	return out
}

// normal is what normpath makes of paths: their texts matter where they are cut, or
// words of a command.
func normal(v code.Value) (out code.Value) {
	for _, s := range v {
		if s.Word != nil {
			if text, known := s.Word.Const(); known && isPrintable(text) {
				clean := path.Clean(text)
				if strings.HasPrefix(text, "//") && !strings.HasPrefix(text, "///") {
					clean = "/" + clean
				}
				w := policy.Const(clean)
				s.Word = &w
			} else if prefix := "/" + s.Word.Prefix(); strings.Contains(prefix, "/.") || strings.Contains(prefix[1:], "//") || prefix == "/" {
				s.Word = nil
			}
		}
		out = code.Join(out, code.Value{s})
	}
	return out
}

// real is what paths lead to, where links are followed: `l/..` is not the directory of l
// where l is a link, and it may become one before the text runs, so a path with `..` is
// kept beside what it leads to now.
func (in *reader) real(v code.Value) (out code.Value) {
	for _, s := range v {
		if s.Word != nil {
			text, known := s.Word.Const()
			if in.text.Follow == nil || !strings.HasPrefix(text, "/") || len(in.moved) > 0 {
				known = false
			}
			if known {
				if strings.Contains(text, "..") {
					out = code.Join(out, code.Value{s})
				}
				w := policy.Const(in.text.Follow(text))
				s.Word = &w
			} else {
				s.Word = nil
			}
		}
		out = code.Join(out, code.Value{s})
	}
	return out
}

// expanded is what expanduser makes of paths.
func (in *reader) expanded(v code.Value) (out code.Value) {
	for _, s := range v {
		if s.Word != nil && strings.HasPrefix(s.Word.Prefix(), "~") {
			if in.text.Home == "" {
				s.Word = nil
			} else if text, ok := s.Word.Const(); ok && text != "~" && !strings.HasPrefix(text, "~/") {
				s.Word = nil // another user's
			} else if ok {
				s = code.Const(s.Type, in.home(text))[0]
			} else if s.Word.Parts[0].Text == "~" || strings.HasPrefix(s.Word.Parts[0].Text, "~/") {
				w := policy.Word{Parts: slices.Clone(s.Word.Parts)}
				w.Parts[0].Text = in.home(w.Parts[0].Text)
				s.Word = &w
			}
		}
		out = code.Join(out, code.Value{s})
	}
	return out
}

// retype gives what is known of a text another type.
func retype(v code.Value, kind string) code.Value {
	var out, unknown code.Value
	for _, s := range v {
		if s.Word != nil && isText(s.Type) {
			out = code.Join(out, code.Value{{Type: kind, Word: s.Word}})
		} else {
			unknown = code.Of(kind)
		}
	}
	return beside(unknown, out)
}

// isPrintable reports whether a text holds nothing but ASCII that is printed, about
// which languages agree.
func isPrintable(s string) bool {
	for i := range len(s) {
		if (s[i] < ' ' && s[i] != '\n' && s[i] != '\t') || s[i] > '~' {
			return false
		}
	}
	return true
}

// mapConst does something with each text that is all known.
func mapConst(v code.Value, kind string, f func(string) string) (out code.Value) {
	for _, s := range v {
		if s.Word != nil {
			if text, ok := s.Word.Const(); ok && isPrintable(text) {
				out = code.Join(out, code.Const(kind, f(text)))
				continue
			}
		}
		out = code.Join(out, code.Of(kind))
	}
	return out
}

func eachPair(a, b code.Value, kind string) (out code.Value) {
	if a == nil {
		return retype(b, kind)
	}
	for i := range a {
		for k := range b {
			out = code.Join(out, pathsJoined(&a[i], &b[k], kind))
		}
	}
	return out
}

// foldContainer is a method of a container whose contents are followed.
func (in *reader) foldContainer(name string, args arguments, self *code.Shape) (code.Value, bool) {
	method := name[strings.LastIndexByte(name, '.')+1:]
	box := self.Box
	pos := args.positional
	switch {
	case args.open:
		in.escape(code.Value{*self}) // anything may be put into it
		return nil, false
	case (method == "append" || method == "add" || method == "appendleft") && len(pos) == 1 && len(args.named) == 0:
		in.put1(box, nil, pos[0])
	case (method == "extend" || method == "extendleft") && len(pos) == 1:
		in.put1(box, nil, in.items(pos[0]))
	case method == "__setitem__" && len(pos) == 2:
		in.put1(box, pos[0], pos[1])
	case method == "insert" && len(pos) == 2:
		in.put1(box, nil, pos[1])
	case method == "update" && self.Type == "dict":
		for _, p := range pos {
			in.put1(box, in.keys(p), in.member(p, nil))
			if pairs := in.items(p); len(p) > 0 && p[0].Type != "dict" {
				in.put1(box, in.items(pairs), in.items(pairs))
			}
		}
		for _, n := range args.named {
			in.put1(box, code.Const("str", n.name), n.value)
		}
	case strings.HasSuffix(method, "update") && self.Type == "set":
		for _, p := range pos {
			in.put1(box, nil, in.items(p))
		}
	case method == "setdefault" && len(pos) > 0:
		v := code.Of("none")
		if len(pos) > 1 {
			v = pos[1]
		}
		in.put1(box, pos[0], v)
		return box.Any, true
	case method == "get" && len(pos) > 0 && self.Type == "dict":
		v := code.Of("none")
		if len(pos) > 1 {
			v = pos[1]
		}
		return code.Join(in.held(box, pos[0]), v), true
	case method == "pop", method == "popleft", method == "popitem":
		in.inexact(box)
		v := box.Any
		for _, p := range pos[min(1, len(pos)):] {
			v = code.Join(v, p)
		}
		if method == "popitem" {
			return in.list("tuple", args.at, code.Join(box.Key, box.Any)), true
		}
		return v, true
	case method == "items" && self.Type == "dict":
		if box.Exact {
			var pairs []code.Value
			for i := range box.Items {
				pairs = append(pairs, in.container("tuple", site{args.at, i, "pair"}, nil, []code.Value{box.Keys[i], box.Items[i]}, true))
			}
			return in.container("list", args.at, nil, pairs, true), true
		}
		pair := in.container("tuple", site{args.at, 0, "pair"}, nil, []code.Value{box.Key, box.Any}, true)
		return in.list("list", args.at, pair), true
	case method == "values" && self.Type == "dict":
		return in.list("list", args.at, box.Any), true
	case method == "keys" && self.Type == "dict":
		return in.list("list", args.at, box.Key), true
	case method == "copy":
		box2 := in.vague(args.at, "copy")
		in.store(box2, box.Key, box.Any)
		return code.Value{{Type: self.Type, Box: box2}}, true
	case method == "sort", method == "reverse", method == "remove", method == "clear", method == "discard", method == "rotate":
		in.inexact(box)
		return nil, false
	default:
		return nil, false
	}
	return code.Of("none"), true
}

func (in *reader) put1(box *code.Box, key, item code.Value) {
	in.inexact(box)
	in.store(box, key, item)
	in.escapeStored(box, key, item)
}
