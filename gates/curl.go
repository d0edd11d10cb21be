package gates

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// What curl's options send, and the files that they take it from. A value that
// is not all known is asked about: it could name any file.

// curldata reads a value of -d and its like: a text, or @ and a file. Source:
// curl(1).
func curldata(text policy.Word, _ *match.Call) match.Reading {
	return curlText(text, func(s string, r *report) {
		if file, ok := strings.CutPrefix(s, "@"); ok {
			curlFile(file, r)
		}
	})
}

// curlencode reads a value of --data-urlencode and --url-query: content,
// =content, name=content, @file, name@file.
func curlencode(text policy.Word, _ *match.Call) match.Reading {
	return curlText(text, func(s string, r *report) {
		if strings.Contains(s, "=") || strings.HasPrefix(s, "+") {
			return
		}
		if _, file, ok := strings.Cut(s, "@"); ok {
			curlFile(file, r)
		}
	})
}

// curlform reads a value of -F: name=content, name=@file,file;type=T,
// name=<file. Quoted names and headers that stand in files are not read.
func curlform(text policy.Word, _ *match.Call) match.Reading {
	return curlText(text, func(s string, r *report) {
		_, content, _ := strings.Cut(s, "=")
		if strings.Contains(content, "headers=") {
			r.unreadable("curl.form", "curl form takes headers from elsewhere")
			return
		}
		if content == "" || content[0] != '@' && content[0] != '<' {
			return
		}
		if strings.ContainsAny(content, `"\`) {
			r.unreadable("curl.form", "curl form is written in a way the gate does not know")
			return
		}
		for file := range strings.SplitSeq(content[1:], ",") {
			file, _, _ = strings.Cut(file, ";")
			curlFile(strings.TrimSpace(file), r)
		}
	})
}

// curlfile reads a value of -T: a file, or a pattern of several.
func curlfile(text policy.Word, _ *match.Call) match.Reading {
	return curlText(text, func(s string, r *report) {
		if strings.ContainsAny(s, "{}[]") {
			r.unreadable("curl.upload", "curl uploads what a pattern names")
			return
		}
		if s != "." {
			curlFile(s, r)
		}
	})
}

// curlText reads a value that is all known.
func curlText(text policy.Word, read func(s string, r *report)) match.Reading {
	var r report
	s, known := text.Const()
	if !known {
		r.ask("shell.hole", "Sends what is not known over the network: "+text.String(), policy.Network, policy.ReachNetwork)
		return r.Reading
	}
	read(s, &r)
	return r.Reading
}

// curlFile notes a file that is sent; "-" is the standard input.
func curlFile(name string, r *report) {
	if name != "" && name != "-" {
		r.use(match.Read, policy.Const(name))
	}
}
