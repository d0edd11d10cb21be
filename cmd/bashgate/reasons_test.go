package main

import (
	"os"
	"os/exec"
	"testing"
)

// TestReasonsPage holds that docs/reasons.md is what the catalogue says;
// go test ./cmd/bashgate -run ReasonsPage -update writes it.
func TestReasonsPage(t *testing.T) {
	const page = "../../docs/reasons.md"
	want, err := exec.Command("bashgate", "rules", "docs", "reasons").Output()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(page, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(page); err != nil || string(got) != string(want) {
		t.Errorf("%s is not what bashgate rules docs reasons prints: run the test with -update (%v)", page, err)
	}
}
