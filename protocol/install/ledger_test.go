package install_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/codex"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

const (
	hooksJSON  = "/home/dev/.codex/hooks.json"
	configTOML = "/home/dev/.codex/config.toml"
)

func only(events ...string) protocol.Entry {
	e := entry(codex.Dialect)
	e.Events = events
	return e
}

func trusted(t *testing.T, files disk) (entries int, problems []string) {
	t.Helper()
	in, err := install.Inspect(codex.Dialect, files.site(t))
	must.Do(t, err)
	for _, r := range in.Entries {
		if !r.Trusted || r.Problem != "" {
			problems = append(problems, r.Event+": "+r.Problem)
		}
	}
	return len(in.Entries), problems
}

// The approval of each entry is recorded at the end of config.toml; every other
// byte stays (codex/12).
func TestLedgerIsRecorded(t *testing.T) {
	for _, before := range []string{
		"", "model = \"x\"", "model = \"x\"\n", "# mine\n[features]\nhooks = true\n\n[projects.\"/p\"]\ntrust_level = \"trusted\"\n",
		"a = 1\r\nb = 2\r\n", "[hooks.state.\"/other:stop:0:0\"]\ntrusted_hash = \"sha256:00\"\n",
	} {
		t.Run(fmt.Sprintf("%q", before), func(t *testing.T) {
			files := disk{configTOML: before}
			add(t, codex.Dialect, files, entry(codex.Dialect))
			if !strings.HasPrefix(files[configTOML], before) {
				t.Errorf("%q: other bytes changed:\n%s", before, files[configTOML])
			}
			if n, problems := trusted(t, files); n != len(codex.Dialect.NativeEvents) || problems != nil {
				t.Errorf("%q: %d entries, problems %q", before, n, problems)
			}
			once := files.copy()
			add(t, codex.Dialect, files, entry(codex.Dialect))
			if !files.equal(once) {
				t.Errorf("%q: second install differs:\n%s", before, files[configTOML])
			}
			remove(t, codex.Dialect, files)
			if got, ok := files[configTOML]; got != before || ok != (before != "") {
				t.Errorf("%q: uninstall left %q (%v)", before, got, ok)
			}
		})
	}
}

// The whole text, once.
func TestLedgerText(t *testing.T) {
	files := disk{configTOML: "model = \"x\"\n"}
	add(t, codex.Dialect, files, only("Stop", "SessionEnd"))
	want := `model = "x"

# >>> agents-hooks: approval of its entries (install writes it, uninstall removes it) >>>
[hooks.state."/home/dev/.codex/hooks.json:session_end:0:0"]
trusted_hash = "SEAL" # agents-hooks

[hooks.state."/home/dev/.codex/hooks.json:stop:0:0"]
trusted_hash = "SEAL" # agents-hooks

# <<< agents-hooks <<<
`
	got := files[configTOML]
	for {
		i := strings.Index(got, "sha256:")
		if i < 0 {
			break
		}
		got = got[:i] + "SEAL" + got[i+len("sha256:")+64:]
	}
	if got != want {
		t.Errorf("got:\n%s", got)
	}
	// Fewer events, then more: the block is updated.
	add(t, codex.Dialect, files, only("Stop"))
	if strings.Contains(files[configTOML], "session_end") {
		t.Errorf("a stale approval stays:\n%s", files[configTOML])
	}
	add(t, codex.Dialect, files, only("Stop", "PreToolUse", "SessionEnd"))
	if n, problems := trusted(t, files); n != 3 || problems != nil {
		t.Errorf("%d entries, %q\n%s", n, problems, files[configTOML])
	}
	if strings.Count(files[configTOML], ">>> agents-hooks") != 1 {
		t.Errorf("more than one block:\n%s", files[configTOML])
	}
}

// The agent's own edits between our marks and over our seals are its own: they stay
// when ours are removed.
func TestLedgerKeepsTheAgentsEdits(t *testing.T) {
	files := disk{configTOML: "model = \"x\"\n"}
	add(t, codex.Dialect, files, only("Stop", "PreToolUse"))
	text := files[configTOML]
	text = strings.Replace(text, "# <<< agents-hooks <<<\n", "[projects.\"/new\"]\ntrust_level = \"trusted\"\n# <<< agents-hooks <<<\n", 1)
	text += "[tui]\ntheme = \"dark\"\n"
	files[configTOML] = text
	add(t, codex.Dialect, files, only("Stop", "PreToolUse"))
	if files[configTOML] != text {
		t.Errorf("installing again changed:\n%s", files[configTOML])
	}
	// Somebody else's entry took a place that was ours; Codex sealed it anew.
	remove(t, codex.Dialect, files)
	var left map[string]any
	if _, err := toml.Decode(files[configTOML], &left); err != nil {
		t.Fatalf("%v in\n%s", err, files[configTOML])
	}
	want := "model = \"x\"\n[projects.\"/new\"]\ntrust_level = \"trusted\"\n[tui]\ntheme = \"dark\"\n"
	if files[configTOML] != want {
		t.Errorf("uninstall left:\n%s\nwant:\n%s", files[configTOML], want)
	}
}

