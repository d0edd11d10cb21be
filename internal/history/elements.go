package history

import (
	"bufio"
	"errors"
	"io"

	"github.com/bashgate/bashgate/internal/wire"
)

// elements calls each for the objects in the lists of a document that is one JSON
// value: those of {"messages": [...]}, and those of [...]. The document itself
// is never held.
func (f *file) elements(each func(wire.Object)) error {
	in := bufio.NewReaderSize(f, 64<<10)
	var (
		depth, start int  // how many lists and objects are open; at which of them the element began
		lists        uint // bit n: the one at depth n is a list
		inText, skip bool // inside of a text; behind its backslash
		held         []byte
		long, begun  bool
	)
	for {
		b, err := in.ReadByte()
		if errors.Is(err, io.EOF) {
			if depth > 0 || !begun {
				f.skip(0, cutOff)
			}
			return nil
		} else if err != nil {
			return err
		}
		if !begun {
			switch b {
			case ' ', '\t', '\r', '\n':
				continue
			case '{', '[':
				begun = true
			default:
				return errors.New(noRecord)
			}
		}
		if start > 0 {
			if len(held) == maxRecord {
				long = true
			} else {
				held = append(held, b)
			}
		}
		switch {
		case skip:
			skip = false
		case inText && b == '\\':
			skip = true
		case b == '"':
			inText = !inText
		case inText:
		case b == '{' || b == '[':
			depth++
			if depth > wire.MaxDepth {
				return errors.New("nested too deeply")
			}
			if depth < 3 {
				lists &^= 1 << depth
				if b == '[' {
					lists |= 1 << depth
				}
			}
			if b == '{' && start == 0 && (depth == 2 || depth == 3) && lists&(1<<(depth-1)) != 0 {
				start, held, long = depth, append(held[:0], b), false
			}
		case b == '}' || b == ']':
			if depth == start && start > 0 {
				f.line++
				if long {
					f.skip(f.line, tooLong)
				} else {
					f.record(held, each)
				}
				start = 0
			}
			if depth--; depth < 0 {
				return errors.New(noRecord)
			}
		}
	}
}
