package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A corpus is what was read: paragraphs in one language, and pairs of the same text in
// two.
type corpus struct {
	paragraphs []string
	pairs      [][2]string // English, Chinese
	glosses    [][2]string // a Chinese character, its meaning
	synsets    [][]string  // synonyms according to WordNet
	seen       map[uint64]bool
	room       int // characters that the current package may still contribute
}

// packageMost is how many characters of paragraphs one package contributes: the
// handbook of one program must not drown the rest.
const packageMost = 6 << 20

func (c *corpus) once(text string) bool {
	h := fnv.New64a()
	io.WriteString(h, text)
	if c.seen[h.Sum64()] {
		return false
	}
	c.seen[h.Sum64()] = true
	return true
}

func (c *corpus) paragraph(text string) {
	text = oneLine(text)
	if len(text) < 25 || len(text) > 6000 || c.room < len(text) || !c.once(text) {
		return
	}
	c.room -= len(text)
	c.paragraphs = append(c.paragraphs, text)
}

func (c *corpus) pair(en, zh string) {
	en, zh = oneLine(marks.Replace(en)), oneLine(marks.Replace(zh))
	if en == "" || len(en) > 1500 || !strings.ContainsFunc(zh, isHan) || strings.ContainsFunc(en, isHan) || !c.once(en+"\x00"+zh) {
		return
	}
	c.pairs = append(c.pairs, [2]string{en, zh})
}

// marks are marks in menus, which occur inside words.
var marks = strings.NewReplacer("&", "", "_", " ", "\\n", " ")

func isHan(r rune) bool { return r >= 0x4e00 && r <= 0x9fff }

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// packages reads every package in a folder, sorted by name.
func (c *corpus) packages(dir string) error {
	debs, err := filepath.Glob(filepath.Join(dir, "*.deb"))
	if err != nil {
		return err
	}
	slices.Sort(debs)
	beside := map[string][]byte{} // files that each language has in a package of its own
	for _, deb := range debs {
		files, err := unpack(deb)
		if err != nil {
			return fmt.Errorf("reading %q: %w", deb, err)
		}
		if eachLanguage.MatchString(deb) {
			maps.Copy(beside, files)
			continue
		}
		c.room = packageMost
		c.files(files)
	}
	c.room = 4 * packageMost
	c.files(beside)
	return nil
}

var eachLanguage = regexp.MustCompile(`/(libreoffice-help|debian-reference)-[a-z-]+_[^/]*$`)

// unpack reads the files of a package that may hold text.
func unpack(deb string) (map[string][]byte, error) {
	cmd := exec.Command("dpkg-deb", "--fsys-tarfile", deb)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for r := tar.NewReader(bufio.NewReaderSize(out, 1<<20)); ; {
		head, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if head.Typeflag != tar.TypeReg || head.Size > 32<<20 || kindOf(head.Name) == "" {
			continue
		}
		b, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		files[strings.TrimPrefix(head.Name, ".")] = b
	}
	return files, cmd.Wait()
}

var (
	chinesePath = regexp.MustCompile(`(?i)[/._-]zh[_-](cn|hans)([/._-]|$)`)
	foreignPath = regexp.MustCompile(`/(man|html|doc|docs|i18n|locale|help|info)/([a-z]{2}([-_.@][A-Za-z0-9-]+)?)/|\.(de|fr|ja|ru|es|it|pt|pl|tr|ko|da|nl|nb|id|vi|ar|el|hr|ro|cs|sv|fi|hu|uk|zh)([-_.][A-Za-z]+)?\.html?|zh[-_]tw|html\.(de|es|fr|ja|ko|pt-br|tr|ru|zh|da)`)
	englishPath = regexp.MustCompile(`/(en|en-US|en_US)/`)
)

