package main

import (
	"encoding/binary"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// catalogue reads a compiled catalogue of gettext.
func (c *corpus) catalogue(b []byte) {
	if len(b) < 28 || binary.LittleEndian.Uint32(b) != 0x950412de {
		return
	}
	number := func(at int) int {
		if at < 0 || at+4 > len(b) {
			return 0
		}
		return int(binary.LittleEndian.Uint32(b[at:]))
	}
	text := func(at int) string {
		n, start := number(at), number(at+4)
		if start+n > len(b) {
			return ""
		}
		return string(b[start : start+n])
	}
	for i := range number(8) {
		c.message(text(number(12)+8*i), text(number(16)+8*i))
	}
}

func (c *corpus) message(en, zh string) {
	if i := strings.LastIndexByte(en, 4); i >= 0 {
		en = en[i+1:]
	}
	// LibreOffice puts a context in front, KDE a comment.
	en, _, _ = strings.Cut(en, "\x00")
	zh, _, _ = strings.Cut(zh, "\x00")
	if en != "" {
		c.pair(tags.ReplaceAllString(en, " "), tags.ReplaceAllString(zh, " "))
		c.paragraph(en)
	}
}

// messages reads a source catalogue.
func (c *corpus) messages(text string) {
	var en, zh, into string
	end := func() {
		c.message(en, zh)
		en, zh, into = "", "", ""
	}
	for line := range strings.Lines(text + "\n") {
		line = strings.TrimSpace(line)
		key, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "":
			end()
			continue
		case key == "msgid", key == "msgstr", key == "msgstr[0]":
			into = key
		case strings.HasPrefix(line, `"`):
			rest = line
		default:
			into = ""
			continue
		}
		s, err := strconv.Unquote(rest)
		if err != nil {
			continue
		}
		if into == "msgid" {
			en += s
		} else if into != "" {
			zh += s
		}
	}
	end()
}

// descriptions reads the descriptions of Debian's packages, in English and Chinese.
func (c *corpus) descriptions(dir string) error {
	texts := map[string]map[string]string{}
	for _, in := range []string{"en", "zh%5fCN"} {
		texts[in] = map[string]string{}
		files, err := filepath.Glob(filepath.Join(dir, "*_Translation-"+in+".lz4"))
		if err != nil {
			return err
		}
		slices.Sort(files)
		for _, file := range files {
			b, err := exec.Command("/usr/lib/apt/apt-helper", "cat-file", file).Output()
			if err != nil {
				return err
			}
			for entry := range strings.SplitSeq(string(b), "\n\n") {
				_, rest, _ := strings.Cut(entry, "Description-md5: ")
				sum, rest, ok := strings.Cut(rest, "\n")
				_, text, ok2 := strings.Cut(rest, ": ")
				if ok && ok2 {
					texts[in][sum] = text
				}
			}
		}
	}
	c.room = 1 << 30
	for _, s := range slices.Sorted(maps.Keys(texts["en"])) {
		en := parts(texts["en"][s])
		for _, p := range en {
			c.paragraph(p)
		}
		if zh := parts(texts["zh%5fCN"][s]); len(zh) == len(en) {
			for i := range en {
				c.pair(en[i], zh[i])
			}
		}
	}
	return nil
}

// parts are the short description and the paragraphs of the long one.
func parts(text string) (out []string) {
	head, rest, _ := strings.Cut(text, "\n")
	out = append(out, head)
	for p := range strings.SplitSeq(rest, "\n .\n") {
		out = append(out, p)
	}
	return out
}
