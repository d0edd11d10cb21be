package javascript

import (
	"encoding/base64"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bashgate/bashgate/internal/code"
)

// Functions of texts that are computed where all that goes into them is known. Texts of
// more than ASCII are left alone: JavaScript counts their letters in another way.

// computed is what a function gives, if it is one of those and all is known.
func (in *reader) computed(name string, self *code.Shape, args arguments) (code.Value, bool) {
	if args.open {
		return nil, false
	}
	if name == "list.slice" && self != nil {
		return in.sliced(self, args)
	}
	if v, ok := in.replaced(name, self, args); ok {
		return v, true
	}
	var words []string
	for _, v := range args.positional {
		text, known := constText(v)
		if !known {
			return nil, false
		}
		words = append(words, text)
	}
	if function, ok := pathFunction(name); ok {
		return pathText(function, words)
	}
	if method, ok := strings.CutPrefix(name, "str."); ok && self != nil {
		if keepsName(method) && hasHole(self) && !self.Hides() && (len(words) == 0 || strings.HasPrefix(method, "pad") && len(words) == 2 && isDigits(words[1])) {
			return code.Value{*self}, true
		}
		if !isConst(self) || !isASCII(self.Word.Text) {
			return nil, false
		}
		return in.methodOfText(method, self.Word.Text, words, args)
	}
	switch name {
	case "String.fromCharCode", "String.fromCodePoint":
		out := make([]byte, 0, len(words))
		for _, word := range words {
			n, err := strconv.Atoi(word)
			if err != nil || n < 0 || n > 127 {
				return nil, false
			}
			out = append(out, byte(n))
		}
		return literal("str", string(out)), true
	case "atob":
		if len(words) == 1 {
			if out, err := base64.StdEncoding.DecodeString(words[0]); err == nil && isASCII(string(out)) {
				return literal("str", string(out)), true
			}
		}
	case "number.toString", "number.toFixed":
		if self != nil && self.Made && (len(words) == 0 || name == "number.toFixed") {
			return textOf(code.Value{*self}), true
		}
	}
	return nil, false
}

// keepsName reports whether a method of a text makes of any name no other one, or one with
// digits.
func keepsName(method string) bool {
	switch method {
	case "trim", "trimStart", "trimEnd", "toString", "valueOf", "normalize", "padStart", "padEnd":
		return true
	}
	return false
}

func hasHole(s *code.Shape) bool { return s.Word != nil && !s.Word.IsConst() }

func isDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// constText is the text of what is surely a text or a number that is known.
func constText(v code.Value) (string, bool) {
	if len(v) != 1 || v[0].Kind != code.Object || !isConst(&v[0]) {
		return "", false
	}
	switch v[0].Type {
	case "str", "number":
		return v[0].Word.Text, isASCII(v[0].Word.Text)
	}
	return "", false
}

// methodOfText is what a method of a text gives.
func (in *reader) methodOfText(method, text string, words []string, args arguments) (code.Value, bool) {
	one := func(s string) (code.Value, bool) { return in.made(literal("str", s)), true }
	switch method {
	case "toString", "valueOf":
		return one(text)
	case "trim":
		return one(strings.TrimSpace(text))
	case "trimStart", "trimLeft":
		return one(strings.TrimLeft(text, " \t\n\r\v\f"))
	case "trimEnd", "trimRight":
		return one(strings.TrimRight(text, " \t\n\r\v\f"))
	case "toLowerCase":
		return one(strings.ToLower(text))
	case "toUpperCase":
		return one(strings.ToUpper(text))
	case "concat":
		return one(text + strings.Join(words, ""))
	case "slice", "substring", "substr":
		from, to, ok := cutPlaces(method, len(text), args)
		if !ok {
			return nil, false
		}
		return one(text[from:max(from, to)])
	case "charAt", "at":
		if n, err := strconv.Atoi(strings.Join(words, "")); err == nil && len(words) == 1 {
			if n < 0 && method == "at" {
				n += len(text)
			}
			if n >= 0 && n < len(text) {
				return one(text[n : n+1])
			}
			return one("")
		}
	case "repeat":
		if n, err := strconv.Atoi(strings.Join(words, "")); err == nil && len(words) == 1 && n >= 0 && n*len(text) <= maxMade {
			return one(strings.Repeat(text, n))
		}
	case "replace", "replaceAll":
		if len(words) == 2 && !strings.Contains(words[1], "$") {
			if method == "replace" {
				return one(strings.Replace(text, words[0], words[1], 1))
			}
			return one(strings.ReplaceAll(text, words[0], words[1]))
		}
	case "split":
		if len(words) != 1 {
			break
		}
		var items []code.Value
		for _, piece := range strings.Split(text, words[0]) {
			items = append(items, in.made(literal("str", piece)))
		}
		if len(items) <= maxPiecesMade {
			return in.exactList(args.at, items, true), true
		}
	}
	return nil, false
}

