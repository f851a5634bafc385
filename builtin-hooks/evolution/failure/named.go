package failure

import "strings"

// Named is what a failure is about, by kind: a symbol (module, port …), what its
// message has in quotes (name), or the first place that it names (at). "" if it names
// none.
func (f *Failure) Named(kind string) string {
	switch kind {
	case "at":
		return f.Where
	case "name":
		return quoted(f.Said)
	}
	for _, s := range f.Symbols {
		if name, ok := strings.CutPrefix(s, kind+":"); ok && name != "own" {
			return name
		}
	}
	if kind == "package" {
		return f.Named("module") // the package to install for it, as far as anybody can tell
	}
	return ""
}

// quoted is the first quoted text that could be a name.
func quoted(s string) string {
	const most = 60
	for i := 0; i < len(s); i++ {
		for _, q := range [...][2]string{{"'", "'"}, {"`", "`"}, {"\"", "\""}, {"‘", "’"}, {"“", "”"}, {"`", "'"}} {
			rest, ok := strings.CutPrefix(s[i:], q[0])
			if !ok || i > 0 && inLetters(s[i-1]) {
				continue
			}
			name, _, ok := strings.Cut(rest, q[1])
			if ok && name != "" && len(name) <= most && !strings.ContainsAny(name, "{}<>\n") && strings.Count(name, " ") <= 2 {
				return name
			}
		}
	}
	return ""
}

func inLetters(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
