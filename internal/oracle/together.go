//go:build linux

package main

import (
	"slices"
	"strings"
)

// mostTogether is how many texts of JavaScript run as one: Node takes a tenth of a
// second to start.
const mostTogether = 6

// joins reports whether a text may run with others: it neither ends who runs it nor
// has to stand at the top.
func joins(t text, f form) bool {
	return t.lang == "javascript" && f.code && !strings.HasPrefix(t.text, "#!") &&
		!slices.ContainsFunc([]string{"import ", "export ", "exit", "abort", "await ", "chdir"}, func(s string) bool { return strings.Contains(t.text, s) })
}

// together runs texts that are understood, each in a try of its own, as one text that has
// to be understood itself. Where it is not, halves of it are tried.
func (w *worker) together(texts []string, f form) (*find, error) {
	t := text{"javascript", texts[0]}
	if len(texts) > 1 {
		t.text = "try {\n" + strings.Join(texts, "\n} catch (error) {}\ntry {\n") + "\n} catch (error) {}"
	}
	line, code := f.spell(t)
	v := w.codeVerdict(line)
	if understood(v) && (len(texts) == 1 || code != nil) {
		return w.happens(t, f, line, code, v, len(texts))
	}
	if len(texts) == 1 {
		return nil, nil
	}
	half := len(texts) / 2
	if found, err := w.together(texts[:half], f); found != nil || err != nil {
		return found, err
	}
	return w.together(texts[half:], f)
}
