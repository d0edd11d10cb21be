package gates

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// sql reads SQL, with the commands of the client that the call names. It
// takes statements that read: SELECT and its kin, SHOW, DESCRIBE, EXPLAIN,
// harmless settings. Anything can hide in a SELECT: a nested DELETE, INTO,
// a function that writes. So the words that change data are looked for in
// all of a statement, and every function that is called must be known to
// have no effect.
func sql(text policy.Word, c *match.Call) match.Reading {
	var s sqlScript
	if c != nil {
		s.dialect = sqlDialectOf(c.Name)
	}
	script, ok := flatten(text)
	if !ok {
		s.out.unreadable("sql.unreadable", "SQL is not all known")
		return s.out.Reading
	}
	if s.dialect == sqlSQLite || s.dialect == sqlDuckDB {
		script.text = s.dotCommands(script)
	}
	lexer := sqlTokens{code: script, dialect: s.dialect}
	if !lexer.tokenize() {
		s.unreadable()
		return s.out.Reading
	}
	for _, line := range lexer.client {
		s.psqlCommand(line)
	}
	s.code, s.tokens = script, lexer.tokens
	from := 0
	for i, t := range s.tokens {
		if t.kind == sqlSemi || t.kind == sqlEnd {
			if from < i {
				s.statement(from, i)
			}
			from = i + 1
		}
	}
	return s.out.Reading
}

func sqlDialectOf(program string) sqlDialect {
	switch program {
	case "psql":
		return sqlPostgres
	case "mysql", "mariadb":
		return sqlMySQL
	case "sqlite3", "sqlite", "sqlcipher":
		return sqlSQLite
	case "duckdb":
		return sqlDuckDB
	}
	return sqlAny
}

// sqlScript is tokenized SQL on its way through the reader.
type sqlScript struct {
	code
	dialect sqlDialect
	tokens  []sqlToken
	out     report
}

func (s *sqlScript) unreadable() {
	s.out.unreadable("sql.unreadable", "SQL is written in a way the gate does not know")
}

// at returns the i-th token, or an sqlEnd outside of [from, to).
func (s *sqlScript) at(i, from, to int) sqlToken {
	if i < from || i >= to {
		return sqlToken{kind: sqlEnd}
	}
	return s.tokens[i]
}

// statement judges the tokens of one statement.
func (s *sqlScript) statement(from, to int) {
	head := from
	for s.at(head, from, to).is('(') {
		head++
	}
	first := s.at(head, from, to)
	if first.kind != sqlWord {
		s.unreadable()
		return
	}
	switch first.text {
	case "select", "with", "values":
		s.reads(from, to)
	case "table":
		if s.dialect == sqlPostgres || s.dialect == sqlMySQL {
			s.reads(from, to)
			return
		}
		s.unreadable()
	case "from", "summarize", "pivot", "unpivot":
		if s.dialect == sqlDuckDB {
			s.reads(from, to)
			return
		}
		s.unreadable()
	case "show":
		if s.at(head+1, from, to).word("create") {
			head++
		}
		s.reads(head+1, to)
	case "explain", "desc", "describe":
		s.explain(head+1, to)
	case "pragma":
		s.pragma(head+1, to)
	case "use":
		// mysql ends it with the line, so that more words could be more
		// statements.
		if s.dialect != sqlMySQL && s.dialect != sqlDuckDB || to-head > 2 {
			s.unreadable()
		}
	case "set":
		s.set(head+1, to)
	case "begin", "start", "commit", "rollback", "end", "abort":
		s.transaction(head+1, to)
	case "help", "status", "exit", "quit":
		if s.dialect != sqlMySQL || to-head > 1 {
			s.unreadable()
		}
	case "copy":
		s.copies(head+1, to)
	case "attach":
		s.attaches(head+1, to)
	default:
		if !s.isWriter(head, from, to) {
			s.unreadable()
		}
	}
}

