package task

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/toml"
)

// parseTOML reads a file. Its keys are in the order of their names.
func parseTOML(text []byte) (*node, error) {
	root, err := toml.Parse(text)
	if e, ok := errors.AsType[*toml.Error](err); ok {
		return nil, &readError{e.At.Line, e.Msg}
	}
	return ofTOML(root), nil
}

func ofTOML(v *toml.Value) *node {
	n := &node{line: v.Key.Line, kind: nodeOther, text: v.Text}
	switch v.Kind {
	case toml.String:
		n.kind = nodeText
	case toml.Bool:
		n.kind = nodeScalar
	case toml.Integer:
		if i, ok := v.Int(); ok {
			n.kind, n.text = nodeScalar, strconv.FormatInt(i, 10)
		}
	case toml.Float:
		if strings.Trim(v.Text, "0123456789.") == "" {
			n.kind = nodeScalar
		}
	case toml.List:
		n.kind = nodeList
		for _, item := range v.Items {
			n.items = append(n.items, ofTOML(item))
		}
	case toml.Table:
		n.kind = nodeTable
		n.keys = slices.Sorted(slices.Values(v.Keys()))
		for _, key := range n.keys {
			n.items = append(n.items, ofTOML(v.Get(key)))
		}
	}
	return n
}
