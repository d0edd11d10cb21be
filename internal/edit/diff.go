package edit

import (
	"fmt"
	"slices"
	"strings"
)

// context is how many lines are shown around a change.
const context = 3

// Diff returns the unified diff between two texts, "" where they are equal. The
// names stand in its head; "/dev/null" is that of a file that is not there.
func Diff(before, after, nameBefore, nameAfter string) string {
	if before == after {
		return ""
	}
	a, b := lines(before), lines(after)
	steps := compare(a, b)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", nameBefore, nameAfter)
	for i := 0; i < len(steps); {
		if steps[i].sign == ' ' {
			i++
			continue
		}
		// A hunk ends where more than twice the context is equal.
		from, to := max(0, i-context), i
		for equal := 0; to < len(steps) && equal <= 2*context; to++ {
			if equal++; steps[to].sign != ' ' {
				equal = 0
			}
		}
		for to > from && steps[to-1].sign == ' ' {
			to--
		}
		to = min(len(steps), to+context)
		hunk(&out, steps, from, to)
		i = to
	}
	return out.String()
}

func hunk(out *strings.Builder, steps []step, from, to int) {
	startA, startB, lenA, lenB := 1, 1, 0, 0
	for i, s := range steps[:to] {
		inA, inB := s.sign != '+', s.sign != '-'
		switch {
		case i < from && inA && inB:
			startA, startB = startA+1, startB+1
		case i < from && inA:
			startA++
		case i < from:
			startB++
		default:
			if inA {
				lenA++
			}
			if inB {
				lenB++
			}
		}
	}
	// An empty side begins at the line before: diff(1).
	if lenA == 0 {
		startA--
	}
	if lenB == 0 {
		startB--
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", extent(startA, lenA), extent(startB, lenB))
	for _, s := range steps[from:to] {
		out.WriteByte(s.sign)
		out.WriteString(s.line)
		if !strings.HasSuffix(s.line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

func extent(start, length int) string {
	if length == 1 {
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, length)
}

// step is a line that both have (' '), only the first ('-') or only the second
// ('+').
type step struct {
	sign byte
	line string
}

// compare finds the longest run of lines that both texts have in common. Where
// the parts that differ are too large for that, all of one is replaced by all
// of the other.
func compare(a, b []string) []step {
	const most = 1 << 22 // cells of the table, two bytes each
	front, back := 0, 0
	for front < min(len(a), len(b)) && a[front] == b[front] {
		front++
	}
	for back < min(len(a), len(b))-front && a[len(a)-1-back] == b[len(b)-1-back] {
		back++
	}
	var steps []step
	add := func(sign byte, lines ...string) {
		for _, line := range lines {
			steps = append(steps, step{sign, line})
		}
	}
	add(' ', a[:front]...)
	left, right := a[front:len(a)-back], b[front:len(b)-back]
	if len(left) >= 1<<16 || len(left)*len(right) > most {
		add('-', left...)
		add('+', right...)
		left, right = nil, nil
	}
	// common[i*w+j] is how many lines left[i:] and right[j:] have in common.
	w := len(right) + 1
	common := make([]uint16, (len(left)+1)*w)
	for i := len(left) - 1; i >= 0; i-- {
		for j := len(right) - 1; j >= 0; j-- {
			if left[i] == right[j] {
				common[i*w+j] = common[(i+1)*w+j+1] + 1
			} else {
				common[i*w+j] = max(common[(i+1)*w+j], common[i*w+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(left) && j < len(right) {
		switch {
		case left[i] == right[j]:
			add(' ', left[i])
			i, j = i+1, j+1
		case common[(i+1)*w+j] >= common[i*w+j+1]:
			add('-', left[i])
			i++
		default:
			add('+', right[j])
			j++
		}
	}
	add('-', left[i:]...)
	add('+', right[j:]...)
	add(' ', a[len(a)-back:]...)
	return steps
}

// lines splits a text after each line end.
func lines(text string) []string { return slices.Collect(strings.Lines(text)) }