// isWriter notes a statement that is known to change something and names it.
func (s *sqlScript) isWriter(i, from, to int) bool {
	verb := s.tokens[i].text
	effects := policy.Writes
	switch verb {
	case "insert", "update", "merge", "replace", "upsert", "create", "alter", "grant", "revoke", "comment", "rename", "reindex", "vacuum", "analyze", "import", "export":
	case "delete", "drop", "truncate":
		effects |= policy.Deletes
	case "load", "install":
		effects |= policy.Reads | policy.Executes
	case "call", "do", "exec", "execute":
		effects |= policy.Executes
	default:
		return false
	}
	what := strings.ToUpper(verb)
	if next := s.at(i+1, from, to); next.word("table", "database", "keyspace", "schema", "index", "view", "user", "role", "into", "from", "function", "extension", "data", "type", "trigger", "sequence") {
		what += " " + strings.ToUpper(next.text)
	}
	s.out.ask("sql.write", "SQL changes the database: "+what, effects, policy.ReachUnset)
	if s.dialect != sqlSQLite && s.dialect != sqlDuckDB {
		// SQLite's and DuckDB's databases are files of the workspace.
		switch what {
		case "DROP DATABASE", "DROP KEYSPACE", "DROP SCHEMA", "DROP TABLE", "TRUNCATE", "TRUNCATE TABLE":
			s.out.Unrecoverable = true
		}
	}
	return true
}

// reads judges a statement that should only read.
func (s *sqlScript) reads(from, to int) {
	s.writers(from, to)
	s.functions(from, to)
	s.tables(from, to)
	if s.dialect == sqlDuckDB {
		s.duckFiles(from, to)
	}
}

// writers looks for words that change data anywhere in a statement.
func (s *sqlScript) writers(from, to int) {
	for i := from; i < to; i++ {
		t, last, next := s.tokens[i], s.at(i-1, from, to), s.at(i+1, from, to)
		if t.kind != sqlWord || last.is('.') && t.text != "nextval" {
			continue
		}
		switch t.text {
		case "replace", "truncate":
			if next.is('(') {
				continue // the functions
			}
		case "insert", "update", "delete", "merge", "drop", "alter", "create", "grant", "revoke", "call", "exec", "execute":
		case "into", "outfile", "dumpfile":
			s.out.ask("sql.write", "SQL writes what it selects: "+strings.ToUpper(t.text), policy.Writes, policy.ReachUnset)
			return
		case "nextval":
			s.out.ask("sql.write", "SQL advances a sequence", policy.Writes, policy.ReachUnset)
			return
		case "value":
			if last.word("next") {
				s.out.ask("sql.write", "SQL advances a sequence", policy.Writes, policy.ReachUnset)
				return
			}
			continue
		case "share":
			if last.word("for", "key") || next.word("mode") {
				s.out.ask("sql.lock", "SQL locks the rows it selects", policy.Writes, policy.ReachUnset)
				return
			}
			continue
		case "using":
			// Hive hands rows to a command: USING 'cmd'.
			if s.dialect != sqlAny || next.kind != sqlString {
				continue
			}
		case "backup", "bulk", "dbcc", "deny", "disable", "enable", "kill", "openquery", "openrowset", "receive", "reconfigure", "restore", "revert", "send", "shutdown", "waitfor":
			// SQL Server needs nothing between two statements.
			if s.dialect != sqlAny {
				continue
			}
		default:
			continue
		}
		if t.text == "update" && last.word("for", "key") {
			s.out.ask("sql.lock", "SQL locks the rows it selects", policy.Writes, policy.ReachUnset)
			return
		}
		if !s.isWriter(i, from, to) {
			s.unreadable()
		}
		return
	}
}

