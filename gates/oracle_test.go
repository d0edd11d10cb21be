package gates

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// The tests in this file compare readers with the programs whose languages
// they read. Texts are generated from a seeded grammar that is made of the
// places where quoting goes wrong; a program runs each of them in an empty
// directory with nothing in its PATH but the command "danger", which leaves a
// file. What it did there must be among what the reader saw.
//
// ORACLE_RUNS is the number of texts for each program, ORACLE_SEED the seed.

// oracleSize returns how many texts to try and the source of randomness.
func oracleSize(t *testing.T, runs int) (int, *rand.Rand) {
	t.Helper()
	seed := uint64(1)
	if s := os.Getenv("ORACLE_SEED"); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seed = n
	}
	if s := os.Getenv("ORACLE_RUNS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		runs = n
	} else if testing.Short() {
		runs /= 10
	}
	return runs, rand.New(rand.NewPCG(seed, 0))
}

// need returns the path of a program, or skips the test.
func need(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: its language's reader was not compared with it", name)
	}
	return path
}

// cell is the directory in which texts run.
type cell struct {
	dir   string // holds bin/danger, and work while a text runs
	input string // what programs find on their standard input
	runs  int
}

func newCell(t *testing.T) *cell {
	t.Helper()
	c := &cell{dir: t.TempDir()}
	if err := os.Mkdir(c.bin(), 0o755); err != nil {
		t.Fatal(err)
	}
	// Written in the shell's own words: nothing else is in its PATH.
	danger := "#!/bin/sh\n: > ran\n"
	if err := os.WriteFile(filepath.Join(c.bin(), "danger"), []byte(danger), 0o755); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *cell) bin() string { return filepath.Join(c.dir, "bin") }

// work is a directory of this run's own, so that what a program of an earlier
// one leaves behind late is not found there.
func (c *cell) work() string { return filepath.Join(c.dir, "work"+strconv.Itoa(c.runs)) }

