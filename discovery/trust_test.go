package discovery

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/trust"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// list is what needs approval.
func (w *world) list() ([]trust.Item, error) {
	things, hooks := ToApprove(w.src, w.project)
	items, err := trust.List(w.src.State, w.project, things)
	for i := range items {
		if at := slices.IndexFunc(hooks, func(h *Hook) bool { return h.Dir == items[i].Path }); at >= 0 {
			items[i].As = hooks[at].Name
		}
	}
	return items, err
}

// items lists what needs approval as "name state".
func (w *world) items() (out []string) {
	w.Helper()
	list, err := w.list()
	if err != nil {
		w.Error(err)
	}
	for _, it := range list {
		out = append(out, it.Name()+" "+string(it.State))
	}
	return out
}

func (w *world) item(name string) trust.Item {
	w.Helper()
	list, _ := w.list()
	for _, it := range list {
		if it.Name() == name {
			return it
		}
	}
	w.Fatalf("no item %q", name)
	return trust.Item{}
}

func (w *world) wantItems(want ...string) {
	w.Helper()
	if got := w.items(); !slices.Equal(got, want) {
		w.Errorf("items %q, want %q", got, want)
	}
}

// A project hook runs once it was approved, and any byte or mode
// bit that changes takes that back.
func TestTrust(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dir := w.hook(ProjectLayer, "p", preTool)
	w.wantDue(preTool)
	set := w.event(preTool)
	if got := set.Untrusted(preTool); len(got) != 1 || got[0].Name != "p" || got[0].Trusted {
		t.Errorf("untrusted: %v", got)
	}
	if h := w.wantStatus(ProjectLayer, "p", Untrusted); h.Trusted {
		t.Error("trusted all the same")
	}
	w.wantItems("p new")
	w.approve()
	w.wantItems("p trusted")
	w.wantDue(preTool, "project p")
	if !w.wantStatus(ProjectLayer, "p", Ready).Trusted {
		t.Error("not trusted")
	}

	run := filepath.Join(dir, "scripts", "run")
	for name, change := range map[string]func() (undo func()){
		"a byte of the script": func() func() {
			w.file(run, "#!/bin/sh\nexit 2\n", 0o755)
			return func() { w.file(run, "#!/bin/sh\nexit 0\n", 0o755) }
		},
		"a byte of the prose": func() func() {
			old, _ := os.ReadFile(filepath.Join(dir, "HOOK.md"))
			w.file(filepath.Join(dir, "HOOK.md"), string(old)+"x", 0o644)
			return func() { w.file(filepath.Join(dir, "HOOK.md"), string(old), 0o644) }
		},
		"a new file": func() func() {
			path := w.file(filepath.Join(dir, "lib", "new.sh"), "", 0o644)
			return func() { os.RemoveAll(filepath.Dir(path)) }
		},
		"a hidden file": func() func() {
			path := w.file(filepath.Join(dir, ".x"), "", 0o644)
			return func() { os.Remove(path) }
		},
		"another name": func() func() {
			path := w.file(filepath.Join(dir, "a"), "", 0o644)
			return func() { os.Remove(path) }
		},
		"the executable bit": func() func() {
			if runtime.GOOS == "windows" {
				path := w.file(filepath.Join(dir, "w"), "", 0o644)
				return func() { os.Remove(path) }
			}
			os.Chmod(filepath.Join(dir, "HOOK.md"), 0o755)
			return func() { os.Chmod(filepath.Join(dir, "HOOK.md"), 0o644) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			undo := change()
			if got := w.due(preTool); len(got) != 0 {
				t.Error("it runs still")
			}
			w.wantItems("p changed")
			undo()
			// What was approved stays approved: a branch that is left and come back to.
			if got := w.due(preTool); len(got) != 1 {
				t.Errorf("%s taken back: it does not run", name)
			}
		})
	}
	if runtime.GOOS != "windows" {
		os.Chmod(run, 0o700)
		w.wantDue(preTool, "project p") // which bits are executable is of no matter
	}
	revoked, err := trust.Revoke(w.src.State, w.project, []string{"p", "other"})
	if err != nil || !slices.Equal(revoked, []string{"p"}) {
		t.Errorf("revoked %q, %v", revoked, err)
	}
	w.wantDue(preTool)
	w.wantItems("p new")
	if left, _ := os.ReadDir(filepath.Join(w.src.State, "trust")); slices.ContainsFunc(left, func(e os.DirEntry) bool { return !strings.HasSuffix(e.Name(), ".lock") }) {
		t.Errorf("the kept files of a revoked hook stay: %v", left)
	}
}

