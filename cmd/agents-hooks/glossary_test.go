package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

var emphasized = regexp.MustCompile(`\*([^*]+)\*`)

// synonyms are the words of the last column of docs/glossary.md, with the word that
// stands for each.
func synonyms(t *testing.T) map[string]string {
	t.Helper()
	list := map[string]string{}
	for line := range strings.Lines(page(t, "docs/glossary.md")) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 3 {
			continue
		}
		for _, m := range emphasized.FindAllStringSubmatch(cells[2], -1) {
			list[strings.ToLower(m[1])] = strings.TrimSpace(cells[0])
		}
	}
	if len(list) < 20 {
		t.Fatalf("docs/glossary.md has %d words that are not used", len(list))
	}
	return list
}

// prose is the text of a page without its code, which has names of its own.
func prose(text string) string {
	var b strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			fenced = !fenced
		case !fenced && !strings.HasPrefix(line, "    "):
			b.WriteString(strings.ReplaceAll(codeSpan.ReplaceAllString(line, "`…`"), "\n", " "))
			continue
		}
		b.WriteString(" ")
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// used finds words in a text, each with a few of those around it.
func used(text string, words map[string]string) (found []string) {
	lower := strings.ToLower(text)
	for word, better := range words {
		for at := 0; ; {
			i := strings.Index(lower[at:], word)
			if i < 0 {
				break
			}
			i, at = i+at, i+at+len(word)
			letter := func(j int) bool {
				return j >= 0 && j < len(lower) && (lower[j] >= 'a' && lower[j] <= 'z' || lower[j] == '-')
			}
			if !letter(i-1) && !letter(at) {
				found = append(found, "“"+text[max(0, i-30):min(len(text), at+20)]+"”: "+word+" is called "+better)
			}
		}
	}
	slices.Sort(found)
	return found
}

// The glossary has one word for each thing. Pages that a program makes of what others
// say (the rules, the real programs) are left out, and so is what was written before.
func TestOneWordForOneThing(t *testing.T) {
	t.Parallel()
	words := synonyms(t)
	made := []string{"docs/glossary.md", "docs/conformance-matrix.md", "docs/conformance-result.md", "docs/real-agents.md", "docs/existing-hooks.md"}
	pages := 0
	look := func(name string) {
		t.Run(name, func(t *testing.T) {
			for _, what := range used(prose(page(t, name)), words) {
				t.Error(what)
			}
		})
		pages++
	}
	look("README.md")
	look("CONTRIBUTING.md")
	err := fs.WalkDir(os.DirFS(filepath.Join("..", "..")), "docs", func(name string, e fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".md" && !strings.HasSuffix(name, ".zh.md") && !slices.Contains(made, name) {
			look(name)
		}
		return err
	})
	if err != nil || pages < 50 {
		t.Errorf("%d pages: %v", pages, err)
	}
	t.Run("help", func(t *testing.T) {
		dir := t.TempDir()
		if exit, _, errs := call(t, "__manual", dir); exit != shell.ExitDone {
			t.Fatal(errs)
		}
		files, err := os.ReadDir(dir)
		if err != nil || len(files) < 100 {
			t.Fatalf("%d pages of man: %v", len(files), err)
		}
		for _, f := range files {
			for _, what := range used(strings.Join(strings.Fields(must.Read(t, filepath.Join(dir, f.Name()))), " "), words) {
				t.Errorf("%s: %s", f.Name(), what)
			}
		}
	})
}

// What the test looks for it finds, across a break of the line, and in code it does not look.
func TestGlossaryFindsItsWords(t *testing.T) {
	t.Parallel()
	words := map[string]string{"repo": "repository", "the person": "user"}
	for text, want := range map[string]int{
		"a repo, and the\nperson": 2, "Repo": 1, "repository, report, mono-repo, repo-wide": 0,
		"`repo` and\n\n    the person\n\n```\nrepo\n```\n": 0, "the persons": 0,
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if found := used(prose(text), words); len(found) != want {
				t.Errorf("%q: %q", text, found)
			}
		})
	}
}
