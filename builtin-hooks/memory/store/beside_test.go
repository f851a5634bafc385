package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
)

// A secret that is given beside a text is in no file of the folder and in no file's name,
// however it was given; what else was said there stays.
// BM-SEC-06.
func TestSecretsBesideTheTextAreKeptNowhere(t *testing.T) {
	t.Parallel()
	secret := "ghp_" + strings.Repeat("Zk3p", 9)
	f := newFolder(t)
	saved, err := f.Save(memory.Fact{
		Content: "the build runs twice", Session: secret, Origin: "bob " + secret, From: memory.Source{At: "src/" + secret + "/m.go:1"},
	}, "build "+secret)
	if err != nil || !saved.Redacted {
		t.Fatalf("%+v, %v", saved, err)
	}
	again, err := f.Save(memory.Fact{Content: "the build runs three times"}, "build "+secret)
	if err != nil || len(again.Supersedes) != 1 {
		t.Errorf("the same key replaces nothing: %+v, %v", again, err)
	}
	if _, err := f.Summarize(memory.Summary{Topic: "the build", Session: "s-" + secret}, false); err != nil {
		t.Error(err)
	}
	if _, err := f.Confirm([]string{again.ID}, []string{secret}, nil); !errors.Is(err, ErrNoEntry) {
		t.Error(err)
	}
	if _, err := f.Distill([]byte(`{"Push with `+secret+`": ["a b"], "`+secret+` is it": ["c d"]}`), false, locale.English); err != nil {
		t.Error(err)
	}
	if _, err := f.Promote(again.ID, "Push\n# with "+secret, locale.English); err != nil {
		t.Error(err)
	}
	if _, err := f.Import([]byte(`{"schema": 1, "facts": [{"id": "`+secret+`", "type": "W", "content": "okapis have stripes", "topic_key": "`+secret+`", "origin": "al `+secret+`"}],
		"summaries": [{"id": "s`+secret+` `+secret+`", "session_id": "`+secret+`", "topic": "okapi", "decisions": ["use `+secret+`"], "todos": ["drop `+secret+`"]}]}`), Merge, "bob "+secret); err != nil {
		t.Error(err)
	}
	var all strings.Builder
	if err := filepath.WalkDir(f.Dir, func(path string, d fs.DirEntry, err error) error {
		all.WriteString(path + "\n")
		if err == nil && !d.IsDir() {
			b, bad := os.ReadFile(path)
			all.Write(b)
			err = bad
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if i := strings.Index(all.String(), secret); i >= 0 {
		t.Errorf("kept: %s", all.String()[max(0, i-200):i+len(secret)])
	}
	for _, want := range []string{"build [REDACTED:github-token]", "src/[REDACTED:github-token]/m.go:1", "al [REDACTED:github-token]", "use [REDACTED:github-token]", "## Push with [REDACTED:github-token]\n- a b\n", "## Push # with [REDACTED:github-token]\n- the build runs three times\n"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("%q is not there", want)
		}
	}
	for _, name := range []string{"", " ", secret, "<private>x</private>"} {
		if _, err := f.Distill([]byte(`{"`+name+`": ["a"]}`), false, locale.English); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("heading %q: %v", name, err)
		}
	}
}
