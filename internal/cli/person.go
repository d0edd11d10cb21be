package cli

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// person asks somebody at a terminal and returns who that is. An agent that
// runs the command has none. The verb says what it is about: "clear",
// "cleared".
func (p *Process) person(question, verb, done string) (string, error) {
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
	fmt.Fprintf(tty, "%s Type yes: ", question)
	answer, err := bufio.NewReader(tty).ReadString('\n')
	if err != nil {
		return "", err
	}
	if strings.TrimSpace(answer) != "yes" {
		return "", fmt.Errorf("nothing is %s", done)
	}
	who := p.Getenv("USER")
	if who == "" {
		who = "a person"
	}
	return who + " at a terminal", nil
}
