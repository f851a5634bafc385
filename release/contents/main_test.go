package main

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/release/sums"
)

// A file too many or too few, of another time or with another mode is told, and so is an
// archive that spills out of its folder, or a program that is not of the commit.
func TestWhatDoesNotBelongInIsTold(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	check(t, err)
	program, err := os.ReadFile(self)
	check(t, err)
	at := time.Unix(1_800_000_000, 0)
	const name = "agents-hooks_1.2.3_linux_amd64"
	for _, c := range []struct {
		spoil    func(h *tar.Header)
		programs []string
		says     string
	}{
		{},
		{spoil: func(h *tar.Header) { h.Name = strings.Replace(h.Name, "LICENSE", "LICENCE", 1) }, says: "LICENCE is one too many"},
		{spoil: func(h *tar.Header) { h.Typeflag, h.Linkname, h.Size = tar.TypeSymlink, "/etc/passwd", 0 }, says: "it lacks LICENSE, examples/a/scripts/run"},
		{spoil: func(h *tar.Header) { h.ModTime = at.Add(time.Second) }, says: "the commit of"},
		{spoil: func(h *tar.Header) { h.Mode = 0o755 }, says: "LICENSE has the mode"},
		{spoil: func(h *tar.Header) { h.Mode = 0o644 }, says: "examples/a/scripts/run has the mode"},
		{spoil: func(h *tar.Header) { h.Name = strings.Replace(h.Name, name, "other", 1) }, says: "does not lie in " + name},
		{spoil: func(h *tar.Header) { h.Name = strings.Replace(h.Name, "LICENSE", "../LICENSE", 1) }, says: "does not lie in " + name},
		{programs: []string{"agents-hooks"}, says: `, want "`},
	} {
		t.Run(fmt.Sprintf("%q says %q", c.programs, c.says), func(t *testing.T) {
			dir := t.TempDir()
			check(t, os.Mkdir(filepath.Join(dir, "dist"), 0o755))
			f, err := os.Create(filepath.Join(dir, "dist", name+".tar.gz"))
			check(t, err)
			z := gzip.NewWriter(f)
			w := tar.NewWriter(z)
			files := map[string][]byte{"LICENSE": []byte("MIT"), "examples/a/scripts/run": []byte("#!/bin/sh")}
			for _, p := range c.programs {
				files[p] = program
			}
			for file, data := range files {
				h := &tar.Header{Typeflag: tar.TypeReg, Name: name + "/" + file, Mode: 0o644, ModTime: at, Size: int64(len(data))}
				if file != "LICENSE" {
					h.Mode = 0o755
				}
				if c.spoil != nil {
					c.spoil(h)
				}
				check(t, w.WriteHeader(h))
				if h.Typeflag == tar.TypeReg {
					_, err := w.Write(data)
					check(t, err)
				}
			}
			check(t, w.Close())
			check(t, z.Close())
			check(t, f.Close())
			a := sums.Archive{Name: name + ".tar.gz", Version: "1.2.3", OS: "linux", Arch: "amd64"}
			err = clone{dir, "abc", at}.holds(a, c.programs, []string{"LICENSE", "examples/a/scripts/run"})
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %q", err, c.says)
			}
		})
	}
}

// The header of a program names the processor that it is for, by the system's own format.
func TestTheHeaderNamesTheProcessor(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	check(t, err)
	program, err := os.ReadFile(self)
	check(t, err)
	if arch, _, err := header(runtime.GOOS, program); err != nil || arch != runtime.GOARCH {
		t.Errorf("%q, %v", arch, err)
	}
	for _, other := range []string{"linux", "darwin", "windows"} {
		t.Run(other, func(t *testing.T) {
			if _, _, err := header(other, program); (err == nil) != (other == runtime.GOOS) {
				t.Errorf("a program of %s as one of %s: %v", runtime.GOOS, other, err)
			}
		})
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
