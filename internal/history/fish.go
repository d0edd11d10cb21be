package history

import (
	"bytes"
	"strings"
	"time"
)

// readFish reads ~/.local/share/fish/fish_history, which looks like YAML and is
// not (fish's src/history/file.rs): in a command \n and \\ alone are escapes.
//
//   - cmd: git status
//     when: 1700000000
//     paths:
//   - README.md
func readFish(f *file) error {
	command, at := "", time.Time{}
	end := func() {
		f.typed(command, at, "fish")
		command, at = "", time.Time{}
	}
	err := f.lines(func(line []byte) {
		if text, is := bytes.CutPrefix(line, []byte("- cmd: ")); is {
			end()
			command = unescape(string(text))
		} else if when, is := bytes.CutPrefix(line, []byte("  when: ")); is {
			at, _ = seconds(string(when))
		} else if len(line) > 0 && line[0] != ' ' {
			f.skip(f.line, noRecord)
		}
	})
	end()
	return err
}

func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n").Replace(text)
}
