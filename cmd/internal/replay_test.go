package internal_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/replay"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol/spec"
)

const shellCall = `{"event_type": "pre-tool-call", "session_id": "s", "tool_name": "Shell", "tool_input": {"command": "ls"}}`

func TestBarePayloadsHaveNothingToCompareWith(t *testing.T) {
	h := shelltest.New(t).Host
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	file := filepath.Join(h.Home, "two.jsonl")
	must.Write(t, file, shellCall+"\nno event\n\n"+shellCall+"\n{\"cut\": ")
	must.Write(t, filepath.Join(h.State, "hooks", "x", "kept"), "1")
	r, err := replay.Files(t.Context(), h, []string{file, file}, replay.Options{From: spec.Dialect, Warn: func(err error) { t.Error(err) }})
	must.Do(t, err)
	if r.New != 4 || r.Same+r.Differs+r.Skipped != 0 || len(r.Files) != 2 {
		t.Errorf("%+v", r)
	}
	for _, f := range r.Files {
		if len(f.Bad) != 2 || f.Bad[0] != 2 || f.Bad[1] != 5 {
			t.Errorf("lines that are no event: %v, want 2 and 5", f.Bad)
		}
		for _, e := range f.Events {
			if e.Event != "pre-tool-call" || e.Tool != "Shell" || e.Recorded != nil || e.Now == nil || e.Now.Decision != "none" {
				t.Errorf("%+v", e)
			}
		}
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if list, _ := os.ReadDir(h.State); len(list) != 1 {
		t.Errorf("the state of the user has changed: %v", list)
	}
}

func TestApprovalsThatCannotBeReadEndIt(t *testing.T) {
	h := shelltest.New(t).Host
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	file := filepath.Join(h.Home, "one.json")
	must.Write(t, file, shellCall)
	must.Do(t, os.MkdirAll(filepath.Join(h.State, "trust.json"), 0o700))
	if _, err := replay.Files(t.Context(), h, []string{file}, replay.Options{From: spec.Dialect}); err == nil || !strings.Contains(err.Error(), "trust.json") {
		t.Errorf("played without approvals: %v", err)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A hook's state that is too large is reported, and the hooks start without it.
func TestStateThatIsTooLargeIsToldOf(t *testing.T) {
	h := shelltest.New(t).Host
	t.Setenv("TMPDIR", t.TempDir())
	file, big := filepath.Join(h.Home, "one.json"), filepath.Join(h.State, "hooks", "x", "big")
	must.Write(t, file, shellCall)
	must.Write(t, big, "")
	must.Do(t, os.Truncate(big, 65<<20))
	var told []string
	r, err := replay.Files(t.Context(), h, []string{file}, replay.Options{From: spec.Dialect, Warn: func(err error) { told = append(told, err.Error()) }})
	if err != nil || r.New != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if len(told) != 1 || !strings.HasPrefix(told[0], "hooks start without their state: ") {
		t.Errorf("told %q", told)
	}
}
