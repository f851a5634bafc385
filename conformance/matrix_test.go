package conformance

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Which case catches which fault takes long to find out, so it is kept in
// testdata/matrix.json and found out for what is new there:
//
//	go test ./conformance -run Matrix -matrix new      new faults, and new or changed cases
//	go test ./conformance -run Matrix -matrix all -timeout 2h
//
// Both write docs/conformance-matrix.md. Without the flag the test holds that
// nothing is missing, that every fault is caught and that every case catches
// one, or says why it cannot.
var matrixFlag = flag.String("matrix", "", "play faults against cases: new or all")

const matrixFile = "testdata/matrix.json"

// A killMatrix says which faults each case catches.
type killMatrix struct {
	Faults []string          `json:"faults"` // that were played
	Cases  map[string]caught `json:"cases"`
}

type caught struct {
	Hash string   `json:"hash"` // of the case as it was played
	By   []string `json:"by"`   // faults because of which it fails
}

func caseHash(c *Case) string {
	sum := sha256.Sum256([]byte(c.Source))
	return hex.EncodeToString(sum[:6])
}

func TestKillMatrix(t *testing.T) {
	if *matrixFlag == "" {
		needsMinutes(t)
	}
	set, faults := allFaults(t)
	cases, err := Cases()
	must.Do(t, err)
	m := readMatrix(t)
	if *matrixFlag != "" {
		m.play(t, wrongRunner(t, set), faults, cases, *matrixFlag == "all")
		m.write(t)
		*update = true
	}
	m.complete(t, faults, cases)
	if !t.Failed() {
		checkPage(t, "../docs/conformance-matrix.md", m.page(faults, cases))
	}
}

func readMatrix(t *testing.T) *killMatrix {
	t.Helper()
	m := &killMatrix{Cases: map[string]caught{}}
	data, err := os.ReadFile(matrixFile)
	if os.IsNotExist(err) {
		return m
	}
	if err == nil {
		err = json.Unmarshal(data, m)
	}
	must.Do(t, err)
	return m
}

func (m *killMatrix) write(t *testing.T) {
	t.Helper()
	data, err := json.MarshalIndent(m, "", " ")
	if err == nil {
		err = os.WriteFile(matrixFile, append(data, '\n'), 0o644)
	}
	must.Do(t, err)
}

// batch is how many pairs of a case and a fault are played together: each has a
// tree of its own on the disk.
const batch = 1000

// play finds out what is not known yet, or everything anew.
func (m *killMatrix) play(t *testing.T, program string, faults []fault, cases []Case, all bool) {
	if all {
		*m = killMatrix{Cases: map[string]caught{}}
	}
	known := slices.Clone(m.Faults)
	m.forget(faults, cases)
	var fresh []string
	for i := range cases {
		if _, ok := m.Cases[cases[i].ID]; !ok {
			fresh = append(fresh, cases[i].ID)
			m.Cases[cases[i].ID] = caught{Hash: caseHash(&cases[i]), By: []string{}}
		}
	}
	by := byID(cases)
	var pairs []Case
	for _, f := range faults {
		run := fresh
		if !slices.Contains(known, f.name) {
			run = sortedKeys(by)
		}
		for _, id := range f.nearby(run) {
			pairs = append(pairs, under(by[id], f))
		}
	}
	for n := 0; n < len(pairs); n += batch {
		results := playFaults(t, program, cases, pairs[n:min(n+batch, len(pairs))])
		for _, r := range results {
			id, name, _ := strings.Cut(r.ID, faultMark)
			if k := m.Cases[id]; r.Result == Failed {
				k.By = append(k.By, name)
				slices.Sort(k.By)
				k.By = slices.Compact(k.By)
				m.Cases[id] = k
			}
		}
		t.Logf("%d of %d played", min(n+batch, len(pairs)), len(pairs))
	}
	m.Faults = nil
	for _, f := range faults {
		m.Faults = append(m.Faults, f.name)
	}
	slices.Sort(m.Faults)
}

