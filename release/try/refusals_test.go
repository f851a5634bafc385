package try

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What is not what the sums say, or cannot be told, is not installed: over an older
// installation either, of which not a byte changes.
func TestWhatTheSumsDoNotSayIsNotInstalled(t *testing.T) {
	t.Parallel()
	for _, s := range scripts(t) {
		archive, whole := stand(t, s.system, newer, programs)
		sums, at := "/latest/download/checksums.txt", "/latest/download/"+archive
		_, without := stand(t, s.system, newer, programs[1:])
		of := func(data []byte) []byte { return fmt.Appendf(nil, "%x  %s\n", sha256.Sum256(data), archive) }
		for name, c := range map[string]struct {
			change func(files map[string][]byte)
			says   string
		}{
			"an archive with a byte more": {func(f map[string][]byte) { f[at] = append(bytes.Clone(whole), 0) }, "is wanted: nothing was installed"},
			"an archive cut short":        {func(f map[string][]byte) { f[at] = whole[:len(whole)/2] }, "is wanted: nothing was installed"},
			"an empty archive":            {func(f map[string][]byte) { f[at] = nil }, "is wanted: nothing was installed"},
			"no archive":                  {func(f map[string][]byte) { delete(f, at) }, "cannot fetch"},
			"no sums":                     {func(f map[string][]byte) { delete(f, sums) }, "cannot fetch"},
			"empty sums":                  {func(f map[string][]byte) { f[sums] = nil }, "has no sum"},
			"a page in place of the sums": {func(f map[string][]byte) { f[sums] = []byte("<html>sign in</html>\n") }, "has no sum"},
			"no sum of this archive":      {func(f map[string][]byte) { f[sums] = bytes.ReplaceAll(f[sums], []byte(archive+"\n"), []byte("x\n")) }, "has no sum"},
			"a sum cut short":             {func(f map[string][]byte) { f[sums] = of(whole)[1:] }, "has no sum"},
			"two sums of one name":        {func(f map[string][]byte) { f[sums] = append(of(whole[1:]), of(whole)...) }, "several sums"},
			"sums of two versions": {func(f map[string][]byte) {
				f[sums] = append(of(whole), bytes.ReplaceAll(of(whole), []byte(newer), []byte("9.9.9"))...)
			}, "several sums"},
			"a name that leads out":            {func(f map[string][]byte) { f[sums] = bytes.ReplaceAll(of(whole), []byte("_"+newer), []byte("_1/../x")) }, "has no sum"},
			"sums that fit what is no archive": {func(f map[string][]byte) { f[at] = []byte("hello"); f[sums] = of(f[at]) }, ""},
			"sums that fit half an archive":    {func(f map[string][]byte) { f[at] = whole[:len(whole)/2]; f[sums] = of(f[at]) }, ""},
			"an archive without its program":   {func(f map[string][]byte) { f[at] = without; f[sums] = of(without) }, "holds no agents-hooks"},
		} {
			t.Run(s.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				address := releases(t, s.system, c.change)
				prefix := filepath.Join(t.TempDir(), "new")
				if said, ok := s.run(t, prefix, "", address); ok || !says(said, c.says) {
					t.Errorf("content: %v, %s", ok, said)
				}
				if left := tree(t, filepath.Dir(prefix)); left != "" {
					t.Errorf("installed nevertheless: %s", left)
				}
				if said, ok := s.run(t, prefix, older, address); !ok {
					t.Fatal(said)
				}
				before := tree(t, prefix)
				if said, ok := s.run(t, prefix, "", address); ok {
					t.Errorf("content over an older one: %s", said)
				}
				if tree(t, prefix) != before {
					t.Error("the older one is no longer what it was")
				}
			})
		}
	}
}

// A mirror gives the version that is asked for, or none: an older one with faults that are
// known is signed as well.
func TestAnotherVersionThanTheOneAskedForIsNotInstalled(t *testing.T) {
	t.Parallel()
	for _, s := range scripts(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			archive, data := stand(t, s.system, older, programs)
			const odd = "1.2.3-rc.1+a.2" // each sign of which means something in a pattern
			address := releases(t, s.system, func(files map[string][]byte) {
				name, its := stand(t, s.system, odd, programs)
				files["/download/v"+odd+"/"+name] = its
				files["/download/v"+odd+"/checksums.txt"] = fmt.Appendf(nil, "%x  %s\n", sha256.Sum256(its), name)
				for _, v := range []string{newer, "1.2.30", "1x2.3"} {
					files["/download/v"+v+"/"+archive] = data
					files["/download/v"+v+"/checksums.txt"] = fmt.Appendf(nil, "%x  %s\n", sha256.Sum256(data), archive)
				}
			})
			if said, ok := s.run(t, filepath.Join(t.TempDir(), "new"), odd, address); !ok {
				t.Errorf("%s: %s", odd, said)
			}
			for _, version := range []string{newer, "v" + newer, "1.2.30", "1x2.3", ".*", "[0-9.]*", "9.9.9"} {
				prefix := filepath.Join(t.TempDir(), "new")
				if said, ok := s.run(t, prefix, version, address); ok {
					t.Errorf("%s: %s", version, said)
				}
			}
		})
	}
}

// says reports whether a script says something. PowerShell breaks lines anywhere, puts bars
// before them, and colours what it says.
func says(said, want string) bool {
	plain := func(s string) string {
		return strings.NewReplacer(" ", "", "\r", "", "\n", "", "|", "").Replace(colour.ReplaceAllString(s, ""))
	}
	return strings.Contains(plain(said), plain(want))
}

var colour = regexp.MustCompile("\x1b\\[[0-9;]*m")
