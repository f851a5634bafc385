package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// listed are the lists of each program's features, and the form of a line with a
// feature's name and package.
var listed = map[string]struct {
	file string
	line *regexp.Regexp
}{
	"agents-hooks":     {"cmd/agents-hooks/main.go", regexp.MustCompile(`(?m)^\t\t\{Topic: .* Words: "([^"]+)", Command: .*\n`)},
	"agents-hooks-run": {"builtin-hooks/builtin.go", regexp.MustCompile(`(?m)^\t\t(\w+)\.Behaviour\(\),\n`)},
}

// showWithout builds a program without each line of its list, and without all of them,
// and prints how much smaller it is. What two lines need disappears only without both.
func showWithout(w io.Writer, name string) error {
	list, ok := listed[name]
	if !ok {
		return fmt.Errorf("%s: nothing is known of it that it could be without", name)
	}
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return err
	}
	file := filepath.Join(filepath.Dir(strings.TrimSpace(string(mod))), list.file)
	source, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	lines := list.line.FindAllStringSubmatch(string(source), -1)
	if len(lines) == 0 {
		return fmt.Errorf("no line of %s is known", list.file)
	}
	whole, err := sizeOf(name, file, string(source))
	if err != nil {
		return err
	}
	type row struct {
		what string
		size int
	}
	var rows []row
	rest := string(source)
	for _, line := range lines {
		size, err := sizeOf(name, file, without(string(source), line[0]))
		if err != nil {
			return err
		}
		rows = append(rows, row{line[1], whole - size})
		rest = without(rest, line[0])
	}
	none, err := sizeOf(name, file, rest)
	if err != nil {
		return err
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.size, a.size) })
	fmt.Fprintf(w, "%s: %.2f MB\n%9s  without\n", name, float64(whole)/1e6, "fewer")
	for _, r := range append(rows, row{"all of these", whole - none}) {
		fmt.Fprintf(w, "%9d  %s\n", r.size, r.what)
	}
	return nil
}

var importLine = regexp.MustCompile(`(?m)^\t(?:(\w+) )?"([^"]+)"\n`)

// without is a source without a line, and without the imports that only this line
// needed.
func without(source, line string) string {
	source = strings.Replace(source, line, "", 1)
	return importLine.ReplaceAllStringFunc(source, func(text string) string {
		m := importLine.FindStringSubmatch(text)
		name := cmp.Or(m[1], path.Base(m[2]))
		if name == "_" || regexp.MustCompile(`\b`+name+`\.[A-Z]`).MatchString(source) {
			return text
		}
		return ""
	})
}

// sizeOf is the size of a shipped program if one of its files were different.
func sizeOf(name, file, source string) (int, error) {
	dir, err := os.MkdirTemp("", "agents-hooks-size")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	to, other, overlay := filepath.Join(dir, "program"), filepath.Join(dir, "other.go"), filepath.Join(dir, "overlay.json")
	b, err := json.Marshal(map[string]any{"Replace": map[string]string{file: other}})
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(other, []byte(source), 0o600); err != nil {
		return 0, err
	}
	if err := os.WriteFile(overlay, b, 0o600); err != nil {
		return 0, err
	}
	if err := build(name, to, "-s -w", "-overlay", overlay); err != nil {
		return 0, err
	}
	info, err := os.Stat(to)
	if err != nil {
		return 0, err
	}
	return int(info.Size()), nil
}
