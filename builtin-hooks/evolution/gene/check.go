package gene

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/screen"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// Limits of a gene, in characters and entries.
const (
	maxTitle   = 200
	maxStep    = 1000
	maxSteps   = 20
	maxSignals = 20
)

// A Problem is why a gene is not accepted.
type Problem struct {
	Kind  string `json:"kind"`  // form, path, line, secret, project
	Field string `json:"field"` // "strategy[2]"
	Value string `json:"value"` // what was found; never a secret
	Fix   string `json:"fix"`
}

func (p Problem) String() string { return fmt.Sprintf("%s: %q: %s", p.Field, p.Value, p.Fix) }

// Forceable reports whether somebody who knows better may keep the gene despite it. A
// gene without steps is not a gene, and a secret is never stored.
func (p Problem) Forceable() bool { return p.Kind != "form" && p.Kind != "secret" }

// Check says what in a gene does not transfer to another project, or does not have the
// form of a gene. projects are the names of the project where it was learned: of its
// folder, of its scope; "" is none.
func Check(g *Gene, projects ...string) []Problem {
	out := form(g)
	for _, f := range fields(g) {
		if s := redact.Memory.Text(f.text); s != f.text {
			out = append(out, Problem{"secret", f.name, "[REDACTED]", "leave the secret out"})
		}
		if p := absolutePath(f.text); p != "" {
			out = append(out, Problem{"path", f.name, p, "say what kind of file it is instead of where it lies here"})
		}
		if l := lineReference().FindString(f.text); l != "" {
			out = append(out, Problem{"line", f.name, strings.TrimSpace(l), "leave the line out: it is another one elsewhere"})
		}
		for _, p := range projects {
			if names(f.text, p) {
				out = append(out, Problem{"project", f.name, p, "say it for any project"})
				break
			}
		}
	}
	return out
}

type field struct{ name, text string }

// fields are the texts of a gene that others read.
func fields(g *Gene) []field {
	out := []field{{"title", g.Title}, {"description", g.Description}}
	list := func(name string, texts []string) {
		for i, t := range texts {
			out = append(out, field{fmt.Sprintf("%s[%d]", name, i), t})
		}
	}
	list("strategy", g.Strategy)
	list("preconditions", g.Preconditions)
	list("signals_match", Types(g.SignalsMatch))
	for language, t := range g.Translations {
		out = append(out, field{"translations." + language + ".title", t.Title})
		list("translations."+language+".strategy", t.Strategy)
	}
	return out
}

// Screen says what in a gene could harm whoever follows it (package screen): reasons to
// hold it until somebody has read it.
func Screen(g *Gene) []screen.Finding {
	var list []screen.Field
	for _, f := range fields(g) {
		list = append(list, screen.Field{Name: f.name, Text: f.text})
	}
	return screen.Texts(list)
}

// Redact removes secrets from all texts of a gene.
func Redact(g *Gene) {
	texts := func(list []string) {
		for i := range list {
			list[i] = redact.Memory.Text(list[i])
		}
	}
	g.Title, g.Description = redact.Memory.Text(g.Title), redact.Memory.Text(g.Description)
	texts(g.Strategy)
	texts(g.Preconditions)
	for language, t := range g.Translations {
		texts(t.Strategy)
		g.Translations[language] = Text{redact.Memory.Text(t.Title), t.Strategy}
	}
}

func form(g *Gene) (out []Problem) {
	add := func(field, value, fix string) { out = append(out, Problem{"form", field, value, fix}) }
	if !slices.Contains([]Category{Repair, Optimize, Innovate, Diagnostic}, g.Category) {
		add("category", string(g.Category), "want repair, optimize, innovate or diagnostic")
	}
	if n := len([]rune(g.Title)); n > maxTitle {
		add("title", text.Head(g.Title, 40), fmt.Sprintf("has %d characters, want at most %d", n, maxTitle))
	}
	switch n := len(g.SignalsMatch); {
	case n == 0:
		add("signals_match", "", "name at least one signal, error:timeout for example")
	case n > maxSignals:
		add("signals_match", fmt.Sprint(n), fmt.Sprintf("want at most %d signals", maxSignals))
	}
	for i, s := range g.SignalsMatch {
		if !validSignal(s.Type) {
			add(fmt.Sprintf("signals_match[%d]", i), s.Type, "want error:, task:, infra:, perf: or capability: and words in lower case joined by _")
		}
	}
	switch n := len(g.Strategy); {
	case n == 0:
		add("strategy", "", "name at least one step")
	case n > maxSteps:
		add("strategy", fmt.Sprint(n), fmt.Sprintf("want at most %d steps", maxSteps))
	}
	for i, s := range g.Strategy {
		if n := len([]rune(s)); n > maxStep {
			add(fmt.Sprintf("strategy[%d]", i), text.Head(s, 40), fmt.Sprintf("has %d characters, want at most %d", n, maxStep))
		}
	}
	if g.ID != "" && !validID(g.ID) {
		add("id", g.ID, "want letters, digits, _, - and . only, at most 128, and no - first")
	}
	return out
}

