package shell

import "strings"

// SplitCommas splits list arguments at commas, which a cli.StringSliceFlag does only
// for some of them.
func SplitCommas(list []string) (out []string) {
	for _, item := range list {
		for _, w := range strings.FieldsFunc(item, func(r rune) bool { return r == ',' || r == '，' }) {
			if w = strings.TrimSpace(w); w != "" {
				out = append(out, w)
			}
		}
	}
	return out
}
