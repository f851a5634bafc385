// Package locale chooses the language of the texts that built-in hooks write. Tags,
// markers, commands, names of tools and files are the same in all languages.
package locale

import "strings"

// A Language is one that the texts exist in.
type Language string

const (
	English Language = "en"
	Chinese Language = "zh"
)

// Of is the language of a setting or, where that is "auto" or nothing, of the
// locale: the first of LC_ALL, LC_MESSAGES and LANG that is set.
func Of(setting string, getenv func(string) string) Language {
	switch setting {
	case "zh":
		return Chinese
	case "en":
		return English
	}
	for _, name := range [...]string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := getenv(name); v != "" {
			if strings.HasPrefix(strings.ToLower(v), "zh") {
				return Chinese
			}
			return English
		}
	}
	return English
}

// Pick is the one of two texts that is in the language.
func (l Language) Pick(en, zh string) string {
	if l == Chinese {
		return zh
	}
	return en
}
