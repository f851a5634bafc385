package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What docs/skills.md shows is what comes: its hooks.json stands in its folder, its pipe
// prints what stands below, and its stream is answered as it says.
func TestTheSkillsPageIsTrue(t *testing.T) {
	page := must.Read(t, "../../docs/skills.md")
	_, rest, _ := strings.Cut(page, "```json\n")
	declared, _, _ := strings.Cut(rest, "```")
	dir := t.TempDir()
	hooks := filepath.Join(dir, ".agents", "skills", "reader", "hooks")
	must.Do(t, os.MkdirAll(hooks, 0o755))
	hint := regexp.MustCompile(`If the content was cut off, read on from where it ends\.`).FindString(page)
	for name, text := range map[string]string{"hooks.json": declared, "truncated-content-hint.md": hint + "\n"} {
		must.Write(t, filepath.Join(hooks, name), text)
	}
	host := shelltest.New(t).Host
	host.WorkDir = dir

	pipes := regexp.MustCompile(`(?m)^    \$ echo '(.*)' \| agents-hooks (.*)\n    (.*)$`).FindAllStringSubmatch(page, -1)
	if len(pipes) != 1 {
		t.Fatalf("%d pipes in the page", len(pipes))
	}
	var out, errs strings.Builder
	exit := run(host, strings.Fields(pipes[0][2]), strings.NewReader(pipes[0][1]), &out, &errs)
	if exit != 0 || out.String() != pipes[0][3]+"\n" || errs.Len() > 0 {
		t.Errorf("exit %d, %s\n%swant\n%s", exit, &errs, &out, pipes[0][3])
	}

	talk := regexp.MustCompile(`(?m)^    > (.*)\n    < (.*)$`).FindAllStringSubmatch(page, -1)
	if len(talk) < 5 {
		t.Fatalf("%d lines of a stream in the page", len(talk))
	}
	var in strings.Builder
	for _, line := range talk {
		in.WriteString(line[1] + "\n")
	}
	out.Reset()
	if exit := run(host, []string{"skills", "run", "--stream", "--skills-dir", filepath.Join(dir, ".agents", "skills")}, strings.NewReader(in.String()), &out, &errs); exit != 0 {
		t.Errorf("exit %d, %s", exit, &errs)
	}
	for i, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		want := strings.ReplaceAll(regexp.QuoteMeta(talk[i][2]), "…", ".*")
		if !json.Valid([]byte(line)) || !regexp.MustCompile("^"+want+"$").MatchString(line) {
			t.Errorf("line %d: %s\nwant %s", i+1, line, talk[i][2])
		}
	}
	if !strings.Contains(out.String(), hint) {
		t.Errorf("no prompt of the skill came:\n%s", &out)
	}
}
