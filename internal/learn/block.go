package learn

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Block returns the smallest rule that blocks a command for a reason: its program
// with the subcommand, or where there is none its words. Of a line it is about the
// command that does most. The error is a *Refusal, or says what is wrong with the
// reason.
func Block(judge Judge, r engine.Request, reason string) (*Proposal, error) {
	v := judge(r)
	l := learner{judge: judge, request: r, known: known()}
	a := worst(v.Tree)
	if a == nil {
		return nil, &Refusal{"it runs no program", "name the command: bashgate block 'git push'"}
	}
	words := a.command.Words
	name, ok := words[0].Const()
	if !ok || name == "" || strings.ContainsAny(name, " \t\n*") {
		return nil, &Refusal{"it is not known which program runs", "name it: bashgate block 'git push'"}
	}
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	var conditions, summary, example string
	var path []string
	if p := l.known.Program(name); p != nil {
		path = match.Called(p, a.command).Path
	} else if len(words) > 1 {
		if word, ok := words[1].Const(); ok && isName(word) {
			path = []string{word}
		}
	}
	if len(path) > 0 {
		sub := strings.Join(path, " ")
		conditions, summary = "subcommand = "+quoted(plain(sub))+"\n", name+" "+sub+", whatever follows"
		example = name + " " + sub
	} else {
		var operands []string
		for _, w := range words[1:] {
			text, ok := w.Const()
			if !ok {
				return nil, &Refusal{"not all of its words are known", "name the program and the subcommand"}
			}
			operands = append(operands, "data="+plain(text))
		}
		conditions, summary, example = "operands = "+list(operands)+"\n", "only "+shown(a.node.Command()), a.node.Command()
		if len(operands) == 0 {
			conditions, summary = "", name+", whatever follows"
		}
	}
	table := "[[programs]]\nname = " + quoted(name) + "\n"
	if len(path) == 0 && len(words) > 1 {
		if p := l.known.Program(name); p != nil && p.Unsteered {
			table += "unsteered = true\n"
		}
		table += "\n[[programs.options]]\nstyle = \"none\"\n"
	}
	text := table + "\n[[programs.block]]\nid = \"learned." + idPlace + "\"\n" + conditions + "reason = " + quoted(strings.TrimSuffix(strings.TrimSpace(reason), ".")) + "\n"
	if !strings.Contains(example, "\n") {
		text += "examples = " + list([]string{example}) + "\n"
	}
	b := &Proposal{ID: identity("no "+strings.TrimSpace(name+" "+strings.Join(path, " ")), text), Summary: summary, Program: name}
	b.Text = identified(text, b.ID)
	var err error
	if b.Rules, err = l.compile("learned.toml", b.Text); err != nil {
		return nil, err
	}
	if v := judge(r, b.Rules); v.Decision != policy.Block {
		return nil, &Refusal{"the rule would not block it", "name the command alone: bashgate block 'git push'"}
	}
	return b, nil
}

// worst is the command of a line that asks, or else the last one.
func worst(nodes []engine.Node) *ask {
	if asks := asked(nil, "", nodes); len(asks) > 0 {
		if i := slices.IndexFunc(asks, func(a ask) bool { return a.command != nil && len(a.command.Words) > 0 }); i >= 0 {
			return &asks[i]
		}
	}
	for i := len(nodes) - 1; i >= 0; i-- {
		if c := nodes[i].Simple(); c != nil && len(c.Words) > 0 {
			return &ask{node: &nodes[i], command: c}
		}
	}
	return nil
}
