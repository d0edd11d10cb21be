package shell

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestTmpRows(t *testing.T) {
	f, _ := os.Open("/work/shared/corpora/reader_holes.jsonl")
	for in := bufio.NewScanner(f); in.Scan(); {
		var row struct {
			Cmd, Shell, Note, Unseen string
			Want                     *string
		}
		json.Unmarshal(in.Bytes(), &row)
		d := Bash
		switch row.Shell {
		case "sh", "dash":
			d = POSIX
		case "zsh":
			d = Zsh
		}
		if !strings.HasPrefix(row.Note, "E ") && !strings.HasPrefix(row.Note, "B2") && !strings.HasPrefix(row.Note, "F") {
			continue
		}
		rd := New().Read(Input{Text: row.Cmd, Dialect: d, Dirs: []string{"/home/user/project"}, Home: "/home/user"})
		ok := len(rd.Findings) > 0
		for _, c := range rd.Commands {
			if n, _ := c.Program(); n == "ls" && (len(c.Dirs) == 0 || slices.Contains(c.Dirs, "/etc")) {
				ok = true
			}
		}
		if !ok {
			t.Logf("%s %s | %s", row.Shell, row.Cmd, row.Unseen)
			for _, l := range render(rd) {
				t.Log("     ", l)
			}
		}
	}
}
