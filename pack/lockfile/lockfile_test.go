package lockfile

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

var hash = strings.Repeat("a", 64)

func lock(names ...string) *Lock {
	l := &Lock{}
	for _, n := range names {
		*l = *l.With(Pack{Name: n, Source: "https://example.com/" + n, Ref: "v1", Commit: strings.Repeat("b", 40), Agents: []string{"codex", "claude-code"}, Hooks: map[string]string{n + "-b": hash, n + "-a": hash}})
	}
	return l
}

// Whatever is written reads back the same, and there is one way to write it.
func TestFormatIsCanonical(t *testing.T) {
	t.Parallel()
	l := lock("zoo", "ape", "a.b", "ärger")
	l.Packs[0].Source, l.Packs[0].Version = `C:\x "y"`, "1"
	text := string(l.Format())
	read, err := Parse(text)
	must.Do(t, err)
	if again := string(read.Format()); again != text {
		t.Errorf("%s\nbecame\n%s", text, again)
	}
	if strings.Index(text, "[pack.ape]") > strings.Index(text, "[pack.zoo]") || strings.Index(text, "ape-a") > strings.Index(text, "ape-b") {
		t.Errorf("not sorted:\n%s", text)
	}
	if p := read.Folder("ape-a"); p == nil || p.Name != "ape" || p.Pin("ape-a", true) != hash || !slices.Equal(p.Agents, []string{"claude-code", "codex"}) {
		t.Errorf("%+v", p)
	}
}

// A lock has the lowest schema that can hold it, and what it says about systems
// without the executable bit is kept; an older lock has one hash for both.
func TestBareHashes(t *testing.T) {
	t.Parallel()
	if Bare("linux") || Bare("darwin") || !Bare("windows") {
		t.Error("the systems")
	}
	l, bare := lock("old", "new"), strings.Repeat("b", 64)
	if !strings.Contains(string(l.Format()), "schema = 1\n") {
		t.Errorf("%s", l.Format())
	}
	l.Pack("new").Bare = map[string]string{"new-a": bare}
	read, err := Parse(string(l.Format()))
	if err != nil || !strings.Contains(string(l.Format()), "schema = 2\n") {
		t.Fatalf("%v\n%s", err, l.Format())
	}
	for folder, want := range map[string]string{"new-a": bare, "new-b": hash, "old-a": hash, "none": ""} {
		t.Run(folder, func(t *testing.T) {
			p := read.Folder(folder)
			if (p == nil) != (want == "") || p != nil && (p.Pin(folder, true) != want || p.Pin(folder, false) != hash) {
				t.Errorf("%s: %+v", folder, p)
			}
		})
	}
}

// Additions by two people merge if they are apart; if they collide, both blocks are
// kept and the lock says what to do.
func TestAdditionsMerge(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	merge := func(base, ours, theirs *Lock) (string, error) {
		dir := t.TempDir()
		for name, l := range map[string]*Lock{"base": base, "ours": ours, "theirs": theirs} {
			must.Write(t, filepath.Join(dir, name), l.Format())
		}
		out, err := exec.Command("git", "merge-file", "-p", filepath.Join(dir, "ours"), filepath.Join(dir, "base"), filepath.Join(dir, "theirs")).Output()
		return string(out), err
	}
	text, err := merge(lock("m"), lock("a", "m"), lock("m", "z"))
	if err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	if got, err := Parse(text); err != nil || string(got.Format()) != string(lock("a", "m", "z").Format()) {
		t.Errorf("%v\n%s", err, text)
	}
	text, _ = merge(lock("a"), lock("a", "m"), lock("a", "n"))
	e, ok := errors.AsType[*Error](must.Err(Parse(text)))
	if !ok || !strings.Contains(e.Fix, "keep the [pack.…] blocks of both sides") {
		t.Fatalf("%v\n%s", e, text)
	}
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if mergeMark(line) == 0 {
			kept.WriteString(line)
		}
	}
	if _, err := Parse(kept.String()); err != nil {
		t.Errorf("both blocks, as they stand: %v\n%s", err, kept.String())
	}
}

