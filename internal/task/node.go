package task

// node is one value of a task file, whatever language it is written in. A nil
// node is no value.
type node struct {
	line  int // of its key, or where it begins; counted from 1
	kind  nodeKind
	text  string   // of a text, a number or a boolean
	plain bool     // a text of YAML without quotes
	keys  []string // of a table
	items []*node  // a list's elements, or the values of keys
}

type nodeKind uint8

const (
	nodeNull nodeKind = iota
	nodeText
	nodeScalar // a number or a boolean; of YAML it is a plain text
	nodeOther  // a date, or a number that programs write in more than one way
	nodeList
	nodeTable
)

// around is a table of one key.
func around(key string, value *node) *node {
	return &node{line: value.where(), kind: nodeTable, keys: []string{key}, items: []*node{value}}
}

// get returns the value of a key, and of a key in that; nil if one is missing.
// Of equal keys the last counts.
func (n *node) get(keys ...string) *node {
	for _, key := range keys {
		if !n.isTable() {
			return nil
		}
		i := len(n.keys) - 1
		for i >= 0 && n.keys[i] != key {
			i--
		}
		if i < 0 {
			return nil
		}
		n = n.items[i]
	}
	return n
}

func (n *node) isTable() bool { return n != nil && n.kind == nodeTable }

// names lists a table's keys, equal ones once.
func (n *node) names() (names []string) {
	if !n.isTable() {
		return nil
	}
	seen := make(map[string]bool, len(n.keys))
	for _, key := range n.keys {
		if !seen[key] {
			seen[key] = true
			names = append(names, key)
		}
	}
	return names
}

// where is the line of a value, 0 of none.
func (n *node) where() int {
	if n == nil {
		return 0
	}
	return n.line
}

// lineOf is the line of a key; that of the table where there is none.
func (n *node) lineOf(key string) int {
	if value := n.get(key); value != nil {
		return value.line
	}
	return n.where()
}

// string returns what a text says.
func (n *node) string() (string, bool) {
	if n == nil || n.kind != nodeText {
		return "", false
	}
	return n.text, true
}

// scalar returns a text, a number or a boolean as text.
func (n *node) scalar() (string, bool) {
	if n == nil || n.kind != nodeText && n.kind != nodeScalar {
		return "", false
	}
	return n.text, true
}

// list returns a list's elements; another value is a list of one, and none an
// empty one.
func (n *node) list() []*node {
	switch {
	case n == nil || n.kind == nodeNull:
		return nil
	case n.kind == nodeList:
		return n.items
	}
	return []*node{n}
}

// strings returns a list of texts.
func (n *node) strings() ([]string, bool) {
	if n == nil || n.kind != nodeList {
		return nil, false
	}
	texts := make([]string, len(n.items))
	for i, item := range n.items {
		var ok bool
		if texts[i], ok = item.string(); !ok {
			return nil, false
		}
	}
	return texts, true
}

// texts returns a list of texts; one text is a list of one, and no value an
// empty one.
func (n *node) texts() ([]string, bool) {
	if n == nil {
		return nil, true
	}
	if text, one := n.string(); one {
		return []string{text}, true
	}
	return n.strings()
}
