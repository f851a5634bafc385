package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// The suite can fail. testdata/faults holds changes to our own sources, each of
// which makes a wrong runner of ours: one that blocks on exit 1, breaks ties the
// other way, lets a grandchild live. They are laid over the sources by the
// -overlay flag of go build, so that not one line of what is shipped knows about
// them. One program has all faults, each behind a name in its environment; with
// none of them named it is the right runner.
//
// Each fault names cases that fail because of it, and TestFaultsAreCaught plays
// them. Which case catches which fault is in matrix_test.go.

// A faultSet is one file of testdata/faults.
type faultSet struct {
	hunks  []hunk
	faults []fault
}

// A hunk is one change: lines that stand exactly once in a file, and what stands
// there instead.
type hunk struct {
	file     string // from the root of the repository
	old, new string
}

// A fault is one way to be wrong.
type fault struct {
	name, does string
	caught     []string // cases that fail because of it
	near       []string // where else it may show; the folders of caught are played anyhow
}

// readFaults reads a file of changes. Lines that begin with - and + are a
// change to the file named last; the others are key: value.
func readFaults(path string) (faultSet, error) {
	var set faultSet
	data, err := os.ReadFile(path)
	if err != nil {
		return set, err
	}
	file := ""
	var h *hunk
	for i, line := range strings.Split(string(data), "\n") {
		bad := func(why string) error { return fmt.Errorf("%s:%d: %s: %q", path, i+1, why, line) }
		if line == "" || strings.HasPrefix(line, "#") {
			h = nil
			continue
		}
		if line[0] == '-' || line[0] == '+' {
			if file == "" {
				return set, bad("a change to no file")
			}
			if h == nil || line[0] == '-' && h.new != "" {
				set.hunks = append(set.hunks, hunk{file: file})
				h = &set.hunks[len(set.hunks)-1]
			}
			if line[0] == '-' {
				h.old += line[1:] + "\n"
			} else {
				h.new += line[1:] + "\n"
			}
			continue
		}
		h = nil
		key, value, ok := strings.Cut(line, ": ")
		if !ok {
			return set, bad("want key: value, or a change")
		}
		last := len(set.faults) - 1
		switch {
		case key == "file":
			file = value
		case key == "fault":
			set.faults = append(set.faults, fault{name: value})
		case last < 0:
			return set, bad("belongs to no fault")
		case key == "does":
			set.faults[last].does = value
		case key == "caught":
			set.faults[last].caught = words(value)
		case key == "near":
			set.faults[last].near = words(value)
		default:
			return set, bad("unknown key")
		}
	}
	return set, nil
}

func allFaults(t *testing.T) (faultSet, []fault) {
	t.Helper()
	files, err := filepath.Glob("testdata/faults/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no faults", err)
	}
	var all faultSet
	for _, f := range files {
		set, err := readFaults(f)
		must.Do(t, err)
		all.hunks = append(all.hunks, set.hunks...)
		all.faults = append(all.faults, set.faults...)
	}
	return all, all.faults
}

var faultCall = regexp.MustCompile(`fault\("([a-z0-9-]+)"\)`)

// faultFile is added to each package that is changed, unless it has a file of its
// own beside the changes.
const faultFile = `package %s

import "os"

// fault reports whether this program is to be wrong in the way of that name.
func fault(name string) bool { return os.Getenv("AGENTS_HOOKS_FAULT") == name }
`

// overlay writes the changed sources and returns the file that tells go build
// about them.
func overlay(t *testing.T, set faultSet) string {
	t.Helper()
	root, err := filepath.Abs("..")
	must.Do(t, err)
	dir := t.TempDir()
	texts := map[string]string{}
	for _, h := range set.hunks {
		path := filepath.Join(root, filepath.FromSlash(h.file))
		if _, ok := texts[path]; !ok {
			texts[path] = must.Read(t, path)
		}
		if n := strings.Count("\n"+texts[path], "\n"+h.old); n != 1 {
			t.Fatalf("%s holds these lines %d times, want once; the change in testdata/faults has to follow the source:\n%s", h.file, n, h.old)
		}
		texts[path] = strings.TrimPrefix(strings.Replace("\n"+texts[path], "\n"+h.old, "\n"+h.new, 1), "\n")
	}
	replace := map[string]string{}
	packages := map[string]string{}
	write := func(target, text string) {
		to := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		must.Write(t, to, text)
		replace[target] = to
	}
	for path, text := range texts {
		write(path, text)
		packages[filepath.Dir(path)] = packageName.FindStringSubmatch(text)[1]
	}
	for dir, name := range packages {
		text := fmt.Sprintf(faultFile, name)
		if own, err := os.ReadFile(filepath.Join("testdata", "faults", name+".go")); err == nil {
			text = string(own)
		}
		write(filepath.Join(dir, "zz_fault.go"), text)
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	must.Do(t, err)
	file := filepath.Join(dir, "overlay.json")
	must.Write(t, file, data)
	return file
}

var packageName = regexp.MustCompile(`(?m)^package ([a-z]+)`)

// wrongRunner builds the program with all faults.
func wrongRunner(t *testing.T, set faultSet) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "agents-hooks"+exeSuffix)
	out, err := exec.Command("go", "build", "-overlay", overlay(t, set), "-o", program, "../cmd/agents-hooks").CombinedOutput()
	if err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	return program
}

