package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	packages := flag.String("packages", "", "folder of Debian's packages")
	lists := flag.String("lists", "", "folder of apt's lists")
	own := flag.String("written", filepath.Join("bench", "train", "written"), "folder of notes and what is asked for them")
	read := flag.String("corpus", "", "file with what was read of them: written with -packages, else read")
	to := flag.String("write", "", "folder of package lexicon")
	pinyin := flag.String("readings", "", "file for how Chinese characters are read, of one of -packages")
	flag.Parse()
	if *pinyin != "" {
		if err := readings(*packages, *pinyin); err != nil {
			fmt.Fprintln(os.Stderr, "train:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(*packages, *lists, *own, *read, *to); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(packages, lists, own, read, to string) error {
	c := &corpus{seen: map[uint64]bool{}}
	var err error
	if packages != "" {
		err = errors.Join(c.packages(packages), c.descriptions(lists))
		if err == nil && read != "" {
			err = c.save(read)
		}
	} else {
		err = c.load(read)
	}
	if err != nil || to == "" {
		return err
	}
	matters, groups, err := ownTexts(own)
	if err != nil {
		return err
	}
	for _, m := range matters {
		c.paragraphs = append(c.paragraphs, m.english())
	}
	v, texts := count(c.paragraphs, wordsOf(matters, english))
	fmt.Fprintf(os.Stderr, "%d paragraphs of %d words, %d pairs\n", len(c.paragraphs), v.total, len(c.pairs))
	d := translate(c.pairs, v.common)
	vectors := decompose(together(v, texts), dims)
	retrofit(v, vectors, c.synsets)
	centred(v, vectors)
	en, zh := entries(c, v, vectors, d)
	zh = besides(matters, en, zh)
	t := lessons(c, v, texts, en, zh)
	t.matters, t.groups = numbered(matters, en, zh), numbered(groups, en, zh)
	taught(t, en, zh, general, special)
	return keep(to, lexicon(en, zh))
}

// keep writes the lexicon and the name of its version.
func keep(dir string, all []byte) error {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(all); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	sum := sha256.Sum256(all)
	id := "// Made by bench/train.\n\npackage lexicon\n\n// ID is the id of this version's lexicon: the beginning of its SHA-256.\nconst ID = \"" + hex.EncodeToString(sum[:8]) + "\"\n"
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "words", "lexicon.bin.gz"), packed.Bytes(), 0o644),
		os.WriteFile(filepath.Join(dir, "id.go"), []byte(id), 0o644))
}
