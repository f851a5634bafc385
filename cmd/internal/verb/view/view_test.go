package view

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/doctor"
	"github.com/agents-hooks/agents-hooks/cmd/internal/webpage"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/page/pagetest"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// hostile is a machine on which everything that a page shows is somebody's attack.
func hostile(t testing.TB, address string) (sh *shell.Shell, project string) {
	t.Helper()
	sh, project = machine(t, 0)
	texts := append(pagetest.Hostile(address), "\u202egpj.exe\u202c \x1b[2J\x1b]0;pwned\a\x9b31m \u200b\u2066x\u2069", strings.Repeat("A", 1<<20), strings.Repeat("<b>x</b>\n", 5000), "\xff\xfe\x00 no text", "constructor", "__proto__")
	for i, h := range texts {
		l := runner.LogLine{
			ID: h, Time: noon.Add(time.Duration(i-100) * time.Second), Agent: h, Event: h, NativeEvent: h, Tool: h, NativeTool: h, Session: h, Project: h, Decision: "block", Duration: time.Millisecond,
			Allowed: []string{h}, Async: []string{h}, Warnings: []runner.Warning{{Hook: h, Kind: h, Text: h}}, Input: protocol.Raw(`{"command": ` + string(protocol.Quote(h)) + `}`),
			Hooks: []runner.LogHook{{Name: h, Layer: discovery.LayerName(h), Result: runner.Verdict(h), Signal: h, Decision: h, Warning: h, Reason: h, Stdout: h, Stderr: h, Log: protocol.Quote(h), Changed: true,
				Before: protocol.Raw(`{"command": "x"}`), After: protocol.Raw(`{"command": ` + string(protocol.Quote(h)) + `}`)}},
		}
		if len(h) > 100_000 {
			l.Input, l.Hooks[0].Log = nil, nil
		}
		must.Do(t, runner.AppendLog(sh.Host.State, &l))
		quoted, _ := json.Marshal(strings.ToValidUTF8(h, "?"))
		dir := filepath.Join(project, ".agents", "hooks", "h"+string(rune('a'+i)))
		must.Write(t.(*testing.T), filepath.Join(dir, "HOOK.md"), "---\nname: h"+string(rune('a'+i))+"\ndescription: "+string(quoted)+"\ntrigger: pre-tool-call\nmatcher:\n  tool: "+string(quoted)+"\n---\n"+h)
		must.Script(t.(*testing.T), filepath.Join(dir, "scripts", "run"), "#!/bin/sh\n# "+h+"\n")
		// What is no name of a file here is not one.
		_ = os.WriteFile(filepath.Join(dir, strings.NewReplacer("/", "_", "\x00", "").Replace(h[:min(len(h), 100)])), []byte(h), 0o600)
		must.Write(t.(*testing.T), filepath.Join(project, ".agents", "memory-data", "MEMORY.md"), strings.Join(texts, "\n"))
	}
	return sh, project
}

// The page is made of its own elements whatever is in it, nothing in it asks for
// anything, and what hides or turns text around is written out.
func TestViewHostile(t *testing.T) {
	t.Parallel()
	sh, project := hostile(t, "http://127.0.0.1:9")
	text := written(t, sh, lookOptions{examine: doctor.Health, dir: project})
	data := pagetest.Harmless(t, text)
	var a activity
	if err := json.Unmarshal([]byte(data), &a); err != nil || len(a.Events) == 0 {
		t.Fatalf("%d events, %v", len(a.Events), err)
	}
	if i := strings.IndexFunc(text, func(r rune) bool { return protocol.Odd(r) && r != '\u200d' && r != '\ufe0f' }); i >= 0 {
		t.Errorf("the page holds %q", text[i:i+10])
	}
	if !strings.Contains(text, `\\u{202e}gpj.exe`) {
		t.Error("what turns text around is not written out")
	}
}

