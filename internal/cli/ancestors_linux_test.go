package cli

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestAncestors(t *testing.T) {
	list := slices.Collect(ancestors)
	if len(list) == 0 || len(list[0].Args) == 0 {
		t.Fatalf("nothing is above this process: %+v", list)
	}
	line, err := os.ReadFile("/proc/" + strconv.Itoa(os.Getppid()) + "/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(list[0].Args, "\x00") + "\x00"; got != string(line) {
		t.Errorf("above is %q, want %q", got, line)
	}
}
