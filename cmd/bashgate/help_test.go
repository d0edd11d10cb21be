package main

import (
	"runtime"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/cli"
	"github.com/bashgate/bashgate/internal/handbook"
	"github.com/bashgate/bashgate/internal/race"
)

// prepared is what stands before the examples of helps, as on a page.
var prepared = map[string]string{
	"answer":     "<!-- test: skip docs/approvals.md has it with the notice -->",
	"approve":    waiting,
	"completion": "<!-- test:\n$ mkdir -p ~/.local/share/bash-completion/completions ~/.config/fish/completions\n-->",
	"cop":        "<!-- test:\n$ mkdir -p ~/.config/bashgate\n$ printf '[cop]\\nprovider = \"anthropic\"\\n' >~/.config/bashgate/config.toml\n-->",
	"deny":       waiting,
	"doctor":     "<!-- test:\n$ bashgate install claude --yes | grep wrote\nwrote ~/.claude/settings.json\n$ sed -i 's:/usr/local/bin/bashgate:/opt/old/bashgate:' ~/.claude/settings.json\n-->",
	"forget":     "<!-- test:\n$ bashgate allow 'acme lint src/a.go'\n…\nType the number and meadow to allow one, such as 1 meadow: 2 meadow\nacme-r6my: written to …\n-->",
	"uninstall":  "<!-- test:\n$ bashgate install claude --yes | grep wrote\nwrote ~/.claude/settings.json\n-->",
	"log":        "<!-- test: skip docs/log.md has it, with lines of one day -->",
	"pending":    waiting,
	"replay":     "<!-- test:\n$ mkdir -p ~/.claude/projects/shop && past claude >~/.claude/projects/shop/7bca2281.jsonl\n-->",
	"rules":      "<!-- test:\n$ mkdir -p ~/.config/bashgate/rules\n$ printf '[[programs]]\\nname = \"mylint\"\\nunknown_action = \"allow\"\\n' >~/.config/bashgate/rules/mine.toml\n-->",
	"shell":      "<!-- test:\n$ touch README.md main.go\n-->",
	"status":     "<!-- test: skip docs/doctor.md has it -->",
	"suggest":    "<!-- test: skip docs/suggest.md has it with a history -->",
	"taint":      "<!-- test:\n$ export SESSION=7bca2281; touch .env; decides --tool WebFetch '{\"url\":\"https://example.org/\"}'; decides --tool Bash '{\"command\":\"cat .env\"}'\n…\n-->",
	"version":    "<!-- test: skip each build has its own -->",
}

const waiting = `<!-- test:
$ echo '{"session_id":"7bca2281","cwd":"'"$PWD"'","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push --force"}}' | bashgate hook claude --unattended | cat >/dev/null
$ bashgate pending | head -1
KXRT  claude 7bca2281, 0s ago, waits 4m59s more
-->`

// TestHelp runs the examples of the help texts, as TestDocs does those of pages.
func TestHelp(t *testing.T) {
	if race.On || runtime.GOOS != "linux" {
		t.Skip("NOT RUN: as TestDocs")
	}
	for _, help := range cli.Pages() {
		t.Run(help.Name, func(t *testing.T) {
			_, example, ok := strings.Cut(help.Help, "\nExample:\n")
			if !ok {
				t.Fatal("there is no example")
			}
			page, err := handbook.Parse("help "+help.Name, []byte(prepared[help.Name]+"\n"+block(example)))
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range page.Blocks {
				if b.Skip != "" {
					t.Log("NOT RUN:", b.Skip)
				}
			}
			played(t, page)
		})
	}
}

// block is the example that a help begins with, as a page shows it: dots at the end
// of a line stand for what is left out, and a command that does not end goes on.
// Where no output is shown, the commands have to end well.
func block(help string) string {
	var block strings.Builder
	goesOn, shows := false, false
	for line := range strings.Lines(help) {
		if line != "\n" && !strings.HasPrefix(line, "  ") {
			break
		}
		line = strings.TrimPrefix(line, "  ")
		if before, ok := strings.CutSuffix(line, "...\n"); ok {
			line = before + "…\n"
		}
		switch {
		case goesOn:
			line = "> " + line
		case !strings.HasPrefix(line, "$ ") && line != "\n":
			shows = true
		}
		goesOn = (goesOn || strings.HasPrefix(line, "$ ")) && strings.ContainsAny(line[len(line)-2:], "|,\\")
		block.WriteString(line)
	}
	text := strings.TrimRight(block.String(), "\n") + "\n```\n"
	if shows {
		return "```console\n" + text
	}
	return "```sh\n" + strings.ReplaceAll(strings.TrimPrefix(text, "$ "), "\n$ ", "\n")
}
