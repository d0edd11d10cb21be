package ruleset

import (
	"fmt"
	"math/bits"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/bashgate/bashgate/policy"
)

// Error is one thing that is wrong in a rule file.
type Error struct {
	File string
	At   Span   // zero: the place is not known
	Msg  string // "unknown key \"unles_flags\" in [[programs.allow]]"
	Hint string // what to write instead; may be ""
	Line string // the line of the file; may be ""

	// Keys are the keys that it may be about: the file's own key under which it
	// stands, and those that are not where they should be. None means that it
	// can't be told.
	Keys []string

	table *Table // where it was found; nil: not known
}

// Error returns the place, the message, the line with carets, and the hint:
//
//	rules/git.toml:14:1: unknown key "unles_flags" in [[programs.allow]]
//	    unles_flags = ["-f"]
//	    ^^^^^^^^^^^
//	hint: did you mean "unless_flags"?
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(policy.Visible(e.File))
	if e.At.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.At.Line, e.At.Col)
	}
	b.WriteString(": " + policy.Visible(e.Msg))
	if e.At.Line > 0 && strings.TrimSpace(e.Line) != "" {
		before, marked, after := e.cut()
		fmt.Fprintf(&b, "\n    %s%s%s\n    %s%s", before, marked, after,
			strings.Repeat(" ", utf8.RuneCountInString(before)), strings.Repeat("^", max(1, utf8.RuneCountInString(marked))))
	}
	if e.Hint != "" {
		b.WriteString("\nhint: " + policy.Visible(e.Hint))
	}
	return b.String()
}

// cut returns the line in three pieces, the middle one at fault, as a
// terminal may draw them: a rule file can be somebody else's.
func (e *Error) cut() (before, marked, after string) {
	line := strings.TrimRight(e.Line, " \t\r")
	start := min(max(e.At.Col-1, 0), len(line))
	end := min(start+e.At.Len, len(line))
	before = strings.TrimLeft(strings.ReplaceAll(line[:start], "\t", " "), " ")
	marked, after = line[start:end], line[end:]
	if len(marked) > maxLine {
		marked, after = strings.ToValidUTF8(marked[:maxLine], "")+"...", ""
	}
	// Of a long line, the words around the fault are enough.
	if room := max(maxLine-len(marked), 20); len(before)+len(after) > room {
		if keep := max(room/2, room-len(after)); len(before) > keep {
			before = "..." + strings.ToValidUTF8(before[len(before)-keep:], "")
		}
		if keep := max(room-len(before), 0); len(after) > keep {
			after = strings.ToValidUTF8(after[:keep], "") + "..."
		}
	}
	return policy.Visible(before), policy.Visible(marked), policy.Visible(after)
}

// maxLine is about how many bytes of a line a message shows.
const maxLine = 100

// Errors is all that is wrong in one or several rule files, by file and
// position.
type Errors []*Error

// Error returns all errors, each on lines of its own.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// asError returns the errors in order, or nil if there are none.
func (es Errors) asError() error {
	if len(es) == 0 {
		return nil
	}
	sort.SliceStable(es, func(i, k int) bool {
		a, b := es[i], es[k]
		if a.File != b.File {
			return a.File < b.File
		}
		return a.At.Before(b.At)
	})
	return es
}

// nearest returns the word of a list that a misspelt one most likely means,
// or "".
func nearest(got string, words []string) string {
	best, bestCost := "", len(got)/3+2
	bytes := bytesOf(got)
	for _, w := range words {
		// A byte that only one of them holds takes an edit of its own.
		if of := bytesOf(w); max(bits.OnesCount64(bytes&^of), bits.OnesCount64(of&^bytes)) >= bestCost && len(got) <= maxDistance && len(w) <= maxDistance {
			continue
		}
		if c := distanceBelow(got, w, bestCost); c < bestCost {
			best, bestCost = w, c
		}
	}
	return best
}

// bytesOf is a set that holds each byte of a word; different ones may be one in it.
func bytesOf(word string) (set uint64) {
	for i := range len(word) {
		set |= 1 << (word[i] & 63)
	}
	return set
}

// maxDistance is the distance to or from a word that is longer than that.
const maxDistance = 64

// distance counts the insertions, deletions, substitutions and swaps of
// neighbours that turn a into b.
func distance(a, b string) int { return distanceBelow(a, b, 2*maxDistance) }

// distanceBelow is the distance where it is less than a limit, and otherwise some
// number that is not: of thousands of words, hardly one is looked at to its end.
func distanceBelow(a, b string, limit int) int {
	if len(a) > maxDistance || len(b) > maxDistance {
		return maxDistance
	}
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	var rows [3][maxDistance + 1]uint8
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = uint8(j)
	}
	least := 0 // of the last row
	for i := range len(a) {
		row[0] = uint8(i + 1)
		lowest := row[0]
		for j := range len(b) {
			cost := uint8(1)
			if a[i] == b[j] {
				cost = 0
			}
			d := min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			row[j+1], lowest = d, min(lowest, d)
		}
		if least >= limit && int(lowest) >= limit { // a swap comes from the row before the last
			return limit
		}
		before, last, row, least = last, row, before, int(lowest)
	}
	return int(last[len(b)])
}

// DidYouMean returns a hint for a misspelt word: those that it may mean, or all of
// them where they are few.
func DidYouMean(got string, words []string) string {
	if hint := Alike(got, words); hint != "" {
		return hint
	}
	if len(words) > 0 && len(words) <= 24 {
		return "one of " + strings.Join(words, ", ")
	}
	return ""
}

// Alike returns a hint at the words that a misspelt one may mean: the nearest, or
// those that it is the beginning of; "" = there are none.
func Alike(got string, words []string) string {
	if w := nearest(got, words); w != "" {
		return fmt.Sprintf("did you mean %q?", w)
	}
	var longer []string
	for _, w := range words {
		if len(got) > 2 && strings.HasPrefix(w, got) {
			longer = append(longer, fmt.Sprintf("%q", w))
		}
	}
	if len(longer) > 0 && len(longer) <= 4 {
		return "did you mean " + strings.Join(longer, " or ") + "?"
	}
	return ""
}