// functions looks for calls of functions that are not known to be harmless.
func (s *sqlScript) functions(from, to int) {
	for i := from; i < to; i++ {
		t := s.tokens[i]
		if t.kind != sqlWord && t.kind != sqlQuoted || !s.at(i+1, from, to).is('(') {
			continue
		}
		last := s.at(i-1, from, to)
		if t.kind == sqlWord && !last.is('.') && isSQLKeyword(t.text) || s.isAlias(i, from, to) {
			continue
		}
		if t.word("filter", "over", "within") && (last.is(')') || last.word("nulls")) {
			continue
		}
		name := t.text
		if last.is('.') && !s.at(i-2, from, to).word("pg_catalog", "information_schema", "sys", "main") {
			name = "" // one of the users'
		}
		switch {
		case s.dialect == sqlDuckDB && isDuckReader(name):
			s.duckReader(i+1, to)
		case s.dialect == sqlSQLite && name == "readfile":
			s.sqliteReader(i+1, to)
		case !isSQLFunction(name, s.dialect):
			s.out.ask("sql.function", "SQL calls "+policy.Quote(t.text)+", which may do more than read", policy.Executes, policy.ReachUnset)
			return
		}
	}
}

// isAlias reports whether the i-th token names a table with columns in
// parentheses and calls nothing.
//
//	WITH a (x) AS (SELECT 1)   VALUES (1) AS b (x)   (VALUES (1)) c (x)
func (s *sqlScript) isAlias(i, from, to int) bool {
	last := s.at(i-1, from, to)
	switch {
	case last.word("as"):
		return true
	case last.is(')'):
		// behind a table, not behind DISTINCT ON (x) or TOP (1)
		before := s.at(int(last.mate)-1, from, to)
		return before.word("from", "join", "lateral") || before.is(',') || before.kind == sqlWord && isSQLFunction(before.text, s.dialect)
	case last.word("with", "recursive"), last.is(','):
		after := int(s.tokens[i+1].mate) + 1
		if !s.at(after, from, to).word("as") {
			return false
		}
		if s.at(after+1, from, to).word("not", "materialized") {
			return true
		}
		return s.at(after+1, from, to).is('(') && s.at(after+2, from, to).word("select", "with")
	}
	return false
}

// tables looks for tables in which servers keep credentials, and for those
// that stand for files.
func (s *sqlScript) tables(from, to int) {
	for i := from; i < to; i++ {
		t := s.tokens[i]
		if t.kind != sqlWord && t.kind != sqlQuoted {
			continue
		}
		switch strings.ToLower(t.text) {
		case "pg_shadow", "pg_authid", "pg_user_mapping", "pg_user_mappings", "authentication_string", "global_priv", "sql_logins", "duckdb_secrets":
		case "fsdir", "lsdir":
			if s.dialect == sqlSQLite {
				s.out.use(match.Read, policy.Unknown(t.text))
			}
			continue
		case "user":
			if !s.at(i-1, from, to).is('.') || strings.ToLower(s.at(i-2, from, to).text) != "mysql" {
				continue
			}
		default:
			continue
		}
		s.out.ask("sql.secret", "SQL shows credentials of the database's users", policy.Secret, policy.ReachUnset)
		return
	}
}

// explain judges what follows EXPLAIN or DESCRIBE: a table or a statement,
// which is run only with ANALYZE.
func (s *sqlScript) explain(from, to int) {
	runs := false
	for i := from; i < to; i++ {
		switch t := s.tokens[i]; {
		case t.word("analyze", "analyse"):
			runs = true
		case t.word("select", "with", "values", "table", "from"):
			s.reads(from, to)
			return
		case t.word("insert", "update", "delete", "merge", "replace"):
			if runs || s.dialect == sqlAny {
				s.isWriter(i, from, to)
			}
			s.functions(from, to)
			return
		}
	}
	s.reads(from, to)
}

