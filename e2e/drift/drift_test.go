package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

func tables(t *testing.T) map[string]*table {
	t.Helper()
	list, err := readTables()
	must.Do(t, err)
	byAgent := map[string]*table{}
	for _, it := range list {
		byAgent[it.Agent] = it
	}
	return byAgent
}

func dialect(t *testing.T, id string) *protocol.Dialect {
	t.Helper()
	for _, d := range agents.All() {
		if d.ID == id {
			return d
		}
	}
	t.Fatalf("there is no agent %q", id)
	return nil
}

// Each table is of the version that its dialect is proven on, and the dialect knows
// each event that stands in it: what is told as drift is the agent's, not ours.
func TestDialectsAndTablesAgree(t *testing.T) {
	for id, it := range tables(t) {
		r := &report{Agent: id}
		r.hold(dialect(t, id), it, it.Says)
		if r.drifted() {
			t.Errorf("%s: %+v", id, r)
		}
		if it.Empty == "" && len(it.Says[events]) < 3 {
			t.Errorf("%s: %d events", id, len(it.Says[events]))
		}
		for of, names := range it.Says {
			if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
				t.Errorf("%s: %s is not sorted, or has a name twice", id, of)
			}
		}
	}
}

// From an older table one name of every kind is taken out, and one is put in that no
// program ever had: exactly these are told.
func TestADoctoredTable(t *testing.T) {
	for id, now := range tables(t) {
		older, want := said{}, &report{}
		for _, of := range slices.Sorted(maps.Keys(now.Says)) {
			names := slices.Clone(now.Says[of])
			want.New = append(want.New, of+": "+names[0])
			want.Gone = append(want.Gone, of+": zz_never_was")
			older[of] = append(names[1:], "zz_never_was")
		}
		r := &report{}
		r.compare(older, now.Says)
		if !slices.Equal(r.New, want.New) || !slices.Equal(r.Gone, want.Gone) {
			t.Errorf("%s: new %q, gone %q", id, r.New, r.Gone)
		}
	}
}

// A dialect that does not know an event, registers one that is gone, or was proven on
// another version is told, and nothing else of it.
func TestADoctoredDialect(t *testing.T) {
	for id, it := range tables(t) {
		if len(it.Says[events]) == 0 {
			continue
		}
		d := *dialect(t, id)
		var taken string
		if d.Others = slices.Clone(d.Others); len(d.Others) > 0 {
			i := slices.IndexFunc(d.Others, func(o string) bool { return slices.Contains(it.Says[events], o) })
			if i >= 0 {
				taken = d.Others[i]
				d.Others = slices.Delete(d.Others, i, i+1)
			}
		}
		if taken == "" {
			taken = d.NativeEvents[0].Name
			d.NativeEvents = d.NativeEvents[1:]
			taken = named(it, taken)
		}
		d.NativeEvents = append(slices.Clone(d.NativeEvents), protocol.Native{Name: "ZzNeverWas"})
		d.Observed = "0.0.1"
		r := &report{}
		r.hold(&d, it, it.Says)
		if len(r.New) != 1 || r.New[0] != "events that the dialect does not know: "+taken ||
			len(r.Gone) != 1 || r.Gone[0] != "events that the dialect registers: ZzNeverWas" ||
			len(r.Different) != 1 || !strings.Contains(r.Different[0], "proven on 0.0.1") {
			t.Errorf("%s without %s: %+v", id, taken, r)
		}
	}
}

// named is what the dialect calls an event that the program may call otherwise.
func named(it *table, name string) string {
	if as, ok := it.As[name]; ok {
		return as
	}
	return name
}

// A bundle of each form that a table looks into, with names that are in no table, next
// to what only looks like one.
const bundle = `var E=["PreToolUse","PostToolUse","Brewed"],other=["PreToolUse"];
x=p(()=>D().and(u({hook_event_name:P("Brewed"),cup:r().describe("a, {b: \"c\"}, /d"),'of tea':P({deep:r()}),sugar,milk(){return{no:1}},...rest})));
{type:P("kettle").describe("Kettle hook type"),water:r()} {type:P("text").describe("no such thing"),text:r()}
fire(){ return this.run({
      ...this.createBaseInput("Poured" /* Poured */),
      // a comment: with, commas
      spout: 1,
      cup
    }) }
{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "definitions": {"Wire": {"properties": {"lid": {}}}},
  "properties": {"cwd": {"type": "string"}, "leaf": {"type": "string"}},
  "title": "brew.command.input"
}{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "properties": {"unrelated": {}},
  "title": "settings"
}`

