package keep

import (
	"cmp"
	"strconv"
	"strings"
)

// Version parses a version, "1.2.3" with or without a v, into its numbers; nil if it
// is not one. What follows a hyphen or a plus is ignored.
func Version(s string) []int {
	s, _, _ = strings.Cut(strings.TrimPrefix(s, "v"), "-")
	s, _, _ = strings.Cut(s, "+")
	parts := strings.Split(s, ".")
	if len(parts) > 3 {
		return nil
	}
	out := make([]int, 3)
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 0 || strings.HasPrefix(p, "+") {
			return nil
		}
		out[i] = n
	}
	return out
}

// Older reports whether a version is below the minimum; known is false for a build
// without one.
func Older(have, least string) (older, known bool) {
	h, l := Version(have), Version(least)
	if h == nil || l == nil {
		return false, false
	}
	for i := range l {
		if c := cmp.Compare(h[i], l[i]); c != 0 {
			return c < 0, true
		}
	}
	return false, true
}

// older reports whether one release precedes another. A build between releases is
// neither before nor after any.
func older(have, than string) bool {
	if strings.ContainsAny(have+than, "-+") {
		return false
	}
	older, known := Older(have, than)
	return older && known
}
