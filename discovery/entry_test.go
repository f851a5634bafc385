package discovery

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// What is started for a hook. A file is "mode content".
func TestEntry(t *testing.T) {
	t.Parallel()
	unixOnly(t)
	const sh, py = "#!/bin/sh\n", "#!/usr/bin/env python3\n"
	type files map[string]string
	modes := map[byte]fs.FileMode{'x': 0o755, '-': 0o644}
	for _, tt := range []struct {
		rule     string
		goos     string
		files    files
		argv     []string // DIR stands for the hook's folder
		problems []string
	}{
		{"run", "linux", files{"run": "x", "run.sh": "x" + sh}, []string{"DIR/scripts/run"}, nil},
		{"run.sh with #! and the bit", "linux", files{"run.sh": "x" + sh, "run.py": "x"}, []string{"DIR/scripts/run.sh"}, nil},
		{"run.sh without the bit", "linux", files{"run.sh": "-" + sh}, []string{"sh", "DIR/scripts/run.sh"}, nil},
		{"run.sh without #!", "linux", files{"run.sh": "xexit 0"}, []string{"sh", "DIR/scripts/run.sh"}, nil},
		{"run.py with #! and the bit", "linux", files{"run.py": "x" + py}, []string{"DIR/scripts/run.py"}, nil},
		{"run.py without the bit", "darwin", files{"run.py": "-" + py}, []string{"python3", "DIR/scripts/run.py"}, nil},
		{"run without the bit: the next", "linux", files{"run": "-" + sh, "run.py": "-"}, []string{"python3", "DIR/scripts/run.py"}, []string{
			"DIR/scripts/run: entry: scripts/run is not executable; the next entry is tried; chmod +x DIR/scripts/run"}},
		{"run without the bit, and nothing else", "linux", files{"run": "-" + sh}, nil, []string{
			"DIR/HOOK.md: entry: scripts/run is not executable, and there is no other entry; chmod +x DIR/scripts/run"}},
		{"nothing", "linux", nil, nil, []string{
			"DIR/HOOK.md: entry: there is no scripts/run, scripts/run.sh or scripts/run.py; add an executable file scripts/run"}},
		{"check.sh is no entry", "linux", files{"check.sh": "x" + sh}, nil, []string{
			"DIR/HOOK.md: entry: there is no scripts/run, scripts/run.sh or scripts/run.py; scripts/check.sh is no entry; rename scripts/check.sh to scripts/run.sh"}},
		{"an entry beside the scripts folder", "linux", files{"../run.sh": "x" + sh}, nil, []string{
			"DIR/HOOK.md: entry: there is no scripts/run, scripts/run.sh or scripts/run.py; run.sh is no entry; rename run.sh to scripts/run.sh"}},
		{"scripts is a file", "linux", files{"../scripts": "x"}, nil, []string{
			"DIR/HOOK.md: entry: there is no scripts/run, scripts/run.sh or scripts/run.py; add an executable file scripts/run"}},
		{"run is a folder", "linux", files{"run/x": "x"}, nil, []string{
			"DIR/scripts/run: entry: scripts/run: not a regular file but a folder; put the file itself into the hook's folder"}},
		{"Windows files mean nothing elsewhere", "linux", files{"run.exe": "x", "run.cmd": "x", "run.ps1": "x"}, nil, []string{
			"DIR/HOOK.md: entry: there is no scripts/run, scripts/run.sh or scripts/run.py; add an executable file scripts/run"}},
		{"Windows: exe", "windows", files{"run.exe": "-", "run.cmd": "-"}, []string{"DIR/scripts/run.exe"}, nil},
		{"Windows: cmd", "windows", files{"run.cmd": "-", "run.ps1": "-"}, []string{"DIR/scripts/run.cmd"}, nil},
		{"Windows: ps1", "windows", files{"run.ps1": "-", "run.sh": "-"}, []string{"powershell", "-NoProfile", "-ExecutionPolicy", "Bypass", "-File", "DIR/scripts/run.ps1"}, nil},
		{"Windows: #! decides", "windows", files{"run": "-#!/usr/bin/env -S node --no-warnings\n"}, []string{"node", "--no-warnings", "DIR/scripts/run"}, nil},
		{"Windows: python3 is python", "windows", files{"run": "-" + py}, []string{"python", "DIR/scripts/run"}, nil},
		{"Windows: sh", "windows", files{"run.sh": "-exit 0"}, []string{"sh", "DIR/scripts/run.sh"}, nil},
		{"Windows: py", "windows", files{"run.py": "-"}, []string{"python", "DIR/scripts/run.py"}, nil},
		{"Windows: run without #!: the next", "windows", files{"run": "-exit", "run.sh": "-" + sh}, []string{"sh", "DIR/scripts/run.sh"}, []string{
			"DIR/scripts/run: entry: scripts/run has no #! line that tells its interpreter; the next entry is tried; add one, or name it run.cmd, run.ps1 or run.exe"}},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			w := newWorld(t)
			dir := filepath.Join(w.root, "x")
			w.file(filepath.Join(dir, "HOOK.md"), ok+"---\n", 0o644)
			for name, file := range tt.files {
				w.file(filepath.Join(dir, "scripts", name), file[1:], modes[file[0]])
			}
			h := ReadFolder(Sources{GOOS: tt.goos}, dir, UserLayer)
			argv := slices.Clone(h.Entry.Argv)
			for i := range argv {
				argv[i] = strings.Replace(argv[i], dir, "DIR", 1)
			}
			if !slices.Equal(argv, tt.argv) {
				t.Errorf("starts %q, want %q", argv, tt.argv)
			}
			if (h.Status == Broken) != (tt.argv == nil) || (h.Entry.Path == "") != (tt.argv == nil) {
				t.Errorf("%s, path %q", h.Status, h.Entry.Path)
			}
			var said []string
			for _, p := range h.Problems {
				said = append(said, strings.ReplaceAll(p.String(), dir, "DIR"))
			}
			if !slices.Equal(said, tt.problems) {
				t.Errorf("problems %q, want %q", said, tt.problems)
			}
		})
	}
}

