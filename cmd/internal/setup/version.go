package setup

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
)

// isVersion reports whether a name is a version: three numbers with dots, and
// what may follow them.
func isVersion(name string) bool {
	parts := strings.SplitN(strings.TrimPrefix(name, "v"), ".", 3)
	if len(parts) < 3 {
		return false
	}
	last, _, _ := strings.Cut(strings.ReplaceAll(parts[2], "+", "-"), "-")
	for _, n := range []string{parts[0], parts[1], last} {
		if n == "" || strings.Trim(n, "0123456789") != "" {
			return false
		}
	}
	return true
}

// packageVersion is the version of a package that brings a program along.
func packageVersion(path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	var p struct {
		Version string          `json:"version"`
		Bin     json.RawMessage `json:"bin"`
	}
	if json.Unmarshal(bytes.TrimSpace(b), &p) != nil || len(p.Bin) == 0 {
		return ""
	}
	return p.Version
}
