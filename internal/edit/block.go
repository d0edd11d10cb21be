package edit

import (
	"errors"
	"strings"
)

// Marks are the two lines around a block that is ours, in a file of lines.
type Marks struct{ Begin, End string }

// Put appends a block to a text, or puts it in place of an earlier one. The
// block consists of whole lines. It is an error if one of an earlier block's
// marks is missing.
func (m Marks) Put(text, block string) (string, error) {
	block = m.Begin + "\n" + block + m.End + "\n"
	start, end, err := m.find(text)
	switch {
	case err != nil:
		return "", err
	case start < end:
		return text[:start] + block + text[end:], nil
	case text == "":
		return block, nil
	}
	return text + "\n" + block, nil
}

// Take removes the block, with the empty line that Put put before it. What has
// no block stays as it is.
func (m Marks) Take(text string) (string, error) {
	start, end, err := m.find(text)
	if err != nil || start == end {
		return text, err
	}
	before, after := text[:start], text[end:]
	if rest, ok := strings.CutSuffix(before, "\n"); ok && (after == "" || rest == "" || strings.HasSuffix(rest, "\n")) {
		before = rest
	}
	return before + after, nil
}

// Find returns what lies between the marks, and where its first line is,
// counted from 1; 0 if there is no block.
func (m Marks) Find(text string) (block string, line int, err error) {
	start, end, err := m.find(text)
	if err != nil || start == end {
		return "", 0, err
	}
	inner := text[start+len(m.Begin)+1 : end]
	return inner[:strings.LastIndex(inner, m.End)], strings.Count(text[:start], "\n") + 2, nil
}

// find returns where the block begins and ends, with its marks; twice the same
// if there is none.
func (m Marks) find(text string) (start, end int, err error) {
	start, stop := line(text, m.Begin), line(text, m.End)
	switch {
	case start < 0 && stop < 0:
		return 0, 0, nil
	case start < 0 || stop < start:
		return 0, 0, errors.New("of the two lines around what bashgate wrote one is missing: " + m.Begin + ", " + m.End)
	}
	end = stop + len(m.End)
	if strings.HasPrefix(text[end:], "\r\n") {
		end++
	}
	return start, min(end+1, len(text)), nil
}

// line returns where a line begins, or -1.
func line(text, want string) int {
	for at := 0; at < len(text); {
		l, _, found := strings.Cut(text[at:], "\n")
		if strings.TrimSuffix(l, "\r") == want {
			return at
		}
		if !found {
			break
		}
		at += len(l) + 1
	}
	return -1
}
