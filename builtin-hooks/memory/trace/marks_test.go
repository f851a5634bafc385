package trace

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// The same words are found however they are wrapped, quoted, marked, cased or spaced, in scripts
// with spaces and without, and nothing else is.
// BM-HND-26.
func TestTheSameWordsAreFoundHoweverTheyStand(t *testing.T) {
	t.Parallel()
	for said, texts := range map[string]map[string]bool{
		"The night porter is Quillfeather7.": {
			"- the night porter is QUILLFEATHER7":                          true,
			"The night porter\nis Quillfeather7.":                          true,
			"> The night\n> porter is\n>\n> **Quillfeather7**":             true,
			"| The night porter | is `Quillfeather7` |":                    true,
			"git commit -m \"The night porter is Quillfeather7.\" && push": true,
			"we noted:The night porter is Quill-\nfeather7, and went on":   true,
			"The night porter is Quillfeather70":                           false,
			"AThe night porter is Quillfeather7":                           false,
			"Quillfeather7 is the night porter":                            false,
			"The night porter was Quillfeather7":                           false,
			"":                                                             false,
		},
		"夜间门卫是张三丰":                 {"备注：夜间门卫\n是张三丰。": true, "“夜间门卫是张三丰”先生": true, "夜间门卫不是张三丰": false},
		"Der Tresor heißt ÖRTLICH": {"* der tresor heißt\n  örtlich": true, "der Tresor hieß örtlich": false},
		"We use C++ in the engine": {"we use c++ in the engine!": true, "We use C in the engine": false},
		"use Go":                   {"- Use Go.": true, "we use Go here": false, "# Rules\n\n- use go\n- use make": true},
		"Сейф за картиной":         {"сейф\tза   картиной": true, "Сейфы за картиной": false},
	} {
		for text, want := range texts {
			if got := Of(said).Says(text); got != want {
				t.Errorf("%q in %q: %v", said, text, got)
			}
		}
	}
}

// BM-HND-26, BM-HND-28.
func TestMarksHaveNoWordOfTheText(t *testing.T) {
	t.Parallel()
	b, err := json.Marshal(Of("The night porter is Quillfeather7.", "use Go"))
	if err != nil || strings.Contains(strings.ToLower(string(b)), "porter") || strings.Contains(string(b), "Go") {
		t.Errorf("%s, %v", b, err)
	}
	var back Marks
	must.Do(t, json.Unmarshal(b, &back))
	if !back.Says("the night porter is quillfeather7") {
		t.Error("what was read back finds nothing")
	}
}

// In what the program noted, which may be cut, a short text is found within another one, and a long
// one by its beginning, up to the end of the part.
// BM-HND-26.
func TestWhatIsCutIsFoundInWhatWasNoted(t *testing.T) {
	t.Parallel()
	long := "The quarterly reconciliation of the harbour dues with the ledger is done by Ottoline Farthingale, with the red binder"
	for said, texts := range map[string]map[string]string{
		long:         {"remember: The quarterly reconciliation of the harbour dues with the ledger is d… — changed: a.txt": "remember: … — changed: a.txt", "The quarterly reconciliation is due": ""},
		"Bob is ops": {"decided: Bob is ops — ran: ls": "decided: … — ran: ls", "Bob is opsy": ""},
	} {
		for text, want := range texts {
			if want == "" {
				want = text
			}
			if got := Of(said).Anywhere().Without(text); got != want {
				t.Errorf("%q without %q: %q, want %q", text, said, got, want)
			}
			if strings.Contains(text, "…") && Of(said).Says(text) {
				t.Errorf("%q counts as said by somebody who wrote %q", said, text)
			}
		}
	}
}

// Only the words go: what stands around them, members and lines of others, and the lines of a page
// that say something else stay.
// BM-HND-26.
func TestOnlyTheWordsAreTakenOut(t *testing.T) {
	t.Parallel()
	said := Of("The night porter is Quillfeather7.")
	file := filepath.Join(t.TempDir(), "m.spool")
	must.Write(t, file, `{"prompt": "remember: The night porter is Quillfeather7!", "n": [1, {"said": ["keep", "the night porter\nis quillfeather7"]}]}
not an object: the night porter is quillfeather7, `+"`"+`ls`+"`"+`
{"answer": "{\"additional_context\": \"- The night porter is Quillfeather7.\"}"}
{"untouched":   true}
`)
	must.Do(t, EraseFile(file, said))
	b, err := os.ReadFile(file)
	want := `{"prompt": "remember: …!", "n": [1, {"said": ["keep", "…"]}]}
not an object: …, ` + "`" + `ls` + "`" + `
{"answer": "{\"additional_context\": \"- ….\"}"}
{"untouched":   true}
`
	if string(b) != want || err != nil {
		t.Errorf("%s\nwant\n%s%v", b, want, err)
	}
	if page := said.WithoutLines("# A\n- x\n- The night\n  porter is quillfeather7\n- y\n"); page != "# A\n- x\n- y\n" {
		t.Errorf("%q", page)
	}
}
