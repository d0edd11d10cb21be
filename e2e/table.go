package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/bashgate/bashgate/internal/export"
	"github.com/bashgate/bashgate/internal/ruleset"
)

// row is one line to be judged.
type row struct {
	command  string
	mutation string // "" for a line as it stands in the table
}

const fromCorpus = "corpus"

// table is the commands, and what becomes of them.
type table struct {
	commands []string
	forms    []export.Form
	corpus   []string
}

// newTable collects the rules' examples and the acceptance rows.
func newTable(rules *export.Rules) (*table, error) {
	t := &table{forms: rules.Forms}
	for _, dir := range [...]string{"rules", "rules/packs", "rules/profiles"} {
		files, err := ruleset.LoadDir(os.DirFS("."), dir, dir, ruleset.BuiltIn)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			for i := range f.Programs {
				p := &f.Programs[i]
				for _, written := range [...][]ruleset.Rule{p.Allow, p.Ask, p.Block} {
					for k := range written {
						for _, example := range written[k].Examples {
							t.commands = append(t.commands, example.Value)
						}
						for _, example := range written[k].Not {
							t.commands = append(t.commands, example.Value)
						}
					}
				}
			}
		}
	}
	for _, name := range [...]string{"default", "red_team_allowed", "reach"} {
		commands, err := readCommands("internal/acceptance/testdata/" + name + ".jsonl")
		if err != nil {
			return nil, err
		}
		t.commands = append(t.commands, commands...)
	}
	if len(t.commands) < 3000 {
		return nil, fmt.Errorf("only %d commands in the table", len(t.commands))
	}
	return t, nil
}

func (t *table) readCorpus(path string) (err error) {
	t.corpus, err = readCommands(path)
	return err
}

func readCommands(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []string
	in := bufio.NewScanner(f)
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		var r struct{ Cmd string }
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if r.Cmd != "" {
			all = append(all, r.Cmd)
		}
	}
	return all, in.Err()
}

// rows makes pairs of a command and a mutation, with some of the table's
// commands as they are. The same number makes the same rows.
func (t *table) rows(pairs int) []row {
	r := rand.New(rand.NewPCG(uint64(pairs), 6))
	seen := map[string]bool{}
	var rows []row
	add := func(command, mutation string) bool {
		if seen[command] || strings.ContainsRune(command, 0) || strings.TrimSpace(command) == "" {
			return false
		}
		seen[command] = true
		rows = append(rows, row{command, mutation})
		return true
	}
	for i := 0; i < pairs/6; i++ {
		if i%2 == 0 {
			add(t.commands[r.IntN(len(t.commands))], "")
		} else {
			add(t.forms[r.IntN(len(t.forms))].Example(r), "")
		}
	}
	for made := 0; made < pairs; {
		command := t.commands[r.IntN(len(t.commands))]
		if r.IntN(3) > 0 {
			command = t.forms[r.IntN(len(t.forms))].Example(r)
		}
		m := &mutations[r.IntN(len(mutations))]
		text := m.mutate(command, r, t)
		if text != "" && r.IntN(4) == 0 {
			second := &mutations[r.IntN(len(mutations))]
			text = second.mutate(text, r, t)
		}
		if text != command && add(text, m.name) {
			made++
		}
	}
	for _, command := range t.corpus {
		if !strings.ContainsRune(command, 0) {
			rows = append(rows, row{command, fromCorpus})
		}
	}
	return rows
}
