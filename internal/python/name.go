package python

import "unicode"

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isNameByte says whether a byte may be part of a name. All that is not ASCII
// may: the name as a whole is looked at by isStable.
func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || isDigit(c) || c >= 0x80
}

func isKeyword(s string) bool {
	switch s {
	case "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else",
		"except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise",
		"return", "try", "while", "with", "yield":
		return true
	}
	return false
}

// isStable says whether a name that is not ASCII is surely one, in every
// version, and is its own NFKC form, in which Python compares names. It knows
// letters of living scripts that stand for themselves alone and combine with
// nothing that it knows.
func isStable(s string) bool {
	for _, r := range s {
		switch {
		case r < 0x80:
			// Looked at before.
		case r == 0xAA || r == 0xB5 || r == 0xBA, // ª µ º
			0x132 <= r && r <= 0x133, 0x13F <= r && r <= 0x140, r == 0x149, r == 0x17F: // Ĳ ĳ Ŀ ŀ ŉ ſ
			return false
		case 0xC0 <= r && r <= 0x17F, // Latin
			0x388 <= r && r <= 0x3CE,   // Greek
			0x400 <= r && r <= 0x481,   // Cyrillic
			0x48A <= r && r <= 0x52F,   // Cyrillic
			0x5D0 <= r && r <= 0x5EA,   // Hebrew
			0x621 <= r && r <= 0x63A,   // Arabic
			0x641 <= r && r <= 0x64A,   // Arabic
			0x3041 <= r && r <= 0x3096, // Hiragana
			0x30A1 <= r && r <= 0x30FA, // Katakana
			0x4E00 <= r && r <= 0x9FEF, // Han
			0xAC00 <= r && r <= 0xD7A3: // Hangul
			if !unicode.IsLetter(r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