// replaced is replace and replaceAll of what a regular expression finds that is a text, at
// the beginning or the end or anywhere: /\.js$/, /_/g.
func (in *reader) replaced(name string, self *code.Shape, args arguments) (code.Value, bool) {
	if name != "str.replace" && name != "str.replaceAll" || self == nil || !isConst(self) || len(args.positional) != 2 {
		return nil, false
	}
	what, is := args.positional[0].Const("RegExp")
	by, known := args.positional[1].Const("str")
	if !is || !known || strings.Contains(by, "$") {
		return nil, false
	}
	end := strings.LastIndexByte(what, '/')
	flags := what[end+1:]
	pattern, first := strings.CutPrefix(what[1:end], "^")
	pattern, last := strings.CutSuffix(pattern, "$")
	found, ok := unescaped(pattern)
	if !ok || found == "" || flags != "" && flags != "g" {
		return nil, false
	}
	text := self.Word.Text
	switch {
	case first && last && text == found:
		text = by
	case first && last:
	case first && strings.HasPrefix(text, found):
		text = by + text[len(found):]
	case last && strings.HasSuffix(text, found):
		text = text[:len(text)-len(found)] + by
	case first || last:
	case flags == "g":
		text = strings.ReplaceAll(text, found, by)
	default:
		text = strings.Replace(text, found, by, 1)
	}
	return in.made(literal("str", text)), true
}

// unescaped is the text that a regular expression means, if it means one.
func unescaped(pattern string) (string, bool) {
	var out strings.Builder
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		if c == '\\' && i+1 < len(pattern) {
			i++
			if c = pattern[i]; !strings.ContainsRune(signs, rune(c)) {
				return "", false
			}
		} else if strings.ContainsRune(signs, rune(c)) && c != '-' && c != '/' || c == '\\' {
			return "", false
		}
		out.WriteByte(c)
	}
	return out.String(), true
}

// signs mean themselves in a regular expression behind a backslash.
const signs = ".*+?^$|()[]{}/-\\"

// maxPiecesMade bounds the pieces of a text that are told apart.
const maxPiecesMade = 256

// cutPlaces are the places between which slice, substring and substr cut a text of a length.
func cutPlaces(method string, length int, args arguments) (from, to int, ok bool) {
	places := [2]int{0, length}
	for i, v := range args.positional {
		number, is := v.Const("number")
		n, err := strconv.Atoi(number)
		if !is || err != nil || i > 1 {
			return 0, 0, false
		}
		if n < 0 && method != "substring" && (method != "substr" || i == 0) {
			n += length
		}
		if i == 1 && method == "substr" {
			n += places[0]
		}
		places[i] = min(max(n, 0), length)
	}
	if method == "substring" && places[0] > places[1] {
		return places[1], places[0], true
	}
	return places[0], places[1], true
}

// sliced is slice of a list of which all items are known.
func (in *reader) sliced(self *code.Shape, args arguments) (code.Value, bool) {
	items, exact := in.exactItems(code.Value{*self})
	if !exact {
		return nil, false
	}
	from, to, ok := cutPlaces("slice", len(items), args)
	if !ok {
		return nil, false
	}
	return in.exactList(args.at, slices.Clone(items[from:max(from, to)]), true), true
}

// pathText is what a function of the module path makes of constants.
func pathText(name string, words []string) (code.Value, bool) {
	if len(words) == 0 {
		return nil, false
	}
	switch p := words[0]; {
	case p == "" || strings.HasSuffix(p, "/"):
	case name == "basename" && len(words) < 3:
		base := path.Base(p)
		if len(words) == 2 && base != words[1] {
			base = strings.TrimSuffix(base, words[1])
		}
		return literal("str", base), true
	case name == "dirname" && len(words) == 1 && p == path.Clean(p):
		return literal("str", path.Dir(p)), true
	case name == "extname" && len(words) == 1:
		base := path.Base(p)
		if strings.LastIndexByte(base, '.') <= 0 {
			return literal("str", ""), true
		}
		return literal("str", path.Ext(base)), strings.Trim(base, ".") != ""
	}
	return nil, false
}
