package engine_test

import (
	"testing"

	"github.com/bashgate/bashgate/engine"
)

// A question that hangs on a value which is not known names it.
func TestReasonNamesWhatItHangsOn(t *testing.T) {
	e := engine.New(engine.Options{})
	for line, want := range map[string]string{
		"git show HEAD:.env":        "Shows a file that usually holds credentials (git)",
		`git show "$x"`:             `Shows a file that usually holds credentials, if "$x" says so (git)`,
		`git show --stat HEAD "$x"`: `Shows a file that usually holds credentials, if "$x" says so (git)`,
		`git show HEAD:.env "$x"`:   "Shows a file that usually holds credentials (git)",
	} {
		if got := judge(e, line, "").Reason; got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