// A file of its own, for this person alone, whole or as it was: also where there is
// no room, where it is a pipe, and where it was open to others.
func TestViewWritesOneFile(t *testing.T) {
	t.Parallel()
	sh, project := machine(t, 3)
	out := &strings.Builder{}
	sh.Out = out
	o := viewOptions{lookOptions: lookOptions{examine: doctor.Health, dir: project}, json: true, where: webpage.Options{}}
	must.Do(t, view(t.Context(), sh, o))
	var said struct {
		File                                       string
		Events, Sessions, Hooks, Approvals, Memory int
		Older                                      bool
	}
	if err := json.Unmarshal([]byte(out.String()), &said); err != nil || said.Events != 3 || said.Sessions != 1 || said.Hooks != 5 || said.Approvals != 2 || said.Memory != 2 || said.Older {
		t.Fatalf("%v: %s", err, out)
	}
	info, err := os.Stat(said.File)
	if err != nil || !strings.HasPrefix(said.File, sh.Host.Cache) || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	open := filepath.Join(t.TempDir(), "page.html")
	must.Write(t, open, "<!DOCTYPE html>before")
	o.where.Out = open
	must.Do(t, view(t.Context(), sh, o))
	if info, err := os.Stat(open); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 || info.Size() < 10_000 {
		t.Errorf("%v %v", info, err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(open)); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
	for _, where := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none", "page.html")} {
		o.where.Out = where
		if err := view(t.Context(), sh, o); err == nil {
			t.Errorf("%s: no error", where)
		}
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		o.where.Out = "/dev/full"
		if err := view(t.Context(), sh, o); err == nil {
			t.Error("/dev/full: no error")
		}
	}
}

// The newest so many, of one session, from a time on.
func TestViewPicks(t *testing.T) {
	t.Parallel()
	sh, project := machine(t, 100)
	if a := seeActivity(sh, lookOptions{examine: doctor.Health, dir: project, last: 10}); len(a.Events) != 10 || !a.Cut || a.Events[0].ID != "0000000000000064" {
		t.Errorf("%d, %v, %s", len(a.Events), a.Cut, a.Events[0].ID)
	}
	l := lookOptions{examine: doctor.Health, dir: project}
	l.filter.Session = line(50, noon).Session[:8]
	if a := seeActivity(sh, l); len(a.Events) != 40 || a.Cut || a.sessions() != 1 {
		t.Errorf("%d, %v", len(a.Events), a.Cut)
	}
	l = lookOptions{examine: doctor.Health, dir: project}
	l.filter.Since = noon.Add(-97 * 10 * time.Second)
	if a := seeActivity(sh, l); len(a.Events) != 10 {
		t.Errorf("%d", len(a.Events))
	}
}

// What a hook changed in an input is shown line by line, as text, and JSON where it
// is none.
func TestInputDiff(t *testing.T) {
	t.Parallel()
	before, after := protocol.ObjectOf(protocol.Raw(`{"command": "cd a\nnpm test", "n": 1, "gone": [1]}`)), protocol.ObjectOf(protocol.Raw(`{"command": "cd a\npnpm test", "n": 1, "came": {"x": "y"}}`))
	want := "--- command\n+++ command\n@@ -1,2 +1,2 @@\n cd a\n-npm test\n\\ No newline at end of file\n+pnpm test\n\\ No newline at end of file\n"
	is := inputDiff(before, after)
	if !strings.HasPrefix(is, want) || !strings.Contains(is, "-[\n-  1\n-]") || !strings.Contains(is, "+++ came\n") || strings.Contains(is, " n\n") {
		t.Errorf("%s", is)
	}
}

// Both languages have the same texts.
func TestTextsInBothLanguages(t *testing.T) {
	t.Parallel()
	pagetest.SameWords(t, activityScript, "const bad")
	pagetest.SameWords(t, hooksScript, "const statuses")
	pagetest.SameWords(t, approvalsScript, "const tone")
}