// Every fault that the changes make has a name, a sentence and a case, and the
// other way round.
func TestFaultsAreWhole(t *testing.T) {
	set, faults := allFaults(t)
	cases, err := Cases()
	must.Do(t, err)
	made := map[string]bool{}
	for _, h := range set.hunks {
		for _, m := range faultCall.FindAllStringSubmatch(h.new, -1) {
			made[m[1]] = true
		}
	}
	helpers, err := filepath.Glob("testdata/faults/*.go")
	must.Do(t, err)
	for _, h := range helpers {
		for _, m := range faultCall.FindAllStringSubmatch(must.Read(t, h), -1) {
			made[m[1]] = true
		}
	}
	overlay(t, set) // every change still fits its source
	seen := map[string]bool{}
	for _, f := range faults {
		if seen[f.name] || !made[f.name] || f.does == "" || len(f.caught) == 0 {
			t.Errorf("fault %s: twice %v, made %v, does %q, caught by %v", f.name, seen[f.name], made[f.name], f.does, f.caught)
		}
		seen[f.name] = true
		for _, id := range f.caught {
			if !slices.ContainsFunc(cases, func(c Case) bool { return c.ID == id }) {
				t.Errorf("fault %s: there is no case %s", f.name, id)
			}
		}
	}
	for name := range made {
		if !seen[name] {
			t.Errorf("fault %s is made and not named", name)
		}
	}
	if len(faults) < 25 {
		t.Errorf("%d faults, want at least 25", len(faults))
	}
}

// under is a case with a fault switched on: the two together are played like
// any case.
func under(c Case, f fault) Case {
	c.ID += faultMark + f.name
	c.Env = append(slices.Clone(c.Env), variable{name: "AGENTS_HOOKS_FAULT", value: f.name})
	return c
}

const faultMark = " under "

// playFaults plays cases on a program with all faults. What hangs need not hang
// long, and nothing is tried again.
func playFaults(t *testing.T, program string, all, cases []Case) []Result {
	t.Helper()
	r, err := Run(context.Background(), Self(program, "", all), cases, Options{
		Tries: 1, Limit: 10 * time.Second, Parallel: 4 * runtime.GOMAXPROCS(0), testOnlyGuard: time.Second,
	})
	must.Do(t, err)
	return r.Cases
}

func byID(cases []Case) map[string]Case {
	m := map[string]Case{}
	for _, c := range cases {
		m[c.ID] = c
	}
	return m
}

// Each fault is caught by the cases that it names, and none of these fails without it. With
// -slow alone a sixth of the faults is played, each by the first of its cases.
func TestFaultsAreCaught(t *testing.T) {
	needsMinutes(t)
	set, faults := allFaults(t)
	all, err := Cases()
	must.Do(t, err)
	cases := byID(all)
	right := map[string]Case{}
	var wrong []Case
	for i, f := range faults {
		if *onlyFaults != "" && !slices.Contains(strings.Split(*onlyFaults, ","), f.name) {
			continue
		}
		named := f.caught
		if !*every && *onlyFaults == "" {
			if i%6 != 0 {
				continue
			}
			named = named[:1]
		}
		for _, id := range named {
			right[id] = cases[id]
			wrong = append(wrong, under(cases[id], f))
		}
	}
	program := wrongRunner(t, set)
	r, err := Run(context.Background(), Self(program, "", all), slices.Collect(maps.Values(right)), Options{})
	must.Do(t, err)
	for _, c := range r.Cases {
		if c.Result == Failed || c.Result == Broken {
			t.Errorf("without a fault %s: %s %+v", c.ID, c.Result, c.Problems)
		}
	}
	for _, c := range playFaults(t, program, all, wrong) {
		if c.Result != Failed {
			t.Errorf("%s: %s", c.ID, c.Result)
		}
	}
}
