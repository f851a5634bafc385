package spec

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// -look names the requirements whose sentences, and whose cases in
// ../conformance/cases, or tests, were looked at again:
//
//	go test ./spec -run Manifest -look HM-IO-07,HM-IO-08
//
// There is no way to accept all changes at once without naming them, but for
// the word "everything", which is for a new file.
var look = flag.String("look", "", "requirement ids to accept as they stand in their page")

func TestManifestKnowsEverySentence(t *testing.T) {
	reqs := everyRequirement()
	entries := Manifest()
	if *look != "" {
		entries = accept(reqs, entries, strings.Split(*look, ","))
		write(t, entries)
	}
	for _, line := range Drift(reqs, entries) {
		t.Error(line)
	}
	if t.Failed() {
		t.Log("look at the cases of these requirements (agents-hooks conformance list --spec ID; of a behaviour, the tests that cite it), then: go test ./spec -run Manifest -look ID,ID")
	}
}

func accept(reqs []Requirement, entries []Entry, ids []string) []Entry {
	named := map[string]bool{}
	for _, id := range ids {
		named[id] = true
	}
	known := map[string]Entry{}
	for _, e := range entries {
		known[e.ID] = e
	}
	var out []Entry
	for _, r := range reqs {
		e, ok := known[r.ID]
		if named[r.ID] || named["everything"] {
			e, ok = Entry{r.ID, r.Level, r.Hash()}, true
		}
		if ok {
			out = append(out, e)
		}
		delete(known, r.ID)
	}
	for _, e := range entries { // gone from its page, and not named as such
		if _, left := known[e.ID]; left && !named[e.ID] && !named["everything"] {
			out = append(out, e)
		}
	}
	return out
}

func write(t *testing.T, entries []Entry) {
	var b bytes.Buffer
	b.WriteString("[\n")
	for i, e := range entries {
		line, err := json.Marshal(e)
		must.Do(t, err)
		b.WriteString("  ")
		b.Write(line)
		if i < len(entries)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]\n")
	must.Do(t, os.WriteFile("requirements.json", b.Bytes(), 0o666))
}

// The check can fail: a reworded, a stricter, a new, a lost and a doubled
// requirement are each found.
func TestDriftIsFound(t *testing.T) {
	base := Requirement{ID: "HM-IO-15", Level: Must, Text: "A runner MUST block where a sync hook exits with 2."}
	entry := Entry{base.ID, base.Level, base.Hash()}
	if drift := Drift([]Requirement{base}, []Entry{entry}); len(drift) != 0 {
		t.Errorf("no change, but %q", drift)
	}
	reworded, marked, weaker := base, base, base
	reworded.Text = "A runner MUST block where a sync hook exits with 2 or 3."
	marked.Interpretation = true
	weaker.Level = Should
	for name, c := range map[string]struct {
		reqs    []Requirement
		entries []Entry
		want    string
	}{
		"reworded": {[]Requirement{reworded}, []Entry{entry}, "has another sentence now"},
		"marked":   {[]Requirement{marked}, []Entry{entry}, "has another sentence now"},
		"weaker":   {[]Requirement{weaker}, []Entry{entry}, "was MUST and is SHOULD"},
		"new":      {[]Requirement{base}, nil, "is new"},
		"gone":     {nil, []Entry{entry}, "is gone"},
		"twice":    {[]Requirement{base}, []Entry{entry, entry}, "stands twice"},
	} {
		t.Run(name, func(t *testing.T) {
			drift := Drift(c.reqs, c.entries)
			if len(drift) != 1 || !strings.Contains(drift[0], c.want) {
				t.Errorf("%s: %q, want one line with %q", name, drift, c.want)
			}
		})
	}
}

// everyRequirement returns those of all pages.
func everyRequirement() (all []Requirement) {
	for _, b := range books() {
		all = append(all, requirements()[b.page]...)
	}
	return all
}
