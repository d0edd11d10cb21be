package cli

import (
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
)

// builtIn is what the files of users and projects may refer to.
func builtIn() ruleset.Known {
	known := ruleset.Known{Program: builtInProgram, IDs: askIDs, Gates: allBuiltIn}
	for _, g := range gates.All {
		for i := range g.Paths {
			if place := g.Paths[i].Place; place != "" {
				known.Places = append(known.Places, place)
			}
		}
	}
	return known
}

func builtInProgram(name string) *match.Program {
	for _, g := range gates.All {
		if p := findProgram(g, name); p != nil {
			return p
		}
	}
	return nil
}

// allBuiltIn lists the built-in files, packs and profiles among them.
func allBuiltIn() []*match.Gate {
	all := append([]*match.Gate(nil), gates.All[:]...)
	for _, name := range gates.Packs {
		all = append(all, gates.Pack(name))
	}
	for _, name := range gates.Profiles {
		all = append(all, gates.Profile(name))
	}
	return all
}

// engineIDs are the ids of the asks that no rule has: the engine's own, and
// those of the readers of small languages.
var engineIDs = [...]string{
	"unknown-command", "unknown-use", "run.file", "code.any", "code.limit", "shell.script", "shell.by-option", "shell.hole", "shell.limit",
	"path.read", "path.write", "path.delete", "redirect.write", "redirect.network", "env.*", "env.read",
	"repository.planted", "project.elsewhere", "privilege.executes", "task.*",
	"awk.*", "curl.form", "curl.upload", "dc.*", "gdb.*", "jq.*", "mongo.*", "sed.*", "sql.*", "yq.*",
}

// askIDs lists the ids that a user's file may name: those of all rules and
// rows, and the engine's own.
func askIDs() []string {
	ids := append([]string(nil), engineIDs[:]...)
	for _, g := range allBuiltIn() {
		for _, p := range g.Programs {
			for i := range p.Rules {
				ids = append(ids, p.Rules[i].ID)
			}
		}
		for i := range g.Paths {
			ids = append(ids, g.Paths[i].ID)
		}
		for i := range g.Hosts {
			ids = append(ids, g.Hosts[i].ID)
		}
		for i := range g.Pipes {
			ids = append(ids, g.Pipes[i].ID)
		}
	}
	return ids
}
