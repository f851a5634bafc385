package conformance

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/spec"
)

//go:embed FORMAT.md
var formatPage []byte

// Copy writes the suite to a directory, for those who drive it from another
// language: the cases, the script library, the requirements, a README that
// explains the format, and a file that says which suite this is. The directory
// has to be new or empty.
func Copy(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s is not empty", dir)
	}
	cases, err := Cases()
	if err != nil {
		return err
	}
	files := map[string][]byte{
		"README.md":         formatPage,
		"version.json":      marshal(map[string]any{"suite": Version, "hash": Hash(), "spec": spec.Version, "cases": len(cases)}),
		".gitattributes":    []byte("* -text\n"), // line ends are part of the cases
		"requirements.json": marshal(spec.Requirements()),
	}
	if spec, ok := spec.Page("spec"); ok {
		files["SPEC.md"] = []byte(spec)
	}
	for name, data := range files {
		if err := writeNew(filepath.Join(dir, name), data); err != nil {
			return err
		}
	}
	for _, tree := range []fs.FS{embedded, scripts} {
		if err := copyTree(dir, tree); err != nil {
			return err
		}
	}
	return nil
}

func copyTree(dir string, tree fs.FS) error {
	return fs.WalkDir(tree, ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(tree, p)
		if err != nil {
			return err
		}
		return writeNew(filepath.Join(dir, filepath.FromSlash(p)), data)
	})
}

func writeNew(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

func marshal(v any) []byte {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err) // plain data
	}
	return append(b, '\n')
}
