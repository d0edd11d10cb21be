package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// On a terminal a pager shows the log; with --no-pager, or where there is none, it
// is printed.
func TestPager(t *testing.T) {
	home := t.TempDir()
	hook := bashgate(home, "hook", "claude")
	hook.Stdin = strings.NewReader(`{"session_id":"7bca2281","cwd":"/srv/project","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push"}}`)
	if out, err := hook.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	pager := filepath.Join(home, "pager")
	if err := os.WriteFile(pager, []byte("#!/bin/sh\necho paged $1 $LESS $LESSSECURE\ncat\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		pager string
		args  []string
		paged bool
		env   []string
	}{
		{pager + " -x", nil, true, nil},
		{pager + " -x", nil, false, []string{"CLAUDECODE=1"}},
		{pager + " -x", []string{"--no-pager"}, false, nil},
		{pager + " -x", []string{"--json"}, false, nil},
		{"cat", nil, false, nil},
		{"no-such-pager", nil, false, nil},
	} {
		status, shown := atTerminal(t, home, "", append(row.env, "PAGER="+row.pager, "LESS=", "LESSSECURE=0"), append([]string{"log"}, row.args...)...)
		if status != 0 || !strings.Contains(shown, "git push") || strings.Contains(shown, "paged -x FRX 1") != row.paged {
			t.Errorf("%s, %q: status %d, %q", row.pager, row.args, status, shown)
		}
	}
}
