package sqlite

import (
	"encoding/binary"
)

// walk calls each for the rows of the tree with that root page. Skipped counts
// those that are too long; nil = nobody wants to know.
func (db *DB) walk(root uint32, skipped *int, each func([]Value)) error {
	w := walker{db: db, each: each, skipped: skipped}
	return w.tree(root, 0)
}

// walker walks over the pages of one tree.
type walker struct {
	db      *DB
	each    func([]Value)
	skipped *int
	seen    uint32 // pages; no tree has more than the database
	buffers [maxDepth][]byte
	over    []byte // an overflow page
	payload []byte
	row     []Value
}

// tree walks over the tree below a page.
func (w *walker) tree(number uint32, depth int) error {
	if w.seen++; depth == maxDepth || w.seen > w.db.pages {
		return errDamaged
	}
	if w.buffers[depth] == nil {
		w.buffers[depth] = make([]byte, w.db.size)
	}
	page, err := w.db.page(number, w.buffers[depth])
	if err != nil {
		return err
	}
	head := page
	if number == 1 {
		head = page[100:]
	}
	cells := int(binary.BigEndian.Uint16(head[3:]))
	pointers := head[8:]
	inner := head[0] == 0x05
	if inner {
		pointers = head[12:]
	} else if head[0] != 0x0d {
		return errDamaged // an index, or no page of a tree
	}
	if 2*cells > len(pointers) {
		return errDamaged
	}
	for i := range cells {
		at := int(binary.BigEndian.Uint16(pointers[2*i:]))
		if at+4 > w.db.usable {
			return errDamaged
		}
		if inner {
			err = w.tree(binary.BigEndian.Uint32(page[at:]), depth+1)
		} else {
			err = w.cell(page[at:w.db.usable])
		}
		if err != nil {
			return err
		}
	}
	if inner {
		return w.tree(binary.BigEndian.Uint32(head[8:]), depth+1)
	}
	return nil
}

// cell reads a row: its length, its id, and as much of it as fits the page; then
// the number of the page with more.
func (w *walker) cell(cell []byte) error {
	length, n := varint(cell)
	cell = cell[n:]
	_, m := varint(cell) // its id
	if n == 0 || m == 0 {
		return errDamaged
	}
	cell = cell[m:]
	if length > MaxRow {
		if w.skipped != nil {
			*w.skipped++
		}
		return nil
	}
	usable := w.db.usable
	size, local := int(length), int(length)
	if most := usable - 35; size > most {
		least := (usable-12)*32/255 - 23
		if local = least + (size-least)%(usable-4); local > most {
			local = least
		}
	}
	if local > len(cell) {
		return errDamaged
	}
	w.payload = append(w.payload[:0], cell[:local]...)
	if local < size {
		if local+4 > len(cell) {
			return errDamaged
		}
		if err := w.overflow(binary.BigEndian.Uint32(cell[local:]), size); err != nil {
			return err
		}
	}
	return w.record()
}

// overflow reads the rest of a row from its chain of pages.
func (w *walker) overflow(number uint32, size int) error {
	if w.over == nil {
		w.over = make([]byte, w.db.size)
	}
	for len(w.payload) < size {
		page, err := w.db.page(number, w.over)
		if err != nil {
			return err
		}
		number = binary.BigEndian.Uint32(page)
		w.payload = append(w.payload, page[4:4+min(size-len(w.payload), w.db.usable-4)]...)
	}
	return nil
}

// record reads the values of a row: the length of its head, in that a number for
// the type of each, then the values. A
// column that is the row's id (INTEGER PRIMARY KEY) is null there.
func (w *walker) record() error {
	length, n := varint(w.payload)
	if n == 0 || length > uint64(len(w.payload)) || int(length) < n {
		return errDamaged
	}
	head, body := w.payload[n:length], w.payload[length:]
	w.row = w.row[:0]
	for len(head) > 0 {
		kind, n := varint(head)
		if n == 0 {
			return errDamaged
		}
		head = head[n:]
		v, size, ok := value(kind, body)
		if !ok {
			return errDamaged
		}
		body = body[size:]
		w.row = append(w.row, v)
	}
	w.each(w.row)
	return nil
}

// value reads a value of a serial type (fileformat2.html#record_format).
func value(kind uint64, body []byte) (v Value, size int, ok bool) {
	switch {
	case kind == 0:
		return v, 0, true
	case kind <= 6:
		size = [...]int{0, 1, 2, 3, 4, 6, 8}[kind]
		if size > len(body) {
			return v, 0, false
		}
		n := int64(int8(body[0]))
		for _, b := range body[1:size] {
			n = n<<8 | int64(b)
		}
		return Value{Int: n, Kind: Int}, size, true
	case kind == 7:
		return Value{Kind: Real}, 8, len(body) >= 8
	case kind == 8, kind == 9:
		return Value{Int: int64(kind - 8), Kind: Int}, 0, true
	case kind < 12:
		return v, 0, false
	}
	length := (kind - 12) / 2
	if length > uint64(len(body)) {
		return v, 0, false
	}
	size, v.Kind = int(length), Blob
	if kind%2 == 1 {
		v.Kind = Text
	}
	v.Text = string(body[:size])
	return v, size, true
}

// varint reads a number of one to nine bytes; n = 0 where it is cut off.
func varint(data []byte) (value uint64, n int) {
	for i := 0; i < len(data) && i < 9; i++ {
		if i == 8 {
			return value<<8 | uint64(data[8]), 9
		}
		value = value<<7 | uint64(data[i]&0x7f)
		if data[i] < 0x80 {
			return value, i + 1
		}
	}
	return 0, 0
}
