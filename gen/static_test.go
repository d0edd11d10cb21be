package gen_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNothingRunsBeforeMain looks at the function that initialises the
// package: it must return at once, because the linker lays out all tables.
func TestNothingRunsBeforeMain(t *testing.T) {
	archive := filepath.Join(t.TempDir(), "gen.a")
	if out, err := exec.Command("go", "build", "-o", archive, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	out, err := exec.Command("go", "tool", "objdump", "-s", `bashgate/gen\.(init|Judge)(\.\d+)?$`, archive).Output()
	if err != nil {
		t.Fatalf("go tool objdump: %v", err)
	}
	seen := false
	for function := range strings.SplitSeq(string(out), "TEXT ") {
		name, code, _ := strings.Cut(function, "(SB)")
		switch {
		case strings.HasSuffix(name, "gen.Judge"):
			seen = true
		case strings.Contains(name, "gen.init"):
			if lines := strings.Split(strings.TrimSpace(code), "\n"); len(lines) > 2 { // the file's name, RET
				t.Errorf("%s runs before main:\n%s", name, code)
			}
		}
	}
	if !seen {
		t.Fatal("the disassembly does not show the package's functions")
	}
}