// What is found in a bundle is what stands there, each kind by its own look.
func TestLooks(t *testing.T) {
	for _, c := range []struct {
		look look
		of   string
		want string
	}{
		{look{Of: "events", Find: `=\["PreToolUse","PostToolUse",(?:"\w+",?)+\]`, Each: `"(\w+)"`}, "events", "Brewed PostToolUse PreToolUse"},
		{look{Of: "payload of $1", Find: `\{hook_event_name:\w+\("(\w+)"\)`, Keys: true}, "payload of Brewed", "cup hook_event_name milk of tea sugar"},
		{look{Of: "handler $1", Find: `\{type:\w+\("(\w+)"\)\.describe\("[^"]*hook type`, Keys: true}, "handler kettle", "type water"},
		{look{Of: "payload of $1", Find: `\{\s+\.\.\.this\.createBaseInput\("(\w+)"`, Keys: true}, "payload of Poured", "cup spout"},
		{look{Of: "$1", Find: `\{\s+"\$schema": "http://json-schema`, Schema: `\.command\.`}, "brew.command.input", "Wire.lid cwd leaf"},
		{look{Of: "names", Find: `createBaseInput\("(\w+)"`}, "names", "Poured"},
	} {
		t.Run(c.of, func(t *testing.T) {
			is := said{}
			n, err := c.look.into([]byte(bundle), is)
			if got := strings.Join(is[c.of], " "); err != nil || got != c.want || len(is) != 1 || n != len(is[c.of]) {
				t.Errorf("%s: %d names, %v, %v; want %s", c.look.Find, n, is, err, c.want)
			}
		})
	}
}

// A program that was doctored after its table was made is told by what was done to it,
// from its files; and one in which nothing is found is no program that says the same.
func TestADoctoredBundle(t *testing.T) {
	dir := t.TempDir()
	it := &table{Agent: "brewer", Package: "@tea/brewer", Version: "1.2.3", Files: []string{"@tea/brewer/dist/*.js"}, Looks: []look{
		{Of: "events", Find: `=\["PreToolUse","PostToolUse",(?:"\w+",?)+\]`, Each: `"(\w+)"`},
		{Of: "payload of $1", Find: `\{hook_event_name:\w+\("(\w+)"\)`, Keys: true},
	}}
	put := func(text string) {
		t.Helper()
		for name, text := range map[string]string{"dist/a.js": text, "dist/b.js": "nothing", "package.json": `{"version": "1.2.3"}`} {
			file := filepath.Join(dir, "@tea", "brewer", filepath.FromSlash(name))
			must.Write(t, file, text)
		}
	}
	put(bundle)
	is, err := it.lookInto(context.Background(), dir)
	must.Do(t, err)
	it.Says = is
	d := &protocol.Dialect{ID: "brewer", Observed: "1.2.3", Others: []string{"PreToolUse", "PostToolUse", "Brewed"}}
	look := func() *report {
		r := &report{Agent: "brewer"}
		r.look(context.Background(), options{modules: dir}, d, it, t.TempDir())
		return r
	}
	if r := look(); r.drifted() || r.Failed != "" || r.Looked != "1.2.3" {
		t.Errorf("the same bundle: %+v", r)
	}
	put(strings.NewReplacer(`"Brewed"]`, `"Brewed","Spilled"]`, "sugar,", "honey,").Replace(bundle))
	want := []string{"events: Spilled", "payload of Brewed: honey", "events that the dialect does not know: Spilled"}
	if r := look(); !slices.Equal(r.New, want) || !slices.Equal(r.Gone, []string{"payload of Brewed: sugar"}) {
		t.Errorf("the doctored bundle: %+v", r)
	}
	put(strings.ReplaceAll(bundle, "hook_event_name", "e"))
	if r := look(); !strings.Contains(r.Failed, "payload of $1") {
		t.Errorf("a bundle that is built otherwise: %+v", r)
	}
}

