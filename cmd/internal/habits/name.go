package habits

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/agents-hooks/agents-hooks/discovery"
)

// Named checks a name in the form that validators use: in NFKC an accented letter is
// one character, however it was typed. A folder whose name differs only in that has
// the same name; a character that is not a letter or digit in that form is not
// allowed.
func Named(hook *discovery.Hook) {
	folder := hook.FolderName()
	if form(folder) == form(hook.Name) && folder != hook.Name {
		hook.Problems = slices.DeleteFunc(hook.Problems, func(p discovery.Problem) bool {
			return p.Field == "name" && strings.Contains(p.Message, "is unlike the folder's name")
		})
	}
	name := form(hook.Name)
	if name == hook.Name && isASCII(name) || slices.ContainsFunc(hook.Problems, func(p discovery.Problem) bool { return p.Field == "name" }) {
		return
	}
	odd := strings.IndexFunc(name, func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	p := hook.NamePlace()
	p.Severity, p.Value, p.Fix = discovery.Error, hook.Name, "use small letters, digits and single hyphens between them, 64 characters at most"
	switch n := utf8.RuneCountInString(name); {
	case odd >= 0:
		r, _ := utf8.DecodeRuneInString(name[odd:])
		p.Message = fmt.Sprintf("%q contains %U, which is neither a letter nor a digit", hook.Name, r)
	case name != strings.ToLower(name):
		p.Message = fmt.Sprintf("%q holds capitals", hook.Name)
	case n > 64:
		p.Message = fmt.Sprintf("%q has %d characters", hook.Name, n)
	default:
		return
	}
	hook.Problems = append(hook.Problems, p)
}

func form(s string) string { return norm.NFKC.String(s) }

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}
