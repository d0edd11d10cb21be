// Package sqlite reads the rows of tables in SQLite databases
// (https://www.sqlite.org/fileformat2.html), for agents that keep their sessions
// in one. It only reads: it takes no lock and writes neither the database nor
// the files beside it. Where another program changes the database meanwhile, rows
// may be missing, and what does not fit together is an error.
//
// It knows tables with a rowid, in UTF-8, and the write-ahead log. Whatever a file
// holds, memory is a few pages and one row, and time is linear in the file.
package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/bashgate/bashgate/internal/system"
)

// MaxRow is how long a row may be, in bytes: longer ones are left out.
const MaxRow = 1 << 20

// maxDepth is how deep a tree may be. SQLite's own are no deeper than 20, for each
// page of one leads to several.
const maxDepth = 20

var errDamaged = errors.New("a damaged database")

// DB is a database that is read.
type DB struct {
	file   *os.File
	log    *os.File // nil = there is none
	frames map[uint32]int64
	size   int // of a page, in bytes
	usable int // of it, without what is reserved
	pages  uint32
	read   func(int) // told how many bytes were read; nil = nobody
}

// Open opens a database and the write-ahead log beside it. Read is told how many
// bytes were read; it may be nil.
func Open(path string, read func(int)) (*DB, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	db := &DB{file: file, read: read}
	if err := db.begin(path); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

func open(path string) (*os.File, error) {
	// A pipe or a device may wait for ever.
	file, err := system.OpenFile(path, os.O_RDONLY|system.NoWait, 0)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		file.Close()
		return nil, errors.New("not a regular file")
	}
	return file, nil
}

// Close closes the files.
func (db *DB) Close() {
	db.file.Close()
	if db.log != nil {
		db.log.Close()
	}
}

func (db *DB) begin(path string) error {
	var head [100]byte
	if _, err := db.file.ReadAt(head[:], 0); err != nil || string(head[:16]) != "SQLite format 3\x00" {
		return errors.New("not a SQLite database")
	}
	db.size = int(binary.BigEndian.Uint16(head[16:]))
	if db.size == 1 {
		db.size = 65536
	}
	db.usable = db.size - int(head[20])
	if db.size < 512 || db.size&(db.size-1) != 0 || db.usable < 480 {
		return errDamaged
	}
	info, err := db.file.Stat()
	if err != nil {
		return err
	}
	db.pages = uint32(min(info.Size()/int64(db.size), math.MaxUint32))
	switch log, err := open(path + "-wal"); {
	case err == nil:
		db.log = log
		if err := db.index(); err != nil {
			return err
		}
	case !errors.Is(err, os.ErrNotExist):
		return err
	}
	// The log may hold a newer first page.
	first, err := db.page(1, make([]byte, db.size))
	if err != nil {
		return err
	}
	if encoding := binary.BigEndian.Uint32(first[56:]); encoding > 1 {
		return errors.New("a database that is not in UTF-8")
	}
	return nil
}

// index finds the newest committed form of each page in the write-ahead log. Frames
// of before the log was begun anew have other salts, and one that was not written
// to its end has a wrong sum: the log ends there.
func (db *DB) index() error {
	var head [32]byte
	if _, err := db.log.ReadAt(head[:], 0); err != nil {
		return nil // empty: nothing was written since the database was whole
	}
	order := binary.ByteOrder(binary.LittleEndian)
	switch binary.BigEndian.Uint32(head[:]) {
	case 0x377f0682:
	case 0x377f0683:
		order = binary.BigEndian
	default:
		return nil // as SQLite: a log that is none counts for nothing
	}
	if int(binary.BigEndian.Uint32(head[8:])) != db.size {
		return errDamaged
	}
	sum := checksum{order: order}
	sum.add(head[:24])
	if !sum.is(head[24:]) {
		return nil
	}
	db.frames = map[uint32]int64{}
	fresh := map[uint32]int64{} // since the last commit
	frame := make([]byte, 24+db.size)
	for at := int64(len(head)); ; at += int64(len(frame)) {
		if _, err := db.log.ReadAt(frame, at); err != nil {
			return nil
		}
		db.told(len(frame))
		if string(frame[8:16]) != string(head[16:24]) {
			return nil
		}
		sum.add(frame[:8])
		sum.add(frame[24:])
		number := binary.BigEndian.Uint32(frame)
		if !sum.is(frame[16:]) || number == 0 {
			return nil
		}
		fresh[number] = at + 24
		if pages := binary.BigEndian.Uint32(frame[4:]); pages > 0 {
			db.pages = pages
			for number, at := range fresh {
				db.frames[number] = at
			}
			clear(fresh)
		}
	}
}

