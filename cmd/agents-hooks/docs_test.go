package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

var pageLink = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)

// docs/README.md leads to every page of docs by what somebody wants to do, and to none
// that is not there; to those of agents through docs/agents.md, which is made of the
// dialects.
func TestEveryPageOfDocsIsInTheIndex(t *testing.T) {
	t.Parallel()
	var linked []string
	for _, index := range []string{"docs/README.md", "docs/agents.md"} {
		for _, m := range pageLink.FindAllStringSubmatch(page(t, index), -1) {
			name := path.Join("docs", m[1])
			if linked = append(linked, name); page(t, name) == "" {
				t.Errorf("%s is empty", name)
			}
		}
	}
	docs := os.DirFS(filepath.Join("..", ".."))
	err := fs.WalkDir(docs, "docs", func(name string, e fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".md" && name != "docs/README.md" && !slices.Contains(linked, name) {
			t.Errorf("%s is not in docs/README.md", name)
		}
		return err
	})
	if err != nil || len(linked) < 50 {
		t.Errorf("%d links: %v", len(linked), err)
	}
}

// README says of how many agents there are dialects.
func TestReadmeCountsTheAgents(t *testing.T) {
	t.Parallel()
	n := len(agents.All())
	for name, want := range map[string]string{"README.md": fmt.Sprintf("\n%d agents run it the same way", n), "README.zh.md": fmt.Sprintf("%d 个\n", n)} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(page(t, name), want) {
				t.Errorf("%s does not say %q: there are %d agents", name, want, n)
			}
		})
	}
}

// An outline is the levels of a page's headings, and what of a page is the same in
// every language: what stands in back quotes in its fenced blocks and in tables, and
// where its links lead.
type outline struct {
	headings []int
	blocks   []string // of code, without comments
	rows     int      // of tables
	code     []string // words in back quotes, each once
	links    []string
}

var codeSpan = regexp.MustCompile("`([^`\n]+)`")

func outlineOf(text string) (o outline) {
	fenced, block := false, ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "```"):
			if fenced {
				o.blocks, block = append(o.blocks, block), ""
			}
			fenced = !fenced
		case fenced:
			said, _, _ := strings.Cut(line, " # ")
			block += strings.TrimRight(said, " ") + "\n"
		case strings.HasPrefix(line, "    ") && strings.HasPrefix(strings.TrimSpace(line), "agents-hooks "):
			// A command and what it does, two blanks apart.
			o.blocks = append(o.blocks, strings.Join(strings.Fields(regexp.MustCompile(`\s{2,}`).Split(strings.TrimSpace(line), 2)[0]), " "))
		case strings.HasPrefix(line, "#"):
			o.headings = append(o.headings, len(line)-len(strings.TrimLeft(line, "#")))
		case strings.HasPrefix(line, "|"):
			o.rows++
		}
	}
	for _, m := range codeSpan.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(o.code, m[1]) {
			o.code = append(o.code, m[1])
		}
	}
	for _, m := range pageLink.FindAllStringSubmatch(text, -1) {
		if to := strings.Replace(m[1], ".zh.md", ".md", 1); !slices.Contains(o.links, to) {
			o.links = append(o.links, to)
		}
	}
	slices.Sort(o.code)
	slices.Sort(o.links)
	return o
}

// A page in Chinese has the headings, the commands, the names in back quotes, the
// rows of tables and the links of the English one: what changes there changes here.
func TestPagesInChineseSayWhatTheEnglishOnesDo(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"writing-hooks", "troubleshooting", "memory", "workspace"} {
		t.Run(name, func(t *testing.T) {
			english, chinese := page(t, "docs/"+name+".md"), page(t, "docs/"+name+".zh.md")
			if !strings.Contains(english, "[中文]("+name+".zh.md)") || !strings.Contains(chinese, "[English]("+name+".md)") {
				t.Error("the two pages do not lead to each other")
			}
			a, b := outlineOf(english), outlineOf(chinese)
			if !slices.Equal(a.headings, b.headings) {
				t.Errorf("headings %v, in Chinese %v", a.headings, b.headings)
			}
			if a.rows != b.rows {
				t.Errorf("%d rows of tables, in Chinese %d", a.rows, b.rows)
			}
			differ(t, "a block of code", a.blocks, b.blocks)
			differ(t, "in back quotes", a.code, b.code)
			differ(t, "a link", without(a.links, name+".md"), without(b.links, name+".md"))
			han := 0
			for _, r := range chinese {
				if r >= 0x4e00 && r <= 0x9fff {
					han++
				}
			}
			if han < len(english)/10 {
				t.Errorf("%d Chinese characters for %d bytes of English: parts are missing", han, len(english))
			}
		})
	}
}

func without(list []string, word string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(w string) bool { return w == word })
}

func differ(t *testing.T, what string, english, chinese []string) {
	t.Helper()
	for _, w := range english {
		if !slices.Contains(chinese, w) {
			t.Errorf("%s is missing in Chinese: %q", what, w)
		}
	}
	for _, w := range chinese {
		if !slices.Contains(english, w) {
			t.Errorf("%s is not in English: %q", what, w)
		}
	}
}

// What the READMEs say to type is typed, as it stands there, in a home that has
// nothing; .ci/run does the same with what "go install" installs.
func TestREADMEsAreTyped(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, ".ci/readme types them too")
	for _, name := range []string{"bash", "awk"} {
		if _, err := exec.LookPath(name); err != nil || runtime.GOOS == "windows" {
			t.Skip("needs a Unix with " + name)
		}
	}
	program, err := exec.LookPath("agents-hooks")
	must.Do(t, err)
	out, err := exec.CommandContext(t.Context(), "../../.ci/readme", "--built", filepath.Dir(program)).CombinedOutput()
	if err != nil || strings.Count(string(out), "all as it says") != 2 {
		t.Errorf("%v\n%s", err, out)
	}
}
