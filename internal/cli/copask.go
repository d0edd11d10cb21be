package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/policy"
)

// ask shows what is sent about a command, what comes back and what is made of
// it:
//
//	The session has read untrusted content: the reviewer decides (anthropic, claude-haiku-5-5)
//
//	sent, once:
//	  {
//	    "session": ...
//	  }
//
//	came back, 58 tokens for 1210:
//	  {"nonce": "5d3f...", ...}
//
//	clear after 640 ms
//	allow, as the rules say
//
// Where nothing came back, a person is shown what the server says, which the
// agent never is:
//
//	came back: the provider answers with HTTP status 404
//	  model 'qwen3:4b-instruct' not found
//
//	error status after 12 ms
func (t *copTool) ask(command string) (int, error) {
	p := t.process
	r, v := t.judged(command, "", t.situation.taint)
	var b strings.Builder
	step := t.table().Next(&r, &v, true)
	fmt.Fprintf(&b, "%s: %s", cop.Seen(r.Taint), decides(step))
	if c := &t.judge.config.Cop; c.Provider != "" && step.Calls() {
		model := strings.TrimSuffix(c.Provider+", "+c.Model, ", ")
		if c.Effort != "" {
			model += ", effort " + c.Effort
		}
		fmt.Fprintf(&b, " (%s)", policy.Visible(model))
	}
	b.WriteString("\n")
	if !step.Calls() {
		t.table().Decide(&r, &v, nil)
		t.conclude(&b, v.Decision, v.Human, v.Reason)
		_, err := io.WriteString(p.Stdout, b.String())
		return exitOK, err
	}
	c, err := t.reviewer(&r)
	if err != nil {
		return 0, err
	}
	if t.dryRun {
		prompts, err := c.Preview(&r, &v)
		if err != nil {
			return 0, err
		}
		sent(&b, prompts)
		_, err = io.WriteString(p.Stdout, b.String())
		return exitOK, err
	}
	c.Seen = func(call *cop.Call, reply *cop.Reply) {
		sent(&b, call.Prompts)
		for _, text := range reply.Texts {
			fmt.Fprintf(&b, "\ncame back, %d tokens for %d:\n%s", text.OutputTokens, text.InputTokens, indented(text.Text))
		}
		if reply.Error != "" {
			fmt.Fprintf(&b, "\ncame back: %s\n%s", policy.Visible(reply.Error), indented(shorten(reply.Detail, maxDetail)))
		}
	}
	rules := v.Decision
	o := t.table().Decide(&r, &v, c.Review)
	fmt.Fprintf(&b, "\n%s", o.Kind)
	if o.Code != "" {
		b.WriteString(" " + o.Code)
	}
	switch {
	case o.Cached:
		b.WriteString(", as it said before")
	default:
		fmt.Fprintf(&b, " after %d ms", o.Milliseconds)
	}
	if o.Said != "" {
		b.WriteString(": " + policy.Visible(o.Said))
	}
	b.WriteString("\n")
	if v.Decision == rules && !v.Human && o.Kind == cop.Clear {
		fmt.Fprintf(&b, "%s, as the rules say\n", v.Decision)
	} else {
		t.conclude(&b, v.Decision, v.Human, v.Reason)
	}
	_, err = io.WriteString(p.Stdout, b.String())
	return exitOK, err
}

// maxDetail is how much of a server's message is shown, in characters.
const maxDetail = 600

func (t *copTool) conclude(b *strings.Builder, d policy.Decision, human bool, reason string) {
	b.WriteString(styleFor(t.process, t.process.Stdout).decision(d, d.String()))
	if human {
		b.WriteString(" a person")
	}
	if reason != "" {
		b.WriteString("  " + policy.Visible(reason))
	}
	b.WriteString("\n")
}

func decides(s cop.Step) string {
	switch s {
	case cop.Person:
		return "a person decides"
	case cop.Rules:
		return "the rules decide"
	}
	return "the reviewer decides"
}

// sent shows the prompts: what is the same in all of them once.
func sent(b *strings.Builder, prompts []cop.Prompt) {
	times := "once"
	if len(prompts) > 1 {
		times = "twice, with the instructions in another order"
	}
	fmt.Fprintf(b, "\nsent, %s:\n%s", times, indented(prompts[0].System))
	question := prompts[0].User
	if lines := strings.Split(question, "\n"); len(lines) == 3 {
		var pretty bytes.Buffer
		if json.Indent(&pretty, []byte(lines[1]), "", "  ") == nil {
			question = lines[0] + "\n" + pretty.String() + "\n" + lines[2]
		}
	}
	b.WriteString("\n" + indented(question))
}

// indented shows a text of several lines with blanks before each.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); line == "" {
			b.WriteString("\n")
			continue
		}
		b.WriteString("  " + policy.Visible(line) + "\n")
	}
	return b.String()
}