// A seal that the agent replaced is no longer ours, and is not removed.
func TestLedgerSealOfAnother(t *testing.T) {
	files := disk{}
	add(t, codex.Dialect, files, only("Stop", "PreToolUse"))
	lines := strings.SplitAfter(files[configTOML], "\n")
	for i, line := range lines {
		if strings.Contains(line, "stop:0:0") {
			lines[i+1] = "trusted_hash = \"sha256:1111\"\n"
		}
	}
	files[configTOML] = strings.Join(lines, "")
	// The entry on Stop now belongs to somebody else.
	files[hooksJSON] = strings.Replace(files[hooksJSON], "--agent=codex", "--agent=claude", 1)
	add(t, codex.Dialect, files, only("PreToolUse"))
	if !strings.Contains(files[configTOML], "sha256:1111") {
		t.Errorf("another's approval is gone:\n%s", files[configTOML])
	}
	remove(t, codex.Dialect, files)
	if !strings.Contains(files[configTOML], "sha256:1111") {
		t.Errorf("another's approval is gone:\n%s", files[configTOML])
	}
}

// Existing records in the ledger are used, however they are spelled; wrong ones are
// corrected in place.
func TestLedgerExisting(t *testing.T) {
	name := hooksJSON + ":stop:0:0"
	for _, header := range []string{`[hooks.state."` + name + `"]`, `[hooks.state.'` + name + `']`} {
		files := disk{configTOML: header + "\n# why\ntrusted_hash = \"sha256:old\"\n\n[tui]\nx = 1\n"}
		add(t, codex.Dialect, files, only("Stop"))
		if n, problems := trusted(t, files); n != 1 || problems != nil {
			t.Errorf("%s: %d entries, %q", header, n, problems)
		}
		if strings.Count(files[configTOML], "stop:0:0") != 1 {
			t.Errorf("%s: recorded twice:\n%s", header, files[configTOML])
		}
		if !strings.Contains(files[configTOML], "# why") || !strings.HasSuffix(files[configTOML], "\n[tui]\nx = 1\n") {
			t.Errorf("%s: other bytes changed:\n%s", header, files[configTOML])
		}
	}
	files := disk{configTOML: "[hooks.state]\n\"" + name + "\" = { trusted_hash = \"sha256:old\" }\n"}
	if _, err := install.Add(codex.Dialect, files.site(t), only("Stop")); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("inline table: error %v", err)
	}
}

// Inspect distinguishes present, approved, changed and switched off.
func TestInspect(t *testing.T) {
	fresh := func(t *testing.T) disk {
		t.Helper()
		files := disk{}
		add(t, codex.Dialect, files, only("Stop", "PreToolUse"))
		return files
	}
	for name, c := range map[string]struct {
		change func(disk)
		want   string
	}{
		"approved":  {func(disk) {}, ""},
		"no ledger": {func(d disk) { delete(d, configTOML) }, "not approved"},
		"changed":   {func(d disk) { d[hooksJSON] = strings.ReplaceAll(d[hooksJSON], "600", "500") }, "changed or moved"},
		"switched off": {func(d disk) {
			d[configTOML] = strings.ReplaceAll(d[configTOML], "trusted_hash", "enabled = false\ntrusted_hash")
		}, "switched off"},
		"feature off": {func(d disk) { d[configTOML] += "[features]\nhooks = false\n" }, "[features] hooks is false"},
		"matcher": {func(d disk) {
			d[hooksJSON] = strings.ReplaceAll(d[hooksJSON], `"hooks": [`, `"matcher": "Bash", "hooks": [`)
		}, ""},
		"moved": {func(d disk) { d[hooksJSON] = strings.ReplaceAll(d[hooksJSON], ": [\n      {", ": [\n      {}, {") }, "not approved"},
	} {
		t.Run(name, func(t *testing.T) {
			files := fresh(t)
			c.change(files)
			in, err := install.Inspect(codex.Dialect, files.site(t))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if len(in.Entries) != 2 {
				t.Fatalf("%s: %d entries", name, len(in.Entries))
			}
			for _, r := range in.Entries {
				if name == "matcher" {
					if r.Trusted && r.Event != "Stop" || r.Problem == "" {
						t.Errorf("matcher: %+v", r)
					}
					continue
				}
				if (c.want == "") != (r.Problem == "") || !strings.Contains(r.Problem, c.want) {
					t.Errorf("%s: problem %q, want %q", name, r.Problem, c.want)
				}
				if r.File != hooksJSON || r.Line < 2 || r.Argv[1] != "run" || r.Timeout.Seconds() > 600 {
					t.Errorf("%s: %+v", name, r)
				}
			}
			if _, err := install.Add(codex.Dialect, files.site(t), only("Stop", "PreToolUse")); err != nil {
				t.Errorf("%s: installing again: %v", name, err)
			}
		})
	}
}

