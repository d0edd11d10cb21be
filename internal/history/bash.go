package history

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// readBash reads ~/.bash_history: a line for each command, or, where
// HISTTIMEFORMAT is set, a comment with the time before each, and then all lines
// up to the next one are the command (bash(1), HISTORY).
//
//	#1700000000
//	git status
func readBash(f *file) error {
	var at time.Time
	var held []byte
	open, long := false, false // a time was read, and what follows it belongs together
	end := func() {
		if len(held) > 0 && !long {
			f.typed(string(held), at, "bash")
		}
		held, long = held[:0], false
	}
	err := f.lines(func(line []byte) {
		switch t, is := bashTime(line); {
		case is:
			end()
			at, open = t, true
		case !open:
			f.typed(string(line), time.Time{}, "bash")
		case len(held)+len(line) > maxRecord:
			if !long {
				f.skip(f.line, tooLong)
			}
			long = true
		default:
			if len(held) > 0 {
				held = append(held, '\n')
			}
			held = append(held, line...)
		}
	})
	end()
	return err
}

// bashTime reads a line that says when the next command ran.
func bashTime(line []byte) (time.Time, bool) {
	digits, is := bytes.CutPrefix(line, []byte("#"))
	if !is || len(digits) < 9 || len(digits) > 11 {
		return time.Time{}, false
	}
	return seconds(string(digits))
}

// seconds reads a time in seconds since 1970.
func seconds(digits string) (time.Time, bool) {
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 {
		return time.Time{}, false
	}
	return time.Unix(n, 0).UTC(), true
}

// typed is a command that a person typed into a shell. A comment alone is none.
func (f *file) typed(command string, at time.Time, shell string) {
	command = strings.TrimSpace(command)
	if command == "" || command[0] == '#' && !strings.Contains(command, "\n") {
		return
	}
	c := Command{Text: command, Time: at, Host: shell, Outcome: Ran}
	if shell != "fish" {
		c.Shell = shell
	}
	f.found("", c)
}
