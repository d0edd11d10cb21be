package shell

import "testing"

// TestDialects holds what is made of shells that are not known: one may have what
// either has, and surely has what both have.
func TestDialects(t *testing.T) {
	for _, row := range []struct {
		dialect     Dialect
		form        forms
		may, surely bool
	}{
		{Bash, earlyBraces, true, true},
		{Bash, unsplit, false, false},
		{Zsh, unsplit, true, true},
		{Zsh, earlyBraces, false, false},
		{Any, unsplit, true, false},
		{Any, earlyBraces, true, false},
		{Any, plainOnly, false, false},
		{POSIX, plainOnly, true, true},
		{POSIX, earlyBraces, true, false},
		{POSIX, assignedText, false, false},
	} {
		r := &run{in: &Input{Dialect: row.dialect}}
		if r.may(row.form) != row.may || r.surely(row.form) != row.surely {
			t.Errorf("dialect %d, form %b: may %v, surely %v", row.dialect, row.form, r.may(row.form), r.surely(row.form))
		}
	}
}