// kindOf says how to read a file; "" not at all.
func kindOf(name string) string {
	base := strings.TrimSuffix(path.Base(name), ".gz")
	zh := chinesePath.MatchString(name)
	switch ext := path.Ext(base); {
	case zh && (ext == ".mo" || ext == ".po"):
		return ext
	case base == "en.json" || base == "zh-hans.json" || strings.HasPrefix(base, "diagnosticMessages") && zh:
		return ".json"
	case strings.Contains(name, "/usr/share/wordnet/data."):
		return "wordnet"
	case strings.HasPrefix(base, "Unihan_Readings.txt"):
		return "characters"
	case strings.HasPrefix(base, "th_en") && strings.HasSuffix(base, ".dat"):
		return "thesaurus"
	case strings.HasSuffix(base, ".dict.dz"):
		return "dict"
	case strings.Contains(name, "/share/man/zh_CN/"), strings.Contains(name, "/share/man/man"):
		return "man"
	case foreignPath.MatchString(name) && !zh && !englishPath.MatchString(name):
		return ""
	case ext == ".html" || ext == ".htm" || strings.HasSuffix(base, ".html.en"):
		return "html"
	case ext == ".go" && !strings.Contains(name, "_test"):
		return "go"
	case (ext == ".txt" || ext == ".md" || ext == ".rst" || strings.HasPrefix(base, "README")) && strings.Contains(name, "/share/doc"):
		return "text"
	}
	return ""
}

func (c *corpus) files(files map[string][]byte) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		b := files[name]
		if strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".dz") {
			if r, err := gzip.NewReader(bytes.NewReader(b)); err == nil {
				b, _ = io.ReadAll(r)
			}
		}
		switch kindOf(name) {
		case ".mo":
			c.catalogue(b)
		case ".po":
			c.messages(string(b))
		case ".json":
			c.table(name, b, files)
		case "wordnet":
			c.wordnet(string(b))
		case "characters":
			c.characters(bzip2.NewReader(bytes.NewReader(b)))
		case "thesaurus":
			c.thesaurus(string(b))
		case "dict":
			c.room = 4 * packageMost
			c.plain(string(b))
		case "text":
			c.plain(string(b))
		case "man":
			c.manual(string(b))
		case "html":
			c.page(name, string(b), files)
		case "go":
			c.comments(string(b))
		}
	}
}

// table reads messages with keys.
func (c *corpus) table(name string, b []byte, files map[string][]byte) {
	var zh, en map[string]any
	if json.Unmarshal(b, &zh) != nil || strings.HasSuffix(name, "/en.json") {
		return
	}
	_ = json.Unmarshal(files[strings.TrimSuffix(name, "zh-hans.json")+"en.json"], &en)
	for _, k := range slices.Sorted(maps.Keys(zh)) {
		text, _ := zh[k].(string)
		english, ok := en[k].(string)
		if en == nil { // the key is the message
			english, ok = strings.ReplaceAll(strings.TrimRight(k, "0123456789_"), "_", " "), true
		}
		if ok {
			c.pair(wiki.ReplaceAllString(english, " "), wiki.ReplaceAllString(text, " "))
		}
	}
}

var wiki = regexp.MustCompile(`\{\{[^}]*\}\}|<[^>]*>|\$\d|https?://\S+`)

func (c *corpus) plain(text string) {
	for p := range strings.SplitSeq(text, "\n\n") {
		c.paragraph(p)
	}
}

var roff = regexp.MustCompile(`\\f\[?[A-Z]+\]?|\\f.|\\s-?\d|\\\*\([a-zA-Z]{2}|\\\([a-z]{2}|\\[&/,:|^%]`)

// manual reads a manual page.
func (c *corpus) manual(text string) {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, `.\"`) || strings.HasPrefix(line, `'\"`) {
			continue
		}
		if strings.HasPrefix(line, ".") {
			macro, rest, _ := strings.Cut(line, " ")
			switch macro {
			case ".PP", ".P", ".LP", ".TP", ".IP", ".SH", ".SS", ".Pp", ".Sh", ".It", ".sp", ".br":
				b.WriteString("\n\n")
			}
			if macro == ".TH" || macro == ".ds" || macro == ".de" || macro == ".Dd" || macro == ".so" {
				continue
			}
			line = strings.Trim(rest, `"`)
		}
		line = roff.ReplaceAllString(strings.ReplaceAll(line, `\-`, "-"), "")
		b.WriteString(line + "\n")
	}
	c.plain(b.String())
}

