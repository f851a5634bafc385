package memory

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
)

// titles are the heading of the core memory, then its usual sections, in both languages. The
// Chinese ones are the original's.
var titles = [...][2]string{
	{"Core memory", "核心记忆"}, {"Preferences", "用户偏好"}, {"Background", "项目背景"},
	{"Conventions", "项目规范"}, {"Decisions", "重要决策"}, {"Tools", "常用工具"},
}

// Title is the heading of the core memory.
func Title(in locale.Language) string { return in.Pick(titles[0][0], titles[0][1]) }

// Sections are the usual sections of the core memory, in their order.
func Sections(in locale.Language) (out []string) {
	for _, t := range titles[1:] {
		out = append(out, in.Pick(t[0], t[1]))
	}
	return out
}

// Section is the name of a section in a language, given in either of the two; an unusual name
// stays as it is.
func Section(in locale.Language, name string) string {
	for _, t := range titles[1:] {
		if strings.EqualFold(name, t[0]) || name == t[1] {
			return in.Pick(t[0], t[1])
		}
	}
	return name
}

// PageLanguage is the language of a page's usual headings, or otherwise if it has none of them.
func PageLanguage(page string, otherwise locale.Language) locale.Language {
	lines := strings.Split(page, "\n")
	for _, in := range [...]locale.Language{locale.English, locale.Chinese} {
		if slices.ContainsFunc(lines, func(l string) bool {
			l = strings.TrimSpace(strings.TrimLeft(l, "#"))
			return l != "" && (l == Title(in) || slices.Contains(Sections(in), l))
		}) {
			return in
		}
	}
	return otherwise
}

// Template is the core memory of a project that has none yet.
func Template(in locale.Language) string {
	return "# " + Title(in) + "\n\n## " + strings.Join(Sections(in), "\n\n## ") + "\n"
}

// Templates are the templates of all languages: nobody wrote their text.
func Templates() []string { return []string{Template(locale.Chinese), Template(locale.English)} }
