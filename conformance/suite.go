package conformance

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/order"
)

// Version is the version of the suite: cases that are added raise the minor
// number, a changed or removed case or key the major one.
const Version = "1.0"

//go:embed cases
var embedded embed.FS

// Cases reads the suite that is built in.
func Cases() ([]Case, error) {
	sub, err := fs.Sub(embedded, "cases")
	if err != nil {
		return nil, err
	}
	return Load(sub)
}

// Load reads all cases of a tree: every file in it is one, found by walking. A
// file that cannot be read, or that is no case, is an error, and so is a tree
// without any: a suite fails when it is broken itself.
func Load(tree fs.FS) ([]Case, error) {
	var cases []Case
	var errs []error
	err := fs.WalkDir(tree, ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		id, ok := strings.CutSuffix(p, ".txtar")
		if !ok {
			errs = append(errs, fmt.Errorf("%s: a case has to be named NAME.txtar", p))
			return nil
		}
		data, err := fs.ReadFile(tree, p)
		if err != nil {
			return err
		}
		c, err := parseCase(id, data)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", p, err))
		}
		cases = append(cases, c)
		return nil
	})
	if err := errors.Join(append(errs, err)...); err != nil {
		return nil, err
	}
	if len(cases) == 0 {
		return nil, errors.New("no cases found")
	}
	order.By(cases, func(a, b Case) int { return strings.Compare(a.ID, b.ID) })
	return cases, nil
}

// Hash names the content of the suite: the first 16 hexadecimal digits of the
// SHA-256 over the paths and bytes of its cases and scripts.
func Hash() string {
	h := sha256.New()
	for _, tree := range []embed.FS{embedded, scripts} {
		_ = fs.WalkDir(tree, ".", func(p string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := tree.ReadFile(p)
			fmt.Fprintf(h, "%s %d\n%s", p, len(data), data)
			return err
		})
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
