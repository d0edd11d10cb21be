package learn

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"
	"testing"
)

// An id ends with the beginning of a sum, in base32.
func TestIdentity(t *testing.T) {
	for i := range 100 {
		text := fmt.Sprint(i)
		sum := sha256.Sum256([]byte(text))
		want := "git-push-" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:4]
		if got := identity("git push", text); !strings.HasSuffix(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
