package host

import (
	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/wire"
)

// given reads what a tool other than the shell is given: arguments that are
// texts or lists of texts, and the names of those that are neither.
func given(t *engine.Tool, v wire.Value) {
	input, err := v.Object()
	if err != nil {
		t.Unread = v.Kind() != "nothing"
		return
	}
	for _, m := range input {
		switch m.Value.Kind() {
		case "null":
			continue
		case "string":
			text, _ := m.Value.Text()
			t.Args = append(t.Args, engine.ToolArg{Name: m.Key, Value: text})
			continue
		}
		list, err := m.Value.Texts()
		if err != nil {
			t.Others = append(t.Others, m.Key)
			continue
		}
		for _, text := range list {
			t.Args = append(t.Args, engine.ToolArg{Name: m.Key, Value: text})
		}
	}
}
