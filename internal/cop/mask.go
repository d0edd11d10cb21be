package cop

import (
	"strconv"
	"strings"
)

// tokens are the beginnings of keys and tokens of well-known services.
var tokens = [...]string{
	"sk-", "sk_live_", "sk_test_", "rk_live_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-",
	"xoxb-", "xoxp-", "xoxa-", "xoxe-", "xapp-", "AKIA", "ASIA", "AIza", "ya29.", "eyJ", "npm_", "pypi-", "dop_v1_", "hf_", "SG.", "hvs.",
}

// Mask replaces what looks like a secret: tokens of well-known services, what
// follows Bearer and Basic, passwords in addresses, private keys. It is no
// promise that nothing else is one.
func Mask(text string) string {
	if i := strings.Index(text, "PRIVATE KEY-----"); i >= 0 && strings.Contains(text[:i], "-----BEGIN ") {
		begin := strings.Index(text, "-----BEGIN ")
		return Mask(text[:begin]) + masked(len(text)-begin)
	}
	var b strings.Builder
	done := 0
	for i := 0; i < len(text); {
		end := secretEnd(text, i)
		if end <= i {
			i++
			continue
		}
		b.WriteString(text[done:i])
		b.WriteString(masked(end - i))
		i, done = end, end
	}
	if done == 0 {
		return text
	}
	return b.String() + text[done:]
}

func masked(n int) string { return "[secret of " + strconv.Itoa(n) + " characters]" }

// secretEnd returns where the secret that begins at i ends; 0 if none does.
func secretEnd(text string, i int) int {
	begins := i == 0 || !tokenByte(text[i-1])
	if begins {
		for _, prefix := range tokens {
			if strings.HasPrefix(text[i:], prefix) {
				if end := tokenEnd(text, i); end-i >= len(prefix)+12 {
					return end
				}
			}
		}
	}
	for _, scheme := range [...]string{"earer ", "asic "} {
		if i >= len(scheme) && text[i-len(scheme):i] == scheme {
			if end := tokenEnd(text, i); end-i >= 8 {
				return end
			}
		}
	}
	// https://user:PASSWORD@host
	if i > 0 && text[i-1] == ':' && !strings.HasPrefix(text[i:], "//") {
		at := strings.IndexAny(text[i:], "@/ \t\n'\"")
		start := strings.LastIndex(text[:i], "://")
		if at > 0 && text[i+at] == '@' && start >= 0 && !strings.ContainsAny(text[start+3:i-1], "/: ") {
			return i + at
		}
	}
	return 0
}

func tokenByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_' || b == '-'
}

func tokenEnd(text string, i int) int {
	for i < len(text) && (tokenByte(text[i]) || strings.IndexByte(".+/=~", text[i]) >= 0) {
		i++
	}
	return i
}