// validSignal reports whether a signal has the agreed form: a known prefix, and words
// in snake case.
func validSignal(s string) bool {
	head, tail, ok := strings.Cut(s, ":")
	if !ok || !slices.Contains([]string{"error", "task", "infra", "perf", "capability", "session"}, head) || tail == "" || len(s) > 80 {
		return false
	}
	for _, c := range tail {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return true
}

func validID(id string) bool {
	return len(id) <= 128 && id[0] != '-' && !strings.ContainsFunc(id, func(r rune) bool {
		return r >= 0x80 || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.", r)
	})
}

// everywhere are paths that exist on every machine, and so mean something to everybody.
var everywhere = []string{"/dev/", "/etc/", "/proc/", "/sys/", "/tmp/", "/var/run/", "/var/log/", "/usr/bin/", "/usr/local/bin/", "/bin/"}

// absolutePath is the first path in a text that means a place on one machine: from the
// root with at least two parts, below a home directory, or on a drive. A single part,
// "/healthz", is a route.
func absolutePath(text string) string {
	for i := 0; i < len(text); i++ {
		if i > 0 && !strings.ContainsRune(" \t\"'`(=[{<,，。：、（", rune(text[i-1])) && text[i-1] != ':' && text[i-1] < 0x80 {
			continue
		}
		if i > 0 && text[i-1] == ':' && strings.HasPrefix(text[i:], "//") {
			continue // https://
		}
		end := i
		for end < len(text) && !strings.ContainsRune(" \t\"'`)]}>,;", rune(text[end])) {
			end++
		}
		word := text[i:end]
		switch {
		case len(word) > 3 && word[1] == ':' && (word[2] == '\\' || word[2] == '/') && unicode.IsLetter(rune(word[0])),
			strings.HasPrefix(word, `\\`) && len(word) > 3,
			strings.HasPrefix(word, "~/") && len(word) > 2 && word[2] != '.',
			strings.HasPrefix(word, "/") && strings.Contains(strings.Trim(word[1:], "/."), "/") && !strings.HasPrefix(word, "//") && !shared(word):
			return word
		}
	}
	return ""
}

func shared(path string) bool {
	return slices.ContainsFunc(everywhere, func(dir string) bool { return strings.HasPrefix(path, dir) })
}

// lineReference is compiled when the first gene is checked, not when the program
// starts.
var lineReference = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:lines?|ln|row)\s*#?:?\s*\d+\b|第\s*[0-9一二三四五六七八九十百]+\s*行|[\w-]+\.[a-z]{1,4}:\d+|\.[a-z]{1,4}\(\d+,\d+\)|#L\d+\b`)
})

// common are project names that are ordinary words, and say nothing about where a gene
// comes from.
var common = []string{"global", "app", "api", "web", "test", "tests", "server", "client", "project", "main", "src", "core", "service", "frontend", "backend", "demo", "example", "build", "tools", "utils", "docs", "git", "go", "node", "python", "package", "module"}

// names reports whether a text contains the project's name as a word. The last part of
// a path ("example.com/team/shop", "@team/shop") counts as well.
func names(text, project string) bool {
	project = strings.ToLower(strings.TrimSpace(project))
	text = strings.ToLower(text)
	last := project[strings.LastIndexByte(project, '/')+1:]
	for _, name := range []string{project, last} {
		if len(name) < 3 || slices.Contains(common, name) || strings.HasPrefix(name, "git_") {
			continue
		}
		for from := 0; ; {
			at := strings.Index(text[from:], name)
			if at < 0 {
				break
			}
			at += from
			if !wordAt(text, at-1) && !wordAt(text, at+len(name)) {
				return true
			}
			from = at + 1
		}
	}
	return false
}

func wordAt(s string, i int) bool {
	return i >= 0 && i < len(s) && (s[i] == '_' || s[i] >= 'a' && s[i] <= 'z' || s[i] >= '0' && s[i] <= '9')
}