// What nobody should have written is reported with its line and a fix.
func TestWhatIsNoLock(t *testing.T) {
	t.Parallel()
	pack := "\n[pack.a]\nsource = \"./a\"\n\n[pack.a.hooks]\nx = \"" + hash + "\"\n"
	for text, want := range map[string]string{
		"":                                  "hooks.lock:1: has no schema",
		"schema = 3\n":                      "hooks.lock:1: schema 3 was written by a later version",
		"schema = 0\n":                      "schema 0 is unknown",
		"schema = \"1\"\n":                  "schema is not a number",
		"schema = 1\npacks = 1\n":           "hooks.lock:2: unknown key \"packs\"; did you mean pack?",
		"schema = 1\n[[pack]]\na = 1\n":     "hooks.lock:2: pack is not a table of packs",
		"schema = 1\n[pack]\na = 1\n":       "hooks.lock:3: pack.a is not a table",
		"schema = 1\n<<<<<<< HEAD\n" + pack: "hooks.lock:2: marks of a merge",
		"schema = 1\n[pack.a\n":             "hooks.lock:2: is not TOML",
		"schema = 1\n[pack.a]\n" + numbered(10_001):                                                  "hooks.lock:10001: there are more than 10000 keys and tables; remove packs",
		"schema = 1\n" + pack + pack:                                                                 "has already been defined",
		"schema = 1\n[pack.a]\n[pack.a.hooks]":                                                       "the pack \"a\" has no source",
		"schema = 1\n[pack.a]\nsource = \"x\"":                                                       "the pack \"a\" has no hooks",
		"schema = 1" + strings.Replace(pack, hash, "abc", 1):                                         "hooks.lock:6: abc is not a hash of the folder \"x\"",
		"schema = 1" + strings.Replace(pack, "x = ", "\"../x\" = ", 1):                               "hooks.lock:6: \"../x\" cannot be the folder",
		"schema = 1" + strings.Replace(pack, "x = ", "\".git\" = ", 1):                               "cannot be the folder",
		"schema = 1" + strings.Replace(pack, "\n\n", "\ncommit = \"abc\"\n\n", 1):                    "hooks.lock:4: \"abc\" is not a commit",
		"schema = 1" + strings.Replace(pack, "\n\n", "\nsha256 = \"abc\"\n\n", 1):                    "is not a SHA-256",
		"schema = 1" + strings.Replace(pack, "\n\n", "\nagents = \"codex\"\n\n", 1):                  "agents is not a list",
		"schema = 1" + strings.Replace(pack, "\n\n", "\nagents = [\"codex\", \"a/b\"]\n\n", 1):       "hooks.lock:4: a/b is not an agent's id",
		"schema = 1" + strings.Replace(pack, "\n\n", "\nagents = [1]\n\n", 1):                        "hooks.lock:4: 1 is not an agent's id",
		"schema = 1" + strings.Replace(pack, "\n\n", "\nsorce = \"x\"\n\n", 1):                       "hooks.lock:4: unknown key \"sorce\"; did you mean source?",
		"schema = 1" + strings.Replace(pack, "\n\n", "\nref = \"a\\u007fb\"\n\n", 1):                 "control characters",
		"schema = 1" + strings.Replace(pack, "\n\n", "\nref = \"a\\nb\"\n\n", 1):                     "control characters",
		"schema = 1" + pack + "\n[pack.b]\nsource = \"./b\"\n[pack.b.hooks]\nX = \"" + hash + "\"\n": "hooks.lock:11: the folder \"X\" is of the pack \"a\" already",
		"schema = 1" + strings.ReplaceAll(pack, "pack.a", "pack.\"a/b\""):                            "cannot be the name of a pack",
		"schema = 2" + pack + "[pack.a.bare]\ny = \"" + hash + "\"\n":                                "hooks.lock:8: \"y\" is none of the pack's hooks",
		"schema = 2" + pack + "[pack.a.bare]\nx = \"abc\"\n":                                         "hooks.lock:8: abc is not a hash",
		"schema = 2" + strings.Replace(pack, "\n\n", "\nbare = 1\n\n", 1):                            "bare is not a table of folders",
		"\xff": "is not UTF-8",
	} {
		t.Run(fmt.Sprintf("%.40q", text), func(t *testing.T) {
			_, err := Parse(text)
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Fix == "" || !strings.Contains(err.Error(), want) {
				t.Errorf("%.80q: %v, want %q", text, err, want)
			}
		})
	}
}

// A name is one element of a path that every system takes and no option of a program.
func TestValidName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"a": true, "Z9_-.": true, "é": true, "a.b": true, strings.Repeat("x", 128): true,
		"": false, strings.Repeat("x", 129): false, ".": false, "..": false, "...": false, ".a": false, "-a": false,
		"a b": false, "a\x00": false, "a\x7f": false, "a/b": false, `a\b`: false, "a:b": false, "a'": false, "*": false, "?": false,
	} {
		if ValidName(name) != want {
			t.Errorf("%.40q: want %t", name, want)
		}
	}
}

// A name stands without quotes where TOML lets it.
func TestKeysWithoutQuotes(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a", "z", "A", "Z", "0", "9", "_", "-", "azAZ09_-"} {
		if got := key(name); got != name {
			t.Errorf("%s became %s", name, got)
		}
	}
	for _, name := range []string{"", "@", "[", "`", "{", "/", ":", "a.b", "é", "a b"} {
		if got := key(name); got != `"`+name+`"` {
			t.Errorf("%q became %s", name, got)
		}
	}
}

func TestMayName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"no-rm = 1": true, "x/no-rm ": true, "no-rm-2": false, "a-no-rm": false, "no-rmx no-rm": true, "": false, "\"no-rm\"": true} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if MayName(text, "no-rm") != want {
				t.Errorf("%q: want %t", text, want)
			}
		})
	}
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d = 1\n", i)
	}
	return b.String()
}
