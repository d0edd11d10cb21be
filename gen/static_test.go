package gen_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNothingRunsBeforeMain looks for code that initialises the package's
// tables at start: the linker must lay all of them out.
func TestNothingRunsBeforeMain(t *testing.T) {
	archive := filepath.Join(t.TempDir(), "gen.a")
	if out, err := exec.Command("go", "build", "-o", archive, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	out, err := exec.Command("go", "tool", "nm", archive).Output()
	if err != nil {
		t.Fatalf("go tool nm: %v", err)
	}
	symbols := string(out)
	if !strings.Contains(symbols, "gen.tableGit") {
		t.Fatal("the archive does not list the package's symbols")
	}
	if code := regexp.MustCompile(`\bgen\.(init(\.\d+)?|\.inittask)$`).FindAllString(symbols, -1); code != nil {
		t.Errorf("code runs before main: %s", code)
	}
	for line := range strings.Lines(symbols) {
		if strings.HasSuffix(strings.TrimSpace(line), "gen.init") || strings.Contains(line, "gen..inittask") {
			t.Errorf("code runs before main: %s", line)
		}
	}
}
