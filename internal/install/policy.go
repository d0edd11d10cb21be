package install

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/edit"
)

// cleaner takes the exported rules out of a file of the agent's own engine, and
// before that what inner takes out. A file of bashgate's own is gone then.
func (a *Agent) cleaner(inner func(text, before []byte) ([]byte, error), name string) func(text, before []byte) ([]byte, error) {
	return func(text, before []byte) ([]byte, error) {
		if inner != nil {
			var err error
			if text, err = inner(text, before); text == nil || err != nil {
				return nil, err
			}
		}
		if !strings.HasSuffix(name, ".json") {
			first, _, _ := bytes.Cut(text, []byte("\n"))
			if bytes.HasPrefix(first, []byte("# bashgate ")) && bytes.Contains(first, []byte(": export ")) {
				return nil, nil
			}
			return text, nil
		}
		d, err := edit.ParseJSON(text, name)
		if err != nil {
			return nil, err
		}
		was, err := edit.ParseJSON(before, name)
		if err != nil {
			was = nil
		}
		// Exported rules stand between two that match nothing and name bashgate.
		var inside []string // the keys that lead to the list of such a run
		broken := false
		removed := d.Remove(func(item edit.Item) edit.Verdict {
			text := item.Name
			if text == "" {
				text = item.Compact()
			}
			switch {
			case inside == nil && marked(text, "begins"):
				inside = append([]string{}, item.Keys...)
				return edit.Drop
			case inside == nil:
				return edit.Look
			case marked(text, "ends"):
				inside = nil
			case !slices.Equal(inside, item.Keys):
				broken = true
			}
			return edit.Drop
		}, was)
		switch {
		case broken || inside != nil:
			return nil, fmt.Errorf("%s: exported rules begin here and do not end", name)
		case !removed:
			return text, nil
		}
		return d.Bytes(), nil
	}
}

func marked(text, word string) bool {
	return len(text) < 100 && (strings.Contains(text, "bashgate "+word) || strings.Contains(text, "bashgate-"+word))
}