// set judges settings. Those that change how SQL is read are not harmless.
func (s *sqlScript) set(from, to int) {
	i := from
	if s.at(i, from, to).word("session", "local") {
		i++
	}
	name := s.at(i, from, to)
	s.writers(from, to)
	for n := i; n < to; n++ {
		if t := s.tokens[n]; t.is('(') || t.is(',') || t.is('@') && n > i+1 || t.word("pg_catalog", "global", "persist", "password", "role", "authorization") {
			s.unreadable()
			return
		}
	}
	switch {
	case name.is('@') && s.dialect == sqlMySQL && s.at(i+1, from, to).kind == sqlWord:
		return // @variable = ...
	case name.kind != sqlWord:
	case strings.HasPrefix(name.text, "enable_") && s.dialect == sqlPostgres:
		return
	}
	switch name.text {
	case "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "client_min_messages", "timezone", "time", "datestyle", "intervalstyle", "search_path", "extra_float_digits", "work_mem", "transaction", "default_transaction_read_only", "transaction_read_only", "bytea_output", "jit",
		"autocommit", "max_execution_time", "group_concat_max_len", "profiling", "wait_timeout", "net_read_timeout":
		return
	case "names", "client_encoding":
		// Some encodings hold backslashes inside of characters.
		switch strings.ToLower(s.tokens[to-1].text) {
		case "utf8", "utf-8", "utf8mb3", "utf8mb4", "unicode", "latin1", "ascii", "binary":
			return
		}
	}
	s.unreadable()
}

// transaction judges what follows BEGIN and its kin: words only.
func (s *sqlScript) transaction(from, to int) {
	for _, t := range s.tokens[from:to] {
		if !t.is(',') && !t.word("transaction", "work", "read", "only", "write", "isolation", "level", "serializable", "repeatable", "committed", "uncommitted", "deferred", "immediate", "exclusive", "with", "consistent", "snapshot", "and", "no", "chain", "deferrable", "not") {
			s.unreadable()
			return
		}
	}
}

// pragma judges SQLite's and DuckDB's PRAGMA: [schema.]name, name(value) or
// name = value.
func (s *sqlScript) pragma(from, to int) {
	name := s.at(from, from, to)
	if s.at(from+1, from, to).is('.') {
		from += 2
		name = s.at(from, from, to)
	}
	value := to > from+1
	if name.kind != sqlWord {
		s.unreadable()
		return
	}
	switch name.text {
	case "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list", "foreign_key_check", "database_list", "collation_list", "function_list", "module_list", "pragma_list", "compile_options", "integrity_check", "quick_check", "data_version", "page_count", "freelist_count", "stats",
		"foreign_keys", "case_sensitive_like", "query_only", "busy_timeout", "cache_size", "temp_store", "threads", "mmap_size":
		if !value {
			return
		}
	case "user_version", "schema_version", "application_id", "encoding", "page_size", "journal_mode", "synchronous", "auto_vacuum", "locking_mode", "max_page_count", "secure_delete", "recursive_triggers", "wal_autocheckpoint",
		"show_tables", "show_tables_expanded", "database_size", "version", "platform", "functions", "collations", "user_agent":
		if !value {
			return
		}
		s.out.ask("sql.write", "SQL changes a setting of the database: "+strings.ToUpper(name.text), policy.Writes, policy.ReachUnset)
		return
	case "show", "storage_info", "metadata_info":
		if s.dialect == sqlDuckDB && !value {
			return
		}
	default:
		s.unreadable()
		return
	}
	// name(value) or name = value, and value a single constant
	open := s.at(from+1, from, to)
	if s.at(from+2, from, to).is('-') {
		to--
	}
	if !(open.is('=') && to == from+3 || open.is('(') && int(open.mate) == from+3 && to == from+4) {
		s.unreadable()
	}
}

// copies judges COPY: PostgreSQL's to its client, DuckDB's to a file.
func (s *sqlScript) copies(from, to int) {
	target := from
	if s.at(from, from, to).is('(') {
		target = int(s.tokens[from].mate)
	}
	for target < to && !s.tokens[target].word("to", "from") {
		target++
	}
	file := s.at(target+1, from, to)
	switch {
	case !s.at(target, from, to).word("to"):
		s.out.ask("sql.write", "SQL changes the database: COPY", policy.Writes, policy.ReachUnset)
	case s.dialect == sqlPostgres && file.word("stdout"):
	case s.dialect == sqlDuckDB && file.kind == sqlString && file.text != "":
		s.out.use(match.Write, s.word(int(file.from)+1, int(file.to)-1))
	default:
		s.out.ask("sql.write", "SQL writes a file: COPY", policy.Writes|policy.Executes, policy.ReachUnset)
	}
	s.reads(from, to)
}