var (
	blocks   = regexp.MustCompile(`(?is)<(p|li|dd|dt|h[1-6]|td|th|title)\b([^>]*)>(.*?)</(?:p|li|dd|dt|h[1-6]|td|th|title)>`)
	tags     = regexp.MustCompile(`(?s)<[^>]*>`)
	idOf     = regexp.MustCompile(`id="([^"]+)"`)
	notProse = regexp.MustCompile(`(?is)<(script|style|head)\b.*?</(script|style|head)>`)
)

// comments reads the comments of Go.
func (c *corpus) comments(text string) {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "//"); ok {
			b.WriteString(rest + "\n")
		} else {
			b.WriteString("\n\n")
		}
	}
	c.plain(b.String())
}

// wordnet reads a file of synsets: their words and their meaning.
func (c *corpus) wordnet(text string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  ") {
			continue
		}
		data, gloss, _ := strings.Cut(line, " | ")
		f := strings.Fields(data)
		if len(f) < 5 {
			continue
		}
		var n int
		fmt.Sscanf(f[3], "%x", &n)
		var words []string
		for i := range n {
			if 4+2*i < len(f) {
				words = append(words, strings.ReplaceAll(f[4+2*i], "_", " "))
			}
		}
		c.room = packageMost
		c.paragraph(strings.Join(words, " ") + " " + gloss)
	}
}

// thesaurus reads what MyThes has about a word: meanings, each with words that say the
// same, or nearly.
func (c *corpus) thesaurus(text string) {
	head := ""
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if !strings.HasPrefix(line, "(") {
			head = f[0]
			continue
		}
		words := []string{head}
		for _, w := range f[1:] {
			if !strings.Contains(w, "(antonym)") {
				words = append(words, w)
			}
		}
		c.synsets = append(c.synsets, words)
	}
}

// save writes what was read, one per line: P a paragraph, A a pair, G a character and
// its meaning, S synonyms.
func (c *corpus) save(file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for _, p := range c.paragraphs {
		fmt.Fprintf(w, "P\t%s\n", p)
	}
	for _, p := range c.pairs {
		fmt.Fprintf(w, "A\t%s\t%s\n", p[0], p[1])
	}
	for _, g := range c.glosses {
		fmt.Fprintf(w, "G\t%s\t%s\n", g[0], g[1])
	}
	for _, s := range c.synsets {
		fmt.Fprintf(w, "S\t%s\n", strings.Join(s, "\t"))
	}
	return errors.Join(w.Flush(), f.Close())
}

func (c *corpus) load(file string) error {
	b, err := os.ReadFile(file)
	for line := range strings.Lines(string(b)) {
		switch f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); {
		case f[0] == "P" && len(f) == 2:
			c.paragraphs = append(c.paragraphs, f[1])
		case f[0] == "A" && len(f) == 3:
			c.pairs = append(c.pairs, [2]string{f[1], f[2]})
		case f[0] == "G" && len(f) == 3:
			c.glosses = append(c.glosses, [2]string{f[1], f[2]})
		case f[0] == "S":
			c.synsets = append(c.synsets, f[1:])
		}
	}
	return err
}

// characters reads the meanings that Unicode gives for characters.
func (c *corpus) characters(r io.Reader) {
	b, _ := io.ReadAll(r)
	for line := range strings.Lines(string(b)) {
		f := strings.SplitN(strings.TrimSpace(line), "\t", 3)
		var n rune
		if len(f) < 3 || f[1] != "kDefinition" {
			continue
		}
		if _, err := fmt.Sscanf(f[0], "U+%X", &n); err == nil && isHan(n) {
			c.glosses = append(c.glosses, [2]string{string(n), f[2]})
		}
	}
}
