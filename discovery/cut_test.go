package discovery

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adrg/frontmatter"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// cutByLibrary is [CutFront] by adrg/frontmatter. The lines around the front matter begin
// with their hyphens (HM-FMT-08); the library takes indented ones too, and blank lines
// before the first.
func cutByLibrary(file []byte) (block []byte, ok bool) {
	text := bytes.TrimPrefix(file, []byte("\xef\xbb\xbf"))
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	if !delimiter(first) {
		return nil, false
	}
	size := 0
	format := frontmatter.NewFormat("---", "---", func(data []byte, _ any) error {
		size = len(data)
		return nil
	})
	if _, err := frontmatter.MustParse(bytes.NewReader(onlyDelimiters(text)), nil, format); err != nil {
		return nil, false
	}
	return rest[:size], true
}

// onlyDelimiters is a text of the same length in which nothing but delimiters
// looks like one to the library, which trims all blanks around a line.
func onlyDelimiters(text []byte) []byte {
	out := bytes.Clone(text)
	for line := range bytes.Lines(out) {
		if word := bytes.TrimSpace(line); string(word) == "---" && !delimiter(bytes.TrimSuffix(line, []byte("\n"))) {
			copy(word, "...")
		}
	}
	return out
}

// cutFronts are beginnings of files that a cutter may read in its own way.
var cutFronts = []string{
	"", "---", "---\n", "---\n---", "---\n---\n", "---\nname: a\n---\n\nText.\n", "---\nname: a\n---", "---\nname: a\n", "---\nname: a\n--- \t\r\nText",
	"---  \nname: a\n---\n", "---\r\nname: a\r\n---\r\n", "\xef\xbb\xbf---\nname: a\n---\n", "\xef\xbb\xbf", "\xef\xbb\xbf\xef\xbb\xbf---\na\n---\n",
	"\n---\nname: a\n---\n", "  ---\nname: a\n---\n", "---\nname: |\n  ---\n  b\n---\n", "---\na\n\t---\n---\n", "---\na\n---\v\n---\n", "---\na\n\u00a0---\n---\u0085\n---\n",
	"----\na\n---\n", "---\na\n----\n", "---yaml\na\n---\n", "+++\na\n+++\n", "{\n}\n\n", ";;;\n{}\n;;;\n", "---\n+++\n---\n", "---\n---\n---\n", "---\n\n\n---\n",
	"--- \n---x\n --- \n---", "text\n---\na\n---\n", "---\na: \xff\xfe\n---\n", "---\na\x00\n---\n", "---\n" + strings.Repeat("a: b\n", 20000) + "---\n", "\r\n---\na\n---\n", "---\r---\n---\n",
}

// sameCut holds the library's cutter against ours.
func sameCut(t *testing.T, file []byte) {
	t.Helper()
	before := bytes.Clone(file)
	got, ok := cutByLibrary(file)
	want, wanted := CutFront(file)
	if ok != wanted || !bytes.Equal(got, want) {
		t.Errorf("%.200q: cut to %.200q (%t), ours to %.200q (%t)", file, got, ok, want, wanted)
	}
	if !bytes.Equal(file, before) {
		t.Errorf("%.200q was changed to %.200q", before, file)
	}
}

func TestCutIsTheLibrarys(t *testing.T) {
	t.Parallel()
	for _, text := range cutFronts {
		sameCut(t, []byte(text))
	}
	hooks, inputs := 0, 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		corpus := strings.Contains(filepath.ToSlash(path), "/testdata/fuzz/")
		if d.IsDir() || !corpus && !slices.Contains([]string{".md", ".txtar", ".txt"}, filepath.Ext(path)) {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		sameCut(t, b)
		for _, f := range append(txtar.Parse(b).Files, txtar.File{Name: path, Data: b}) {
			if strings.EqualFold(filepath.Base(f.Name), "HOOK.md") {
				sameCut(t, f.Data)
				hooks++
			}
		}
		for line := range strings.Lines(string(b)) {
			_, value, quoted := strings.Cut(strings.TrimSuffix(strings.TrimSpace(line), ")"), "(")
			if text, err := strconv.Unquote(value); corpus && quoted && err == nil {
				sameCut(t, []byte(text))
				inputs++
			}
		}
		return nil
	})
	must.Do(t, err)
	if hooks < 100 || inputs == 0 {
		t.Errorf("%d HOOK.md, %d inputs of fuzzing: this test looks in the wrong place", hooks, inputs)
	}
}

func FuzzCut(f *testing.F) {
	for _, text := range cutFronts {
		if len(text) < 1000 {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) { sameCut(t, file) })
}
