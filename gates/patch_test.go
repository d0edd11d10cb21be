package gates

import "testing"

func TestPatch(t *testing.T) {
	checkRows(t, patch, "apply_patch", []row{
		{"*** Begin Patch\n*** Add File: a/b.go\n+package b\n*** End Patch\n", "write a/b.go"},
		{"*** Begin Patch\n*** Update File: a.go\n*** Move to: /etc/b.go\n@@\n-x\n+y\n*** Delete File: c.go\n*** End Patch", "write a.go; write /etc/b.go; delete c.go"},
		{"apply_patch <<'EOF'\r\n*** Begin Patch\r\n *** Update File: a.go  \r\n*** End of File\r\n*** End Patch\r\nEOF", "write a.go"},
		{"*** Begin Patch\n*** Update File:\n*** End Patch", "ask patch.unreadable"},
		{"*** Begin Patch\n*** Rename File: a\n*** End Patch", "ask patch.unreadable"},
		{"*** Begin Patch\n*** End Patch", "ask patch.unreadable"},
		{"--- a/x.go\t2026-01-01\n+++ b/x.go\n@@ -1 +1 @@\n-a\n+b\n", "write x.go; write x.go"},
		{"--- /dev/null\n+++ ../up\n", "write ../up"},
		{"rename from a\nrename to b\n", "write a; write b"},
		{"--- \"a/\\303\"\n", "ask patch.unreadable"},
		{"", "ask patch.unreadable"},
		{"hello", "ask patch.unreadable"},
		{"<n>", "ask patch.unreadable"},
	})
}

func TestLinks(t *testing.T) {
	checkRows(t, links, "web_fetch", []row{
		{"nothing here", "ok"},
		{"read https://example.org/a, please", "url https://example.org/a,; url https://example.org/a"},
		{"(see http://a.b) and HTTP://C.D/", "url http://a.b); url http://a.b; url HTTP://C.D/"},
		{"http://u,v@169.254.169.254/x", "url http://u,v@169.254.169.254/x; url http://u"},
		{"a,http://x,http://y", "url http://x,http://y; url http://x; url http://y"},
		{"http://[::1]/x [http://y]", "url http://[::1]/x; url http://y]; url http://y"},
		{":// x:// ://y", "ok"},
	})
}
