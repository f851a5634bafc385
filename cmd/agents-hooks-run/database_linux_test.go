package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/builttest"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// With all behaviours on, no event of a tool opens a database: not the one that older
// versions kept what evolution learned in, though it is there.
func TestNoBehaviourOpensADatabaseOnAToolEvent(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("no strace is here")
	}
	s := newSite(t, builttest.Program(t, "cmd/agents-hooks-run"), 1, false)
	s.write(filepath.Join(s.home, ".config", "agents", "hooks.toml"), "[builtin.memory]\nenabled = true\n[builtin.evolution]\nenabled = true\n[builtin.workspace]\nenabled = true\n[builtin.skills]\nenabled = true\n")
	database := filepath.Join(s.home, "data", "evolution", "genes.sqlite")
	s.write(database, "SQLite format 3\x00"+strings.Repeat("\x00", 84))
	const opens = "trace=open,openat,openat2"
	for i, members := range []string{
		`"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"go test ./..."}`,
		`"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"go test ./..."},"tool_response":{"stdout":"","stderr":"main.go:3:2: undefined: x\\nFAIL","interrupted":false,"isImage":false,"exitCode":1}`,
		`"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"go build"},"error":"Exit code 1\\nmain.go:3:2: undefined: x"`,
		`"hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"a.md","content":"x"},"tool_response":{"filePath":"a.md"}`,
		`"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"a.md"}`,
	} {
		if !slowtest.Part(i, 2) {
			continue
		}
		files := opened(s.event(members, "-e", opens))
		if len(files) < 5 {
			t.Errorf("%s\nonly these files were opened, so that hardly a behaviour was asked: %q", members, files)
		}
		for _, file := range files {
			if b, err := os.ReadFile(file); err == nil && strings.HasPrefix(string(b), "SQLite format 3") {
				t.Errorf("%s\nopened %s", members, file)
			}
		}
	}
	// The same trace of what does take it over shows it.
	genes := exec.Command(builttest.Program(t, "cmd/agents-hooks"), "evolution", "stats")
	genes.Dir, genes.Env = s.project, []string{"HOME=" + s.home, "PATH=" + os.Getenv("PATH"), "XDG_DATA_HOME=" + filepath.Join(s.home, "share")}
	database = filepath.Join(s.home, "share", "agents-hooks", "evolution", "genes.sqlite")
	s.write(database, "SQLite format 3\x00")
	told, _ := traceOf(t, genes, "-e", opens)
	if files := opened(told); !strings.Contains(strings.Join(files, "\n"), database) {
		t.Errorf("evolution stats opened %q, and no database", files)
	}
}

var openedFile = regexp.MustCompile(`open(?:at2?)?\((?:AT_FDCWD, )?"([^"]+)"`)

// opened are the files that a trace tells of.
func opened(trace string) (files []string) {
	for _, m := range openedFile.FindAllStringSubmatch(trace, -1) {
		files = append(files, m[1])
	}
	return files
}