// HM-SEC-08: an entry stays in its folder; a link inside of it is fine
// and is resolved.
func TestEntryLinks(t *testing.T) {
	t.Parallel()
	unixOnly(t)
	w := newWorld(t)
	dir := w.hook(UserLayer, "a", preTool)
	run := filepath.Join(dir, "scripts", "run")
	os.Remove(run)
	real := w.file(filepath.Join(dir, "lib", "tool"), "", 0o755)
	w.link("../lib/tool", run)
	w.wantDue(preTool, "user a")
	if h := w.wantStatus(UserLayer, "a", Ready); h.Entry.Path != real || h.Entry.Argv[0] != real {
		t.Errorf("entry %+v, want %s", h.Entry, real)
	}
	os.Remove(run)
	w.link(w.file(filepath.Join(w.home, "bin", "tool"), "", 0o755), run)
	w.wantDue(preTool)
	h := w.wantStatus(UserLayer, "a", Broken)
	if got := w.short(h.Problems); len(got) != 1 || !strings.Contains(got[0], "the link leads out of") {
		t.Errorf("problems %q", got)
	}
	if got := w.event(preTool); len(got.Ready(preTool)) != 1 {
		t.Error("the entry was looked at before the hook's turn")
	}
}

// HM-SEC-10: the user's hook folders may be links (stow).
func TestStow(t *testing.T) {
	t.Parallel()
	unixOnly(t)
	w := newWorld(t)
	store := filepath.Join(w.home, "dotfiles", "guard")
	w.hookAt(store, "guard", preTool)
	w.link(store, filepath.Join(w.hooksOf(UserLayer), "guard"))
	whole := filepath.Join(w.root, "etc", "hooks")
	w.hookAt(filepath.Join(whole, "sys"), "sys", preTool)
	w.link(whole, w.hooksOf(SystemLayer))
	w.wantDue(preTool, "system sys", "user guard")
	h := w.wantStatus(UserLayer, "guard", Ready)
	if h.Dir != filepath.Join(w.hooksOf(UserLayer), "guard") || !safefile.Inside(h.Entry.Path, h.Dir) {
		t.Errorf("dir %q, entry %q", h.Dir, h.Entry.Path)
	}
	// A link whose HOOK.md is a link as well.
	one := filepath.Join(w.hooksOf(UserLayer), "one")
	w.hookAt(one, "one", preTool)
	file := filepath.Join(one, "HOOK.md")
	must.Do(t, os.Rename(file, filepath.Join(w.home, "dotfiles", "one.md")))
	w.link(filepath.Join(w.home, "dotfiles", "one.md"), file)
	w.wantDue(preTool, "system sys", "user guard", "user one")
}
