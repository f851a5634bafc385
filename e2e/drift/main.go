// Command drift reports how the agents have changed since their dialects were tested: it
// asks the npm registry for newer versions, installs them into a temporary folder,
// extracts from their files the names of events, payloads, answers and handlers (and
// schemas, if there are any), and compares these with the tables beside it and with the
// dialects.
//
//	.ci/agents-drift                      what has a newer version
//	.ci/agents-drift --all                also unchanged versions: are the tables right?
//	.ci/agents-drift --suite              and the suite of real agents on the newer ones
//	.ci/agents-drift --agents a,b --json
//	.ci/agents-drift --update             write what was found into the tables
//
// It exits with 0 if nothing has changed, with 1 if something has, or could not be
// determined, and with 64 on a usage error.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// options are the flags of the command line.
type options struct {
	agents        []string
	all, suite    bool
	json, update  bool
	root, modules string
	help          string // for all of these
}

func main() {
	o, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		fmt.Print(o.help)
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "agents-drift:", err)
		os.Exit(64)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	reports, err := run(ctx, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "agents-drift:", err)
		os.Exit(1)
	}
	write(os.Stdout, o, reports)
	if slices.ContainsFunc(reports, func(r *report) bool { return r.drifted() || r.Failed != "" }) {
		os.Exit(1)
	}
}

func parse(args []string) (o options, err error) {
	f := flag.NewFlagSet("agents-drift", flag.ContinueOnError)
	list := f.String("agents", "", "only these, with commas between")
	f.BoolVar(&o.all, "all", false, "look also into versions that are those of the tables")
	f.BoolVar(&o.suite, "suite", false, "run the suite of real agents on newer versions")
	f.BoolVar(&o.json, "json", false, "one JSON object")
	f.BoolVar(&o.update, "update", false, "write what was found into the tables")
	f.StringVar(&o.root, "root", ".", "the repository")
	f.StringVar(&o.modules, "modules", "", "look into packages that lie in this node_modules, and ask no registry")
	var usage strings.Builder
	fmt.Fprint(&usage, "usage: .ci/agents-drift [flags]\n\nWhat newer versions of the agents say of themselves that our tables do not, or no longer.\nExits with 0 if nothing has changed, 1 if something has or could not be determined, and\n64 on a usage error.\n\n")
	f.SetOutput(&usage)
	f.Usage = f.PrintDefaults
	if err := f.Parse(args); err != nil {
		o.help = usage.String()
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("%q is no flag", f.Arg(0))
	}
	if o.modules != "" && o.suite {
		return o, errors.New("--suite runs versions of the registry, which --modules does not ask")
	}
	for name := range strings.SplitSeq(*list, ",") {
		if name == "" {
			continue
		}
		if !slices.ContainsFunc(agents.All(), func(d *protocol.Dialect) bool { return d.Is(name) }) {
			return o, fmt.Errorf("there is no agent %q", name)
		}
		o.agents = append(o.agents, name)
	}
	return o, nil
}

// run checks each agent, in list order.
func run(ctx context.Context, o options) ([]*report, error) {
	tables, err := readTables()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "agents-drift-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var reports []*report
	for _, d := range agents.All() {
		if d.Config == nil || len(o.agents) > 0 && !slices.ContainsFunc(o.agents, d.Is) {
			continue
		}
		r := &report{Agent: d.ID}
		reports = append(reports, r)
		i := slices.IndexFunc(tables, func(t *table) bool { return t.Agent == d.ID })
		if i < 0 {
			r.Note = "not looked at: " + whyNot(d.ID)
			continue
		}
		is := r.look(ctx, o, d, tables[i], filepath.Join(dir, d.ID))
		if o.update && is != nil {
			tables[i].Version, tables[i].Says = r.Looked, is
			if err := tables[i].write(filepath.Join(o.root, "e2e", "drift")); err != nil {
				return nil, err
			}
		}
		_ = os.RemoveAll(filepath.Join(dir, d.ID))
	}
	if o.suite {
		return reports, suite(ctx, o.root, reports)
	}
	return reports, nil
}

// whyNot says why an agent has no table.
func whyNot(id string) string {
	for _, u := range e2e.Unruns() {
		if u.Agent == id {
			return u.Why
		}
	}
	return "it has no table yet"
}