// run starts a program on fresh files and returns what it printed, the files
// it made or changed, and whether it ran danger.
func (c *cell) run(t *testing.T, files map[string]string, argv ...string) (output string, made []string, ran bool) {
	t.Helper()
	os.RemoveAll(c.work())
	c.runs++
	if err := os.Mkdir(c.work(), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(c.work(), name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = c.work()
	cmd.Env = []string{"PATH=" + c.bin(), "HOME=" + c.work(), "LC_ALL=C.UTF-8", "API_TOKEN=hunter2"}
	cmd.WaitDelay = time.Second
	cmd.Stdin = strings.NewReader(c.input)
	printed, _ := cmd.CombinedOutput() // most texts are wrong; what they did counts
	err := filepath.WalkDir(c.work(), func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(c.work(), path)
		if err != nil {
			return err
		}
		if name == "ran" {
			ran = true
		} else if now, err := os.ReadFile(path); err != nil || string(now) != files[name] || !has(files, name) {
			made = append(made, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(printed), made, ran
}

func has(files map[string]string, name string) bool { _, ok := files[name]; return ok }

// unseen says what of the things done the reading does not hold, or "".
func unseen(r match.Reading, made []string, ran bool) string {
	if r.Decision != policy.Skip {
		return ""
	}
	if ran && !slices.ContainsFunc(r.Uses, func(u match.Use) bool { return u.Kind == match.Script }) {
		return "ran danger"
	}
	for _, name := range made {
		written := func(u match.Use) bool {
			return u.Kind == match.Script || u.Kind == match.Write && (u.Word.HasHole() || u.Word.Text == name)
		}
		if !slices.ContainsFunc(r.Uses, written) {
			return fmt.Sprintf("wrote %q", name)
		}
	}
	return ""
}

// quiet fails a test in which too few texts were taken as harmless: a reader
// that always asks is never wrong.
func quiet(t *testing.T, harmless, total, percent int) {
	t.Helper()
	t.Logf("%d of %d texts were harmless to the reader", harmless, total)
	if harmless*100 < total*percent {
		t.Errorf("only %d of %d texts were harmless to the reader", harmless, total)
	}
}

// pick returns one of the choices.
func pick(r *rand.Rand, choices ...string) string { return choices[r.IntN(len(choices))] }

// several joins up to n texts.
func several(r *rand.Rand, n int, text func() string) string {
	var b strings.Builder
	for range r.IntN(n + 1) {
		b.WriteString(text())
	}
	return b.String()
}

// sedScripts generates scripts. Without slashes no script can name a file
// outside its directory.
func sedScripts(r *rand.Rand, slashes bool) string {
	delimiters := []string{",", "|", "#", ":", "x", ";"}
	if slashes {
		delimiters = append(delimiters, "/", "/", "/")
	}
	delimiter := delimiters[r.IntN(len(delimiters))]
	chunk := func() string {
		return pick(r, "a", "b", ".", "*", " ", ";", "}", "\\", "[", "]", "[^", "[[:alpha:]", "\\[", "\\]", "\\\\", "\\n", "\\\n", "\n",
			delimiter, "\\"+delimiter, "["+delimiter+"]", "[]"+delimiter+"]", "e danger", "w out", "\ne danger\n", ";e danger;", "^", "$", "&", "#")
	}
	text := func() string { return several(r, 4, chunk) }
	file := func() string {
		return pick(r, "w out", "W out", "r in", "R in", "e danger", "e", "w", "e\n", "w out\\")
	}
	command := func() string {
		switch r.IntN(12) {
		case 0, 1, 2:
			return "s" + delimiter + text() + delimiter + text() + delimiter + pick(r, "", "", "g", "2p", "I", "e", "w out", "gw out", "m", " ", "k")
		case 3:
			return "y" + delimiter + text() + delimiter + text() + delimiter
		case 4, 5:
			return pick(r, "a", "i", "c") + pick(r, " ", "\\", "\\\n", "\\ ", "") + text()
		case 6:
			return pick(r, ":a", "ba", "t", "Ta", "b a", "v 4", "b")
		case 7:
			return pick(r, "{", "}", "{p", "p}", "{}")
		case 8:
			return file()
		case 9:
			return "#" + text()
		}
		return pick(r, "p", "d", "n", "N;P;D", "=", "q", "l 5", "x", "G;h", "z", "F")
	}
	address := func() string {
		return pick(r, "", "", "", "1", "$", "1,$", "1!", "0~2", "2,+1", "\\"+delimiter+text()+delimiter, "1,\\"+delimiter+text()+delimiter+"I", " ", "$!")
	}
	var b strings.Builder
	for range 1 + r.IntN(4) {
		b.WriteString(address() + command() + pick(r, ";", "\n", "\n", "", " ; ", "}"))
	}
	return b.String()
}

func TestSedSandbox(t *testing.T) {
	t.Parallel()
	program := need(t, "sed")
	c := newCell(t)
	if out, _, _ := c.run(t, nil, program, "--sandbox", "-n", "w out"); !strings.Contains(out, "sandbox") {
		t.Skipf("%s has no --sandbox: the reader was not compared with it", program)
	}
	runs, r := oracleSize(t, 300)
	harmless, accepted, read := 0, 0, 0
	for range runs {
		script := sedScripts(r, true)
		reading := sed(policy.Const(script), nil)
		output, _, _ := c.run(t, nil, program, "--sandbox", "-n", script, "/dev/null")
		if strictness(reading) == 0 {
			harmless++
			if strings.Contains(output, "sandbox") {
				t.Errorf("%q is harmless to the reader, but sed says: %s", script, output)
			}
		}
		if output == "" {
			accepted++
			if strictness(reading) == 0 {
				read++
			}
		}
	}
	quiet(t, harmless, runs, 8)
	quiet(t, read, accepted, 80)
}

func TestSedRuns(t *testing.T) {
	t.Parallel()
	for _, argv := range [][]string{{"sed"}, {"busybox", "sed"}} {
		t.Run(strings.Join(argv, "-"), func(t *testing.T) {
			argv[0] = need(t, argv[0])
			c := newCell(t)
			runs, r := oracleSize(t, 150)
			harmless := 0
			for range runs {
				script := sedScripts(r, false)
				reading := sed(policy.Const(script), nil)
				if strictness(reading) == 0 {
					harmless++
				}
				_, made, ran := c.run(t, map[string]string{"f": "ab\nb;c\n", "in": "x\n"}, append(argv[:len(argv):len(argv)], script, "f")...)
				if what := unseen(reading, made, ran); what != "" {
					t.Errorf("%q %s, but to the reader it is %s", script, what, describe(reading))
				}
			}
			quiet(t, harmless, runs, 8)
		})
	}
}

// awkPrograms generates programs. Nothing that could be taken for the start
// of a string is followed by a slash, so that no program can name a file
// outside its directory.
func awkPrograms(r *rand.Rand) string {
	regexChunk := func() string {
		return pick(r, "a", "\\/", "[/]", "[^/]", "[]/]", "[\\/]", "[\\]]", "[a\\]/]", "\"b", "#", " > \"out\" ", "|", "]", "[", "\\[", "\\\\", "[[:alpha:]/]", "} {", "\\\"c", ")", "(", "=")
	}
	regex := func() string { return "/" + several(r, 3, regexChunk) + "/" }
	quoted := func() string {
		return "\"q" + several(r, 3, func() string { return pick(r, "a", "\\\"", "\\\\", " / ", "#", " > out", "|", "}", "\\n", "'", "\\q") }) + "\""
	}
	file := func() string { return pick(r, `"out"`, `"out"`, `"out" x`, `("out")`, "x", `$1`) }
	run := func() string {
		return pick(r, `"danger"`, `"danger"`, `("danger")`, `"dan" "ger"`, `x "danger"`, "x", `"danger " $1`)
	}
	var expression func(depth int) string
	expression = func(depth int) string {
		if depth == 0 {
			return pick(r, "1", "x", "$1", "$0", quoted(), quoted(), regex(), "x++", "length", "NF", "1e5", "a[1]", ".5")
		}
		sub := func() string { return expression(depth - 1) }
		switch r.IntN(12) {
		case 0:
			return "(" + sub() + ")"
		case 1:
			return "$0 ~ " + regex()
		case 2:
			return sub() + pick(r, " > ", " < ", " == ", " && ", " || ", ",", " ? 1 : ") + sub()
		case 3:
			return sub() + pick(r, " / ", "/", " /", " - ", " % ", " ^ ", " /= ") + sub()
		case 4:
			return "length(" + sub() + ")"
		case 5:
			return "a[" + sub() + "]"
		case 6:
			return run() + " | getline" + pick(r, "", " y", "()")
		case 7:
			return "(getline y < " + pick(r, `"in"`, `"f"`, "x", `"i" "n"`) + ")"
		case 8:
			return sub() + " " + sub()
		case 9:
			return "system(" + pick(r, run(), sub()) + ")"
		}
		return sub()
	}
	var statement func(depth int) string
	statement = func(depth int) string {
		e := func() string { return expression(r.IntN(3)) }
		switch r.IntN(14) {
		case 0, 1:
			return "print " + e()
		case 2:
			return "print " + e() + pick(r, " > ", " >> ", ">") + file()
		case 3:
			return "print(" + e() + ")" + pick(r, "", " > "+file())
		case 4:
			return pick(r, "print ", "printf ") + e() + pick(r, " | ", "|", " |& ") + run()
		case 5:
			if depth > 0 {
				return "if (" + e() + ") " + statement(depth-1) + pick(r, "", "; else "+statement(depth-1))
			}
			return "n++"
		case 6:
			return "sub(" + regex() + ", \"q\")"
		case 7:
			return "# " + several(r, 3, regexChunk) + "\n"
		case 8:
			if depth > 0 {
				return "{ " + statement(depth-1) + pick(r, "; ", "\n", " ") + statement(depth-1) + " }"
			}
			return "next"
		case 9:
			return "print " + e() + ",\n " + e() + pick(r, "", " > "+file())
		case 10:
			return "y = " + e()
		}
		return "x = " + e()
	}
	var b strings.Builder
	b.WriteString(pick(r, "", "BEGIN", regex(), "$1 > 0", "NR == 1 "))
	b.WriteString("{")
	for range 1 + r.IntN(3) {
		b.WriteString(statement(2) + pick(r, ";", "\n", ";", " "))
	}
	b.WriteString("}")
	if r.IntN(4) == 0 {
		b.WriteString(pick(r, " ", "\n") + regex() + "{" + statement(1) + "}")
	}
	return b.String()
}

func TestAwkRuns(t *testing.T) {
	t.Parallel()
	for _, argv := range [][]string{
		{"gawk"}, {"gawk", "--sandbox"}, {"gawk", "--posix"}, {"mawk"}, {"original-awk"}, {"busybox", "awk"},
	} {
		t.Run(strings.Join(argv, "-"), func(t *testing.T) {
			argv[0] = need(t, argv[0])
			c := newCell(t)
			runs, r := oracleSize(t, 60)
			harmless, effects := 0, 0
			for range runs {
				program := awkPrograms(r)
				reading := awk(policy.Const(program), nil)
				if strictness(reading) == 0 {
					harmless++
				}
				output, made, ran := c.run(t, map[string]string{"f": "a b/c 1\n2 x\n", "in": "y\n"}, append(argv[:len(argv):len(argv)], program, "f")...)
				if ran || made != nil {
					effects++
				}
				what := unseen(reading, made, ran)
				if strings.Contains(output, "in sandbox mode") && strictness(reading) == 0 {
					what = "reaches outside"
				}
				if what != "" {
					t.Errorf("%q %s, but to the reader it is %s", program, what, describe(reading))
				}
			}
			t.Logf("%d wrote a file or ran a command", effects)
			quiet(t, harmless, runs, 15)
		})
	}
}

// sqliteScripts generates scripts of the places where strings, comments and
// the commands of sqlite3 could be confused. Nothing that could be taken for
// a file's name starts with a slash.
func sqliteScripts(r *rand.Rand) string {
	chunk := func() string {
		return pick(r, "a", "''", "\"", "`", "[", "]", "--", "/*", "*/", ";", "\\", "\\'", "\n", "\n.shell danger\n", "\n.print x\n", "DROP TABLE t", "\n/\n", "\ngo\n", "$", "#", "(", ")", " ")
	}
	body := func() string { return several(r, 4, chunk) }
	value := func() string {
		return pick(r, "1", "a", "'"+body()+"'", "\""+body()+"\"", "`"+body()+"`", "["+body()+"]", "x'00'", "writefile('out', 'x')", "lower('X')", "count(*)", "/*"+body()+"*/ 1", "1 --"+body()+"\n", "(SELECT 1)", "readfile('in')", "1e5", "1.5.2")
	}
	selection := func() string {
		return "SELECT " + value() + pick(r, "", ", "+value(), " AS b") + pick(r, "", " FROM t", " FROM t AS u (x)", " FROM t WHERE a = "+value())
	}
	statement := func() string {
		switch r.IntN(16) {
		case 0:
			return pick(r, "INSERT INTO t VALUES (9)", "DELETE FROM t", "DROP TABLE t", "UPDATE t SET a = 5", "REPLACE INTO t VALUES (9)", "CREATE TABLE u (a)", "WITH x AS (SELECT 1) DELETE FROM t", "REINDEX", "VACUUM INTO 'out'")
		case 1:
			return pick(r, "PRAGMA table_info(t)", "PRAGMA user_version", "PRAGMA user_version = 7", "PRAGMA main.user_version(8)", "PRAGMA journal_mode = wal", "PRAGMA foreign_keys=on", "PRAGMA encoding")
		case 2:
			return pick(r, "EXPLAIN ", "EXPLAIN QUERY PLAN ") + pick(r, selection(), "DELETE FROM t", "INSERT INTO t SELECT 1")
		case 3:
			return pick(r, "ATTACH 'out' AS o; CREATE TABLE o.x (a)", "BEGIN", "COMMIT", "ROLLBACK", "BEGIN IMMEDIATE")
		case 4:
			return "\n" + pick(r, ".tables", ".schema", ".headers on", ".mode csv", ".output out", ".once out", ".once '|danger'", ".shell danger", ".system danger", ".sh danger", ".read in", ".print x", ".output", ".dump", ".backup out", ".mode csv out", ".import in t", ".log out") + "\n"
		case 5:
			return "WITH x (a) AS (" + selection() + ") " + selection()
		}
		return selection()
	}
	var b strings.Builder
	for range 1 + r.IntN(4) {
		b.WriteString(statement() + pick(r, ";", ";\n", "; ", "\n", " -- "+body()+"\n", ";/*"+body()+"*/"))
	}
	return b.String()
}

func TestSQLiteRuns(t *testing.T) {
	t.Parallel()
	program := need(t, "sqlite3")
	c := newCell(t)
	c.run(t, nil, program, "db", "CREATE TABLE t (a); INSERT INTO t VALUES (1); PRAGMA journal_mode = delete")
	empty, err := os.ReadFile(filepath.Join(c.work(), "db"))
	if err != nil {
		t.Skipf("sqlite3 made no database: the reader was not compared with it: %v", err)
	}
	runs, r := oracleSize(t, 150)
	harmless, effects := 0, 0
	for range runs {
		script := sqliteScripts(r)
		reading := sql(policy.Const(script), &match.Call{Name: "sqlite3"})
		if strictness(reading) == 0 {
			harmless++
		}
		files := map[string]string{"db": string(empty), "in": "x\n"}
		argv := []string{program, "db", script}
		if r.IntN(2) == 0 {
			// Line by line, and with commands anywhere.
			c.input, argv = script, argv[:2]
		}
		_, made, ran := c.run(t, files, argv...)
		if made != nil || ran {
			effects++
		}
		if what := unseen(reading, made, ran); what != "" {
			t.Errorf("%q %s, but to the reader it is %s", script, what, describe(reading))
		}
	}
	t.Logf("%d wrote a file or ran a command", effects)
	quiet(t, harmless, runs, 10)
}
