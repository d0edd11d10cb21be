package cli

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// person asks somebody at a terminal and returns who that is. An agent that
// runs the command has none. The verb says what it is about: "clear",
// "cleared".
func (p *Process) person(question, verb, done string) (string, error) {
	answer, err := p.types(question+" Type yes: ", verb)
	if err == nil && answer != "yes" {
		err = fmt.Errorf("nothing is %s", done)
	}
	return p.who(), err
}

// types asks somebody at a terminal and returns what they type, a line without
// blanks around it.
func (p *Process) types(question, verb string) (string, error) {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil || !isTerminal(p.Stdin) {
		if err == nil {
			tty.Close()
		}
		return "", usagef("run it yourself, in a terminal", "only a person at a terminal can %s that", verb)
	}
	defer tty.Close()
	if p.Getenv("CLAUDECODE") != "" || p.Getenv("AI_AGENT") != "" {
		return "", usagef("run it yourself, in a terminal of your own", "an agent can't %s that", verb)
	}
	io.WriteString(tty, question)
	answer, err := bufio.NewReader(tty).ReadString('\n')
	return strings.TrimSpace(answer), err
}

// who is the person at the terminal.
func (p *Process) who() string {
	who := p.Getenv("USER")
	if who == "" {
		who = "a person"
	}
	return who + " at a terminal"
}

// picks asks somebody at a terminal which of n answers it shall be, 1 to n, and
// returns its index. They also type a word that stands in the question alone:
// whoever has not read it does not answer, and neither does a script that was
// written before.
func (p *Process) picks(n int, verb, done string) (int, error) {
	if err := p.noAgentAbove(verb); err != nil {
		return 0, err
	}
	word := pickWords[rand.IntN(len(pickWords))]
	question := "Type " + word + " to " + verb + " that: "
	if n > 1 {
		question = fmt.Sprintf("Type the number and %s to %s one, such as 1 %s: ", word, verb, word)
	}
	answer, err := p.types(question, verb)
	if err != nil {
		return 0, err
	}
	number, rest, _ := strings.Cut(answer, " ")
	if n == 1 && answer == word {
		return 0, nil
	}
	if i, err := strconv.Atoi(number); err == nil && 1 <= i && i <= n && strings.TrimSpace(rest) == word {
		return i - 1, nil
	}
	return 0, fmt.Errorf("nothing is %s", done)
}

// pickWords are what a person types: short, and none like another.
var pickWords = [...]string{"maple", "river", "candle", "violet", "harbor", "pepper", "saddle", "tunnel", "window", "garlic", "meadow", "copper", "basket", "feather", "lantern", "orchard"}

// agentPrograms are the programs that are agents, by the names of their processes.
var agentPrograms = [...]string{"claude", "codex", "gemini", "qwen", "copilot", "opencode", "kilo", "crush", "goose", "cline", "cursor-agent", "aider", "kimi", "droid", "kiro-cli", "amp", "auggie", "pi"}

// noAgentAbove refuses where one of the processes above is an agent. Where that
// can't be seen, the terminal alone has to do.
func (p *Process) noAgentAbove(verb string) error {
	for a := range lineage {
		for _, arg := range a.Args[:min(2, len(a.Args))] { // node /usr/bin/claude
			if name := strings.TrimSuffix(filepath.Base(arg), ".js"); slices.Contains(agentPrograms[:], name) {
				return usagef("run it yourself, in a terminal of your own", "an agent can't %s that: it was started by %s", verb, name)
			}
		}
	}
	return nil
}
