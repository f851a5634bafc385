package beneath

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// project is a folder with a repository, beside one with a secret.
func project(t *testing.T) (dir, outside string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	must.Do(t, err)
	dir, outside = filepath.Join(base, "project"), filepath.Join(base, "outside")
	for _, d := range []string{filepath.Join(dir, "store"), filepath.Join(dir, ".git"), outside} {
		must.Do(t, os.MkdirAll(d, 0o755))
	}
	for file, text := range map[string]string{
		filepath.Join(dir, "store", "file"): "ours", filepath.Join(dir, ".git", "config"): "secret",
		filepath.Join(outside, "file"): "secret", dir + "-beside": "secret",
	} {
		must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	}
	return dir, outside
}

func TestNoLinkLeadsOut(t *testing.T) {
	t.Parallel()
	dir, outside := project(t)
	links := map[string]string{
		"absolute": filepath.Join(outside, "file"), "relative": "../../outside/file", "beside": "../../project-beside", "root": "/",
		"git": "../.git/config", "self": "self", "gone": "nothing", "gone-outside": "../../outside/none", "chain": "relative",
	}
	for name, target := range links {
		linktest.Make(t, target, filepath.Join(dir, "store", name))
	}
	linktest.Make(t, "../outside", filepath.Join(dir, "away"))
	linktest.Make(t, ".git", filepath.Join(dir, "repository"))
	var told []string
	r := &Root{Dir: dir, Refused: func(err error) { told = append(told, err.Error()) }}
	names := []string{"away/file", "away/none", "away/none/file", "away/none/deeper/file", "repository/none/file", "repository/config"}
	for name := range links {
		names = append(names, "store/"+name)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, filepath.FromSlash(name))
			told = nil
			if b, err := r.Read(path, 0); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "link") || !slices.Equal(told, []string{err.Error()}) {
				t.Errorf("reading: %q, %v, told %q", b, err, told)
			}
			if f, err := r.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600); !errors.Is(err, ErrRefused) {
				t.Errorf("appending: %v, %v", f, err)
			}
			if err := r.Write(path, []byte("x"), 0o600); !errors.Is(err, ErrRefused) {
				t.Errorf("writing: %v", err)
			}
			if info, err := r.Stat(path); !errors.Is(err, ErrRefused) {
				t.Errorf("looking: %v, %v", info, err)
			}
		})
	}
	for _, d := range []string{"away", "repository"} {
		t.Run("the folder "+d, func(t *testing.T) {
			if list, err := r.List(filepath.Join(dir, d)); err == nil || len(list) > 0 {
				t.Errorf("%v, %v", list, err)
			}
			if err := r.MkdirAll(filepath.Join(dir, d, "new"), 0o700); !errors.Is(err, ErrRefused) {
				t.Errorf("a folder in it: %v", err)
			}
			if err := r.Rename(filepath.Join(dir, "store", "file"), filepath.Join(dir, d, "file")); !errors.Is(err, ErrRefused) {
				t.Errorf("moving into it: %v", err)
			}
			if err := r.RemoveAll(filepath.Join(dir, d, "file")); !errors.Is(err, ErrRefused) {
				t.Errorf("removing from it: %v", err)
			}
		})
	}
	for _, path := range []string{filepath.Join(outside, "file"), dir + "-beside", filepath.Join(dir, "..", "outside", "file")} {
		if _, err := r.Read(path, 0); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", path, err)
		}
	}
	untouched(t, outside)
}

// untouched checks what lies outside.
func untouched(t *testing.T, outside string) {
	t.Helper()
	if b, err := os.ReadFile(filepath.Join(outside, "file")); err != nil || string(b) != "secret" {
		t.Errorf("outside is %q, %v", b, err)
	}
	if list, _ := os.ReadDir(outside); len(list) != 1 {
		t.Errorf("outside holds %v", list)
	}
}