// The approval is for this project and this folder.
func TestTrustIsOfOnePlace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(ProjectLayer, "p", preTool)
	w.approve()
	w.wantDue(preTool, "project p")
	other := filepath.Join(w.home, "src", "other")
	w.hookAt(filepath.Join(other, ".agents", "hooks", "p"), "p", preTool)
	set := LoadEvent(w.src, preTool, other)
	set.Open()
	if set.Project != other {
		t.Fatalf("project %q", set.Project)
	}
	if len(set.Ready(preTool)) > 0 || len(set.Untrusted(preTool)) != 1 {
		t.Error("the same bytes are trusted in another project")
	}
	must.Do(t, os.Rename(filepath.Join(w.hooksOf(ProjectLayer), "p"), filepath.Join(w.hooksOf(ProjectLayer), "q")))
	w.wantDue(preTool)
	w.wantItems("p gone", "q new")
	if it := w.item("p"); it.Approved != "2026-01-02T03:04:05Z" || it.Hash != "" {
		t.Errorf("%+v", it)
	}
}

// HM-SEC-11: the user, or the command line, may trust all projects.
func TestTrustAlways(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(ProjectLayer, "p", preTool)
	w.settings(ProjectLayer, "[hooks.defaults]\ntimeout = 5000\n")
	w.settings(UserLayer, "[trust]\nproject = \"always\"\n")
	w.wantDue(preTool, "project p")
	if h := w.wantStatus(ProjectLayer, "p", Ready); h.Timeout != 5*time.Second || !h.Trusted {
		t.Errorf("timeout %v, trusted %t", h.Timeout, h.Trusted)
	}
	w.settings(UserLayer, "")
	w.settings(SystemLayer, "[trust]\nproject = \"always\"\n")
	w.wantDue(preTool)
	w.src.TrustAlways = true
	w.wantDue(preTool, "project p")
}

// The project's hooks.toml is an item of its own, honoured once it was
// approved, and told of until then.
func TestProjectSettingsNeedTrust(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(ProjectLayer, "p", preTool)
	w.approve()
	w.settings(ProjectLayer, "[[hooks.disable]]\nname = \"p\"\n")
	w.wantDue(preTool, "project p")
	w.wantProblems(w.event(preTool).Problems, "home/src/project/.agents/hooks.toml: the settings of this project are not honoured, because nobody has approved them; look at them with `agents-hooks trust`")
	w.wantItems("hooks.toml new", "p trusted")
	w.approve()
	w.wantDue(preTool)
	w.wantProblems(w.event(preTool).Problems)
	w.settings(ProjectLayer, "[[hooks.disable]]\nname = \"q\"\n")
	w.wantDue(preTool, "project p")
	w.wantProblems(w.event(preTool).Problems, "home/src/project/.agents/hooks.toml: the settings of this project are not honoured, because they have changed since you approved them; look at them with `agents-hooks trust`")
	w.approve()
	// A folder of that name is something else.
	w.hook(ProjectLayer, "hooks.toml", preTool)
	w.wantItems("hooks.toml trusted", "hooks.toml new", "p trusted")
}

