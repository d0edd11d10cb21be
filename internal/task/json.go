package task

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/wire"
	"github.com/tailscale/hujson"
)

// maxNesting bounds what the parser may recurse into.
const maxNesting = 500

// parseJSON reads a file that holds an object. Comments and trailing commas
// are tolerated, as the more lenient runners do.
func parseJSON(text []byte) (*node, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if _, err := wire.Parse(text); err != nil {
		// The slow way: with comments, which become blanks.
		if nesting(text) > maxNesting {
			return nil, &readError{0, "nests too deeply"}
		}
		plain, err := hujson.Standardize(bytes.Clone(text))
		if err != nil {
			return nil, jsonError(err)
		}
		text = plain
	}
	r := jsonReader{text: text, line: 1}
	if root := r.value(); root.isTable() {
		return root, nil
	}
	return nil, &readError{1, "is no object"}
}

// jsonReader reads a text that is known to be JSON.
type jsonReader struct {
	text []byte
	at   int
	line int
}

// next passes blanks and returns the byte behind them.
func (r *jsonReader) next() byte {
	for ; strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0; r.at++ {
		if r.text[r.at] == '\n' {
			r.line++
		}
	}
	return r.text[r.at]
}

func (r *jsonReader) value() *node {
	c := r.next()
	n := &node{line: r.line}
	switch c {
	case '{', '[':
		n.kind = nodeList
		if c == '{' {
			n.kind = nodeTable
		}
		for r.at++; r.next() != c+2; { // the bracket that closes it
			if c == '{' {
				n.keys = append(n.keys, r.literal())
				r.next()
				r.at++
			}
			n.items = append(n.items, r.value())
			if r.next() == ',' {
				r.at++
			}
		}
		r.at++
	case '"':
		n.kind, n.text = nodeText, r.literal()
	default:
		if n.text = r.literal(); n.text != "null" {
			n.kind = nodeScalar
		}
	}
	return n
}

// literal returns the value of a text, or a number or a word as it is written.
func (r *jsonReader) literal() string {
	start := r.at
	if r.text[start] == '"' {
		for r.at++; r.text[r.at] != '"'; r.at++ {
			if r.text[r.at] == '\\' {
				r.at++
			}
		}
		r.at++
	} else {
		for r.at < len(r.text) && strings.IndexByte(",]} \t\r\n", r.text[r.at]) < 0 {
			r.at++
		}
	}
	return hujson.Literal(r.text[start:r.at]).String()
}

// nesting is how deep the brackets outside strings nest.
func nesting(text []byte) (deepest int) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{' || b == '[':
			depth++
			deepest = max(deepest, depth)
		case b == '}' || b == ']':
			depth = max(depth-1, 0)
		}
	}
	return deepest
}

// jsonError takes the place out of an error of the parser, which writes it in
// front: "hujson: line 3, column 7: ...".
func jsonError(err error) error {
	text := err.Error()
	text = strings.TrimPrefix(text, "hujson: ")
	after, _ := strings.CutPrefix(text, "line ")
	digits, _, _ := strings.Cut(after, ",")
	line, err := strconv.Atoi(digits)
	if err != nil {
		line = 0
	}
	return &readError{line, text}
}
