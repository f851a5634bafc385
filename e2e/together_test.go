//go:build e2e && unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/e2e/model"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Together are those that work on one workspace at once.
var together = []string{"claude-code", "codex", "opencode"}

// parts is how many tasks the plan has.
const parts = 40

// The plan: three tasks that wait for nothing, and others that wait for two of
// those before them. All write into one file as well, so that what is done at once does
// not fit. The criterion of each is met only where it has what it waited for.
func planTogether() string {
	var b strings.Builder
	b.WriteString("# Together\n\nGOAL-61 three programs, one plan.\n\n")
	for i := range parts {
		fmt.Fprintf(&b, "- [ ] Make part %d", i)
		needs := fmt.Sprintf("test -f part-%d", i)
		if i >= 3 {
			fmt.Fprintf(&b, " (after: T%d, T%d)", i-3, i-2)
			needs += fmt.Sprintf(" && test -f part-%d && test -f part-%d", i-3, i-2)
		}
		fmt.Fprintf(&b, "\n  - key: T%d\n  - accept: cmd: %s => what it needs is there\n", i, needs)
	}
	return b.String()
}

// TestTogether: three real programs work side by side on one workspace of one project,
// each task in a git worktree of its own, until nothing is left. What waits is begun by
// nobody before it may be, no task is done twice, what does not fit is put right by who
// had it, and the person brings everything home.
func TestTogether(t *testing.T) {
	if bench.Missing != "" {
		missing(t, bench.Missing)
	}
	chosen, err := chosenAgents()
	must.Do(t, err)
	var labs []*Lab
	for _, id := range together {
		i := slices.IndexFunc(chosen, func(a *Agent) bool { return a.ID == id && a.Mode == "" })
		if i < 0 {
			t.Skip("it takes " + strings.Join(together, ", "))
		}
		if in := bench.Agents[id]; in.Why != "" {
			missing(t, in.Why)
		}
		if len(labs) == 0 {
			labs = append(labs, newLab(t, bench, chosen[i]))
		} else {
			labs = append(labs, labs[0].beside(chosen[i]))
		}
	}
	l := labs[0]
	l.WriteHome(".config/agents/hooks.toml", "[builtin.workspace]\nenabled = true\nlanguage = \"en\"\n")
	// Worktrees lie outside of the project: OpenCode asks before it goes there, and
	// without a person refuses.
	l.WriteHome(".config/opencode/opencode.json", openCodeConfig(labs[2], `"permission": {"external_directory": "allow"},`))
	for _, one := range labs {
		one.install()
	}
	person := func(line string) string {
		t.Helper()
		cmd := l.command("/bin/sh", "-ec", line)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
		return string(out)
	}
	l.write(filepath.Join(l.Project, "plan.md"), planTogether(), 0o644)
	person(": > LIST; git add README.md LIST && git commit -qm first")
	person("agents-hooks workspace init --from plan.md && rm plan.md && agents-hooks workspace dispatch enable --use-git")

	meet := meeting(len(labs))
	runs := make([]*Run, len(labs))
	var all sync.WaitGroup
	for i, one := range labs {
		all.Go(func() { runs[i] = one.run(one.works(meet)) })
	}
	all.Wait()
	did := map[string]string{}
	for i, r := range runs {
		r.well()
		var mine []string
		for _, m := range workedOn.FindAllStringSubmatch(r.commands(), -1) {
			if other := did[m[1]]; other != "" && other != together[i] {
				r.errorf("task %s was worked on by %s as well", m[1], other)
			}
			if did[m[1]] == "" {
				mine = append(mine, m[1])
			}
			did[m[1]] = together[i]
		}
		t.Logf("%s made parts %v in %v, with %d requests", together[i], mine, r.Took.Round(time.Millisecond), len(r.Turns))
		if len(mine) == 0 {
			r.errorf("%s made nothing", together[i])
		}
	}
	if len(did) != parts {
		t.Errorf("%d of %d parts were made: %v", len(did), parts, did)
		for i, r := range runs {
			if n := len(r.Turns); n > 0 {
				t.Logf("%s read last: %s", together[i], clip(lastAnswer(r.Turns[n-1].Texts()), 2000))
			}
		}
	}
	person("agents-hooks workspace done root -m 'all parts'")
	if tree := person("agents-hooks workspace tree --all"); strings.Count(tree, "✓") != parts+1 {
		t.Errorf("not all is done:\n%s", tree)
	}
	if is := person("git status --porcelain && ls"); is != "LIST\nREADME.md\n" {
		t.Errorf("the project was touched before its person said so:\n%s", is)
	}
	asked := regexp.MustCompile(`"confirmationToken": "([^"]+)"`).FindStringSubmatch(person("agents-hooks workspace dispatch disable --json"))
	if asked == nil {
		t.Fatal("nobody is asked how it comes home")
	}
	person(`agents-hooks workspace dispatch finish --merge-strategy sequential --confirmation '` + asked[1] + `=commit by commit'`)
	subjects := strings.Split(strings.TrimSpace(person("git log --reverse --format=%s")), "\n")
	for i := range parts {
		at := func(n int) int { return slices.Index(subjects, fmt.Sprintf("Make part %d", n)) }
		if at(i) < 0 || i >= 3 && (at(i) < at(i-3) || at(i) < at(i-2)) {
			t.Errorf("part %d did not come after what it waited for: %q", i, subjects)
		}
		if _, err := os.Stat(filepath.Join(l.Project, fmt.Sprintf("part-%d", i))); err != nil {
			t.Error(err)
		}
	}
	if lines := strings.Fields(person("sort LIST")); len(lines) != parts || len(subjects) != parts+1 {
		t.Errorf("the file that all wrote into has %q; the log %q", lines, subjects)
	}
	if is := person("git status --porcelain; git worktree list | tail -n +2; git branch --format='%(refname:short)'"); is != "main\n" {
		t.Errorf("left over:\n%s", is)
	}
	// None of it is said to be the person's doing.
	if logs := person("cat .agents/workspace/*/nodes/Make*/Log.md"); strings.Count(logs, "| AI | completed") != parts || strings.Contains(logs, "| Human |") {
		t.Errorf("who did it:\n%s", clip(logs, 3000))
	}
}

