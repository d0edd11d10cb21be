package history

import (
	"bytes"
	"strings"
	"time"
)

// readZsh reads ~/.zsh_history: a line for each command, and with EXTENDED_HISTORY
// its time and how long it took before it (zshoptions(1)). A command of several
// lines has a backslash at the end of each but the last (Src/hist.c,
// readhistline), and zsh writes some bytes in two (Src/utils.c, unmetafy).
//
//	: 1700000000:0;git status
func readZsh(f *file) error {
	var held []byte
	long := false
	end := func() {
		if len(held) > 0 && !long {
			command, at := zshTime(string(unmeta(held)))
			f.typed(command, at, "zsh")
		}
		held, long = held[:0], false
	}
	err := f.lines(func(line []byte) {
		goesOn := bytes.HasSuffix(line, []byte(`\`))
		if goesOn {
			line = line[:len(line)-1]
		}
		switch {
		case len(held)+len(line) <= maxRecord:
			held = append(held, line...)
		case !long:
			f.skip(f.line, tooLong)
			long = true
		}
		if goesOn {
			held = append(held, '\n')
		} else {
			end()
		}
	})
	end()
	return err
}

// zshTime takes the time off an entry's beginning.
func zshTime(entry string) (command string, at time.Time) {
	rest, is := strings.CutPrefix(entry, ": ")
	if !is {
		return entry, at
	}
	head, command, is := strings.Cut(rest, ";")
	start, took, both := strings.Cut(head, ":")
	if _, ok := seconds(took); !is || !both || !ok {
		return entry, at
	}
	at, ok := seconds(strings.TrimSpace(start))
	if !ok {
		return entry, at
	}
	return command, at
}

// unmeta undoes zsh's writing of bytes that mean something to it: a byte 0x83, and
// then the byte with one bit turned.
func unmeta(text []byte) []byte {
	if bytes.IndexByte(text, 0x83) < 0 {
		return text
	}
	plain := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == 0x83 && i+1 < len(text) {
			i++
			plain = append(plain, text[i]^32)
			continue
		}
		plain = append(plain, text[i])
	}
	return plain
}
