package source

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/pack"
)

// What a user types has one meaning; what git or ssh would take for an option, or
// fetch unencrypted, is refused.
func TestParse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must.Do(t, os.MkdirAll(filepath.Join(dir, "own", "er"), 0o755))
	here := Here{WorkDir: dir, Home: dir, Project: dir}
	for text, want := range map[string]string{
		"https://example.com/o/r":                             "git https://example.com/o/r  ",
		"https://example.com/o/r.git@v1//a/b":                 "git https://example.com/o/r.git v1 a/b",
		"https://me@example.com/o/r@feature/x":                "git https://me@example.com/o/r feature/x ",
		"ssh://git@example.com:22/o/r@v1":                     "git ssh://git@example.com:22/o/r v1 ",
		"git@example.com:o/r@v1//d":                           "git git@example.com:o/r v1 d",
		"git@example.com:o/r.git":                             "git git@example.com:o/r.git  ",
		"file:///srv/r@0123456":                               "git file:///srv/r 0123456 ",
		"file:///srv/r//d":                                    "git file:///srv/r  d",
		"o/r":                                                 "git https://github.com/o/r  ",
		"o/r@v1//d":                                           "git https://github.com/o/r v1 d",
		"own/er":                                              "folder ./own/er  ",
		"./own//er":                                           "folder ./own  er",
		"~/own":                                               "folder ./own  ",
		"https://example.com/x.tar.gz//d":                     "archive https://example.com/x.tar.gz  d",
		"https://me:secret@example.com/o/r":                   "contains a password",
		"http://example.com/o/r":                              "without encryption",
		"git://example.com/o/r":                               "without encryption",
		"ext::sh -c touch% /tmp/x":                            "names a helper",
		"ext://x/y":                                           `the scheme "ext"`,
		"--upload-pack=x":                                     "begins with a hyphen",
		"ssh://-oProxyCommand=x/y":                            "begins with a hyphen",
		"ssh://-oProxyCommand=x@h/y":                          "begins with a hyphen",
		"-oProxyCommand=x:y":                                  "begins with a hyphen",
		"a@-oProxyCommand=x:y":                                "begins with a hyphen",
		"https://example.com/o/r@--upload-pack":               "cannot be a branch",
		"https://example.com/o/r@a..b":                        "cannot be a branch",
		"https://example.com/o/r@a:b":                         "cannot be a branch",
		"https://example.com/o/r@/a":                          "cannot be a branch",
		"https://example.com/o/r@a/":                          "cannot be a branch",
		"https://example.com/o/r@a.lock":                      "cannot be a branch",
		"https://example.com/o/r@a.":                          "cannot be a branch",
		"https://example.com/o/r@a b":                         "cannot be a branch",
		"https://example.com/o/r@a~1":                         "cannot be a branch",
		"https://example.com/o/r@" + strings.Repeat("a", 251): "cannot be a branch",
		"https://example.com/o/r@" + strings.Repeat("a", 250): "git https://example.com/o/r " + strings.Repeat("a", 250) + " ",
		"https://example.com/o/r@v1//../x":                    ".. in its path",
		"https://example.com/x.tar.gz@v1":                     "has no branches",
		"file://host/srv/r":                                   "is not file:///",
		"./nothing":                                           "nothing is there",
		"own@v1":                                              "neither",
		"":                                                    "is empty",
		"a\nb/c":                                              "control characters",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			s, err := Parse(text, here)
			got := s.Kind + " " + s.Address + " " + s.Ref + " " + s.Dir
			if err != nil {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q: %v, want %q", text, err, want)
				}
			} else if got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		})
	}
}

// A tgz is a .tar.gz made of headers; each file contains its name.
func tgz(t *testing.T, headers ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, h := range headers {
		data := []byte(h.Name)
		if h.Typeflag != tar.TypeReg {
			data = nil
		}
		h.Size = int64(len(data))
		if h.Mode == 0 && h.Typeflag != tar.TypeXGlobalHeader {
			h.Mode = 0o644
		}
		must.Do(t, w.WriteHeader(&h))
		w.Write(data)
	}
	must.Do(t, errors.Join(w.Close(), z.Close()))
	return b.Bytes()
}

func file(name string) tar.Header { return tar.Header{Name: name, Typeflag: tar.TypeReg} }

