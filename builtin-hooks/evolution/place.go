package evolution

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/compat"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// Dir is where evolution keeps what it learned, within the data directory
// (…/agents-hooks).
func Dir(data string) string { return filepath.Join(data, "evolution") }

// Genes is the file of genes and outcomes in [Dir]; a hook only checks whether it
// exists. Before is its predecessor in older versions, a database that is taken over.
const (
	Genes  = "genes.jsonl"
	Before = "genes.sqlite"
)

// HasGenes reports whether either of them exists in a folder.
func HasGenes(dir string) bool {
	for _, name := range [...]string{Genes, Before} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// ProvenFile is the file in [Dir] that says what is proven, by scope. It is for the
// hooks, which do not open the store on a tool event.
const ProvenFile = "proven.json"

// ScopeFile is a file in [Dir] for all sessions of one scope.
func ScopeFile(dir, name, scope string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, scope)
	if plain != scope || len(plain) > 80 {
		sum := sha256.Sum256([]byte(scope))
		plain = plain[:min(len(plain), 60)] + "-" + hex.EncodeToString(sum[:4])
	}
	return filepath.Join(dir, name+"-"+plain+".json")
}

// An Account says through which server, and with which key, genes are shared.
type Account struct {
	Key string // "" if there is none: then nothing may leave the machine
	URL string // of the server, without a slash at the end
}

// DefaultURL is the server if no other is named.
const DefaultURL = "https://prismer.cloud"

// AccountOf is the account named by the settings (over which the environment takes
// precedence) or else by the original's own file in a home directory.
func AccountOf(v setting.Values, home string) Account {
	a := Account{Key: strings.TrimSpace(v.Of("api_key").Text), URL: strings.TrimSpace(v.Of("base_url").Text)}
	if a.Key == "" || a.URL == "" {
		key, url := own(filepath.Join(home, filepath.FromSlash(compat.EvolutionConfig)))
		a.Key = cmp.Or(a.Key, key)
		a.URL = cmp.Or(a.URL, url)
	}
	if !strings.HasPrefix(a.Key, compat.KeyPrefix) || len(a.Key) == len(compat.KeyPrefix) {
		a.Key = ""
	}
	a.URL = cmp.Or(a.URL, DefaultURL)
	a.URL = strings.TrimRight(a.URL, "/")
	return a
}

// Keys is the key of the account, and its server.
func Keys(v setting.Values, home string) []setting.Key {
	a := AccountOf(v, home)
	if a.Key == "" {
		return nil
	}
	return []setting.Key{{Setting: "api_key", Key: a.Key, Server: a.URL}}
}

// own reads api_key and base_url from the original's file: two lines of TOML, at the
// top or in any section.
func own(path string) (key, url string) {
	b, err := safefile.Read(path, 64<<10)
	if err != nil {
		return "", ""
	}
	for line := range strings.Lines(string(b)) {
		name, v, ok := strings.Cut(line, "=")
		v = strings.TrimSpace(v)
		if !ok || v == "" || v[0] != '"' && v[0] != '\'' {
			continue
		}
		v, _, ok = strings.Cut(v[1:], v[:1])
		switch {
		case !ok:
		case strings.TrimSpace(name) == "api_key":
			key = v
		case strings.TrimSpace(name) == "base_url":
			url = v
		}
	}
	return key, url
}
