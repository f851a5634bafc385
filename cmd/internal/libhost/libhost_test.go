package libhost

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// variables are all that the base directories depend on.
var variables = []string{"HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_DIRS"}

// The command line and the dispatcher find the same directories, whatever the
// environment says: hooks that one lists are those that the other runs.
func TestDirectoriesAreTheDispatchers(t *testing.T) {
	root := t.TempDir()
	abs := func(name string) string { return filepath.Join(root, name) }
	list := func(dirs ...string) string { return strings.Join(dirs, string(filepath.ListSeparator)) }
	for name, env := range map[string]map[string]string{
		"nothing set but home":  {},
		"all set":               {"XDG_CONFIG_HOME": abs("c"), "XDG_STATE_HOME": abs("s"), "XDG_CACHE_HOME": abs("k"), "XDG_DATA_HOME": abs("d"), "XDG_CONFIG_DIRS": list(abs("x"), abs("y"))},
		"one set":               {"XDG_STATE_HOME": abs("s")},
		"not clean":             {"HOME": abs("h") + "/", "XDG_CONFIG_HOME": abs("a") + "//b/../c/", "XDG_CONFIG_DIRS": abs("x") + "/"},
		"set and empty":         {"XDG_CONFIG_HOME": "", "XDG_STATE_HOME": "", "XDG_CACHE_HOME": "", "XDG_DATA_HOME": "", "XDG_CONFIG_DIRS": ""},
		"relative":              {"XDG_CONFIG_HOME": "c", "XDG_STATE_HOME": "./s", "XDG_CACHE_HOME": "../k", "XDG_DATA_HOME": ".", "XDG_CONFIG_DIRS": "x"},
		"relative among others": {"XDG_CONFIG_DIRS": list("a", abs("x"), "", abs("y"))},
		"twice":                 {"XDG_CONFIG_DIRS": list(abs("x"), abs("y"), abs("x"))},
		"a tilde":               {"XDG_CONFIG_HOME": "~/c", "XDG_STATE_HOME": "$HOME/s", "XDG_CACHE_HOME": "~", "XDG_CONFIG_DIRS": list("~/x", abs("y"))},
		"a home with blanks":    {"HOME": abs("a b&c'é日本")},
		"no home":               {"HOME": ""},
		"no home, all set":      {"HOME": "", "XDG_CONFIG_HOME": abs("c"), "XDG_STATE_HOME": abs("s"), "XDG_CACHE_HOME": abs("k"), "XDG_DATA_HOME": abs("d")},
		"a relative home":       {"HOME": "home"},
		"only separators":       {"XDG_CONFIG_DIRS": list("", "", "")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("HOME", abs("home")) // brought back at the end, as all below
			t.Setenv("USERPROFILE", abs("home"))
			for _, v := range variables[2:] {
				t.Setenv(v, "")
				os.Unsetenv(v)
			}
			for v, value := range env {
				t.Setenv(v, value)
			}
			t.Cleanup(xdg.Reload)
			xdg.Reload()
			want := host.New(os.Environ(), runtime.GOOS, root, "/bin/agents-hooks", time.Now)
			if got := want.Below(base(want)); got.Config != want.Config || got.State != want.State || got.Cache != want.Cache || got.Data != want.Data || !reflect.DeepEqual(got.System, want.System) {
				t.Errorf("config %q, state %q, cache %q, data %q, system %q\nwant %q, %q, %q, %q, %q", got.Config, got.State, got.Cache, got.Data, got.System,
					want.Config, want.State, want.Cache, want.Data, want.System)
			}
		})
	}
}

// The library is asked: what it is told when it looks is what comes out.
func TestDirectoriesAreTheLibrarys(t *testing.T) {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		t.Skip("other defaults there")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, v := range variables[2:] {
		t.Setenv(v, "")
	}
	t.Cleanup(xdg.Reload)
	xdg.Reload()
	h := host.New(os.Environ(), runtime.GOOS, home, "/bin/agents-hooks", time.Now)
	b := base(h)
	if b.Config != xdg.ConfigHome || b.State != xdg.StateHome || b.Cache != xdg.CacheHome || b.Data != xdg.DataHome || !reflect.DeepEqual(b.System, xdg.ConfigDirs) {
		t.Errorf("%+v", b)
	}
}