// An archive may contain files, folders and links, with paths inside it.
func TestArchives(t *testing.T) {
	t.Parallel()
	bomb := func() []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		w := tar.NewWriter(z)
		w.WriteHeader(&tar.Header{Name: "a/big", Typeflag: tar.TypeReg, Mode: 0o644, Size: 80 << 20})
		io.CopyN(w, zeros{}, 80<<20)
		w.Close()
		z.Close()
		return b.Bytes()
	}
	for name, c := range map[string]struct {
		packed []byte
		want   string
	}{
		"plain":     {tgz(t, file("x-1.0/a/HOOK.md"), file("x-1.0/README")), ""},
		"global":    {tgz(t, tar.Header{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"comment": "x"}}, file("a/HOOK.md")), ""},
		"up":        {tgz(t, file("a/HOOK.md"), file("a/../../x")), "a/../../x: has .. in its path"},
		"absolute":  {tgz(t, file("/etc/x")), "absolute"},
		"hard link": {tgz(t, file("a/HOOK.md"), tar.Header{Name: "a/l", Typeflag: tar.TypeLink, Linkname: "/etc/passwd"}), "a/l: is a hard link"},
		"device":    {tgz(t, tar.Header{Name: "a/d", Typeflag: tar.TypeChar}), "a/d: is a device"},
		"pipe":      {tgz(t, tar.Header{Name: "a/p", Typeflag: tar.TypeFifo}), "a/p: is a named pipe"},
		"no gzip":   {[]byte("PK\x03\x04"), "is not a .tar.gz"},
		"cut short": {tgz(t, file("a/HOOK.md"))[:60], "is not a complete archive"},
		"bomb":      {bomb(), "unpacks to more than"},
		"windows":   {tgz(t, file(`a\b`)), "Windows forbids"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.tgz")
			must.Write(t, path, c.packed)
			s, err := Parse(path, Here{WorkDir: "/"})
			must.Do(t, err)
			got, err := s.Fetch(t.Context(), Tools{})
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", name, err, c.want)
			}
			if err == nil {
				if _, err := pack.Read(got.Tree, "a"); err != nil || len(got.SHA256) != 64 {
					t.Errorf("%s: %v %s", name, err, got.SHA256)
				}
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// By https, and nothing else on the way there.
func TestDownload(t *testing.T) {
	t.Parallel()
	packed := tgz(t, file("a/HOOK.md"))
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(packed) }))
	defer plain.Close()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/x.tgz":
			w.Write(packed)
		case "/down.tgz":
			http.Redirect(w, r, plain.URL+"/x.tgz", http.StatusFound)
		case "/round.tgz":
			http.Redirect(w, r, "/round.tgz", http.StatusFound)
		case "/big.tgz":
			io.CopyN(w, zeros{}, maxGzip+1)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	for path, want := range map[string]string{"/x.tgz": "", "/down.tgz": "without encryption", "/round.tgz": "redirects more than", "/big.tgz": "too large", "/gone.tgz": "404"} {
		t.Run(path, func(t *testing.T) {
			s, err := Parse(server.URL+path, Here{WorkDir: "/"})
			must.Do(t, err)
			_, err = s.Fetch(t.Context(), Tools{Client: server.Client()})
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", path, err, want)
			}
		})
	}
}

// A repo is a git repository with one commit.
func repo(t *testing.T, files map[string]string) (dir string, git func(args ...string) string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	dir = t.TempDir()
	git = func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", "-c", "protocol.file.allow=always"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q", "-b", "main")
	for name, text := range files {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o755)
		must.Script(t, path, text)
	}
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	return dir, git
}

func fetchGit(t *testing.T, text string, tools Tools) (*Fetched, error) {
	t.Helper()
	s, err := Parse(text, Here{WorkDir: "/"})
	must.Do(t, err)
	tools.Env = os.Environ()
	return s.Fetch(context.Background(), tools)
}

// Branches, tags, commits and abbreviated commits are found; nothing in the
// repository takes effect, and the bytes are those of its objects.
func TestGit(t *testing.T) {
	t.Parallel()
	mark := filepath.Join(t.TempDir(), "ran")
	dir, git := repo(t, map[string]string{"p/a/HOOK.md": "one\r\n$Id$\n", "p/a/scripts/run": "x", "p/a/empty": "", "other/file": "y", ".gitattributes": "* text=auto ident filter=evil export-ignore\n"})
	git("config", "filter.evil.smudge", "touch "+mark)
	git("config", "core.fsmonitor", "touch "+mark)
	os.WriteFile(filepath.Join(dir, ".git", "hooks", "post-checkout"), []byte("#!/bin/sh\ntouch "+mark+"\n"), 0o755)
	one := git("rev-parse", "HEAD")
	git("tag", "-a", "v1", "-m", "tag")
	git("branch", "both")
	git("tag", "both-tag")
	os.WriteFile(filepath.Join(dir, "p", "a", "HOOK.md"), []byte("two\n"), 0o755)
	git("commit", "-q", "-am", "two")
	two := git("rev-parse", "HEAD")
	url := "file://" + dir
	os.Remove(mark) // this test itself started everything before that
	for name, c := range map[string]struct{ ref, want string }{
		"nothing is the branch that HEAD names": {"", two}, "a branch": {"@main", two}, "a tag is its commit": {"@v1", one}, "a branch that is called as a tag begins": {"@both", one},
		"a commit": {"@" + one, one}, "the first digits of a commit": {"@" + one[:8], one}, "the full name of a tag": {"@refs/tags/v1", one},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := fetchGit(t, url+c.ref+"//p", Tools{})
			if err != nil || got.Commit != c.want {
				t.Errorf("%s: %v, %+v", c.ref, err, got)
				return
			}
			if e := got.Tree[0]; c.want == one && string(e.Data) != "one\n$Id$\n" {
				t.Errorf("%s: %q", c.ref, e.Data)
			}
		})
	}
	if _, err := os.Lstat(mark); err == nil {
		t.Error("something of the repository ran")
	}
	for name, ref := range map[string]string{"no such name": "@nothing", "no such commit": "@" + strings.Repeat("1", 40)} {
		t.Run(name, func(t *testing.T) {
			if _, err := fetchGit(t, url+ref, Tools{}); !errors.Is(err, ErrNoRef) {
				t.Errorf("%s: %v", ref, err)
			}
		})
	}
	if _, err := fetchGit(t, url+"//none", Tools{}); err == nil || !strings.Contains(err.Error(), "no folder none") {
		t.Error(err)
	}
	if _, err := fetchGit(t, "file://"+dir+"-gone", Tools{}); !errors.Is(err, ErrGone) {
		t.Error(err)
	}
	// A branch that advanced has its old commit in its history, a rewritten one has
	// not.
	s, _ := Parse(url, Here{WorkDir: "/"})
	tools := Tools{Env: os.Environ()}
	if is, err := s.Descends(t.Context(), tools, one, two); !is || err != nil {
		t.Error("not a descendant:", err)
	}
	git("checkout", "-q", "--orphan", "new")
	git("commit", "-q", "-m", "new")
	if is, err := s.Descends(t.Context(), tools, one, git("rev-parse", "HEAD")); is || err != nil {
		t.Error("a descendant:", err)
	}
}

