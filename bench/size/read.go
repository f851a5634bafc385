package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// read attributes the bytes of an executable.
func read(path string) (program, error) {
	p := program{parts: map[string]*part{}}
	f, err := elf.Open(path)
	if err != nil {
		return p, err
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return p, err
	}
	at := map[string]elf.Symbol{}
	for _, s := range symbols {
		at[s.Name] = s
		if int(s.Section) >= len(f.Sections) || s.Size == 0 {
			continue
		}
		switch section := f.Sections[s.Section]; {
		case section.Type == elf.SHT_NOBITS: // not in the file
		case section.Name == ".text":
			p.of(pkgOf(s.Name)).code += int(s.Size)
		case s.Name == "go:func.*" || section.Name == ".gopclntab": // see tables
		case s.Name == "type:*" || s.Name == "go:string.*": // see below
		default:
			one := p.of(pkgOf(s.Name))
			one.data += int(s.Size)
			if strings.Contains(s.Name, ".gobytes.") {
				one.blobs[int(s.Size)]++
			}
		}
	}
	types, texts, end := at["runtime.types"], at["go:string.*"], at["runtime.gcdata"]
	if types.Value == 0 || texts.Value < types.Value || end.Value < texts.Value {
		return p, errors.New("the symbols runtime.types, go:string.* and runtime.gcdata do not lie as this Go is known to put them")
	}
	p.types, p.texts = int(texts.Value-types.Value), int(end.Value-texts.Value)
	tables := f.Section(".gopclntab")
	if tables == nil {
		return p, errors.New("no .gopclntab")
	}
	b, err := tables.Data()
	if err != nil {
		return p, err
	}
	return p, readTables(b, int(at["go:func.*"].Size), &p)
}

// pkgOf is the package of a symbol. An instantiated function belongs to its author.
func pkgOf(name string) string {
	for _, made := range []string{"go:itab.", "type:.eq.", "type:.hash.", "type:.gcmask.", "go:(", "go:", "(", "*"} {
		name = strings.TrimPrefix(name, made)
	}
	if strings.HasPrefix(name, "go.shape.") || strings.HasPrefix(name, "struct {") {
		return "runtime" // of a type without a name
	}
	name, _, _ = strings.Cut(name, "[")
	name, _, _ = strings.Cut(name, ",")
	slash := strings.LastIndexByte(name, '/') + 1
	if dot := strings.IndexByte(name[slash:], '.'); dot > 0 {
		return strings.ReplaceAll(name[:slash+dot], "%2e", ".")
	}
	return "runtime"
}

// The tables of Go 1.20 and later, as described in Go's src/runtime/symtab.go.
const tablesMagic = 0xfffffff1

// readTables attributes the runtime's data about functions. Equal rows are stored once,
// and counted for the first function that has them.
func readTables(b []byte, stacks int, p *program) error {
	if len(b) < 72 || binary.LittleEndian.Uint32(b) != tablesMagic {
		return fmt.Errorf("tables begin with %x: they are not those of Go 1.20", b[:min(4, len(b))])
	}
	header := func(i int) int { return int(binary.LittleEndian.Uint64(b[8+8*i:])) }
	word := func(at int) int { return int(binary.LittleEndian.Uint32(b[at:])) }
	count, names, rows, functions := header(0), header(3), header(6), header(7)
	seen := map[int]bool{}
	first := map[int]string{} // the first to have each piece of the stack data
	for i := range count {
		at := functions + word(functions+8*i+4)
		name := b[names+word(at+4):]
		name = name[:bytes.IndexByte(name, 0)]
		pkg := pkgOf(string(name))
		rowCount, pieces := word(at+28), int(b[at+43])
		size := 8 + 44 + 4*rowCount + 4*pieces + len(name) + 1
		for j, field := range append([]int{16, 20, 24}, make([]int, rowCount)...) {
			if j >= 3 {
				field = 44 + 4*(j-3)
			}
			if row := word(at + field); row != 0 && !seen[row] {
				seen[row] = true
				size += rowLength(b[rows+row:])
			}
		}
		for j := range pieces {
			piece := word(at + 44 + 4*rowCount + 4*j)
			if _, ok := first[piece]; !ok && piece < stacks {
				first[piece] = pkg
			}
		}
		p.of(pkg).tables += size
	}
	begin := slices.Sorted(maps.Keys(first))
	for i, piece := range begin {
		end := stacks
		if i+1 < len(begin) {
			end = begin[i+1]
		}
		p.of(first[piece]).tables += end - piece
	}
	return nil
}

// rowLength is the length of a row of pairs of numbers, which a zero ends.
func rowLength(b []byte) int {
	at := 0
	for first := true; first || b[at] != 0; first = false {
		for range 2 {
			for b[at]&0x80 != 0 {
				at++
			}
			at++
		}
	}
	return at + 1
}
