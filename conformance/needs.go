package conformance

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// needs is what a case may ask of the machine. A case whose needs are not met is
// skipped, and says so.
var needs = map[string]func() bool{
	"sh":      func() bool { return installed("sh") },
	"python3": func() bool { return installed("python3") },
	"git":     func() bool { return installed("git") },
	// A script names it by its path.
	"awk":     func() bool { _, err := os.Stat("/usr/bin/awk"); return err == nil },
	"setsid":  func() bool { return installed("setsid") },
	"unix":    func() bool { return runtime.GOOS != "windows" },
	"devices": canMakeDevices,
	// A superuser reads what nobody may read.
	"unprivileged": func() bool { return !privileged() },
	// Landlock of the sixth version, and not.
	"sandbox":        func() bool { return landlock() >= 6 },
	"no-sandbox":     func() bool { return landlock() < 6 },
	"processes":      func() bool { return canSeeProcesses },
	"case-sensitive": caseSensitive,
	// POSIX leaves the exit code of a syntax error open; most shells use 2.
	"sh-syntax-2": func() bool {
		var exit *exec.ExitError
		err := exec.Command("sh", "-c", "${").Run()
		return errors.As(err, &exit) && exit.ExitCode() == 2
	},
}

func installed(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// caseSensitive reports whether the file system of throw-away directories tells
// HOOK.md from hook.md.
func caseSensitive() bool {
	dir, err := os.MkdirTemp("", "conformance-case")
	if err != nil {
		return false
	}
	defer os.Remove(dir)
	_, err = os.Stat(filepath.Join(filepath.Dir(dir), strings.ToUpper(filepath.Base(dir))))
	return err != nil
}

// need is what a word asks of the machine, nil for none that is known: program:NAME is any
// program, of which a hook of somebody else's may need one.
func need(word string) func() bool {
	if name, ok := strings.CutPrefix(word, "program:"); ok && name != "" {
		return func() bool { return installed(name) }
	}
	return needs[word]
}

func knownNeeds(list []string) error {
	for _, n := range list {
		if need(n) == nil {
			return fmt.Errorf("%q: want one of %s, program:NAME", n, strings.Join(sortedKeys(needs), ", "))
		}
	}
	return nil
}

// lacks begins the reason of a skip that is the machine's.
const lacks = "this machine lacks: "

// missing says what a machine lacks, "" if it has it all.
func missing(list []string) string {
	for _, n := range list {
		if !need(n)() {
			return lacks + n
		}
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
