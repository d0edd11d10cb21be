package export

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Merging keeps what others wrote, comments too, finds its own part again, and
// changes nothing the second time.
func TestMerge(t *testing.T) {
	tests := []struct {
		name, target  string
		existing      string
		kept          []string // in the merged file, in this order
		gone          []string
		wantComplaint string
	}{
		{
			name: "nothing there", target: "claude", existing: "",
			kept: []string{`"permissions"`, `Bash(shop close:*)`},
		},
		{
			name: "settings of others", target: "claude",
			existing: "// mine\n{\n  \"model\": \"x\", // why not\n  \"permissions\": {\n    \"defaultMode\": \"plan\",\n    \"allow\": [\"Bash(mine)\"]\n  },\n  \"last\": 1\n}\n",
			kept:     []string{"// mine", `"model": "x", // why not`, `"defaultMode": "plan"`, `"Bash(mine)"`, `"Bash(: bashgate begins)"`, `"Bash(shop close:*)"`, `"Bash(: bashgate ends)"`, `"last": 1`},
		},
		{
			name: "an older export", target: "claude",
			existing: `{"permissions": {"allow": ["Bash(before)", "Bash(: bashgate begins)", "Bash(old)", "Bash(: bashgate ends)", "Bash(behind)"]}}`,
			kept:     []string{`"Bash(before)"`, `"Bash(: bashgate begins)"`, `"Bash(: bashgate ends)"`, `"Bash(behind)"`, `"Bash(shop close:*)"`},
			gone:     []string{"old"},
		},
		{
			name: "an order that decides", target: "opencode",
			existing: `{"permission": {"bash": {"*": "allow", "mine *": "allow", ": bashgate begins": "ask", "old": "allow", ": bashgate ends": "ask", "theirs *": "deny"}}}`,
			kept:     []string{`"mine *": "allow"`, `": bashgate begins": "ask"`, `"*": "ask"`, `": bashgate ends": "ask"`, `"theirs *": "deny"`},
			gone:     []string{`"*": "allow"`, "old"},
		},
		{
			name: "the first entry decides", target: "amp",
			existing: `{"amp.permissions": [{"tool": "Bash", "action": "allow"}]}`,
			kept:     []string{"bashgate begins", `{"tool": "Bash", "action": "ask"}`, "bashgate ends", `{"tool": "Bash", "action": "allow"}`},
		},
		{
			name: "a setting that is there already", target: "zed",
			existing: `{"agent": {"tool_permissions": {"tools": {"terminal": {"default": "allow", "mine": 1}}}}}`,
			kept:     []string{`"default": "confirm"`, `"mine": 1`, `"always_deny"`},
			gone:     []string{`"default": "allow"`},
		},
		{
			name: "no JSON", target: "claude", existing: `{"permissions": `,
			wantComplaint: "line 1",
		},
		{
			name: "another shape", target: "claude", existing: `{"permissions": {"allow": "all"}}`,
			wantComplaint: `"permissions.allow" is not what the agent wants there`,
		},
		{
			name: "not even an object", target: "claude", existing: `{"permissions": 1}`,
			wantComplaint: `"permissions" is not an object`,
		},
		{
			name: "half an export", target: "claude", existing: `{"permissions": {"allow": ["Bash(: bashgate begins)", "Bash(old)"]}}`,
			wantComplaint: "an earlier export begins and does not end",
		},
	}
	rules := Collect(small(t), false)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			target := Find(tt.target)
			merged, err := target.Merge(rules, Options{}, []byte(tt.existing))
			if tt.wantComplaint != "" {
				if err == nil || !strings.Contains(err.Error(), tt.wantComplaint) {
					t.Fatalf("complains %v, want %q", err, tt.wantComplaint)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			rest := string(merged.Text)
			for _, want := range tt.kept {
				at := strings.Index(rest, want)
				if at < 0 {
					t.Fatalf("%s is missing, or in another place:\n%s", want, merged.Text)
				}
				rest = rest[at:]
			}
			for _, gone := range tt.gone {
				if strings.Contains(string(merged.Text), gone) {
					t.Errorf("%s is still there:\n%s", gone, merged.Text)
				}
			}
			again, err := target.Merge(rules, Options{}, merged.Text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(merged.Text), string(again.Text)); diff != "" {
				t.Errorf("a second time changes it:\n%s", diff)
			}
			if err := target.Check(merged.Text, "file"); err != nil {
				t.Error(err)
			}
		})
	}
}
