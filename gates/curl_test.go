package gates

import "testing"

func TestCurl(t *testing.T) {
	checkRows(t, curldata, "curldata", []row{
		{"a=b", "ok"},
		{"user@example.com", "ok"},
		{"@notes.txt", "read notes.txt"},
		{"@", "ok"},
		{"@-", "ok"},
		{"@a@b", "read a@b"},
		{"a=<x>", "ask shell.hole"},
		{"@<x>", "ask shell.hole"},
	})
	checkRows(t, curlencode, "curlencode", []row{
		{"a=b", "ok"},
		{"=@x", "ok"},
		{"a@b=c", "ok"},
		{"+@x", "ok"},
		{"text", "ok"},
		{"@f", "read f"},
		{"name@f", "read f"},
		{"name@f@g", "read f@g"},
		{"<x>", "ask shell.hole"},
	})
	checkRows(t, curlform, "curlform", []row{
		{"a=b", "ok"},
		{"a=b;type=text/plain", "ok"},
		{"a", "ok"},
		{"a=@f", "read f"},
		{"a=<f", "read f"},
		{"a=@f;type=text/plain;filename=x", "read f"},
		{"a=@f,g;type=x,h", "read f; read g; read h"},
		{"a=@-", "ok"},
		{"a==@f", "ok"},
		{"a=@\"f\"", "ask curl.form"},
		{"a=@f\\,g", "ask curl.form"},
		{"a=b;headers=@f", "ask curl.form"},
		{"a=@<x>", "ask shell.hole"},
	})
	checkRows(t, curlfile, "curlfile", []row{
		{"f", "read f"},
		{"-", "ok"},
		{".", "ok"},
		{"{f,g}", "ask curl.upload"},
		{"f[1-3]", "ask curl.upload"},
		{"<x>", "ask shell.hole"},
	})
}
