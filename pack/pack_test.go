package pack_test

import (
	"crypto/rand"
	"fmt"
	"strings"
	"testing"

	"aead.dev/minisign"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/pack"
)

const md = "---\nname: a\ndescription: d\ntrigger: pre-session\n---\n"

func tree(paths ...string) (t pack.Tree) {
	t = append(t, pack.Entry{Path: "a/HOOK.md", Kind: pack.File, Data: []byte(md)})
	for _, p := range paths {
		p, target, isLink := strings.Cut(p, " -> ")
		e := pack.Entry{Path: p, Kind: pack.File, Data: []byte("x")}
		if isLink {
			e.Kind, e.Target = pack.Link, target
		}
		t = append(t, e)
	}
	return t
}

// What differs on another system, or reaches outside, is refused with its path and
// the reason.
func TestNoPackHolds(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 129)
	for _, c := range []struct {
		tree pack.Tree
		want string
	}{
		{tree("a/../x"), "has .. in its path"},
		{tree("a/./x"), "has . in its path"},
		{tree("a//x"), "is an absolute path"},
		{tree("a/b//x"), "empty name"},
		{tree(`a/..\x`), "Windows forbids"},
		{tree("a/C:x"), "Windows forbids"},
		{tree("a/x\ny"), `"a/x\ny": has invisible or control characters`},
		{tree("a/x\u202ey"), "invisible"},
		{tree("a/x\u200by"), "invisible"},
		{tree("a/x\xff"), "not UTF-8"},
		{tree("a/x."), "ends in a dot"},
		{tree("a/x "), "ends in a dot or a blank"},
		{tree("a/nul"), "device"},
		{tree("a/Com1.txt"), "device"},
		{tree("a/LPT³"), "device"},
		{tree("a/CONOUT$"), "device"},
		{tree("a/.git/config"), "belongs to git"},
		{tree("a/.GIT/hooks/x"), "belongs to git"},
		{tree("a/GIT~1/x"), "belongs to git"},
		{tree("a/" + long), "more than 128 bytes"},
		{tree("a/" + strings.Repeat("d/", 17) + "x"), "folders deep"},
		{tree("a/" + strings.Repeat(strings.Repeat("d", 50)+"/", 5) + "x"), "longer than 240"},
		{tree("a/X", "a/x"), "the same as"},
		{tree("a/straße", "a/STRASSE"), "the same as"},
		{tree("a/e\u0301"), "NFC"},
		{tree("a/D/x", "a/d/y"), "the same as"},
		{tree("a/x", "a/x"), "there twice"},
		{tree("a/x", "a/x/y"), "file and a folder"},
		{tree("a/l -> /etc/passwd"), "leads out"},
		{tree("a/l -> ../b/x"), "leads out"},
		{tree("a/l -> ../../x"), "leads out"},
		{tree("a/l -> l"), "in a circle"},
		{tree("a/l -> m", "a/m -> l"), "in a circle"},
		{tree("a/l -> ."), "in a circle"},
		{tree("a/l -> nowhere"), "not there"},
		{append(tree(), pack.Entry{Path: "a/s", Kind: "a submodule"}), "is a submodule"},
		{append(tree(), pack.Entry{Path: "b", Kind: pack.Link, Target: "/etc"}), "leads out of the pack"},
		{append(tree(), pack.Entry{Path: "A/HOOK.md", Kind: pack.File}), "the same as"},
		{append(tree(), pack.Entry{Path: "nul/HOOK.md", Kind: pack.File}), "cannot be the name"},
		{append(tree(), pack.Entry{Path: "../HOOK.md", Kind: pack.File}), "cannot be the name"},
		{append(tree(), pack.Entry{Path: "-x/HOOK.md", Kind: pack.File}), "cannot be the name"},
	} {
		t.Run(fmt.Sprintf("%s: %s", c.tree[len(c.tree)-1].Path, c.want), func(t *testing.T) {
			p, err := pack.Read(c.tree, "a")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v: %v, want %q; %+v", c.tree[1:], err, c.want, p)
			}
		})
	}
	var many pack.Tree
	for i := range pack.MaxFiles + 1 {
		many = append(many, pack.Entry{Path: "a/f" + strings.Repeat("x", i%50) + string(rune('a'+i%26)) + strings.Repeat("y", i/1300), Kind: pack.File})
	}
	if _, err := pack.Read(append(tree(), many...), "a"); err == nil || !strings.Contains(err.Error(), "more than 4096 files") {
		t.Errorf("many: %v", err)
	}
}

// As many files as there may be are taken, and counted.
func TestAsManyFilesAsThereMayBe(t *testing.T) {
	t.Parallel()
	most := tree()
	for i := len(most); i < pack.MaxFiles; i++ {
		most = append(most, pack.Entry{Path: fmt.Sprintf("a/%d", i), Kind: pack.File, Data: []byte("xy")})
	}
	p, err := pack.Read(most, "a")
	if err != nil {
		t.Fatal(err)
	}
	if files, bytes := p.Size(); files != pack.MaxFiles || bytes != int64(len(md)+2*(pack.MaxFiles-1)) {
		t.Errorf("%d files with %d bytes", files, bytes)
	}
}

