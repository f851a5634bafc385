package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An archive is described by the programs in it: their modules and sums, in the same
// bytes whenever that is done.
func TestADocumentHasTheModulesOfThePrograms(t *testing.T) {
	t.Parallel()
	self, err := os.Executable() // a program of Go, with a module of others
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var documents [][]byte
	for _, at := range []time.Time{time.Unix(0, 0), time.Now()} {
		from, to := filepath.Join(dir, "x_1.0.0_linux_amd64.tar.gz"), filepath.Join(dir, "x.cdx.json")
		pack(t, from, at, map[string][]byte{"x_1.0.0_linux_amd64/agents-hooks": program, "x_1.0.0_linux_amd64/LICENSE": []byte("MIT")})
		if err := run(from, to); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(to)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, b)
	}
	if !bytes.Equal(documents[0], documents[1]) {
		t.Error("two documents of one archive differ")
	}
	var bom struct {
		Components []struct{ Name, Type, Purl string }
	}
	if err := json.Unmarshal(documents[0], &bom); err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, c := range bom.Components {
		said += c.Type + " " + c.Name + " " + c.Purl + "\n"
	}
	for _, want := range []string{"application agents-hooks ", "library std pkg:golang/std@go1.", "library github.com/CycloneDX/cyclonedx-go pkg:golang/github.com/cyclonedx/cyclonedx-go@v"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing in\n%s", want, said)
		}
	}
	empty := filepath.Join(dir, "y.tar.gz")
	pack(t, empty, time.Now(), map[string][]byte{"y/LICENSE": []byte("MIT")})
	if err := run(empty, filepath.Join(dir, "y.json")); err == nil {
		t.Error("an archive without a program was described")
	}
}

func pack(t *testing.T, path string, at time.Time, files map[string][]byte) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, data := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(data)), ModTime: at}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