// checksum is the write-ahead log's.
type checksum struct {
	order  binary.ByteOrder
	s0, s1 uint32
}

func (c *checksum) add(data []byte) {
	for ; len(data) >= 8; data = data[8:] {
		c.s0 += c.order.Uint32(data) + c.s1
		c.s1 += c.order.Uint32(data[4:]) + c.s0
	}
}

func (c *checksum) is(stored []byte) bool {
	return binary.BigEndian.Uint32(stored) == c.s0 && binary.BigEndian.Uint32(stored[4:]) == c.s1
}

func (db *DB) told(n int) {
	if db.read != nil {
		db.read(n)
	}
}

// page reads a page, counted from 1, into a buffer of a page's size.
func (db *DB) page(number uint32, buffer []byte) ([]byte, error) {
	if number == 0 || number > db.pages {
		return nil, errDamaged
	}
	file, at := db.file, int64(number-1)*int64(db.size)
	if place, ok := db.frames[number]; ok {
		file, at = db.log, place
	} else {
		db.told(db.size)
	}
	if _, err := file.ReadAt(buffer[:db.size], at); err != nil {
		return nil, fmt.Errorf("%w: page %d is not there", errDamaged, number)
	}
	return buffer[:db.size], nil
}

// Value is what a row holds in a column.
type Value struct {
	Int  int64  // of a whole number
	Text string // of a text; of bytes too
	Kind Kind
}

// Kind is what a value is.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	Int
	Real
	Text
	Blob
)

// Rows calls each with the values of some columns for the rows of a table, in the
// order of their ids; the values are no longer there after the call. Skipped is how
// many rows were left out because they are longer than MaxRow. It is an error if
// there is no such table or column.
func (db *DB) Rows(table string, columns []string, each func([]Value)) (skipped int, err error) {
	var root uint32
	var sql string
	err = db.walk(1, nil, func(row []Value) {
		if len(row) >= 5 && row[0].Text == "table" && strings.EqualFold(row[1].Text, table) && row[3].Int > 0 && row[3].Int <= math.MaxUint32 {
			root, sql = uint32(row[3].Int), row[4].Text
		}
	})
	switch {
	case err != nil:
		return 0, err
	case root == 0:
		return 0, fmt.Errorf("no table %s", table)
	}
	names := columnNames(sql)
	places := make([]int, len(columns))
	for i, column := range columns {
		places[i] = -1
		for k, name := range names {
			if strings.EqualFold(name, column) {
				places[i] = k
			}
		}
		if places[i] < 0 {
			return 0, fmt.Errorf("no column %s in the table %s", column, table)
		}
	}
	picked := make([]Value, len(columns))
	err = db.walk(root, &skipped, func(row []Value) {
		for i, place := range places {
			if picked[i] = (Value{}); place < len(row) { // a column that was added later
				picked[i] = row[place]
			}
		}
		each(picked)
	})
	return skipped, err
}

// columnNames lists the columns of CREATE TABLE name (a text, "b" int(3), ...).
func columnNames(sql string) (names []string) {
	_, list, _ := strings.Cut(sql, "(")
	depth, start := 0, 0
	quote := byte(0)
	for i := 0; i <= len(list); i++ {
		end := i == len(list)
		if !end && quote != 0 {
			if list[i] == quote {
				quote = 0
			}
			continue
		}
		switch {
		case end || depth == 0 && (list[i] == ',' || list[i] == ')'):
			if name := columnName(list[start:min(i, len(list))]); name != "" {
				names = append(names, name)
			}
			start = i + 1
			if end || list[i] == ')' {
				return names
			}
		case list[i] == '(':
			depth++
		case list[i] == ')':
			depth--
		case list[i] == '[':
			quote = ']'
		case list[i] == '`' || list[i] == '"' || list[i] == '\'':
			quote = list[i]
		}
	}
	return names
}

// columnName is the first word of a column's definition; "" of a constraint's.
func columnName(definition string) string {
	definition = strings.TrimSpace(definition)
	if definition == "" {
		return ""
	}
	closing := map[byte]string{'`': "`", '"': `"`, '[': "]", '\'': "'"}[definition[0]]
	if closing != "" {
		name, _, _ := strings.Cut(definition[1:], closing)
		return name
	}
	name := strings.Fields(definition)[0]
	switch strings.ToUpper(name) {
	case "CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN":
		return ""
	}
	return name
}
