package learn

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// Answers come and go, and what a person wrote beside them stays.
func TestFile(t *testing.T) {
	const own = "# mine\n\n[[programs]]\nname = \"x\"\nallow = [{ subcommand = \"y\" }]\r\n# a remark · not an answer"
	at := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	j := judging(project())
	text := []byte(own)
	var ids []string
	for _, line := range []string{"acme one", "git push origin feature/x", "acme two\tthree"} {
		list, err := Propose(j, request(line))
		if err != nil {
			t.Fatal(line, err)
		}
		if text, err = With("learned.toml", text, Head(list[0].ID, at, "~/p", line), list[0].Text); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, list[0].ID)
	}
	if !bytes.HasPrefix(text, []byte(own)) {
		t.Errorf("what was there has changed:\n%s", text)
	}
	answers := Answers(text)
	if len(answers) != 3 || answers[1].ID != ids[1] || answers[1].Note != "2026-11-02 · asked in ~/p: git push origin feature/x" || strings.Contains(answers[2].Note, "\t") {
		t.Errorf("%+v", answers)
	}
	rules, err := compile("learned.toml", text, known())
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"acme one", "git push origin feature/x", "acme two\tthree"} {
		if v := j(request(line), rules); v.Decision.String() != "allow" && line != "acme two\tthree" {
			t.Errorf("%s: %s", line, v.Reason)
		}
	}
	if Without(text, "acme-0000") != nil {
		t.Error("an answer that is not there is taken out")
	}
	for _, i := range []int{1, 0, 2} {
		if text = Without(text, ids[i]); text == nil {
			t.Fatal(ids[i])
		}
		if _, err := compile("learned.toml", text, known()); err != nil {
			t.Error(err)
		}
	}
	if string(text) != own+"\n" {
		t.Errorf("left: %q", text)
	}
	if _, err := With("learned.toml", []byte("x = 1\n"), "# a-b · c\n", ""); err == nil || !strings.HasPrefix(err.Error(), "learned.toml:1:1: ") {
		t.Errorf("a broken file: %v", err)
	}
}