// Installing again repairs what moved.
func TestLedgerRepairsMovedEntries(t *testing.T) {
	files := disk{}
	add(t, codex.Dialect, files, only("Stop"))
	files[hooksJSON] = strings.Replace(files[hooksJSON], ": [\n", ": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"new\"}]},\n", 2)
	if _, problems := trusted(t, files); len(problems) != 1 {
		t.Fatalf("problems %q in\n%s", problems, files[hooksJSON])
	}
	add(t, codex.Dialect, files, only("Stop"))
	if n, problems := trusted(t, files); n != 1 || problems != nil {
		t.Errorf("%d entries, %q", n, problems)
	}
	if strings.Contains(files[configTOML], "stop:0:0") {
		t.Errorf("the old place stays approved:\n%s", files[configTOML])
	}
}

// Removing an entry of ours that is followed by others leaves its group behind, so
// that their approvals, keyed by place, remain valid (codex/16).
func TestPlacesOfOthersHold(t *testing.T) {
	files := disk{}
	add(t, codex.Dialect, files, only("Stop"))
	files[hooksJSON] = strings.Replace(files[hooksJSON], "      }\n    ]\n", "      },\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"theirs\"}]}\n    ]\n", 1)
	remove(t, codex.Dialect, files)
	want := "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": []\n      },\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"theirs\"}]}\n    ]\n  }\n}\n"
	if files[hooksJSON] != want {
		t.Errorf("got:\n%s", files[hooksJSON])
	}
}

// The entries of a project and of the user share one ledger, and are added and
// removed separately.
func TestLedgerOfTwoScopes(t *testing.T) {
	files := disk{}
	user := files.site(t)
	project := user
	project.Scope = protocol.ProjectScope
	project.Real = func(p string) string { return strings.Replace(p, "/home/", "/mnt/home/", 1) }
	apply := func(s protocol.Site, f func(*protocol.Dialect, protocol.Site) ([]protocol.Edit, error)) {
		t.Helper()
		edits, err := f(codex.Dialect, s)
		must.Do(t, err)
		files.apply(t, edits)
	}
	install1 := func(d *protocol.Dialect, s protocol.Site) ([]protocol.Edit, error) {
		return install.Add(d, s, only("Stop"))
	}
	apply(user, install1)
	one := files.copy()
	apply(project, install1)
	for _, path := range []string{hooksJSON, "/home/dev/project/.codex/hooks.json", "/mnt/home/dev/project/.codex/hooks.json"} {
		if !strings.Contains(files[configTOML], path+":stop:0:0") {
			t.Errorf("%s is not approved in\n%s", path, files[configTOML])
		}
	}
	for _, s := range []protocol.Site{user, project} {
		in, err := install.Inspect(codex.Dialect, s)
		if err != nil || len(in.Entries) != 1 || !in.Entries[0].Trusted {
			t.Errorf("%s: %+v, %v", s.Scope, in, err)
		}
	}
	apply(project, install.Remove)
	if !files.equal(one) {
		t.Errorf("after the project's uninstall:\n%s\nwant:\n%s", files[configTOML], one[configTOML])
	}
	apply(user, install.Remove)
	if len(files) != 0 {
		t.Errorf("left: %v", files)
	}
}

// Whatever a ledger looks like, it is valid afterwards, vouches for our entry, and
// gets its bytes back in the end.
func FuzzLedger(f *testing.F) {
	f.Add("model = \"x\"\n[a]\nb = 1")
	f.Add("# >>> agents-hooks: approval of its entries (install writes it, uninstall removes it) >>>\n[a]\nx=1\n")
	f.Add("[hooks.state.\"/home/dev/.codex/hooks.json:stop:0:0\"]\ntrusted_hash = \"x\" # agents-hooks\nenabled = true\n")
	f.Add("[hooks]\nstate = {}\n")
	f.Add("s = \"\"\"\n[hooks.state.\"/x\"]\n\"\"\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		files := disk{configTOML: text}
		edits, err := install.Add(codex.Dialect, files.site(t), only("Stop", "PreToolUse"))
		if err != nil {
			return
		}
		files.apply(t, edits)
		for _, r := range mustInspect(t, files).Entries {
			if !r.Trusted && !strings.Contains(r.Problem, "switched off") {
				t.Fatalf("%q: not approved: %+v\n%s", text, r, files[configTOML])
			}
		}
		if strings.Contains(text, "agents-hooks") || strings.Contains(text, "hooks.json:") {
			return
		}
		remove(t, codex.Dialect, files)
		if files[configTOML] != text && strings.TrimSpace(text) != "" {
			t.Fatalf("%q came back as %q", text, files[configTOML])
		}
	})
}

func mustInspect(t *testing.T, files disk) protocol.Installation {
	t.Helper()
	in, err := install.Inspect(codex.Dialect, files.site(t))
	must.Do(t, err)
	return in
}