// look checks one agent, and returns what its program says; nil if it was not read, or
// not everything was found.
func (r *report) look(ctx context.Context, o options, d *protocol.Dialect, t *table, dir string) said {
	r.Package, r.Pinned = here(t.Package), t.Version
	modules := o.modules
	if modules == "" {
		if err := r.ask(ctx, t); err != nil {
			r.Failed = err.Error()
			return nil
		}
		if r.Newest == t.Version && !o.all {
			r.hold(d, t, nil)
			return nil
		}
		if t.Empty != "" {
			return nil
		}
		var err error
		if modules, err = install(ctx, dir, t.Package, r.Newest); err != nil {
			r.Failed = err.Error()
			return nil
		}
	}
	if t.Empty != "" {
		return nil
	}
	is, err := t.lookInto(ctx, modules)
	if err != nil {
		r.Failed = err.Error()
		return nil
	}
	if r.Looked, err = versionIn(modules, t); err != nil {
		r.Failed = err.Error()
		return nil
	}
	r.compare(t.Says, is)
	r.hold(d, t, is)
	return is
}

// ask asks the registry, and reports a newer version.
func (r *report) ask(ctx context.Context, t *table) error {
	found, err := newest(ctx, t.Package)
	if err != nil {
		return err
	}
	if t.Empty != "" {
		r.Note = "not looked into: " + t.Empty
	}
	if t.Module != "" {
		r.askModule(ctx, t.Module, &found)
	}
	r.Newest = found.Version
	if found.Version != t.Version {
		word := "another"
		if newer(found.Version, t.Version) {
			word = "newer"
		}
		r.Different = append(r.Different, fmt.Sprintf("%s version: %s, and the table is of %s", word, found.Version, t.Version))
	}
	if found.Deprecated != "" {
		r.Different = append(r.Different, "deprecated: "+found.Deprecated)
	}
	if t.Announced == "" {
		return nil
	}
	announced, err := newest(ctx, t.Announced)
	if err == nil && newer(announced.Version, found.Version) {
		r.Note = fmt.Sprintf("%s is %s, whose program is not in the registry", t.Announced, announced.Version)
	}
	return err
}

// askModule asks for the newest version of a Go module, which counts if it is newer than
// what npm's registry has.
func (r *report) askModule(ctx context.Context, module string, found *release) {
	switch version, err := newestModule(ctx, module); {
	case err != nil:
		r.Note = strings.TrimPrefix(r.Note+"; ", "; ") + err.Error()
	case newer(version, found.Version):
		*found = release{Version: version}
	}
}

// versionIn is the version of an agent's package in a node_modules folder.
func versionIn(modules string, t *table) (string, error) {
	b, err := os.ReadFile(filepath.Join(modules, filepath.FromSlash(here(t.Package)), "package.json"))
	if err != nil {
		return "", err
	}
	var p struct{ Version string }
	if err := json.Unmarshal(b, &p); err != nil {
		return "", fmt.Errorf("reading the package.json of %s: %w", t.Package, err)
	}
	return p.Version, nil
}

func write(w io.Writer, o options, reports []*report) {
	if o.json {
		b, _ := json.MarshalIndent(map[string]any{"schema": 1, "agents": reports}, "", "  ")
		fmt.Fprintf(w, "%s\n", b)
		return
	}
	for _, r := range reports {
		r.print(w)
	}
}

func (r *report) print(w io.Writer) {
	state := "as its table says"
	switch {
	case r.Failed != "":
		state = "could not be found out"
	case r.drifted():
		state = "has changed"
	case r.Note != "":
		state, r.Note = r.Note, ""
	case r.Looked == "":
		state = "no newer version"
	}
	fmt.Fprintf(w, "%-14s %-10s %s\n", r.Agent, r.Newest, state)
	for _, group := range []struct {
		mark string
		rows []string
	}{{"new", r.New}, {"gone", r.Gone}, {"different", r.Different}, {"fails", r.Suite}, {"note", nonempty(r.Note)}, {"failed", nonempty(r.Failed)}} {
		for _, row := range group.rows {
			fmt.Fprintf(w, "    %-9s %s\n", group.mark, row)
		}
	}
}

func nonempty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}