// What the suite found of an agent is told, and that it could not have the program or
// asked nothing of it.
func TestJudge(t *testing.T) {
	rows := []row{
		{Agent: "brewer", Capability: "guard stops a command", Result: "yes"},
		{Agent: "brewer code mode", Capability: "runs headless", Result: "no"},
		{Agent: "grinder", Capability: "installed", Result: "skipped", Note: "no such module"},
	}
	for id, want := range map[string]report{
		"brewer":  {Suite: []string{"code mode: runs headless"}},
		"grinder": {Failed: "the suite could not have it: no such module"},
		"press":   {Failed: "the suite asked nothing of it"},
	} {
		t.Run(id, func(t *testing.T) {
			r := &report{Agent: id}
			r.judge(rows)
			if !slices.Equal(r.Suite, want.Suite) || r.Failed != want.Failed {
				t.Errorf("%+v, want %+v", r, want)
			}
		})
	}
}

// Help names every flag, and is no error of the usage.
func TestHelp(t *testing.T) {
	for _, ask := range []string{"--help", "-h"} {
		o, err := parse([]string{ask})
		if !errors.Is(err, flag.ErrHelp) {
			t.Errorf("%s: %v", ask, err)
		}
		for _, name := range []string{"usage: .ci/agents-drift", "-agents", "-all", "-json", "-modules", "-root", "-suite", "-update"} {
			if !strings.Contains(o.help, name) {
				t.Errorf("%s does not tell of %q: %s", ask, name, o.help)
			}
		}
	}
	for _, wrong := range [][]string{{"--no-such-flag"}, {"more"}, {"--agents", "nobody"}, {"--suite", "--modules", "x"}} {
		t.Run(strings.Join(wrong, " "), func(t *testing.T) {
			if _, err := parse(wrong); err == nil || errors.Is(err, flag.ErrHelp) {
				t.Errorf("%q: %v", wrong, err)
			}
		})
	}
}

// A version is newer by its numbers, not by its letters.
func TestNewer(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"1.10.0", "1.9.9", true}, {"1.9.9", "1.10.0", false}, {"2.0", "2.0", false}, {"2.0.1", "2.0", true}} {
		t.Run(c.a+" and "+c.b, func(t *testing.T) {
			if newer(c.a, c.b) != c.want {
				t.Errorf("newer(%q, %q)", c.a, c.b)
			}
		})
	}
}

// The JSON has every agent with a configuration, and says of each that has no table why.
func TestEveryAgentIsSpokenFor(t *testing.T) {
	known := tables(t)
	for _, d := range agents.All() {
		if d.Config != nil && known[d.ID] == nil && whyNot(d.ID) == "it has no table yet" {
			t.Errorf("%s has neither a table in e2e/drift/tables nor a line in e2e/unrun.go that says why not", d.ID)
		}
	}
	var b strings.Builder
	write(&b, options{json: true}, []*report{{Agent: "x", New: []string{"events: A"}}})
	var o struct {
		Schema int
		Agents []report
	}
	if err := json.Unmarshal([]byte(b.String()), &o); err != nil || o.Schema != 1 || len(o.Agents) != 1 || o.Agents[0].New[0] != "events: A" {
		t.Errorf("%s: %v", &b, err)
	}
}

// A version that a Go module has before npm's registry counts, and an older one does not.
func TestAModuleMayBeNewer(t *testing.T) {
	proxy := filepath.Join(t.TempDir(), "example.org", "agent", "@v")
	must.Do(t, os.MkdirAll(proxy, 0o755))
	for name, text := range map[string]string{"list": "v0.90.0\nv0.99.0\n", "v0.99.0.info": `{"Version":"v0.99.0"}`, "v0.99.0.mod": "module example.org/agent\n"} {
		must.Write(t, filepath.Join(proxy, name), text)
	}
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(filepath.Dir(filepath.Dir(filepath.Dir(proxy)))))
	t.Setenv("GOSUMDB", "off")
	t.Setenv("GOMODCACHE", t.TempDir())
	for _, c := range []struct{ npm, module, want, note string }{
		{"0.96.1", "example.org/agent", "0.99.0", ""},
		{"1.0.0", "example.org/agent", "1.0.0", ""},
		{"0.96.1", "example.org/none", "0.96.1", "the newest version of its module is not known"},
	} {
		t.Run(c.npm+" "+c.module, func(t *testing.T) {
			r, found := &report{}, release{Version: c.npm}
			r.askModule(t.Context(), c.module, &found)
			if found.Version != c.want || (r.Note == "") != (c.note == "") || !strings.Contains(r.Note, c.note) {
				t.Errorf("%q, %q; want %q, %q", found.Version, r.Note, c.want, c.note)
			}
		})
	}
}
