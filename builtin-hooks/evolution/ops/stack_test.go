package ops

import (
	"fmt"
	"testing"
)

// A gene for another technology is no suggestion.
func TestSituationOfAStack(t *testing.T) {
	for command, want := range map[string]string{
		"go test ./...": "go", "cd web && npm run build": "node", "npx tsc --noEmit": "node", "FOO=1 python -m pytest -x": "python",
		"./gradlew build": "java", "docker compose up -d": "docker", "kubectl apply -f x.yaml": "kubernetes", "cargo build --release": "rust",
		"make": "", "ls": "", "": "", "go build && npm ci": "", "sudo git push": "git", "psql -c 'select 1'": "postgres",
	} {
		t.Run(fmt.Sprintf("%q", command), func(t *testing.T) {
			if got, _ := Situation(command); got != want {
				t.Errorf("%s: %q, want %q", command, got, want)
			}
		})
	}
	for command, want := range map[string]string{"go test ./...": "test", "npm ci": "packages", "npx tsc": "typecheck", "cargo build": "build", "git push": "", "go build && go test ./...": ""} {
		t.Run(command, func(t *testing.T) {
			if _, got := Situation(command); got != want {
				t.Errorf("%s: %q, want %q", command, got, want)
			}
		})
	}
	b := newBench(t)
	for command, want := range map[string]string{"go build ./...": "seed_repair_go_module", "npm test": "seed_repair_node_modules", "python app.py": "seed_repair_python_environment", "": "seed_diagnostic_which_interpreter", "make all": "seed_diagnostic_which_interpreter"} {
		t.Run(fmt.Sprintf("%q", command), func(t *testing.T) {
			out := b.call("evolve_analyze", `{"signals": ["error:module_not_found"], "command": "`+command+`"}`)
			if out["gene_id"] != want {
				t.Errorf("%v, want %s", out["gene_id"], want)
			}
		})
	}
}