// A folder is read as it is: links and other kinds are told, and nothing of git's or of a package
// manager's is in it.
func TestFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	must.Write(t, at("a", "HOOK.md"), "text")
	must.Script(t, at("a", "run"), "#!/bin/sh\n")
	must.Write(t, at("a", "two"), "names")
	must.Do(t, os.Link(at("a", "two"), at("a", "names")))
	must.Write(t, at(".git", "HOOK.md"), "x")
	must.Write(t, at("node_modules", "m", "HOOK.md"), "x")
	linktest.Make(t, "HOOK.md", at("a", "link"))
	s, err := Parse("./"+filepath.Base(dir), Here{WorkDir: filepath.Dir(dir), Home: filepath.Dir(dir), Project: filepath.Dir(dir)})
	must.Do(t, err)
	got, err := s.Fetch(t.Context(), Tools{})
	must.Do(t, err)
	var all []string
	for _, e := range got.Tree {
		all = append(all, fmt.Sprintf("%s %s %t %q %s", e.Path, e.Kind, e.Exec && runtime.GOOS != "windows", e.Data, e.Target))
	}
	slices.Sort(all)
	const other = `a hard link: the file has another name`
	want := []string{`a/HOOK.md file false "text" `, `a/link link false "" HOOK.md`, `a/names ` + other + ` false "" `, fmt.Sprintf(`a/run file %t "#!/bin/sh\n" `, runtime.GOOS != "windows"), `a/two ` + other + ` false "" `}
	if !slices.Equal(all, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(all, "\n"), strings.Join(want, "\n"))
	}
	if got.Size != int64(len("text#!/bin/sh\n")) {
		t.Errorf("%d bytes", got.Size)
	}
}

// Submodules and links are reported, not followed.
func TestGitKinds(t *testing.T) {
	t.Parallel()
	dir, git := repo(t, map[string]string{"a/HOOK.md": "x"})
	os.Symlink("/etc/passwd", filepath.Join(dir, "a", "l"))
	git("add", "-A")
	git("update-index", "--add", "--cacheinfo", "160000,"+git("rev-parse", "HEAD")+",a/sub")
	git("commit", "-q", "-m", "two")
	got, err := fetchGit(t, "file://"+dir, Tools{})
	must.Do(t, err)
	kinds := map[string]pack.Kind{}
	for _, e := range got.Tree {
		kinds[e.Path+" "+e.Target] = e.Kind
	}
	if kinds["a/l /etc/passwd"] != pack.Link || kinds["a/sub "] != "a submodule" {
		t.Errorf("%v", kinds)
	}
}

// A few trees of which each has another one ten times name more files than anybody could
// list: that ends at a bound, and not when git has printed them all.
func TestATreeWithoutEndIsRefused(t *testing.T) {
	t.Parallel()
	dir, git := repo(t, map[string]string{"f": "x"})
	tree := git("rev-parse", "HEAD^{tree}")
	for range 9 {
		var list strings.Builder
		for i := range 10 {
			fmt.Fprintf(&list, "040000 tree %s\td%d\n", tree, i)
		}
		cmd := exec.Command("git", "-C", dir, "mktree")
		cmd.Stdin = strings.NewReader(list.String())
		out, err := cmd.Output()
		must.Do(t, err)
		tree = strings.TrimSpace(string(out))
	}
	git("update-ref", "refs/heads/main", git("commit-tree", tree, "-m", "many"))
	if _, err := fetchGit(t, "file://"+dir, Tools{}); !errors.Is(err, ErrTooBig) {
		t.Errorf("%v, want %v", err, ErrTooBig)
	}
}
