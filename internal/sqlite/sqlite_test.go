package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func read(t *testing.T, path, table string, columns ...string) (rows [][]Value, skipped int, err error) {
	t.Helper()
	db, err := Open(path, nil)
	if err != nil {
		return nil, 0, err
	}
	defer db.Close()
	skipped, err = db.Rows(table, columns, func(row []Value) { rows = append(rows, slices.Clone(row)) })
	return rows, skipped, err
}

// A table of 300 rows in pages of 512 bytes, as SQLite 3.40 has written it: a tree of
// several levels, rows of many pages, numbers of all sizes, a column that was added
// later.
func TestTree(t *testing.T) {
	rows, skipped, err := read(t, "testdata/tree.db", "ROWS", "n", "the text", "blob", "late", "id", "r")
	if err != nil || skipped != 0 {
		t.Fatal(skipped, err)
	}
	if len(rows) != 300 {
		t.Fatalf("%d rows", len(rows))
	}
	for i, got := range rows {
		n := i % 13
		if i%5 == 0 {
			n *= 97
		}
		late := Value{}
		if i == 299 {
			late = Value{Text: "set", Kind: Text}
		}
		want := []Value{
			{Int: int64(i*i*i - 1000), Kind: Int},
			{Text: fmt.Sprintf("row %d ", i) + strings.Repeat("x", n), Kind: Text},
			{Text: strings.Repeat("\x00\x01", i%3), Kind: Blob},
			late,
			{},
			{Kind: Real},
		}
		if i%2 == 0 { // SQLite writes 2.0 as 2
			want[5] = got[5]
			if got[5].Int != int64(i/2) {
				t.Errorf("row %d: r is %+v", i, got[5])
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("row %d (-want +got):\n%s", i, diff)
		}
	}
}

// What the write-ahead log holds counts as far as it was committed.
func TestLog(t *testing.T) {
	rows, _, err := read(t, "testdata/log.db", "t", "a")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range rows {
		got = append(got, row[0].Text[:min(7, len(row[0].Text))])
	}
	if diff := cmp.Diff([]string{"changed", "second", "later 0", "later 1", "later 2"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	// Without the log, the database is as it was before; with half of it, or with one
	// that is none, as before the first commit that is not whole.
	dir := t.TempDir()
	database, log := file(t, "testdata/log.db"), file(t, "testdata/log.db-wal")
	for _, test := range [...]struct {
		name string
		log  []byte
		rows int
	}{
		{"none", nil, 1}, {"empty", []byte{}, 1}, {"foreign", []byte(strings.Repeat("x", 5000)), 1},
		{"half a frame", log[:700], 1}, {"one commit", log[:32+24+1024], 2}, {"flipped", flipped(log, 32+24+100), 1},
	} {
		path := filepath.Join(dir, test.name)
		put(t, path, database)
		if test.log != nil {
			put(t, path+"-wal", test.log)
		}
		rows, _, err := read(t, path, "t", "a")
		if err != nil || len(rows) != test.rows {
			t.Errorf("%s: %d rows, %v; want %d", test.name, len(rows), err, test.rows)
		}
	}
}

func file(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func put(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func flipped(data []byte, at int) []byte {
	data = slices.Clone(data)
	data[at] ^= 0xff
	return data
}

func TestErrors(t *testing.T) {
	tree := file(t, "testdata/tree.db")
	path := filepath.Join(t.TempDir(), "a.db")
	for _, test := range [...]struct {
		name          string
		data          []byte
		table, column string
		want          string
	}{
		{"no database", []byte("hello"), "rows", "n", "not a SQLite database"},
		{"UTF-16", file(t, "testdata/utf16.db"), "t", "a", "a database that is not in UTF-8"},
		{"no table", tree, "nothing", "n", "no table nothing"},
		{"no column", tree, "rows", "x", "no column x in the table rows"},
		{"an index", tree, "i", "n", "no table i"},
		{"cut", tree[:2048], "rows", "n", "a damaged database"},
		{"page size", flipped(tree, 16), "rows", "n", "a damaged database"},
		{"no page", flipped(tree, 100), "rows", "n", "a damaged database"},
	} {
		put(t, path, test.data)
		if _, _, err := read(t, path, test.table, test.column); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
	if _, err := Open(os.DevNull, nil); err == nil || err.Error() != "not a regular file" {
		t.Error(err)
	}
}

// A tree whose pages lead to themselves ends.
func TestCircle(t *testing.T) {
	page := make([]byte, 1024)
	copy(page, "SQLite format 3\x00")
	page[16], page[17] = 2, 0 // 512 bytes
	page[100], page[104] = 5, 1
	page[111] = 1 // the last child is page 1
	page[112], page[113] = 0, 200
	page[203] = 1 // and so is the first
	path := filepath.Join(t.TempDir(), "a.db")
	put(t, path, page)
	if _, _, err := read(t, path, "t", "a"); err == nil {
		t.Error("no error")
	}
}

func TestColumnNames(t *testing.T) {
	for sql, want := range map[string]string{
		"CREATE TABLE t(a, b)": "a b",
		"CREATE TABLE \"t\" (\n\t`id` text PRIMARY KEY,\n\t`n` integer DEFAULT 0 NOT NULL,\n\tCONSTRAINT `fk` FOREIGN KEY (`n`) REFERENCES `p`(`id`, `x`)\n)": "id n",
		"CREATE TABLE t([a b] int, 'c,d' text DEFAULT ')', e varchar(3, 4), UNIQUE (e), primary key(e)) STRICT":                                               "a b|c,d|e",
		"CREATE TABLE t": "",
		"":               "",
		"(a":             "a",
	} {
		sep := " "
		if strings.Contains(want, "|") {
			sep = "|"
		}
		if got := strings.Join(columnNames(sql), sep); got != want {
			t.Errorf("%s: %q, want %q", sql, got, want)
		}
	}
}

// Whatever a file and its log hold, reading ends without a panic, and no row is
// longer than it may be.
func FuzzRows(f *testing.F) {
	for _, name := range [...]string{"tree.db", "log.db", "utf16.db"} {
		data := file(f, filepath.Join("testdata", name))
		f.Add(data[:min(len(data), 8192)], []byte{})
	}
	f.Add(file(f, "testdata/log.db"), file(f, "testdata/log.db-wal")[:6000])
	path := filepath.Join(f.TempDir(), "a.db")
	f.Fuzz(func(t *testing.T, data, log []byte) {
		put(t, path, data)
		put(t, path+"-wal", log)
		for _, table := range [...]string{"rows", "t"} {
			db, err := Open(path, nil)
			if err != nil {
				continue
			}
			db.Rows(table, []string{"a"}, func(row []Value) {
				if len(row) != 1 || len(row[0].Text) > MaxRow {
					t.Errorf("%d values", len(row))
				}
			})
			db.Close()
		}
	})
}
