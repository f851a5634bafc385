package model2vec

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// form is a Unicode normalization form as a table: what each character becomes and, if the form
// composes, what a character with its marks becomes. Marks in a different order than Unicode's
// keep theirs; keyboards do not produce that.
func form(name string) map[string]string {
	to := map[string]norm.Form{"NFD": norm.NFD, "NFC": norm.NFC, "NFKD": norm.NFKD, "NFKC": norm.NFKC}[name]
	table := map[string]string{}
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		one := string(r)
		if other := to.String(one); other != one {
			table[one] = other
		}
		if name == "NFC" || name == "NFKC" {
			if apart := norm.NFD.String(one); apart != one && to.String(apart) != apart && utf8.RuneCountInString(apart) <= mostApart {
				table[apart] = to.String(apart)
			}
		}
	}
	return table
}

// mostApart is how many characters a character is decomposed into at most.
const mostApart = 4

// charsmap reads a table of SentencePiece: a trie of keys (a double array), and their
// replacements.
func charsmap(b []byte) (map[string]string, error) {
	if len(b) < 4 {
		return nil, fmt.Errorf("%d bytes are no table", len(b))
	}
	size := int(binary.LittleEndian.Uint32(b))
	if size%4 != 0 || size > len(b)-4 {
		return nil, fmt.Errorf("a trie of %d bytes, of %d", size, len(b)-4)
	}
	t := trie{b[4 : 4+size], b[4+size:], map[string]string{}, 0}
	if size > 0 {
		if err := t.walk(t.offset(0), nil); err != nil {
			return nil, err
		}
	}
	return t.out, nil
}

type trie struct {
	units, texts []byte
	out          map[string]string
	steps        int
}

func (t *trie) unit(i uint32) (uint32, bool) {
	if int64(i) >= int64(len(t.units)/4) {
		return 0, false
	}
	return binary.LittleEndian.Uint32(t.units[4*i:]), true
}

// offset says where a node's children are.
func (t *trie) offset(i uint32) uint32 {
	u, _ := t.unit(i)
	return i ^ (u>>10)<<((u&(1<<9))>>6)
}

// walk finds the keys with a prefix.
func (t *trie) walk(base uint32, key []byte) error {
	const longest, mostSteps = 24, 64 << 20
	if t.steps += 256; t.steps > mostSteps || len(key) > longest {
		return fmt.Errorf("its trie goes round in circles")
	}
	for c := uint32(1); c < 256; c++ {
		at := base ^ c
		u, ok := t.unit(at)
		if !ok || u&(1<<31|0xFF) != c {
			continue
		}
		next := append(key[:len(key):len(key)], byte(c))
		below := t.offset(at)
		if u>>8&1 == 1 {
			leaf, ok := t.unit(below)
			from := int(leaf & (1<<31 - 1))
			if !ok || from > len(t.texts) {
				return fmt.Errorf("the key %q leads out of the table", next)
			}
			to := bytes.IndexByte(t.texts[from:], 0)
			if to < 0 {
				to = len(t.texts) - from
			}
			if utf8.Valid(next) && utf8.Valid(t.texts[from:from+to]) && utf8.RuneCount(next) <= mostApart {
				t.out[string(next)] = string(t.texts[from : from+to])
			}
		}
		if err := t.walk(below, next); err != nil {
			return err
		}
	}
	return nil
}
