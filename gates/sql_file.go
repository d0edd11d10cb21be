package gates

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// isDuckReader reports whether a function of DuckDB reads the files that its
// first argument names.
func isDuckReader(name string) bool {
	switch name {
	case "read_csv", "read_csv_auto", "sniff_csv", "read_parquet", "parquet_scan", "parquet_metadata", "parquet_schema", "parquet_file_metadata", "read_json", "read_json_auto", "read_ndjson", "read_ndjson_auto", "read_json_objects", "read_text", "read_blob", "glob":
		return true
	}
	return false
}

// duckReader notes the files that a function of DuckDB reads, where the i-th
// token is its parenthesis: the strings that are arguments of their own or
// items of a list.
func (s *sqlScript) duckReader(i, to int) {
	end := int(s.tokens[i].mate)
	switch first := s.at(i+1, i, to); {
	case first.is('['):
		for n := i + 2; n < end && !s.tokens[n].is(']'); n++ {
			if t := s.tokens[n]; t.kind != sqlString && !t.is(',') {
				s.computed(n)
				break
			}
		}
	case first.kind != sqlString:
		s.computed(i + 1)
	}
	for n := i + 1; n < end; n++ {
		last := s.tokens[n-1]
		if s.tokens[n].kind == sqlString && (last.is('(') || last.is('[') || last.is(',')) {
			s.duckFile(n, to)
		}
	}
}

// duckFile notes the file that the n-th token names, if that is all of the
// name.
func (s *sqlScript) duckFile(n, to int) {
	t := s.tokens[n]
	next := s.at(n+1, n, to)
	whole := next.kind != sqlPunct && next.kind != sqlString || next.is(',') || next.is(')') || next.is(']') || next.is('(')
	if !whole || t.text == "" {
		s.computed(n)
		return
	}
	s.out.file(match.Read, pattern(t.text))
	// Its wildcards match a dot at the start of a name, which a shell's don't.
	dir, base := path.Split(t.text)
	if strings.HasPrefix(base, "*") || strings.HasPrefix(base, "?") || strings.HasPrefix(base, "[") {
		for name := range strings.FieldsSeq(".env .env.local .env.development .env.production .envrc .npmrc .netrc .pgpass .pypirc .git-credentials") {
			if match.Glob(base, name) {
				s.out.file(match.Read, pattern(dir+name))
				break
			}
		}
	}
}

// computed notes that the name of a file is put together, which any text can
// come out of: '.'||'env'.
func (s *sqlScript) computed(i int) {
	s.out.ask("sql.file", "SQL reads a file whose name is computed: "+s.source(i), policy.Reads, policy.ReachUnset)
}

// pattern makes a word of a file name with wildcards that a program expands
// itself.
func pattern(name string) policy.Word {
	at := strings.IndexAny(name, "*?[")
	if at < 0 {
		return policy.Const(name)
	}
	return policy.Word{Parts: []policy.Part{{Text: name[:at]}, {Kind: policy.Glob, Text: name[at:]}}}
}

// duckFiles notes the files that DuckDB reads because a statement names them
// like tables: strings, and quoted names with a dot or slash, in a FROM. Some
// strings of an ON between two tables are taken for files too.
func (s *sqlScript) duckFiles(from, to int) {
	var clauses []bool                             // of each open parenthesis and the statement: whether tables are named here
	tables := !s.at(from, from, to).word("values") // before the first clause: SUMMARIZE 'a.csv'
	for i := from; i < to; i++ {
		t, last := s.tokens[i], s.at(i-1, from, to)
		switch {
		case t.is('('):
			clauses = append(clauses, tables)
			tables = tables && last.kind != sqlWord || last.word("from", "join")
		case t.is(')'):
			tables, clauses = clauses[len(clauses)-1], clauses[:len(clauses)-1]
		case t.word("from", "join", "describe", "summarize", "pivot", "unpivot", "show"):
			tables = true
		case t.word("select", "where", "group", "order", "having", "limit", "offset", "window", "qualify", "to"):
			tables = false
		case tables && t.kind == sqlString,
			tables && t.kind == sqlQuoted && strings.ContainsAny(t.text, "./"):
			s.duckFile(i, to)
		}
	}
}

// attaches judges DuckDB's ATTACH 'file' (READ_ONLY).
func (s *sqlScript) attaches(from, to int) {
	file := s.at(from, from, to)
	i := from + 1
	if s.at(i, from, to).word("as") {
		i += 2
	}
	if s.dialect == sqlDuckDB && file.kind == sqlString && file.text != "" && to == i+3 && s.tokens[i].is('(') && s.tokens[i+1].word("read_only") {
		s.out.file(match.Read, policy.Const(file.text))
		return
	}
	s.out.ask("sql.write", "SQL opens a database to write: ATTACH", policy.Writes, policy.ReachUnset)
}

// sqliteReader notes the file that sqlite3's readfile reads.
func (s *sqlScript) sqliteReader(i, to int) {
	if name := s.at(i+1, i, to); name.kind == sqlString && name.text != "" && s.at(i+2, i, to).is(')') {
		s.out.use(match.Read, policy.Const(name.text))
		return
	}
	s.computed(i + 1)
}

// source is the text of the i-th token, for messages.
func (s *sqlScript) source(i int) string {
	t := s.tokens[i]
	return strings.ReplaceAll(s.text[t.from:t.to], string(rune(number)), "?")
}
