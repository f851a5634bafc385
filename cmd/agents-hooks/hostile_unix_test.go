//go:build unix

package main

import (
	"encoding/json"
	"flag"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

var allAttacks = flag.Bool("attacks", false, "each attack at each path; minutes")

// traced is the program with one change: it writes down each path that is opened,
// listed or changed below a project. The change is laid over the sources, so that
// what is shipped has no switch for it.
func traced(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	must.Do(t, err)
	file := filepath.Join(root, "internal", "beneath", "resolve.go")
	text := must.Read(t, file)
	const at = "\tif r.Touched != nil {\n\t\tr.Touched(path)\n\t}\n"
	if strings.Count(text, at) != 1 {
		t.Fatalf("%s does not tell of each path in one place any more: this test has to follow it", file)
	}
	dir := t.TempDir()
	changed, added, overlay, program := filepath.Join(dir, "resolve.go"), filepath.Join(dir, "trace.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "agents-hooks")
	files, err := json.Marshal(map[string]any{"Replace": map[string]string{file: changed, filepath.Join(filepath.Dir(file), "zz_trace.go"): added}})
	must.Do(t, err)
	must.Write(t, changed, strings.Replace(text, at, "\ttrace(path)\n"+at, 1))
	must.Write(t, added, `package beneath

import "os"

func trace(path string) {
	f, err := os.OpenFile(os.Getenv("BENEATH_TRACE"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err == nil {
		f.WriteString(path + "\x00")
		f.Close()
	}
}
`)
	must.Write(t, overlay, string(files))
	out, err := exec.Command("go", "build", "-overlay", overlay, "-o", program, ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// inProjects are the agents that have a configuration in a project, and the files
// below it that the tables of agents and behaviours declare.
func inProjects(t *testing.T) (agents, files []string) {
	t.Helper()
	host := shelltest.New(t).Host
	const project = "/project"
	below := func(path string) {
		if rel, err := filepath.Rel(project, path); err == nil && filepath.IsLocal(rel) && !slices.Contains(files, rel) {
			files = append(files, rel)
		}
	}
	for _, d := range agentarg.Installable() {
		site := setup.Site(host, protocol.ProjectScope, project)
		if d.Config.File(site) == "" || d.Config.File(setup.Site(host, protocol.UserScope, project)) == "" {
			continue
		}
		agents = append(agents, d.ID)
		below(d.Config.File(site))
		if d.MCP != nil && d.MCP.File(site) != "" {
			below(d.MCP.File(site))
		}
		if dir := d.Skills.Dir(site); dir != "" {
			for _, b := range host.Behaviours() {
				below(setup.GuideFile(dir, b.Name))
			}
		}
	}
	for _, path := range []string{".agents/hooks", ".agents/hooks.toml", ".agents/hooks/own", ".agents/hooks/own/HOOK.md", ".agents/hooks/own/scripts/run",
		".agents/memory-data/MEMORY.md", ".agents/memory-data/sessions.jsonl", ".agents/skills/tides/hooks/a.md"} {
		below(filepath.Join(project, path))
	}
	return agents, files
}

// begin is what a person has done before a stranger's change: one hook and one
// skill are approved, the memory taken as their own.
func (g *ground) begin() {
	g.run("", "trust", "--yes", "own", "tides", "hooks.toml")
	g.run("", "memory", "accept", "--yes")
	g.said.Reset()
}

// touchedBy are the paths below the project that a life opens, lists or changes,
// and the folders on the way there.
func touchedBy(t *testing.T, agents []string) (paths []string) {
	t.Helper()
	g := newGround(t, traced(t))
	trace := filepath.Join(g.root, "trace")
	g.more = []string{"BENEATH_TRACE=" + trace}
	g.begin()
	g.session()
	g.commands(agents)
	if said := g.said.String(); !strings.Contains(said, "four cranes") || !strings.Contains(said, "mind the tide") {
		t.Fatalf("a normal session tells of no memory or no skill: this proves nothing:\n%.5000s", said)
	}
	for path := range strings.SplitSeq(must.Read(t, trace), "\x00") {
		rel, err := filepath.Rel(g.project, path)
		if err != nil || !filepath.IsLocal(rel) || strings.HasPrefix(rel, ".git"+string(filepath.Separator)) {
			continue
		}
		rel, _, _ = strings.Cut(rel, ".tmp-") // which a session made up
		for ; rel != "."; rel = filepath.Dir(rel) {
			if !slices.Contains(paths, rel) {
				paths = append(paths, rel)
			}
		}
	}
	slices.Sort(paths)
	return paths
}

// missing are the declared files that nothing touched.
func missing(declared, touched []string) (out []string) {
	for _, d := range declared {
		if !slices.Contains(touched, d) {
			out = append(out, d)
		}
	}
	return out
}

// apart sorts paths into sets in which none lies below another.
func apart(paths []string) (sets [][]string) {
	leaf := func(p string) bool {
		return !slices.ContainsFunc(paths, func(q string) bool { return strings.HasPrefix(q, p+string(filepath.Separator)) })
	}
	byDepth := map[int][]string{}
	deepest := 0
	for _, p := range paths {
		depth := 0
		if !leaf(p) {
			depth = 1 + strings.Count(p, string(filepath.Separator))
		}
		byDepth[depth] = append(byDepth[depth], p)
		deepest = max(deepest, depth)
	}
	for d := range deepest + 1 {
		if len(byDepth[d]) > 0 {
			sets = append(sets, byDepth[d])
		}
	}
	return sets
}

// TestHostileFiles finds out by a life of the program (a session of an agent, the
// commands of a person, the configurations of all agents) which paths below a
// project are opened, listed or changed, and puts attacks in the place of each: a
// file that is used from now on joins by itself. One that a table declares and no
// life touches is an error, as it would be attacked by nobody.
//
// Attacks are put at many paths at once, none below another, another kind at each,
// and turn by turn the next: after as many turns as there are kinds each path met
// each. A canary has the number of its path.
//
// It compiles a changed program: with -slow it finds files that no life touches, with
// -attacks it attacks too. Without either the seeds of FuzzHostileTree put some of each kind.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	if !slowtest.On() && !*allAttacks {
		t.Skip("compiles a program: with -slow")
	}
	program, err := exec.LookPath("agents-hooks")
	must.Do(t, err)
	agents, declared := inProjects(t)
	paths := touchedBy(t, agents)
	for _, path := range missing(declared, paths) {
		t.Errorf("%s is declared, and no life of this test touches it", path)
	}
	if got := missing([]string{".agents/nobody-reads-this"}, paths); len(got) != 1 {
		t.Error("a file that nobody touches is not missed")
	}
	kinds := attacks()
	t.Logf("%d paths, %d attacks: %q", len(paths), len(kinds), paths)
	if !*allAttacks {
		return
	}
	for _, set := range apart(paths) {
		for turn := range kinds {
			t.Run(strings.ReplaceAll(set[0], "/", "_")+"-"+kinds[turn].name, func(t *testing.T) {
				t.Parallel()
				g := newGround(t, program)
				g.begin()
				var put []string
				for i, path := range set {
					if a := kinds[(i+turn)%len(kinds)]; g.place(a, path, i) {
						put = append(put, a.name+" at "+path)
					}
				}
				before := g.outsideState()
				end := g.attack()
				g.session()
				g.commands(agents)
				g.guarded("last")
				end()
				g.hold(before)
				t.Logf("the longest process took %v", g.took)
				if t.Failed() {
					t.Logf("attacks, by number of the canary: %q", put)
				}
			})
		}
	}
}