// To replace or remove a link is no harm to where it leads.
func TestALinkIsReplacedAndRemovedItself(t *testing.T) {
	t.Parallel()
	dir, outside := project(t)
	linktest.Make(t, filepath.Join(outside, "file"), filepath.Join(dir, "store", "absolute"))
	linktest.Make(t, "../../outside/file", filepath.Join(dir, "store", "relative"))
	linktest.Make(t, "../outside", filepath.Join(dir, "away"))
	r := &Root{Dir: dir}
	must.Do(t, os.WriteFile(filepath.Join(dir, "new"), []byte("new"), 0o600))
	must.Do(t, r.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "store", "absolute")))
	must.Do(t, r.Remove(filepath.Join(dir, "store", "relative")))
	must.Do(t, r.RemoveAll(filepath.Join(dir, "away")))
	if b, err := r.Read(filepath.Join(dir, "store", "absolute"), 0); err != nil || string(b) != "new" {
		t.Errorf("%q, %v", b, err)
	}
	untouched(t, outside)
}

// People keep files elsewhere in a project, and link to them.
func TestLinksInsideAreFollowed(t *testing.T) {
	t.Parallel()
	dir, _ := project(t)
	for name, target := range map[string]string{
		"relative": "store/file", "absolute": filepath.Join(dir, "store", "file"), "folder": "store", "far": filepath.Join(dir, "store"),
	} {
		linktest.Make(t, target, filepath.Join(dir, name))
	}
	r := At(dir)
	for _, name := range []string{"relative", "absolute", "folder/file", "far/file"} {
		if b, err := r.Read(filepath.Join(dir, name), 0); err != nil || string(b) != "ours" {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	must.Do(t, r.Write(filepath.Join(dir, "far", "new"), []byte("new"), 0o600))
	must.Do(t, r.MkdirAll(filepath.Join(dir, "folder", "deep", "er"), 0o700))
	if b, err := os.ReadFile(filepath.Join(dir, "store", "new")); err != nil || string(b) != "new" {
		t.Errorf("%q, %v", b, err)
	}
	if info, err := os.Stat(filepath.Join(dir, "store", "deep", "er")); err != nil || !info.IsDir() {
		t.Errorf("%v, %v", info, err)
	}
	if err := r.Write(filepath.Join(dir, "relative"), []byte("x"), 0o600); !errors.Is(err, ErrRefused) {
		t.Errorf("through a link: %v", err)
	}
	for _, name := range []string{"none", "store/none", "far/none", "none/none"} {
		if _, err := r.Read(filepath.Join(dir, name), 0); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A folder below is a bound of its own, reached by way of the project.
	linktest.Make(t, "../new-beside", filepath.Join(dir, "store", "up"))
	must.Do(t, os.WriteFile(filepath.Join(dir, "new-beside"), nil, 0o600))
	if _, err := r.Sub(filepath.Join(dir, "far")).Read(filepath.Join(dir, "far", "up"), 0); !errors.Is(err, ErrRefused) {
		t.Errorf("out of a folder below: %v", err)
	}
	if b, err := r.Sub(filepath.Join(dir, "far")).Read(filepath.Join(dir, "far", "file"), 0); err != nil || string(b) != "ours" {
		t.Errorf("%q, %v", b, err)
	}
}

// Where a path leads to is said whether there is something or not, but not of what lies outside.
func TestWhereAPathLeadsTo(t *testing.T) {
	t.Parallel()
	dir, outside := project(t)
	linktest.Make(t, "store", filepath.Join(dir, "folder"))
	linktest.Make(t, outside, filepath.Join(dir, "away"))
	r := At(dir)
	for name, want := range map[string]string{"store/file": "store/file", "folder/file": "store/file", "folder/none/deeper": "store/none/deeper", "none": "none", "": ""} {
		if got, err := r.Real(filepath.Join(dir, name)); err != nil || got != filepath.Join(dir, want) {
			t.Errorf("%q leads to %q, %v", name, got, err)
		}
	}
	for _, path := range []string{filepath.Join(dir, "away"), filepath.Join(dir, "away", "none"), outside} {
		if got, err := r.Real(path); !errors.Is(err, ErrRefused) || got != "" {
			t.Errorf("%s leads to %q, %v", path, got, err)
		}
	}
}

// Each path is told before something is done there, also below a folder of its own, and a
// caller tells what it leaves out as what is refused is told.
func TestWhatIsTold(t *testing.T) {
	t.Parallel()
	dir, _ := project(t)
	var touched []string
	var told []error
	r := &Root{Dir: dir, Touched: func(path string) { touched = append(touched, path) }, Refused: func(err error) { told = append(told, err) }}
	file := filepath.Join(dir, "store", "file")
	_, err := r.Read(file, 0)
	must.Do(t, err)
	if !slices.Contains(touched, file) {
		t.Errorf("reading told of %q", touched)
	}
	touched = nil
	must.Do(t, r.Sub(filepath.Dir(file)).Write(file, []byte("new"), 0o600))
	if !slices.Contains(touched, file) {
		t.Errorf("writing told of %q", touched)
	}
	if len(told) > 0 {
		t.Errorf("refused: %v", told)
	}
	r.LeaveOut(file, "is the %d. of its name", 2)
	if len(told) != 1 || !errors.Is(told[0], ErrRefused) || told[0].Error() != file+": is the 2. of its name" {
		t.Errorf("left out: %v", told)
	}
}

func TestManyLargeFilesAreTooMuch(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "it reads 256 MiB; TestBounds has one file that is too large")
	dir, _ := project(t)
	huge := filepath.Join(dir, "huge")
	must.Do(t, os.WriteFile(huge, nil, 0o600))
	must.Do(t, os.Truncate(huge, MaxFile))
	r := At(dir)
	for i := range 5 {
		if _, err := r.Read(huge, 0); (err != nil) != (i == 4) {
			t.Errorf("the %d. 64 MiB: %v", i+1, err)
		}
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	dir, _ := project(t)
	r := At(dir)
	file := filepath.Join(dir, "store", "file")
	if b, err := r.Read(file, 4); err != nil || string(b) != "ours" {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := r.Read(file, 3); !errors.Is(err, ErrRefused) {
		t.Errorf("over the limit: %v", err)
	}
	huge := filepath.Join(dir, "huge")
	must.Do(t, os.WriteFile(huge, nil, 0o600))
	must.Do(t, os.Truncate(huge, 10<<30))
	if _, err := r.Read(huge, 0); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "10737418240 bytes") {
		t.Errorf("huge: %v", err)
	}
	many := filepath.Join(dir, "many")
	must.Do(t, os.Mkdir(many, 0o700))
	for i := range MaxEntries + 1 {
		must.Do(t, os.WriteFile(filepath.Join(many, strconv.Itoa(i)), nil, 0o600))
	}
	if list, err := At(dir).List(many); len(list) != MaxEntries || !errors.Is(err, ErrRefused) {
		t.Errorf("%d entries, %v", len(list), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r = &Root{Dir: dir, Ctx: ctx}
	if _, err := r.Read(file, 0); err != nil {
		t.Error(err)
	}
	cancel()
	if _, err := r.Read(file, 0); !errors.Is(err, context.Canceled) || errors.Is(err, ErrRefused) {
		t.Errorf("after the end: %v", err)
	}
}

func TestNamesAreShownPlain(t *testing.T) {
	t.Parallel()
	dir, _ := project(t)
	path := filepath.Join(dir, "\x1b]52;c;\u202e")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Skip(err)
	}
	_, err := At(dir).Read(path, 0)
	if !errors.Is(err, ErrRefused) || strings.ContainsAny(err.Error(), "\x1b\u202e") {
		t.Errorf("%q", err)
	}
}
