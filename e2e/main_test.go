//go:build e2e && unix

package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// bench and report are of the inner half of the suite.
var (
	bench  *Bench
	report Report
)

// TestMain runs the suite in two halves. The outer one has the network: it
// installs the agents and builds our binary. Then it starts this same test
// binary again in a network namespace, where the checks run.
func TestMain(m *testing.M) {
	if os.Getenv(benchVar) == "" {
		os.Exit(outer(m))
	}
	code, err := inner(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		code = 1
	}
	os.Exit(code)
}

func outer(m *testing.M) int {
	dir, err := os.MkdirTemp("", "agents-hooks-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	b, err := prepareBench(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	half := func() *exec.Cmd {
		cmd := exec.Command(self, os.Args[1:]...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		cmd.Env = append(os.Environ(), benchVar+"="+b.encode())
		return cmd
	}
	b.Isolated = true
	cmd, started, err := isolate(half)
	if !started {
		b.Isolated, b.Open = false, err.Error()
		cmd = half()
		err = cmd.Run()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	return cmd.ProcessState.ExitCode()
}

func inner(m *testing.M) (int, error) {
	var err error
	if bench, err = decodeBench(os.Getenv(benchVar)); err != nil {
		return 1, err
	}
	if bench.Isolated {
		if err := raiseLoopback(); err != nil {
			return 1, err
		}
	}
	code := m.Run()
	var names []string
	for _, c := range checks() {
		names = append(names, c.Name)
	}
	report.Sort(Agents(), names)
	report.Write(os.Stdout)
	WriteUnruns(os.Stdout)
	if name := os.Getenv(reportVar); name != "" {
		if err := report.Save(name); err != nil {
			return 1, err
		}
	}
	return code, nil
}

// TestIsolation: nothing but loopback can be reached from here, so whatever an
// agent does reaches our model or nobody.
func TestIsolation(t *testing.T) {
	if !bench.Isolated {
		t.Skipf("no network namespace (%s): agents are kept in by proxies that lead nowhere", bench.Open)
	}
	only, err := onlyLoopback()
	must.Do(t, err)
	if !only {
		t.Error("there is an interface beside loopback")
	}
	// 192.0.2.0/24 is reserved for documentation: without a route the dial
	// fails at once.
	if c, err := net.DialTimeout("tcp", "192.0.2.1:443", 5*time.Second); err == nil {
		c.Close()
		t.Error("an address outside could be reached")
	}
}

// TestRecipes: what a recipe says that its agent has not is something that there
// is, and every event of the format is accounted for, as is every agent.
func TestRecipes(t *testing.T) {
	if ids := unaccounted(); len(ids) > 0 {
		t.Errorf("want either a recipe or a reason for %q", ids)
	}
	for _, a := range Agents() {
		var drift struct{ Package, Module, Version string }
		b, err := os.ReadFile(filepath.Join("drift", "tables", a.ID+".json"))
		if err == nil {
			err = json.Unmarshal(b, &drift)
		}
		table := strings.NewReplacer("{os}", npmOS(), "{arch}", npmArch()).Replace(drift.Package)
		if err != nil || table != a.Package || drift.Module != a.Module || drift.Version != a.Version {
			t.Errorf("%s: the recipe has %s %s, and drift/tables %s %s (%v)", a.Column(), a.Package, a.Version, table, drift.Version, err)
		}
		names := slices.Concat(slices.Collect(maps.Keys(a.Cannot)), slices.Collect(maps.Keys(a.But)))
		for _, name := range names {
			if !slices.ContainsFunc(checks(), func(c Check) bool { return c.Name == name }) {
				t.Errorf("%s: there is no check %q", a.Column(), name)
			}
		}
		for _, e := range protocol.EventTypes() {
			if !e.Ours() && (a.Never[string(e)] == "") != slices.Contains(a.Events, string(e)) {
				t.Errorf("%s: %s must either be an event or have a reason, and not both", a.Column(), e)
			}
		}
	}
}

// unaccounted are the agents that are neither run nor explained, or both.
func unaccounted() []string {
	known := map[string]int{}
	for _, a := range Agents() {
		known[a.ID] = 1
	}
	for _, u := range Unruns() {
		known[u.Agent] += 2
	}
	var out []string
	for _, d := range agents.All() {
		if n := known[d.ID]; n == 0 || n == 3 {
			out = append(out, d.ID)
		}
		delete(known, d.ID)
	}
	return slices.AppendSeq(out, maps.Keys(known))
}

// TestAgents runs every check on every agent: several agents at a time, as
// go test -parallel says, the checks of one agent one after the other.
func TestAgents(t *testing.T) {
	if bench.Missing != "" {
		missing(t, bench.Missing)
	}
	agents, err := chosenAgents()
	must.Do(t, err)
	for _, a := range agents {
		t.Run(a.Column(), func(t *testing.T) {
			t.Parallel()
			in := bench.Agents[a.ID]
			if in.Why != "" {
				report.add(Row{a.Column(), in.Version, "installed", "skipped", in.Why})
				missing(t, in.Why)
			}
			for i, c := range checks() {
				if inTurn(a, i, c) {
					check(t, a, in, c)
				}
			}
		})
	}
}

// inTurn reports whether an agent plays check i. With -short it plays every second one of
// those that several agents have, and its neighbours in the list the others.
func inTurn(a *Agent, i int, c Check) bool {
	switch {
	case !testing.Short():
		return true
	case c.Long:
		return false
	case c.Always, c.Only != "":
		return true
	}
	return turn(a, i)
}

// turn shares out what agents can all do, between each of them and the next.
func turn(a *Agent, i int) bool {
	place := slices.IndexFunc(Agents(), func(b *Agent) bool { return b.Column() == a.Column() })
	return (place+i)%2 == 0
}

// missing skips what cannot be had, or fails where it must be had.
func missing(t *testing.T, why string) {
	t.Helper()
	if bench.Required {
		t.Fatal(why)
	}
	t.Skip(why)
}

// check runs one check and keeps its result for the table.
func check(t *testing.T, a *Agent, in Installed, c Check) {
	if c.Only != "" && !slices.Contains(strings.Fields(c.Only), a.ID) {
		return
	}
	t.Run(c.Name, func(t *testing.T) {
		row := Row{Agent: a.Column(), Version: in.Version, Capability: c.Name, Result: "no"}
		defer func() {
			if row.Result == "no" && !t.Failed() {
				row.Result, row.Note = "yes", a.But[c.Name]
			}
			report.add(row)
		}()
		why, no := a.Cannot[c.Name]
		if !no && c.Like != "" {
			why, no = a.Cannot[c.Like]
		}
		if no {
			row.Result, row.Note = "cannot", why
			t.Skip("cannot: " + why)
		}
		c.Prove(newLab(t, bench, a))
	})
}
