package search

import (
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
)

// Without takes out of a part of MEMORY.md the lines whose facts no longer hold; "" if nothing but
// headings is left.
func Without(content string, strays []memory.Stray) string {
	if content = memory.WithoutStrays(content, strays); withoutHeadings(content) == "" {
		return ""
	}
	return content
}

// Strays are the lines of the folder's MEMORY.md whose facts no longer hold.
func (s Folder) Strays(now time.Time) []memory.Stray {
	list, _ := s.place().Strays(now) // a page that cannot be read is reported by whoever reads it
	return list
}

// trueNow leaves out of the hits what MEMORY.md says and no longer holds. The snapshot has each
// part of the page as it stands there: whether a line holds depends on other files, and on the
// time.
func (s Folder) trueNow(hits []Hit, query string, now time.Time) []Hit {
	if !slices.ContainsFunc(hits, func(h Hit) bool { return h.Kind == "core" }) {
		return hits
	}
	strays := s.Strays(now)
	if len(strays) == 0 {
		return hits
	}
	asked, out := Terms(query), hits[:0]
	for _, h := range hits {
		if h.Kind == "core" {
			if left := Without(h.Content, strays); left != h.Content {
				if !slices.ContainsFunc(Terms(left), func(t string) bool { return slices.Contains(asked, t) }) {
					continue
				}
				h.Content, h.Sure = left, false // what made it fit may be gone
			}
		}
		out = append(out, h)
	}
	return out
}
