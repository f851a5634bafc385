package disguise

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
)

// TestLinesAreTheSameDeed runs each disguise: a program of that name must have been
// called with the same words, whatever stands around.
func TestLinesAreTheSameDeed(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	dir := t.TempDir()
	calls, name := filepath.Join(dir, "calls"), "deed-of-a-test"
	program := filepath.Join(dir, name)
	must.Script(t, program, "#!/bin/sh\nprintf '%s|' \"$@\" >>"+calls+"\necho >>"+calls+"\n")
	words := []string{name, "one word", "--force", "it's"}
	lines := Lines(quoteAll(words, bare), words, 1)
	if len(lines) < 50 {
		t.Fatalf("%d disguises", len(lines))
	}
	want := "one word|--force|it's|"
	seen := map[string]bool{}
	for _, l := range lines {
		if l.Another && l.Name != "piped into a shell" || l.Name == "by its path" || l.Name == "in sudo" || strings.HasPrefix(l.Name, "chance") && strings.Contains(l.Name, "by its path") {
			continue
		}
		if seen[l.Text] && !strings.HasPrefix(l.Name, "chance") {
			t.Errorf("%s: twice", l.Name)
		}
		seen[l.Text] = true
		_ = os.Remove(calls)
		cmd := exec.Command(bash, "-c", l.Text+"\nwait")
		cmd.Dir, cmd.Env = dir, []string{"PATH=" + dir + ":/usr/bin:/bin", "HOME=" + dir}
		out, _ := cmd.CombinedOutput()
		got, _ := os.ReadFile(calls)
		if !slices.Contains(strings.Split(string(got), "\n"), want) {
			t.Errorf("%s: %q was called with %q, want %q (%s)", l.Name, l.Text, got, want, out)
		}
	}
}

// TestSeedsDecide: the same seed gives the same lines, another seed others.
func TestSeedsDecide(t *testing.T) {
	words := strings.Fields("git push -f origin main")
	one, again, other := Lines("git push -f origin main", words, 7), Lines("git push -f origin main", words, 7), Lines("git push -f origin main", words, 8)
	if !slices.Equal(one, again) {
		t.Error("not the same twice")
	}
	if slices.Equal(one, other) {
		t.Error("the seed changes nothing")
	}
}

// TestOptionsAreWrittenOtherwise checks what the table says about programs.
func TestOptionsAreWrittenOtherwise(t *testing.T) {
	for line, want := range map[string][]string{
		"git push -f origin main":      {"git push --force origin main", "git push -fu origin main", "git push -uf origin main", "git push origin main -f", "git push origin +main", "git -C . push -f origin main"},
		"git push -f upstream +a b":    {"git push upstream +a +b"},
		"git push --force":             {"git push -f", "git push -fu", "git push origin +HEAD"},
		"rm -rf /tmp/x":                {"rm -r -f /tmp/x", "rm --recursive --force /tmp/x", "rm -fr /tmp/x", "rm -Rf /tmp/x", "rm -rfv /tmp/x", "rm -vrf /tmp/x", "rm -rf -- /tmp/x"},
		"git push --force-with-lease":  {"git --no-pager push --force-with-lease"},
		"terraform destroy":            nil,
		"git commit --no-verify -m it": {"git commit -n -m it"},
	} {
		t.Run(line, func(t *testing.T) {
			var have []string
			for _, l := range options(strings.Fields(line)) {
				have = append(have, l.Text)
			}
			for _, w := range want {
				if !slices.Contains(have, w) {
					t.Errorf("%s: no %q in %q", line, w, have)
				}
			}
			if want == nil && have != nil {
				t.Errorf("%s: %q", line, have)
			}
		})
	}
}

// TestCallsChangeTheSameFile: each plain disguise is read as a change to that file.
func TestCallsChangeTheSameFile(t *testing.T) {
	c := protocol.Change{Action: protocol.Create, Path: "/w/p/deep/.env", New: "KEY=1\nB=2\n", HasNew: true}
	for _, any := range []bool{true, false} {
		for _, call := range Calls(c, "/w/p", any) {
			if !any && call.Name == "in another file" || call.Another {
				continue
			}
			if !strings.Contains(told(call, "/w/p"), `"/w/p/deep/.env"`) {
				t.Errorf("%s: %s: %s", call.Name, call.Input.Raw(), told(call, "/w/p"))
			}
		}
	}
}

// told is a call as hooks are told of it.
func told(c Call, dir string) string {
	ev := &protocol.Event{Type: protocol.PreToolCall, WorkDir: dir}
	ev.PutCall(protocol.Tools(nil).NewCall(c.Tool, c.Input.Raw()), "1")
	return string(deed.Tell(ev).JSON())
}
