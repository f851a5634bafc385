package redact

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// fill puts letters and digits for the {36} of an example; see kind.
func fill(s string) string {
	return lots.ReplaceAllStringFunc(s, func(m string) string {
		alphabet := "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zCfLq"
		switch m[1] {
		case 'h':
			alphabet = "0123456789abcdef"
		case 'd':
			alphabet = "0123456789"
		case 'A':
			alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
		}
		n, _ := strconv.Atoi(strings.Trim(m, "{}hdA"))
		h := fnv.New64()
		fmt.Fprint(h, s)
		random := rand.New(rand.NewPCG(h.Sum64(), 1))
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[random.IntN(len(alphabet))]
		}
		return string(b)
	})
}

var lots = regexp.MustCompile(`\{[hdA]?\d+\}`)

// sections are all rows of the table.
func sections() [][]kind {
	return [][]kind{shapes[:], inners[:], names[:], headers[:], schemes[:], options[:], fedTo[:], placed[:], words[:], wholes[:], numbers[:], ibans[:], spoken[:], mailboxes[:], homes[:], pairs[:], seeds[:], lists[:], otps[:], pins[:], handedTo[:]}
}

// Each row does something: without it its example stays, or goes as something
// else; with it the example goes, and what only looks like it stays.
func TestEveryRow(t *testing.T) {
	t.Parallel()
	rows := 0
	for _, section := range sections() {
		for k := range section {
			row := &section[k]
			rows++
			t.Run(row.name+" "+row.expr, func(t *testing.T) {
				example, like := fill(row.example), fill(row.like)
				used := false
				for p := range policies {
					r := policies[p]
					if !r.takes(row) {
						continue
					}
					used = true
					// All policies tell here, or a row that another does the work
					// of would pass where the mark is the same for all.
					r.prefix, r.tells = "[REDACTED", true
					with, without := r.text(example, nil), r.text(example, row)
					if with == example {
						t.Errorf("policy %d lets %q through", p, example)
					}
					if with == without {
						t.Errorf("policy %d makes %q of %q without this row too", p, with, example)
					}
					if again := r.text(with, nil); again != with {
						t.Errorf("policy %d makes %q of its own %q", p, again, with)
					}
					if got := r.text(like, nil); got != like {
						t.Errorf("policy %d makes %q of the look-alike %q", p, got, like)
					}
				}
				if !used {
					t.Error("no policy takes it")
				}
			})
		}
	}
	if rows < 200 {
		t.Errorf("%d rows: this test looked in the wrong place", rows)
	}
}

// What is found by its first two bytes stands in their order.
func TestShapesStandInOrder(t *testing.T) {
	t.Parallel()
	if !slices.IsSortedFunc(shapes[:], func(a, b kind) int { return strings.Compare(a.literal(), b.literal()) }) {
		t.Error("shapes are out of order")
	}
	seen := map[string]bool{}
	for _, section := range sections() {
		for _, row := range section {
			if seen[row.expr] && row.expr != "cookie" {
				t.Errorf("%q stands twice", row.expr)
			}
			seen[row.expr] = true
		}
	}
	for _, row := range shapes {
		t.Run(row.expr, func(t *testing.T) {
			if strings.ContainsAny(row.literal(), `[(\`) || row.literal()[1] == '{' {
				t.Errorf("%q does not begin with two literal bytes", row.expr)
			}
		})
	}
}