// forget drops what is no more, and cases that have changed.
func (m *killMatrix) forget(faults []fault, cases []Case) {
	for id, k := range m.Cases {
		i := slices.IndexFunc(cases, func(c Case) bool { return c.ID == id })
		if i < 0 || caseHash(&cases[i]) != k.Hash {
			delete(m.Cases, id)
			continue
		}
		k.By = slices.DeleteFunc(k.By, func(name string) bool {
			return !slices.ContainsFunc(faults, func(f fault) bool { return f.name == name })
		})
		m.Cases[id] = k
	}
}

// nearby leaves out cases that a fault hardly touches: what is played are the
// folders of the cases that it names, and what it calls near.
func (f *fault) nearby(ids []string) []string {
	where := slices.Clone(f.near)
	for _, id := range f.caught {
		where = append(where, path.Dir(id))
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !anyMatch(where, id) })
}

// complete holds that nothing is missing.
func (m *killMatrix) complete(t *testing.T, faults []fault, cases []Case) {
	stale := false
	kills := map[string]int{}
	for i := range cases {
		c := &cases[i]
		k, ok := m.Cases[c.ID]
		if !ok || k.Hash != caseHash(c) {
			t.Errorf("%s is not in the matrix as it stands", c.ID)
			stale = true
			continue
		}
		if len(k.By) == 0 && c.Uncaught == "" && missing(c.Needs) == "" {
			t.Errorf("%s catches no fault and does not say why (uncaught: …)", c.ID)
		}
		if len(k.By) > 0 && c.Uncaught != "" {
			t.Errorf("%s says that it catches no fault, and catches %v", c.ID, k.By)
		}
		for _, name := range k.By {
			kills[name]++
		}
	}
	for _, f := range faults {
		if !slices.Contains(m.Faults, f.name) {
			t.Errorf("fault %s is not in the matrix", f.name)
			stale = true
		} else if kills[f.name] == 0 {
			t.Errorf("fault %s (%s) is caught by no case", f.name, f.does)
		}
	}
	if stale {
		t.Log("go test ./conformance -run Matrix -matrix new")
	}
}

// page is docs/conformance-matrix.md.
func (m *killMatrix) page(faults []fault, cases []Case) []byte {
	var b bytes.Buffer
	by := map[string][]string{}
	for _, c := range cases {
		for _, name := range m.Cases[c.ID].By {
			by[name] = append(by[name], c.ID)
		}
	}
	fmt.Fprintf(&b, `# The suite can fail: %d wrong runners

Each fault is a change to our own sources, laid over them for a test (conformance/testdata/faults);
the runner with that change is played against the cases nearby, of %d in all. Generated by
%s.

| fault | the runner | caught by | first of them |
|---|---|---|---|
`, len(faults), len(cases), "`go test ./conformance -run Matrix -matrix new`")
	for _, f := range faults {
		fmt.Fprintf(&b, "| %s | %s | %d | %s |\n", f.name, f.does, len(by[f.name]), strings.Join(f.caught[:min(3, len(f.caught))], ", "))
	}
	fmt.Fprintf(&b, `
## Cases

For each case how many faults it catches, and the narrowest of them: the one that the fewest cases
catch.

| case | faults | narrowest | which is caught by |
|---|---|---|---|
`)
	for _, c := range cases {
		k := m.Cases[c.ID]
		if len(k.By) == 0 {
			why := c.Uncaught
			if why == "" {
				why = "needs " + strings.Join(c.Needs, ", ")
			}
			fmt.Fprintf(&b, "| %s | 0 | none: %s | |\n", c.ID, why)
			continue
		}
		narrowest := slices.MinFunc(k.By, func(a, b string) int { return len(by[a]) - len(by[b]) })
		fmt.Fprintf(&b, "| %s | %d | %s | %d |\n", c.ID, len(k.By), narrowest, len(by[narrowest]))
	}
	return b.Bytes()
}