// Each folder has its hash, and another one for systems without executable bits if it has such.
func TestHashesOfFolders(t *testing.T) {
	t.Parallel()
	p, err := pack.Read(append(tree("b/HOOK.md"), pack.Entry{Path: "b/run", Kind: pack.File, Exec: true, Data: []byte("x")}), "p")
	if err != nil {
		t.Fatal(err)
	}
	all, bare := p.Hashes()
	if len(all) != 2 || all["a"] != p.Folders[0].Hash() || all["b"] != p.Folders[1].Hash() || all["a"] == all["b"] {
		t.Errorf("all: %v", all)
	}
	if len(bare) != 1 || bare["b"] != p.Folders[1].Pin(true) || bare["b"] == all["b"] {
		t.Errorf("bare: %v", bare)
	}
}

// A link that stays inside its hook is replaced by its target.
func TestLinksInsideAreFiles(t *testing.T) {
	t.Parallel()
	p, err := pack.Read(tree("a/lib/x", "a/l -> lib/x", "a/d -> lib"), "a")
	must.Do(t, err)
	var paths []string
	for _, e := range p.Folders[0].Files {
		paths = append(paths, e.Path+" "+string(e.Kind))
	}
	if got := strings.Join(paths, ", "); got != "HOOK.md file, d/x file, l file, lib/x file" {
		t.Error(got)
	}
}

// Hooks are found where packs keep them, and the error for a wrong folder says where
// they are.
func TestWhereHooksAre(t *testing.T) {
	t.Parallel()
	at := func(paths ...string) (t pack.Tree) {
		for _, p := range paths {
			t = append(t, pack.Entry{Path: p, Kind: pack.File})
		}
		return t
	}
	for _, c := range []struct {
		tree pack.Tree
		want string
	}{
		{at("x/HOOK.md", "y/hook.md", "README.md"), "x y"},
		{at(".agents/hooks/x/HOOK.md", "docs/x"), "x"},
		{at("hooks/x/HOOK.md"), "x"},
		{at("HOOK.md", "scripts/run"), "alone"},
		{at("deep/er/x/HOOK.md"), "there are some in //deep/er"},
		{at("README.md"), "a pack is a folder of hook folders"},
	} {
		t.Run(fmt.Sprintf("%s: %s", c.tree[0].Path, c.want), func(t *testing.T) {
			p, err := pack.Read(c.tree, "alone")
			if err != nil {
				if !strings.Contains(err.Error(), c.want) {
					t.Errorf("%+v: %v", c.tree, err)
				}
				return
			}
			var names []string
			for _, f := range p.Folders {
				names = append(names, f.Name)
			}
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("%+v: %s", c.tree, got)
			}
		})
	}
}

func TestManifest(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`name = "guards"`:          "",
		"future = 1\nname = \"g\"": "",
		`name = "../x"`:            "pack.toml:1: \"../x\" cannot be the name",
		"\nname = 7":               "pack.toml:2: name is not one line of text",
		"name = ":                  "pack.toml:1: is not TOML",
		`version = "a\nb"`:         "not one line of text",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			_, err := pack.Read(append(tree(), pack.Entry{Path: "pack.toml", Kind: pack.File, Data: []byte(text)}), "a")
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v", text, err)
			}
		})
	}
}

// A signature covers the bytes of every hook and of pack.toml, and belongs to one
// key.
func TestSignatures(t *testing.T) {
	t.Parallel()
	public, private, err := minisign.GenerateKey(rand.Reader)
	must.Do(t, err)
	other, _, _ := minisign.GenerateKey(rand.Reader)
	key := func(k minisign.PublicKey) string {
		b, _ := k.MarshalText()
		return string(b)
	}
	base := append(tree("a/scripts/run"), pack.Entry{Path: "pack.toml", Kind: pack.File, Data: []byte("name = \"g\"\n")})
	p, err := pack.Read(base, "a")
	must.Do(t, err)
	sums := p.Sums()
	with := func(t pack.Tree, sums, sig []byte) pack.Tree {
		return append(append(pack.Tree{}, t...), pack.Entry{Path: "pack.sums", Kind: pack.File, Data: sums}, pack.Entry{Path: "pack.sums.minisig", Kind: pack.File, Data: sig})
	}
	sig := minisign.Sign(private, sums)
	changed := append(pack.Tree{}, base...)
	changed[1].Data = []byte("other")
	for _, c := range []struct {
		name string
		tree pack.Tree
		key  string
		want string
	}{
		{"as signed", with(base, sums, sig), key(public), ""},
		{"by another key", with(base, sums, sig), key(other), "signed by another key"},
		{"a file changed", with(changed, sums, sig), key(public), "does not match the pack's files: a/"},
		{"pack.toml changed", with(append(tree("a/scripts/run"), pack.Entry{Path: "pack.toml", Kind: pack.File, Data: []byte("name = \"h\"\n")}), sums, sig), key(public), "pack.toml"},
		{"a hook more", with(append(append(pack.Tree{}, base...), pack.Entry{Path: "b/HOOK.md", Kind: pack.File}), sums, sig), key(public), "b/"},
		{"sums changed", with(base, append(sums, '\n'), sig), key(public), "does not match"},
		{"no signature", base, key(public), "is not signed"},
		{"rubbish", with(base, sums, []byte("x")), key(public), "not a minisign signature"},
		{"no key", with(base, sums, sig), "x", "not a minisign public key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := pack.Read(c.tree, "a")
			if err != nil {
				t.Fatal(c.name, err)
			}
			err = p.Verify(c.key)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
		})
	}
}