// HM-SEC-02: an untrusted hook is left out entirely, a broken one too:
// a repository must not block anything before somebody approved it.
func TestUntrustedIsLeftOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(UserLayer, "a", preTool)
	w.hook(ProjectLayer, "a", preTool, "priority: 1000")
	bad := filepath.Join(w.hooksOf(ProjectLayer), "bad")
	w.file(filepath.Join(bad, "HOOK.md"), "---\nname: [\n---\n", 0o644)
	w.wantDue(preTool, "user a")
	set := w.event(preTool)
	if len(set.Broken(preTool)) != 0 || len(set.Untrusted(preTool)) != 2 {
		t.Errorf("broken %d, untrusted %d", len(set.Broken(preTool)), len(set.Untrusted(preTool)))
	}
	if got := set.with(Ready, preTool); len(got) != 1 {
		t.Errorf("%d due", len(got))
	}
	w.approve()
	set = w.event(preTool)
	if len(set.Broken(preTool)) != 1 || len(set.Untrusted(preTool)) != 0 {
		t.Errorf("approved: broken %d, untrusted %d", len(set.Broken(preTool)), len(set.Untrusted(preTool)))
	}
}

// A hook that was approved does not leave in silence; one that was moved, and approved again, is not gone.
// HM-SEC-30.
func TestAnApprovedHookThatIsGoneIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.hook(ProjectLayer, "guard", preTool)
	w.hook(ProjectLayer, "other", preTool)
	w.approve()
	gone := func() string { return strings.Join(w.short(w.event(preTool).Problems), "\n") }
	moved := filepath.Join(filepath.Dir(first), "moved")
	must.Do(t, os.Rename(first, moved))
	if said := gone(); !strings.Contains(said, "has no guard any more, which was approved") {
		t.Errorf("moved, and nobody approved it there: %q", said)
	}
	w.approve()
	if said := gone(); strings.Contains(said, "any more") {
		t.Errorf("approved where it was moved to: %q", said)
	}
	must.Do(t, os.RemoveAll(moved))
	if said := gone(); !strings.Contains(said, " any more, which was approved") {
		t.Errorf("removed: %q", said)
	}
}

// What is about to run, or would displace another hook, is hashed;
// nothing else is read.
func TestOnlyWhatRunsIsHashed(t *testing.T) {
	t.Parallel()
	unixOnly(t)
	w := newWorld(t)
	w.hook(ProjectLayer, "runs", preTool, "matcher:", "  tool: Shell")
	other := w.hook(ProjectLayer, "does-not", preTool, "matcher:", "  tool: Edit")
	w.approve()
	// A reader of the other hook's folder would meet a pipe in it.
	os.Remove(filepath.Join(other, "scripts", "run"))
	mkfifo(t, filepath.Join(other, "scripts", "run"))
	set := w.event(preTool)
	var b Budget
	for _, h := range set.Ready(preTool) {
		h.Match(toolEvent(t, "Shell", "Bash", "{}"), &b, false)
	}
	for _, h := range set.Hooks {
		want := Ready
		if h.Status != want || (h.Entry.Path != "") != (h.Name == "runs") || h.Trusted != (h.Name == "runs") {
			t.Errorf("%s: %s, entry %q, trusted %t", h.Name, h.Status, h.Entry.Path, h.Trusted)
		}
	}
}

// HM-SEC-02: an untrusted hook delays nothing. Its expressions are not tried, even
// if an earlier state of it was approved.
func TestUntrustedExpressionsAreNotTried(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(ProjectLayer, "p", preTool, "matcher:", "  pattern: x")
	w.approve()
	w.hook(ProjectLayer, "p", preTool, "matcher:", "  pattern: '"+bomb+"'")
	w.hook(ProjectLayer, "q", preTool, "matcher:", "  tool: '"+bomb+"'")
	set := w.event(preTool)
	ev := toolEvent(t, bombed, bombed, `{"a": "`+bombed+`"}`)
	var b Budget
	for _, h := range set.Ready(preTool) {
		if m := h.Match(ev, &b, false); m.OK || m.Gate != "untrusted" || h.tried[1] != nil {
			t.Errorf("%s: %+v", h.Name, m)
		}
	}
	if b.spent != 0 || len(set.Untrusted(preTool)) != 2 {
		t.Errorf("%v spent, %d untrusted", b.spent, len(set.Untrusted(preTool)))
	}
}

