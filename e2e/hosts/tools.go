//go:build unix

package main

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/match"
)

// commandTools sorts out, of the tools that an agent offers to a model, those
// that are known to run commands and those that may and are not known.
func commandTools(agent string, tools map[string]schema) (shells, unknown []string) {
	for _, name := range keys(tools) {
		plain := name[strings.LastIndexByte(name, '.')+1:]
		switch {
		case catalogue.ShellTool(agent, plain) != nil || otherShell(agent, plain):
			shells = append(shells, name)
		case excluded(plain):
		default:
			if args := commandArguments(tools[name]); args != nil {
				unknown = append(unknown, name+" ("+strings.Join(args, ", ")+")")
			}
		}
	}
	return shells, unknown
}

// commandArguments are the arguments that are called as commands are.
func commandArguments(s schema) []string {
	var args []string
	for name := range at(object(s), "properties") {
		low := strings.ToLower(name)
		switch low {
		case "cmd", "cmds", "script", "scripts", "argv", "shell", "chars", "bash", "exec":
		default:
			if !strings.Contains(low, "command") {
				continue
			}
		}
		args = append(args, name)
	}
	slices.Sort(args)
	return args
}

// otherShell reports whether a table names an agent's tool whose commands are
// in another language.
func otherShell(agent, name string) bool {
	return anyShells(func(r *match.ShellRule) bool { return r.Agent == agent && match.AnyGlob(r.Names, name) })
}

// excluded reports whether the table about any tool says that this one's
// arguments are no commands.
func excluded(name string) bool {
	return anyShells(func(r *match.ShellRule) bool { return r.Agent == "" && slices.Contains(r.Names, "!"+name) })
}

func anyShells(is func(*match.ShellRule) bool) bool {
	for _, g := range gates.All {
		for i := range g.Shells {
			if is(&g.Shells[i]) {
				return true
			}
		}
	}
	return false
}
