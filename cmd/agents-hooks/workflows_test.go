package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What GitHub runs for us is what somebody looked at: an action is a commit, not a
// tag that its owner can move; a workflow may read and nothing else, unless a job
// says what it needs; no token stays in the checkout for what runs after it; nothing that
// others can name, as a branch or a tag, is put into a script as if it were part of it; and
// no job runs for hours.
func TestWorkflowsArePinnedAndMayOnlyRead(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../.github/workflows/*.y*ml")
	if err != nil || len(files) == 0 {
		t.Fatal("no workflows", err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		must.Do(t, err)
		for _, problem := range workflowProblems(t, b) {
			t.Errorf("%s: %s", file, problem)
		}
	}
}

func TestWorkflowProblemsAreFound(t *testing.T) {
	t.Parallel()
	const good = "permissions: {contents: read}\njobs: {a: {timeout-minutes: 5, steps: [\n{uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7\n, with: {persist-credentials: false}}, {run: \"echo $GITHUB_REF\"}]}}\n"
	if have := workflowProblems(t, []byte(good)); len(have) > 0 {
		t.Error(have)
	}
	for _, c := range []struct{ name, is, becomes string }{
		{"by a version", "@3d3c42e5aac5ba805825da76410c181273ba90b1", "@v7"},
		{"by a branch", "@3d3c42e5aac5ba805825da76410c181273ba90b1", "@main"},
		{"by a short commit", "@3d3c42e5aac5ba805825da76410c181273ba90b1", "@3d3c42e"},
		{"without its version", " # v7", ""},
		{"credentials stay", "persist-credentials: false", "persist-credentials: true"},
		{"nothing said of credentials", ", with: {persist-credentials: false}", ""},
		{"no permissions", "permissions: {contents: read}\n", ""},
		{"it may write", "contents: read", "contents: write"},
		{"it may write all", "{contents: read}", "write-all"},
		{"it may call itself the repository", "{contents: read}", "{contents: read, id-token: write}"},
		{"an expression in a script", "$GITHUB_REF", "${{ github.ref }}"},
		{"no time limit", "timeout-minutes: 5, ", ""},
		{"of a pull request, with the rights of the target", "permissions:", "on: pull_request_target\npermissions:"},
		{"after another workflow", "permissions:", "on: {workflow_run: {workflows: [ci]}}\npermissions:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if bad := strings.Replace(good, c.is, c.becomes, 1); bad == good || len(workflowProblems(t, []byte(bad))) == 0 {
				t.Errorf("%q for %q: nothing is wrong", c.becomes, c.is)
			}
		})
	}
}

var pinned = regexp.MustCompile(`uses: [\w./-]+@[0-9a-f]{40} # v\d[\w.]*\s*$`)

// workflowProblems is what is wrong with a workflow.
func workflowProblems(t *testing.T, b []byte) (problems []string) {
	t.Helper()
	type step struct {
		Uses string         `yaml:"uses"`
		Run  string         `yaml:"run"`
		With map[string]any `yaml:"with"`
	}
	var w struct {
		Permissions yaml.Node `yaml:"permissions"`
		Jobs        map[string]struct {
			Uses    string `yaml:"uses"`
			Minutes int    `yaml:"timeout-minutes"`
			Steps   []step `yaml:"steps"`
		} `yaml:"jobs"`
	}
	must.Do(t, yaml.Unmarshal(b, &w))
	may := map[string]string{}
	if w.Permissions.Kind != yaml.MappingNode || w.Permissions.Decode(&may) != nil {
		problems = append(problems, "has no permissions at its top, as a list")
	}
	for what, right := range may {
		if right != "none" && (what != "contents" || right != "read") {
			problems = append(problems, "every job may "+right+" "+what)
		}
	}
	for line := range strings.Lines(string(b)) {
		if strings.Contains(line, "pull_request_target") || strings.Contains(line, "workflow_run") {
			problems = append(problems, "what others propose would run with our rights: "+strings.TrimSpace(line))
		}
		if strings.Contains(line, "uses:") && !pinned.MatchString(line) {
			problems = append(problems, "want ACTION@COMMIT # vVERSION: "+strings.TrimSpace(line))
		}
	}
	for name, job := range w.Jobs {
		if job.Minutes == 0 && job.Uses == "" {
			problems = append(problems, name+": want timeout-minutes")
		}
		for _, s := range job.Steps {
			if strings.HasPrefix(s.Uses, "actions/checkout@") && s.With["persist-credentials"] != false {
				problems = append(problems, name+": the checkout keeps its credentials: want persist-credentials: false")
			}
			if strings.Contains(s.Run, "${{") {
				problems = append(problems, name+": want a variable of env in place of what GitHub puts into the script: "+s.Run)
			}
		}
	}
	return problems
}