// fronts are beginnings of files that a cutter may read in its own way.
var fronts = []string{
	"", "---", "---\n", "---\n---", "---\n---\n", "---\nname: a\n---\n\nText.\n", "---\nname: a\n---", "---\nname: a\n", "---\nname: a\n--- \t\r\nText",
	"---  \nname: a\n---\n", "---\r\nname: a\r\n---\r\n", "\xef\xbb\xbf---\nname: a\n---\n", "\xef\xbb\xbf", "\xef\xbb\xbf\xef\xbb\xbf---\na\n---\n",
	"\n---\nname: a\n---\n", "  ---\nname: a\n---\n", "---\nname: |\n  ---\n  b\n---\n", "---\na\n\t---\n---\n", "---\na\n---\v\n---\n", "---\na\n\u00a0---\n---\u0085\n---\n",
	"----\na\n---\n", "---\na\n----\n", "---yaml\na\n---\n", "+++\na\n+++\n", "{\n}\n\n", ";;;\n{}\n;;;\n", "---\n+++\n---\n", "---\n---\n---\n", "---\n\n\n---\n",
	"--- \n---x\n --- \n---", "text\n---\na\n---\n", "---\na: \xff\xfe\n---\n", "---\na\x00\n---\n", "---\n" + strings.Repeat("a: b\n", 20000) + "---\n", "\r\n---\na\n---\n", "---\r---\n---\n",
}

// equal holds the two cutters against each other.
func equal(t *testing.T, file []byte) {
	t.Helper()
	before := bytes.Clone(file)
	got, ok := cut(file)
	want, wanted := discovery.CutFront(file)
	if ok != wanted || !bytes.Equal(got, want) {
		t.Errorf("%.200q: cut to %.200q (%t), the dispatcher to %.200q (%t)", file, got, ok, want, wanted)
	}
	if !bytes.Equal(file, before) {
		t.Errorf("%.200q was changed to %.200q", before, file)
	}
}

func TestCutIsTheDispatchers(t *testing.T) {
	t.Parallel()
	for _, text := range fronts {
		equal(t, []byte(text))
	}
	hooks, inputs := 0, 0
	err := filepath.WalkDir(filepath.Join("..", "..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		corpus := strings.Contains(filepath.ToSlash(path), "/testdata/fuzz/")
		if d.IsDir() || !corpus && !slices.Contains([]string{".md", ".txtar", ".txt"}, filepath.Ext(path)) {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		equal(t, b)
		for _, f := range append(txtar.Parse(b).Files, txtar.File{Name: path, Data: b}) {
			if strings.EqualFold(filepath.Base(f.Name), "HOOK.md") {
				equal(t, f.Data)
				hooks++
			}
		}
		for line := range strings.Lines(string(b)) {
			_, value, quoted := strings.Cut(strings.TrimSuffix(strings.TrimSpace(line), ")"), "(")
			if text, err := strconv.Unquote(value); corpus && quoted && err == nil {
				equal(t, []byte(text))
				inputs++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if hooks < 100 || inputs == 0 {
		t.Errorf("%d HOOK.md, %d inputs of fuzzing: this test looks in the wrong place", hooks, inputs)
	}
}

func FuzzCut(f *testing.F) {
	for _, text := range fronts {
		if len(text) < 1000 {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) { equal(t, file) })
}

// What the command line reads of a hook does not depend on who cuts it.
func TestHooksReadTheSame(t *testing.T) {
	t.Parallel()
	for i, text := range fronts {
		dir := filepath.Join(t.TempDir(), "a")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "HOOK.md"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		own := discovery.ReadFolder(discovery.Sources{GOOS: "linux"}, dir, discovery.UserLayer)
		lib := discovery.ReadFolder(discovery.Sources{GOOS: "linux", Cut: cut}, dir, discovery.UserLayer)
		if own.Status != lib.Status || own.Name != lib.Name || !reflect.DeepEqual(own.Problems, lib.Problems) {
			t.Errorf("%d: %s %v\nand %s %v", i, own.Status, own.Problems, lib.Status, lib.Problems)
		}
	}
}
