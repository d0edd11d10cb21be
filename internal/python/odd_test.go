package python

import (
	"fmt"
	"testing"
)

// odd are ranges of characters that are not seen, look like white space, end
// lines elsewhere, or change the order of what is shown.
var odd = [...][2]rune{
	{0, 0x1F}, {0x7F, 0x7F}, {0x85, 0x85}, {0xA0, 0xA0}, {0xAD, 0xAD}, {0x34F, 0x34F}, {0x61C, 0x61C}, {0x115F, 0x1160}, {0x1680, 0x1680},
	{0x17B4, 0x17B5}, {0x180B, 0x180F}, {0x2000, 0x200F}, {0x2028, 0x202F}, {0x205F, 0x206F}, {0x2800, 0x2800}, {0x3000, 0x3000},
	{0x3164, 0x3164}, {0xFE00, 0xFE00}, {0xFE0F, 0xFE0F}, {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF9, 0xFFFB}, {0x1D173, 0x1D173},
	{0xE0001, 0xE0001}, {0xE0020, 0xE0020}, {0xE0100, 0xE0100},
}

// Odd characters mean in every place what they mean to Python, or are refused:
// none is white space to Parse alone, and none ends a line or a comment.
func TestOddCharacters(t *testing.T) {
	const text = "# a\nif b :\n    c = 'd' + \"\"\"e\"\"\" # f\n\n    g(h, \\\n i[0])\n"
	for _, name := range pythons() {
		p := startPython(t, name)
		if p == nil {
			t.Skipf("NOT COMPARED: there is no %s", name)
		}
		var a agreement
		for _, r := range odd {
			for c := r[0]; c <= r[1]; c++ {
				for i := range len(text) + 1 {
					a.compare(t, p, fmt.Sprintf("%U at %d", c, i), text[:i]+string(c)+text[i:])
				}
			}
		}
		if a.newer > 0 {
			t.Errorf("%s refuses %d texts that Parse reads", p.name, a.newer)
		}
		t.Logf("%s: %s", p.name, &a)
	}
}
