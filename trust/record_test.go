package trust

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What is recorded is read as it was, and of it the folders that stand in a project.
func TestARecordIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	there := t.TempDir()
	for range 200 {
		all := approvals{}
		for range 1 + r.IntN(3) {
			project := fmt.Sprintf("/a \"b\"/é%d", r.IntN(4))
			all[project] = map[string][]approval{}
			for range 1 + r.IntN(12) {
				id := HookID(fmt.Sprint("h\\", r.IntN(20)))
				if r.IntN(6) == 0 {
					id = SourceID("x/y")
				}
				var states []approval
				for n := range 1 + r.IntN(3) {
					states = append(states, approval{hash: strings.Repeat(fmt.Sprint(n), hashLen), time: "2026-11-28T17:16:27Z",
						place: []string{project, project, there, "/not there"}[r.IntN(4)], replaced: []string{"", "", "2026-11-29T00:00:00Z"}[r.IntN(3)],
						as: []string{"", "", "other"}[r.IntN(3)]})
				}
				all[project][id] = states
			}
		}
		text := all.format()
		if got, err := parse(text); err != nil || !reflect.DeepEqual(got, all) {
			t.Fatalf("%s\nwas read as %v, %v", text, got, err)
		}
		states, err := statesOf(text)
		must.Do(t, err)
		for project, items := range all {
			record := Record{all: states, home: map[string]string{project: project}}
			var want []string
			for id, states := range items {
				folder, is := strings.CutPrefix(id, HookID(""))
				if is && slices.ContainsFunc(states, func(s approval) bool { return s.stands(project) }) {
					want = append(want, folder)
				}
				if got := record.of(project, id); !slices.Equal(got, states) {
					t.Fatalf("%s\nof %q: %v, want %v", text, id, got, states)
				}
			}
			slices.Sort(want)
			if got := record.Folders(project, ""); !slices.Equal(got, want) {
				t.Fatalf("%s\nfolders %q, want %q", text, got, want)
			}
		}
	}
}

// A record of which anything is not as we write it approves nothing.
func TestARecordIsReadStrictly(t *testing.T) {
	t.Parallel()
	hash := strings.Repeat("0a", hashLen/2)
	state := `{"hash": "` + hash + `"}`
	for name, row := range map[string]struct {
		text    string
		refused string // why, "" if it is read
		stands  bool   // the hook h of /p is approved
	}{
		"as we write it":                 {`{"schema": 1, "projects": {"/p": {"hooks/h": [` + state + `]}}}`, "", true},
		"items in disorder":              {`{"schema": 1, "projects": {"/p": {"hooks/z": [` + state + `], "hooks/h": [` + state + `], "a": [` + state + `]}}}`, "", true},
		"names with escapes":             {`{"schema": 1, "proj\u0065cts": {"\/p": {"hooks\/h": [{"h\u0061sh": "` + hash + `"}]}}}`, "", true},
		"another schema":                 {`{"schema": 2, "projects": {"/p": {"hooks/h": [` + state + `]}}}`, `schema "2"`, false},
		"no schema":                      {`{"projects": {"/p": {"hooks/h": [` + state + `]}}}`, `schema ""`, false},
		"a short hash of another":        {`{"schema": 1, "projects": {"/p": {"hooks/h": [` + state + `]}, "/q": {"hooks/i": [{"hash": "0a"}]}}}`, `"hooks/i" of "/q": "0a" is not a hash`, false},
		"a hash with an escape":          {`{"schema": 1, "projects": {"/p": {"hooks/h": [{"hash": "` + hash[6:] + `\u0030"}]}}}`, "is not a hash", false},
		"a hash that is no text":         {`{"schema": 1, "projects": {"/p": {"hooks/h": [{"hash": [` + strings.Repeat("1", hashLen) + `]}]}}}`, "is not a hash", false},
		"a state without a hash":         {`{"schema": 1, "projects": {"/p": {"hooks/h": [` + state + `, {"time": ""}]}}}`, "is not a hash", false},
		"a state that is a text":         {`{"schema": 1, "projects": {"/p": {"hooks/h": ["` + hash + `"]}}}`, "is not a hash", false},
		"a hash one level too deep":      {`{"schema": 1, "projects": {"/p": {"hooks/h": [{"x": ` + state + `}]}}}`, "is not a hash", false},
		"no state":                       {`{"schema": 1, "projects": {"/p": {"hooks/h": []}}}`, "", false},
		"a state one level too high":     {`{"schema": 1, "projects": {"/p": {"hooks/h": ` + state + `}}}`, "is not a hash", false},
		"approvals that are no projects": {`{"schema": 1, "before": {"/p": {"hooks/h": [` + state + `]}}, "projects": {"/p": {"hooks/i": [` + state + `]}}, "behind": {"/p": {"hooks/h": [` + state + `]}}}`, "", false},
		"hashes that are no projects'":   {`{"schema": 1, "x": {"/p": {"hooks/h": [{}]}}, "projects": {"/p": {"hooks/h": [` + state + `]}}, "y": [[[[{}]]]]}`, "", true},
		"a name twice":                   {`{"schema": 1, "projects": {"/p": {"hooks/h": [` + state + `], "hooks/h": []}}}`, "stands twice", false},
		"text behind it":                 {`{"schema": 1, "projects": {"/p": {"hooks/h": [` + state + `]}}} x`, "text after", false},
	} {
		t.Run(name, func(t *testing.T) {
			states, err := statesOf([]byte(row.text))
			if (err == nil) != (row.refused == "") || err != nil && !strings.Contains(err.Error(), row.refused) {
				t.Errorf("%v, want %q", err, row.refused)
			}
			record := Record{all: states}
			if err != nil {
				record = Record{}
			}
			if got := record.approves("/p", HookID("h"), hash); got != row.stands || len(record.Folders("/p", "h")) > 0 != row.stands {
				t.Errorf("approved: %t, want %t", got, row.stands)
			}
		})
	}
}
