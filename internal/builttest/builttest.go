// Package builttest provides the programs of this repository to tests that start them.
// They are linked by go run, which keeps them in Go's own cache: all packages of a run
// share one program, and an unchanged one is not linked again. A program also starts in
// less than half the time of a test binary that contains it.
package builttest

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

const module = "github.com/agents-hooks/agents-hooks/"

// Programs puts programs into a folder by their packages, which end in their names:
// cmd/agents-hooks.
func Programs(dir string, packages ...string) error {
	errs := make([]error, len(packages))
	var wait sync.WaitGroup
	for i, p := range packages {
		wait.Go(func() { errs[i] = program(filepath.Join(dir, filepath.Base(p)), module+p) })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func program(to, path string) error {
	if runtime.GOOS == "windows" {
		to += ".exe"
	}
	// go run hands the program to what is to execute it, with what follows the package.
	args := []string{"run", "-exec", "cp", path, to}
	if _, err := exec.LookPath("cp"); err != nil {
		args = []string{"build", "-o", to, path}
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", path, err, out)
	}
	return nil
}

// Here reports whether programs can be built here: tests also run where no Go is.
func Here() bool {
	_, err := exec.LookPath("go")
	return err == nil
}

// Program puts one program into a folder of the test, which is left out where it cannot
// be built, and returns where it is.
func Program(t testing.TB, path string) string {
	t.Helper()
	if !Here() {
		t.Skip("no go here to build the program with")
	}
	dir := t.TempDir()
	if err := Programs(dir, path); err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(path)
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(dir, name)
}
