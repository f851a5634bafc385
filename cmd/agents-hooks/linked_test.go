package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// linked are all packages that a program of this repository is made of, those of
// other modules and of the standard library included.
func linked(t *testing.T, program string) []string {
	t.Helper()
	root := filepath.Join("..", "..")
	// The cache of go test knows what this process reads, and not what go list
	// does.
	sources(t)
	if _, err := os.ReadFile(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "list", "-deps", "./"+program)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// Whoever runs hooks installs no database client: PostgreSQL is linked by the
// team's server and by nothing else.
func TestPostgreSQLIsTheServersAlone(t *testing.T) {
	t.Parallel()
	theirs := func(p string) bool {
		return strings.HasPrefix(p, "github.com/jackc/") || p == module+"/builtin-hooks/evolution/serve"
	}
	for _, program := range []string{"cmd/agents-hooks", "cmd/agents-hooks-run"} {
		list := linked(t, program)
		if i := slices.IndexFunc(list, theirs); i >= 0 {
			t.Errorf("%s links %s", program, list[i])
		}
		if !slices.Contains(list, module+"/protocol") {
			t.Errorf("%s: this test looks in the wrong place: %v", program, list)
		}
	}
	if list := linked(t, "cmd/agents-hooks-server"); !slices.Contains(list, "github.com/jackc/pgx/v5") {
		t.Errorf("the server links no PostgreSQL: %v", list)
	}
}
