package gates

import "testing"

func TestUnittest(t *testing.T) {
	checkRows(t, unittest, "unittest", []row{
		{"tests", "code import tests"},
		{"tests.test_a.Case.test_b", "code import tests.test_a.Case.test_b"},
		{"tests/test_a.py", "code import tests.test_a"},
		{"os.abort", "code import os.abort"},
		{"/tmp/evil.py", "ask unittest.unreadable"},
		{"../evil.py", "ask unittest.unreadable"},
		{"a as b", "ask unittest.unreadable"},
		{"a\nb", "ask unittest.unreadable"},
		{"a..b", "ask unittest.unreadable"},
		{"2a", "ask unittest.unreadable"},
		{"<name>", "ask unittest.unreadable"},
	})
}
