package acceptance

import (
	"os"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// cloudLines makes command lines from a file of testdata/cloud: below a
// heading "# aws %s" each line takes the place of %s.
func cloudLines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/cloud/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var all, forms []string
	heading := false
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		switch form, ok := strings.CutPrefix(line, "# "); {
		case ok && heading:
			forms = append(forms, form)
		case ok:
			forms, heading = []string{form}, true
		case line != "":
			heading = false
			for _, form := range forms {
				all = append(all, strings.ReplaceAll(form, "%s", line))
			}
		}
	}
	return all
}

// TestCloudVerbs holds that no operation of a cloud is allowed that returns a
// credential or changes something, whatever service it is of and whatever is
// said besides. The operations that return credentials and all first words of
// operations that don't only read are botocore's, of 18,378 operations; those
// of gcloud and az are their manuals'.
func TestCloudVerbs(t *testing.T) {
	e := engine.New(engine.Options{})
	judge := func(line string) policy.Decision {
		return e.Evaluate(engine.Request{Command: line, Cwd: "/home/user/project", Workspace: "/home/user/project", Home: "/home/user"}).Decision
	}
	for file, least := range map[string]int{"credentials.txt": 700, "changes.txt": 1400} {
		lines := cloudLines(t, file)
		if len(lines) < least {
			t.Errorf("%s: %d lines", file, len(lines))
		}
		for _, line := range lines {
			if d := judge(line); d != policy.Ask && d != policy.Block {
				t.Errorf("%s: %s", d, line)
			}
		}
	}
	for _, line := range cloudLines(t, "reads.txt") {
		if d := judge(line); d != policy.Allow {
			t.Errorf("%s: %s", d, line)
		}
	}
}
