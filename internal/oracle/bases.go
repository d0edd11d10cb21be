//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// basesOf finds the texts of these languages in the lines of JSONL files, whose
// rows have the line as "cmd": they are code as agents write it, of which a hunt
// makes further ones.
func basesOf(files, langs []string) (all []text, err error) {
	j := newJudge(codeFiles)
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in := bufio.NewScanner(f)
		in.Buffer(nil, 64<<20)
		for in.Scan() {
			var row struct{ Cmd string }
			if json.Unmarshal(in.Bytes(), &row) != nil || !strings.Contains(row.Cmd, "python") && !strings.Contains(row.Cmd, "node") {
				continue
			}
			var nodes []*engine.Node
			collect(j.codeVerdict(row.Cmd).Tree, &nodes)
			for _, n := range nodes {
				if t, ok := inline(n.Simple()); ok && slices.Contains(langs, t.lang) {
					all = append(all, t)
				}
			}
		}
		if err := in.Err(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// inline is the text that a command gives to an interpreter.
func inline(c *policy.Command) (text, bool) {
	if c == nil || len(c.Words) == 0 {
		return text{}, false
	}
	name, _ := c.Words[0].Const()
	t, option := text{}, ""
	switch name = path.Base(name); {
	case strings.HasPrefix(name, "python"):
		t.lang, option = "python", "-c"
	case name == "node":
		t.lang, option = "javascript", "-e"
	default:
		return text{}, false
	}
	for i, w := range c.Words {
		if word, _ := w.Const(); word == option && i+1 < len(c.Words) {
			t.text, _ = c.Words[i+1].Const()
		}
	}
	if t.text == "" && c.Stdin.Kind == policy.InputText {
		t.text, _ = c.Stdin.Text.Const()
	}
	return t, t.text != ""
}
