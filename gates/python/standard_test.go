package python

import "testing"

// TestIsStandard holds names of modules against parts of the list in which they stand.
func TestIsStandard(t *testing.T) {
	for name, want := range map[string]bool{
		"os": true, "abc": true, "_zstd": true, "xml": true,
		"": false, " ": false, "\n": false, "s": false, "o": false, "os sys": false, " os": false, "os ": false, "own": false,
	} {
		if IsStandard(name) != want {
			t.Errorf("%q: %v, want %v", name, !want, want)
		}
	}
}
