package export

import (
	"sort"
	"strings"
)

// Regular expressions are written for the smallest common language of the
// engines: sets, groups that don't capture, alternatives, and no flags.

// escape writes a text so that it means itself.
func escape(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if strings.IndexByte(`.+*?()[]{}|^$\/`, text[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// fold writes a text so that it is found in upper and lower case.
func fold(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if c := text[i] | 0x20; c >= 'a' && c <= 'z' {
			b.WriteString("[" + string(rune(c)) + string(rune(c-0x20)) + "]")
		} else {
			b.WriteString(escape(text[i : i+1]))
		}
	}
	return b.String()
}

// oneOf writes alternatives with what they begin with written once. write
// writes a text.
func oneOf(texts []string, write func(string) string) string {
	sorted := append([]string(nil), texts...)
	sort.Strings(sorted)
	return alternatives(sorted, 0, write)
}

func alternatives(texts []string, from int, write func(string) string) string {
	var parts []string
	ends := false
	for i := 0; i < len(texts); {
		if len(texts[i]) == from {
			ends = true
			i++
			continue
		}
		k := i + 1
		for k < len(texts) && len(texts[k]) > from && texts[k][from] == texts[i][from] {
			k++
		}
		to := from + 1
		if k == i+1 {
			to = len(texts[i])
		}
		for to < len(texts[i]) && len(texts[k-1]) > to && texts[i][:to+1] == texts[k-1][:to+1] {
			to++
		}
		head := write(texts[i][from:to])
		if k > i+1 || len(texts[i]) > to {
			head += alternatives(texts[i:k], to, write)
		}
		parts = append(parts, head)
		i = k
	}
	switch {
	case ends && len(parts) == 0:
		return ""
	case ends:
		parts = append(parts, "") // last, for the longest comes first
	case len(parts) == 1:
		return parts[0]
	}
	return "(?:" + strings.Join(parts, "|") + ")"
}