// beside is another agent on the same machine and in the same project.
func (l *Lab) beside(a *Agent) *Lab {
	l.t.Helper()
	other := &Lab{t: l.t, Agent: a, Root: filepath.Join(l.Root, a.ID), Home: l.Home, Project: l.Project, bench: l.bench}
	other.lay()
	return other
}

// meeting is a place where so many wait for each other, for as long as a slow one takes
// to begin.
func meeting(n int) func() {
	var here sync.WaitGroup
	here.Add(n)
	return func() {
		here.Done()
		all := make(chan struct{})
		go func() { here.Wait(); close(all) }()
		select {
		case <-all:
		case <-time.After(time.Minute):
		}
	}
}

var (
	toldWorkDir  = regexp.MustCompile(`"workDir": "([^"]+)"`)
	toldTask     = regexp.MustCompile(`"title": "Make part (\d+)"`)
	toldConflict = regexp.MustCompile(`MERGE_CONFLICT[\s\S]*in (\S+): git merge ([^,\s]+),`)
	workedOn     = regexp.MustCompile(`> part-(\d+)`)
)

// works is a model that knows nothing but what the answers say: it takes a task, does it
// where it is told to, puts right what does not fit, and takes the next one, until there
// is none. Nobody goes on from the first task before all have one.
func (l *Lab) works(meet func()) model.Script {
	first, steps, program := true, 0, ""
	// A word before the answer keeps it one text: what is JSON alone is read member by member.
	ours := func(words string) string { return "echo answer: && " + program + " workspace " + words + " --json" }
	return func(r *model.Request) model.Turn {
		if len(r.Tools) == 0 {
			return says("ok")
		}
		if steps++; steps > 3*parts {
			return says("it does not end")
		}
		all := r.Texts()
		if steps == 1 {
			m := toldBind.FindStringSubmatch(strings.Join(all, "\n"))
			if m == nil {
				return says("nobody told me")
			}
			program, _, _ = strings.Cut(m[1], " ")
			return calls(l.Agent.Shell(m[1] + " " + toldID.FindString(strings.Join(all, "\n")) + " && " + ours("dispatch node")))
		}
		last := lastAnswer(all)
		switch dir, task, conflict := toldWorkDir.FindStringSubmatch(last), toldTask.FindStringSubmatch(last), toldConflict.FindStringSubmatch(last); {
		case conflict != nil:
			return calls(l.Agent.Shell("cd '" + conflict[1] + "' && { git merge -q '" + conflict[2] + "' || sed -i '/^[<=>]\\{7\\}/d' LIST; git add LIST; git commit -qm merged; " + ours("done -m 'it is made, and fits'") + "; }"))
		case dir != nil && task != nil:
			if first {
				first = false
				meet()
			}
			return calls(l.Agent.Shell("cd '" + dir[1] + "' && echo made > part-" + task[1] + " && echo " + task[1] + " >> LIST && " + ours("done -m 'it is made'")))
		case strings.Contains(last, `"status": "completed"`):
			return calls(l.Agent.Shell(ours("dispatch node")))
		case strings.Contains(last, "” waits for “"), strings.Contains(last, "other sessions have"):
			return calls(l.Agent.Shell("sleep 0.5; " + ours("dispatch node")))
		}
		return says("nothing is left")
	}
}

// lastAnswer is what the last command wrote, among what a model reads.
func lastAnswer(texts []string) string {
	for _, text := range slices.Backward(texts) {
		for _, sign := range []string{`"schema": 1`, "NOTHING_READY", "MERGE_CONFLICT", "CHECK_FAILED"} {
			if strings.Contains(text, sign) {
				return text
			}
		}
	}
	return ""
}

// commands are all that the model of a run had its agent do.
func (r *Run) commands() string {
	if len(r.Turns) == 0 {
		return ""
	}
	return strings.Join(r.Turns[len(r.Turns)-1].Texts(), "\n")
}