// HM-SEC-15: a record of approvals that cannot be read means that nothing is
// trusted, loudly, and it is kept aside.
func TestBrokenTrustStore(t *testing.T) {
	t.Parallel()
	for _, broken := range []string{"{", "[]", `{"schema": 2, "projects": {}}`, `{"schema": 1, "projects": {"/x": {"hooks/a": [{"hash": "short"}]}}}`} {
		t.Run(fmt.Sprintf("%q", broken), func(t *testing.T) {
			w := newWorld(t)
			w.hook(ProjectLayer, "p", session)
			w.approve()
			w.wantDue(session, "project p")
			store := w.file(filepath.Join(w.src.State, "trust.json"), broken, 0o600)
			w.wantDue(session)
			got := w.short(w.event(session).Problems)
			if len(got) != 1 || !strings.Contains(got[0], "state/trust.json: the record of approvals cannot be read, so no project hook is trusted: ") {
				t.Errorf("%s: problems %q", broken, got)
			}
			items, unread := w.list()
			if unread == nil || items[0].State != trust.New {
				t.Errorf("%s: %v, %s", broken, unread, items[0].State)
			}
			if b, _ := os.ReadFile(store); string(b) != broken {
				t.Errorf("reading changed it to %q", b)
			}
			kept, err := trust.Approve(w.src.State, w.project, items, noon)
			if err != nil || kept != store+".corrupt-20261121T120000Z" {
				t.Errorf("kept as %q, %v", kept, err)
			}
			if b, _ := os.ReadFile(kept); string(b) != broken {
				t.Errorf("kept %q", b)
			}
			w.wantDue(session, "project p")
			if _, err := trust.Revoke(w.src.State, w.project, nil); err != nil {
				t.Error(err)
			}
		})
	}
}

// HM-SEC-06 to 10: links count as what they point to, and must stay
// where they belong.
func TestTrustAndLinks(t *testing.T) {
	t.Parallel()
	unixOnly(t)
	w := newWorld(t)
	dir := w.hook(ProjectLayer, "p", preTool)
	lib := w.file(filepath.Join(dir, "lib", "one.sh"), "one", 0o644)
	w.link("lib", filepath.Join(dir, "also"))
	w.link("../lib/one.sh", filepath.Join(dir, "scripts", "dep"))
	w.approve()
	w.wantDue(preTool, "project p")
	w.file(lib, "two", 0o644)
	w.wantDue(preTool)
	w.approve()
	for name, target := range map[string]string{
		"out of the folder":  "../../secret",
		"out of the project": w.file(filepath.Join(w.home, "secret"), "s", 0o600),
		"nowhere":            "missing",
		"in a circle":        "x",
	} {
		t.Run(name, func(t *testing.T) {
			w.file(filepath.Join(w.project, ".agents", "secret"), "s", 0o600)
			w.link(target, filepath.Join(dir, "x"))
			w.wantDue(preTool)
			it := w.item("p")
			if it.State != trust.Refused || !strings.HasPrefix(it.Problem, "x: ") {
				t.Errorf("%s, %q", it.State, it.Problem)
			}
			w.src.TrustAlways = true
			w.wantDue(preTool)
			w.src.TrustAlways = false
			os.Remove(filepath.Join(dir, "x"))
		})
	}
	w.link(".", filepath.Join(dir, "loop"))
	w.wantDue(preTool)
	if it := w.item("p"); it.State != trust.Refused || !strings.Contains(it.Problem, "more than 32 deep") {
		t.Errorf("a loop of folders: %s, %q", it.State, it.Problem)
	}
}

// Two hooks of one name that nobody approved are left out like one.
func TestTwoUntrustedOfOneName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hookAt(filepath.Join(w.hooksOf(ProjectLayer), "a"), "same", preTool)
	w.hookAt(filepath.Join(w.hooksOf(ProjectLayer), "b"), "same", preTool)
	w.hook(UserLayer, "mine", preTool)
	w.wantDue(preTool, "user mine")
}
