package runner

import (
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMain is one of several programs, by the name of its file: the tests, or what a
// hook of the tests starts. A copy of the test binary is written before any process is
// started.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == SuperviseVerb {
		os.Exit(Supervise(os.Stdin, os.Environ(), nil))
	}
	name := strings.ToLower(strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe"))
	switch {
	case name == "run" && os.Getenv("RUNNER_TEST_ROLE") != "":
		os.Exit(roles[os.Getenv("RUNNER_TEST_ROLE")]())
	case len(os.Args) > 1 && os.Args[1] == "__own":
		fmt.Println(`{"additional_context": "own` + strings.ReplaceAll(strings.Join(os.Args[2:], "|"), `\`, "/") + `"}`)
		os.Exit(0)
	case name == "sh" || name == "bash" || name == "python" || name == "node":
		fmt.Println(`{"additional_context": "` + name + " " + strings.ReplaceAll(strings.Join(os.Args[1:], "|"), `\`, "/") + `"}`)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// roles are what a run.exe does.
var roles = map[string]func() int{
	"block": func() int {
		event, _ := io.ReadAll(os.Stdin)
		fmt.Fprintf(os.Stderr, "read %d bytes\n", len(event))
		return 2
	},
	"say": func() int {
		said, _ := hex.DecodeString(os.Getenv("RUNNER_TEST_SAYS"))
		os.Stderr.Write(said)
		return 2
	},
	// A tree of three, that outlives whoever started it: each says that it is there, in
	// a file that nobody else can remove or rename while it is open.
	"tree":   func() int { return tree("child") },
	"child":  func() int { return tree("leaf") },
	"leaf":   func() int { return tree("") },
	"orphan": func() int { spawn("leaf"); waitFor("leaf"); return 0 },
}

func tree(next string) int {
	role := os.Getenv("RUNNER_TEST_ROLE")
	f, err := os.Create(filepath.Join(os.Getenv("RUNNER_TEST_DIR"), role))
	if err != nil {
		return 3
	}
	defer f.Close()
	if next != "" {
		spawn(next)
	}
	waitFor("stop")
	return 0
}

func spawn(role string) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "RUNNER_TEST_ROLE="+role)
	if err := cmd.Start(); err != nil {
		panic(err)
	}
}

func waitFor(file string) {
	for {
		if _, err := os.Stat(filepath.Join(os.Getenv("RUNNER_TEST_DIR"), file)); err == nil {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}
