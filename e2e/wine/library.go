//go:build unix

package main

import (
	"bytes"
	"encoding/binary"
)

// random is a library that Go programs ask for random numbers and that Wine has only
// since version 9: it hands their one question on to a function that Wine has, with
// the same arguments. It holds no code, just the table that says so (the export
// directory of "PE Format", learn.microsoft.com/windows/win32/debug/pe-format).
func random() []byte {
	return forwarder("bcryptprimitives.dll", "ProcessPrng", "advapi32.SystemFunction036")
}

// forwarder is a library for x86-64 with one function, which is another library's.
func forwarder(library, function, to string) []byte {
	const page, align, headers = 0x1000, 0x200, 0x200
	le := binary.LittleEndian
	// The table and what it points to, as it lies in memory from page on.
	texts := []string{library, function, to}
	var at [3]uint32
	var tail bytes.Buffer
	const table = 40 + 4 + 4 + 2
	for i, text := range texts {
		at[i] = page + table + uint32(tail.Len())
		tail.WriteString(text + "\x00")
	}
	var edata bytes.Buffer
	binary.Write(&edata, le, []uint32{0, 0, 0, at[0], 1, 1, 1, page + 40, page + 44, page + 48})
	binary.Write(&edata, le, []uint32{at[2], at[1]})
	binary.Write(&edata, le, uint16(0))
	edata.Write(tail.Bytes())
	size := uint32(edata.Len())

	var b bytes.Buffer
	dos := make([]byte, 64)
	copy(dos, "MZ")
	le.PutUint32(dos[60:], 64)
	b.Write(dos)
	b.WriteString("PE\x00\x00")
	binary.Write(&b, le, struct {
		Machine, Sections                uint16
		Time, Symbols, SymbolCount       uint32
		OptionalSize, Characteristics    uint16
		Magic                            uint16
		Linker                           uint16
		Code, Data, Zero, Entry, CodeAt  uint32
		Base                             uint64
		Align, FileAlign                 uint32
		System, Image, Subsystem         uint32 // their versions
		Reserved, ImageSize, HeadersSize uint32
		Sum                              uint32
		Kind, Properties                 uint16
		Stack, StackNow, Heap, HeapNow   uint64
		Loader, Directories              uint32
		ExportAt, ExportSize             uint32
		Others                           [15]uint64
	}{
		Machine: 0x8664, Sections: 1, OptionalSize: 240, Characteristics: 0x2022, // an executable image, a DLL, large addresses
		Magic: 0x20b, Data: align, Base: 0x180000000, Align: page, FileAlign: align, System: 6, Subsystem: 6,
		ImageSize: 2 * page, HeadersSize: headers, Kind: 3, Properties: 0x100, // a console's; no execution of data
		Stack: 1 << 20, StackNow: page, Heap: 1 << 20, HeapNow: page, Directories: 16, ExportAt: page, ExportSize: size,
	})
	binary.Write(&b, le, struct {
		Name                        [8]byte
		Size, At, FileSize, FileAt  uint32
		Relocations, Lines          uint32
		RelocationCount, LinesCount uint16
		Flags                       uint32
	}{
		Name: [8]byte{'.', 'e', 'd', 'a', 't', 'a'}, Size: size, At: page, FileSize: align, FileAt: headers,
		Flags: 0x40000040, // initialised data, readable
	})
	b.Write(make([]byte, headers-b.Len()))
	b.Write(edata.Bytes())
	b.Write(make([]byte, headers+align-b.Len()))
	return b.Bytes()
}
