package packs

import (
	"crypto/rand"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/pack"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
)

// The next command removes what a killed one left among the temporary files, once
// nobody can still be using it.
func TestScratchOfKilledCommandsGoes(t *testing.T) {
	temp := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, temp)
	}
	young, drop, err := scratch()
	must.Do(t, err)
	defer drop()
	old, _, err := scratch()
	must.Do(t, err)
	before := time.Now().Add(-25 * time.Hour)
	must.Do(t, os.Chtimes(old, before, before))
	_, drop, err = scratch()
	must.Do(t, err)
	drop()
	if _, err := os.Stat(old); err == nil {
		t.Error("the old one is there")
	}
	if _, err := os.Stat(young); err != nil {
		t.Error(err)
	}
}

// signer makes packs signed with a key, which their pack.toml may or may not name.
type signer struct {
	key     string
	private minisign.PrivateKey
}

func newSigner(t *testing.T) signer {
	t.Helper()
	public, private, err := minisign.GenerateKey(rand.Reader)
	must.Do(t, err)
	text, err := public.MarshalText()
	must.Do(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return signer{lines[len(lines)-1], private}
}

func (s signer) pack(t *testing.T, named string, sign bool) *pack.Pack {
	t.Helper()
	tree := pack.Tree{{Path: "a/HOOK.md", Kind: pack.File, Data: []byte("x")}}
	if named != "" {
		tree = append(tree, pack.Entry{Path: "pack.toml", Kind: pack.File, Data: []byte("key = \"" + named + "\"\n")})
	}
	p, err := pack.Read(tree, "a")
	must.Do(t, err)
	if sign {
		sums := p.Sums()
		tree = append(tree, pack.Entry{Path: "pack.sums", Kind: pack.File, Data: sums}, pack.Entry{Path: "pack.sums.minisig", Kind: pack.File, Data: minisign.Sign(s.private, sums)})
		p, err = pack.Read(tree, "a")
		must.Do(t, err)
	}
	return p
}

// The lock's key is the one that counts; a new key is accepted once, and reported; a
// different one, or none, is refused.
func TestWhoSigned(t *testing.T) {
	t.Parallel()
	a, b := newSigner(t), newSigner(t)
	locked := func(key string) *lockfile.Pack { return &lockfile.Pack{Name: "p", Key: key} }
	for _, c := range []struct {
		name string
		pack *pack.Pack
		r    Request
		by   string
		new  bool
		want string
	}{
		{"nobody", a.pack(t, "", false), Request{}, "", false, ""},
		{"seen for the first time", a.pack(t, a.key, true), Request{}, "pack.toml", true, ""},
		{"named by the person", a.pack(t, "", true), Request{Key: a.key}, "--key", true, ""},
		{"the lock's", a.pack(t, a.key, true), Request{was: locked(a.key)}, "lock", false, ""},
		{"unpinned before", a.pack(t, a.key, true), Request{was: locked("")}, "pack.toml", true, ""},
		{"another signer", b.pack(t, b.key, true), Request{was: locked(a.key)}, "", false, "signed by another key"},
		{"another signer that names the old key", b.pack(t, a.key, true), Request{}, "", false, "signed by another key"},
		{"no signature any more", a.pack(t, "", false), Request{was: locked(a.key)}, "", false, "is not signed"},
		{"a key and no signature", a.pack(t, a.key, false), Request{}, "", false, "is not signed"},
		{"another key by hand", a.pack(t, a.key, true), Request{was: locked(a.key), Key: b.key}, "", false, "--key names another"},
		{"not the person's", a.pack(t, a.key, true), Request{Key: b.key}, "", false, "signed by another key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			pl := &Plan{Pack: "p", pack: c.pack}
			s, err := pl.signedBy(c.r)
			switch {
			case (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want):
				t.Errorf("%s: %v, want %q", c.name, err, c.want)
			case err == nil && (s == nil) != (c.by == ""), s != nil && (s.By != c.by || s.First != c.new || s.Key != a.key):
				t.Errorf("%s: %+v", c.name, s)
			}
		})
	}
}

// A pack that needs a later version of this program is refused, if this version is
// known.
func TestVersions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]int{"1": {1, 0, 0}, "v0.3.0": {0, 3, 0}, "1.2.3-rc1": {1, 2, 3}, "x": nil, "1..2": nil, "-1": nil, "": nil} {
		t.Run(fmt.Sprintf("text %q", text), func(t *testing.T) {
			got, ok := numbers(text)
			if ok != (want != nil) || ok && (got[0] != want[0] || got[1] != want[1] || got[2] != want[2]) {
				t.Errorf("%q: %v %t", text, got, ok)
			}
		})
	}
}
