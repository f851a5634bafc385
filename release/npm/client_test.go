package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The client is packed with the version of the release, and node can import what is packed.
func TestTheClientIsPackedWhole(t *testing.T) {
	t.Chdir("..") // where the program runs
	to := filepath.Join(t.TempDir(), "node_modules", "@agents-hooks", "client")
	if _, err := writeClient(to, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	var m struct {
		Version string
		Exports map[string]map[string]string
	}
	text, err := os.ReadFile(filepath.Join(to, "package.json"))
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil || m.Version != "1.2.3" {
		t.Fatalf("%s %v", text, err)
	}
	for name, files := range m.Exports {
		for _, file := range files {
			if _, err := os.Stat(filepath.Join(to, file)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node")
	}
	cmd := exec.Command(node, "--input-type=module", "-e", `import { Hooks, events } from "@agents-hooks/client"; if (events.preSession("x").source !== "x" || !Hooks) process.exit(1)`)
	cmd.Dir = filepath.Join(to, "..", "..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
