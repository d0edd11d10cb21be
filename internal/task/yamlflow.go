package task

import (
	"strings"
)

// yamlFlow reads a value in brackets. A value that is cut off is not ok.
type yamlFlow struct {
	p    *yamlParser
	s    string
	at   int
	line int
}

func (f *yamlFlow) blank() {
	for f.at < len(f.s) && (f.s[f.at] == ' ' || f.s[f.at] == '\t') {
		f.at++
	}
}

func (f *yamlFlow) value(depth int) (*node, bool) {
	if depth > maxYAMLDepth {
		f.p.fail("nests too deeply")
	}
	f.blank()
	if f.at >= len(f.s) {
		return nil, false
	}
	n := &node{line: f.line}
	switch c := f.s[f.at]; c {
	case '[', '{':
		n.kind = nodeList
		if c == '{' {
			n.kind = nodeTable
		}
		return f.collection(n, depth)
	case '"', '\'':
		end := yamlQuoted(f.s[f.at:])
		if end < 0 {
			return nil, false
		}
		n.kind, n.text = nodeText, f.p.unquote(f.s[f.at:f.at+end])
		f.at += end
		return n, true
	case '&', '*', '!', '|', '>', '%', '@', '`', '#':
		f.p.fail("uses a part of YAML that is not read here: %.20q", f.s[f.at:])
	}
	start := f.at
	for f.at < len(f.s) && strings.IndexByte(",[]{}", f.s[f.at]) < 0 {
		if f.s[f.at] == ':' && (f.at+1 == len(f.s) || strings.IndexByte(" ,[]{}", f.s[f.at+1]) >= 0) {
			break
		}
		if f.s[f.at] == '#' && f.at > start && f.s[f.at-1] == ' ' {
			f.p.fail("a comment between brackets")
		}
		f.at++
	}
	n.text = strings.TrimSpace(f.s[start:f.at])
	n.plain = true
	if n.kind = nodeText; n.text == "" || n.text == "~" || strings.EqualFold(n.text, "null") {
		n.kind = nodeNull
	}
	return n, true
}

// collection reads the elements of a list or a mapping up to its end.
func (f *yamlFlow) collection(n *node, depth int) (*node, bool) {
	end := byte(']')
	if n.kind == nodeTable {
		end = '}'
	}
	f.at++
	for {
		f.blank()
		if f.at >= len(f.s) {
			return nil, false
		}
		if f.s[f.at] == end {
			f.at++
			return n, true
		}
		item, ok := f.value(depth + 1)
		if !ok {
			return nil, false
		}
		f.blank()
		colon := f.at < len(f.s) && f.s[f.at] == ':'
		switch {
		case n.kind == nodeTable:
			key, is := item.string()
			if !is {
				f.p.fail("a key that is no text")
			}
			if n.get(key) != nil {
				f.p.fail("the key %q stands there twice", key)
			}
			n.keys, item = append(n.keys, key), &node{line: f.line}
			if colon {
				f.at++
				if item, ok = f.value(depth + 1); !ok {
					return nil, false
				}
			}
		case colon:
			f.p.fail("a pair in a list")
		}
		n.items = append(n.items, item)
		f.blank()
		if f.at >= len(f.s) {
			return nil, false
		}
		switch f.s[f.at] {
		case ',':
			f.at++
		case end:
		default:
			f.p.fail("wants a comma or the end of the brackets")
		}
	}
}
