package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/runner"
)

// scriptsOfSystem is a folder of scripts as this system plays them. They are written for
// a Unix. On Windows a separator in a pattern is either one, a line of sh is played by
// our own, and a script that wants a program that is not there is left out from that
// line on, by its name.
func scriptsOfSystem(t *testing.T, dir string) string {
	if runtime.GOOS != "windows" {
		return dir
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	played := t.TempDir()
	for _, file := range files {
		archive := txtar.Parse([]byte(must.Read(t, file)))
		lines := strings.Split(string(archive.Comment), "\n")
		for i, line := range lines {
			lines[i] = lineOfWindows(line)
		}
		archive.Comment = []byte(strings.Join(lines, "\n"))
		text := txtar.Format(archive)
		must.Write(t, filepath.Join(played, filepath.Base(file)), text)
	}
	return played
}

var (
	scriptPattern = regexp.MustCompile(`^(! )?(stdout|stderr|grep) ('([^']|'')*'|"[^"]*"|\S+)`)
	toolOfUnix    = regexp.MustCompile(`\b(rm|sed|head|tail|mv|cp|ln|awk|tr|cut|find|mkdir|chmod|sleep|grep|sort|wc|seq|touch|ls) `)
	scriptExec    = regexp.MustCompile(`^(! )?exec (\S+)`)
)

func lineOfWindows(line string) string {
	if m := scriptPattern.FindString(line); m != "" {
		return eitherSeparator(m) + line[len(m):]
	}
	if strings.HasPrefix(line, "tty") {
		return "skip 'no terminal can be made for a program here'"
	}
	m := scriptExec.FindStringSubmatch(line)
	if m != nil && strings.Contains(line, " --home=$HOME") && !strings.Contains(line, "--config=") {
		// In agent form no variable says where the directories are, and those of Windows are others.
		line = strings.Replace(line, " --home=$HOME", " --home=$HOME --config=$HOME/.config/agents --state=$HOME/.local/state/agents-hooks --cache=$HOME/.cache/agents-hooks --data=$HOME/.local/share/agents-hooks", 1)
	}
	if m == nil || slices.Contains([]string{"agents-hooks", "agents-hooks-run", "agents-hooks-server"}, m[2]) {
		return line
	}
	if m[2] == "sh" {
		if tool := toolOfUnix.FindString(line); tool != "" {
			return fmt.Sprintf("skip 'no %s here'", strings.TrimSpace(tool))
		}
		return m[1] + "exec agents-hooks " + runner.ShellVerb + strings.TrimPrefix(line, m[0])
	}
	if _, err := exec.LookPath(m[2]); err != nil || m[2] == "find" { // that of Windows is another
		return fmt.Sprintf("skip 'no %s here'", m[2])
	}
	return line
}

// eitherSeparator lets a slash of a pattern be a backslash too: not one of a class, nor
// of what is no path, an address or the end of a tag.
func eitherSeparator(line string) string {
	var b strings.Builder
	class := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line):
			b.WriteString(line[i : i+2])
			i++
		case c == '[' || c == ']':
			class = c == '['
			b.WriteByte(c)
		case c == '/' && !class && !strings.HasSuffix(line[:i], ":") && !strings.HasSuffix(line[:i], ":/") && !strings.HasSuffix(line[:i], "<") && !strings.HasPrefix(line[i:], `/\^`) && !strings.HasPrefix(line[i:], `/\)`):
			b.WriteString(`[/\\]+`)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
