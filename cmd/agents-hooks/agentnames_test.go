package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// Dialects are values: nothing but an agent's own folder, and the list of package
// protocol/agents, knows one by its name. What counts as a name is taken from the
// dialects themselves, so that a new agent is looked for from its first day.
// Comments may give an example, and so may tests.

// naming are the files that name agents all the same, and why. One that does not
// need to stand here is an error.
var naming = map[string]string{
	"builtin-hooks/internal/compat/originals.go": "folders, files and variables of the programs whose data the behaviours share; they are parts of formats, and not ours to choose",
	"builtin-hooks/evolution/screen/phrases.go":  "files that agents read as instructions, which no gene may write into",
	"cmd/internal/habits/misread.go":             "variables that hooks of other programs read, which a script does not find here; they are theirs to name",
	"bench/fixture.go":                           "plays one agent: its payload, and the file with its entries",
	"bench/person/person.go":                     "plays one agent: its payloads",
	"bench/told/form.go":                         "plays one agent: its tools and events",
	"bench/told/main.go":                         "a form of events is called after the agent that has it",
	"bench/week/session.go":                      "plays four agents: their captured payloads",
	"e2e/agent.go":                               "the list of recipes, one line for each agent that is run",
	"e2e/unrun.go":                               "the list of agents that are not run, and why",
	"e2e/agents_kilo.go":                         "its program is made of another agent's, under the variables of that one",
	"e2e/model/gemini.go":                        "the interface of a model, which is called like the agent of its vendor",
	"e2e/model/request.go":                       "tells those interfaces apart",
	"e2e/model/server.go":                        "serves those interfaces",
}

// ordinary are words of the language, and of our trade, that names of agents are
// made of. Alone they name nobody, but where something is said of an agent.
var ordinary = strings.Fields("agent amazon augment block cascade charm chat cli cloud code coding crush cursor desktop factory github ide insiders kilo legacy openai pi q vs")

// everyday are those of them that are a value of a string in many a program.
var everyday = strings.Fields("cascade code cursor factory pi q")

// notTheirs are folders that agents share with others.
var notTheirs = []string{".agents", ".config", ".github", ".aws"}

// namedIn are the agents that a file names, with the places.
func (n names) namedIn(set *token.FileSet, f *ast.File) []string {
	var found []string
	var above []ast.Node
	report := func(at token.Pos, name string) {
		if name != "" {
			found = append(found, set.Position(at).String()+": "+name)
		}
	}
	ast.Inspect(f, func(node ast.Node) bool {
		if node == nil {
			above = above[:len(above)-1]
			return true
		}
		switch x := node.(type) {
		case *ast.ImportSpec:
			if p, _ := strconv.Unquote(x.Path.Value); ofOneAgent(p) {
				report(x.Pos(), p)
			}
			return false
		case *ast.Ident:
			name, known := n.identifiers[x.Name]
			if !known {
				name = n.in(x.Name, false, nil)
				n.identifiers[x.Name] = name
			}
			report(x.Pos(), name)
		case *ast.BasicLit:
			text := x.Value
			if x.Kind == token.STRING {
				text, _ = strconv.Unquote(x.Value)
			}
			report(x.Pos(), n.in(text, x.Kind == token.STRING, func() bool { return aboutAgents(above, x) }))
		}
		above = append(above, node)
		return true
	})
	return found
}

// ofOneAgent reports whether an import is the folder of one agent.
func ofOneAgent(p string) bool {
	below, ok := strings.CutPrefix(p, module+"/protocol/")
	return ok && !slices.Contains([]string{"agents", "deed", "install", "spec"}, strings.Split(below, "/")[0]) && !strings.HasPrefix(below, "internal/")
}

// aboutAgents reports whether what a literal is compared with, put into, given to
// or chosen by is called after agents.
func aboutAgents(above []ast.Node, literal ast.Node) bool {
	returned := false
	for i := len(above) - 1; i >= 0; i-- {
		var near []ast.Node
		last := false
		switch x := above[i].(type) {
		case *ast.BinaryExpr:
			near = []ast.Node{x.X, x.Y}
		case *ast.CallExpr:
			near, last = []ast.Node{x.Fun}, true
			for _, a := range x.Args {
				near = append(near, a)
			}
		case *ast.KeyValueExpr:
			near = []ast.Node{x.Key}
		case *ast.CompositeLit:
			if x.Type != nil {
				near = []ast.Node{x.Type}
			}
		case *ast.IndexExpr:
			near = []ast.Node{x.X}
		case *ast.SwitchStmt:
			if x.Tag != nil {
				near = []ast.Node{x.Tag}
			}
		case *ast.ValueSpec:
			for _, id := range x.Names {
				near = append(near, id)
			}
		case *ast.AssignStmt:
			for _, l := range x.Lhs {
				near = append(near, l)
			}
		case *ast.ReturnStmt:
			returned = true
		case *ast.BlockStmt:
			// A case stands in the block of its switch, and what is returned is of the
			// function; no other block is looked out of.
			_, choice := above[i-1].(*ast.SwitchStmt)
			last = !choice && !returned
		case *ast.FuncDecl:
			near, last = []ast.Node{x.Name}, true
		case *ast.FuncLit, *ast.File:
			return false
		}
		for _, n := range near {
			if n != literal && saysAgent(n) {
				return true
			}
		}
		if last {
			return false
		}
	}
	return false
}

// saysAgent reports whether an expression has an agent in one of its names, or is
// the id of something.
func saysAgent(n ast.Node) bool {
	says := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.SelectorExpr:
			says = says || slices.Contains([]string{"ID", "Is", "Aliases", "Programs", "Reads", "AlsoReads"}, x.Sel.Name)
		case *ast.Ident:
			for _, w := range wordsOf(x.Name) {
				says = says || slices.Contains([]string{"agent", "agents", "dialect", "dialects"}, w)
			}
		}
		return !says
	})
	return says
}

func TestAgentsAreNamedInTheirFolderOnly(t *testing.T) {
	set, list := sources(t)
	all := namesOf(agents.All())
	needed := map[string]bool{}
	for _, s := range list {
		if s.test() || below(s.dir, "protocol") && s.dir != "protocol" && !below(s.dir, "protocol/install") {
			continue
		}
		found := but(all, s.path()).namedIn(set, s.ast)
		if _, ok := naming[s.path()]; ok {
			needed[s.path()] = len(found) > 0
			continue
		}
		for _, f := range found {
			t.Errorf("%s names an agent: one folder an agent, and one line of protocol/agents", f)
		}
	}
	for file, why := range naming {
		if !needed[file] || why == "" {
			t.Errorf("%s needs no place among the files that name agents, or has no reason", file)
		}
	}
}

// but leaves out the names of the agent that a file is the recipe of, for the tests
// with real programs, and is called after: e2e/agents_NAME.go.
func but(all names, file string) names {
	about, ok := strings.CutPrefix(file, "e2e/agents_")
	if !ok {
		return all
	}
	about = strings.TrimSuffix(about, ".go")
	own := namesOf(slices.DeleteFunc(agents.All(), func(d *protocol.Dialect) bool {
		of := namesOf([]*protocol.Dialect{d})
		return !slices.Contains(of.words, about) && !slices.Contains(of.alone, about)
	}))
	without := func(list, own []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(own, s) })
	}
	rows := slices.DeleteFunc(slices.Clone(all.rows), func(row []string) bool {
		return slices.ContainsFunc(own.rows, func(o []string) bool { return slices.Equal(o, row) })
	})
	return names{
		words: without(all.words, own.words), alone: without(all.alone, own.alone), rows: rows,
		variables: without(all.variables, own.variables), folders: without(all.folders, own.folders),
		identifiers: map[string]string{},
	}
}

// The test that looks for names finds them, in each way that one can be written,
// and takes nothing else for one. Ziggurat is an agent that is on no list but this
// one, so what finds it was not written for it.
func TestNamesAreFoundAndNothingElse(t *testing.T) {
	made := &protocol.Dialect{
		ID: "ziggurat-cli", Aliases: []string{"zig", "desktop"}, Name: "Desktop", Programs: []string{"ziggy", "code-agent"}, Markers: []string{"ZGT_RUN", "TOWER_*", "CHARM"},
		Folder: func(s protocol.Site) string { return path.Join(s.Home, ".tower") },
	}
	n := namesOf(append(agents.All(), made))
	for _, c := range []struct {
		code string
		name string // "" for no alarm
	}{
		// Names are found in identifiers and strings, however they are spelled.
		{`var claudeHome = 1`, "claude"}, {`var OnCodex = 1`, "codex"}, {`const geminiCLI = 1`, "gemini"}, {`var myclaudething int`, "claude"},
		{`var x = "uses Claude Code"`, "claude"}, {`var x = "CLAUDECODE"`, "claude"}, {`var x = "QWEN_PROJECT_DIR"`, "qwen"}, {`var x = ".qwen/settings.json"`, "qwen"},
		{`var x = "goose"`, "goose"}, {`var x = "devin-cli"`, "devin"}, {`func junie() {}`, "junie"}, {`var x = "agy"`, "agy"}, {`var x = "kilocode"`, "kilocode"}, {`var x = "crush"`, "crush"}, {`var x = "augment"`, "augment"},
		{`var x = "auggie"`, "auggie"}, {`var x = "qchat"`, "qchat"}, {`var x = ".clinerules"`, "cline"}, {`var x = ".codeium"`, ".codeium"}, {`var x = "vscode"`, "vscode"},
		// Names of several ordinary words.
		{`var x = "vs-code"`, "vs code"}, {`var vsCode = 1`, "vs code"}, {`var VSCode = 1`, "vs code"}, {`var x = "Amazon Q CLI"`, "amazon q"}, {`var x = "amazon-q"`, "amazon q"},
		{`var x = "cursor-agent"`, "cursor agent"}, {`var x = "kilo-cli"`, "kilo cli"},
		// One ordinary word, where something is said of an agent.
		{`var x = agent == "cursor"`, "cursor"}, {`var x = d.ID == "crush"`, "crush"}, {`var x = agents.Lookup("cursor")`, "cursor"}, {`var agents = []string{"augment"}`, "augment"},
		{`func f() { switch ev.Agent { case "cursor": } }`, "cursor"}, {`func f() { if "q" != dialect.ID { } }`, "q"}, {`var x = T{Agent: "kilo"}`, "kilo"}, {`func agentOf() string { if a { return "cursor" }; return "" }`, "cursor"},
		{`var x = "when Cursor is told"`, "Cursor"}, {`var x = "tell it to Crush."`, "Crush"}, {`var x = "CURSOR_VERSION"`, "CURSOR_VERSION"}, {`var x = "KILO_PID=1"`, "KILO_PID"},
		{`var x = "below .cursor/skills"`, ".cursor"}, {`import "` + module + `/protocol/cursor"`, module + "/protocol/cursor"},
		// The agent that nobody knows of.
		{`var ziggurats int`, "ziggurat"}, {`var x = "ziggy"`, "zig"}, {`var x = "run zig"`, "zig"}, {`var x = "ZGT_RUN"`, "ZGT_RUN"}, {`var x = "TOWER_7"`, "TOWER_7"},
		{`var x = "~/.tower/x"`, ".tower"}, {`var x = "code-agent"`, "code agent"}, {`var x = d.Is("desktop")`, "desktop"}, {`var x = "the Desktop has it"`, "Desktop"}, {`var x = "CHARM"`, "CHARM"},
		// A database has cursors, an error has a code, and a word may hold another one.
		{`var cursor, nextCursor, Cursors int`, ""}, {`var x = "cursor"`, ""}, {`var x = map[string]any{"cursor": 1}`, ""}, {`var x = rows.Close("cursor")`, ""}, {`var x = "the cursor moves"`, ""},
		{`var x = "Cursor moved"`, ""}, {`var x = "move. Cursor moved"`, ""}, {`var x = "sync-cursor.json"`, ""}, {"type T struct { Cursor int `json:\"cursor\"` }", ""}, {`func f() { switch key { case "cursor": } }`, ""},
		{`var code, exitCode = "code", "status code"`, ""}, {`var x = "mongoose, android, decline, kilobyte, kilo"`, ""}, {`func augment() { crush(factory) }`, ""}, {`var q = "q"`, ""},
		{`var x = "the desktop, with charm"`, ""}, {`var x = "tower.txt"`, ""}, {`var x = "a.cursors"`, ""}, {`var x = "GITHUB_ACTIONS"`, ""}, {`var x = ".agents/hooks"`, ""},
		{`func f(agent string) { read("cursor") }`, ""}, {`func f(agent string) { if agent == "" { page = "cursor" } }`, ""},
		{`import "` + module + `/protocol/agents"`, ""}, {"// cursor and claude are examples\nvar x = 1", ""},
	} {
		t.Run(fmt.Sprintf("%q", c.code), func(t *testing.T) {
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, "x.go", "package x\n"+c.code, parser.ParseComments)
			if err != nil {
				t.Fatalf("%s: %v", c.code, err)
			}
			found := strings.Join(n.namedIn(set, f), "\n")
			if c.name == "" && found != "" || c.name != "" && !strings.HasSuffix(strings.SplitN(found+"\n", "\n", 2)[0], ": "+c.name) {
				t.Errorf("%s: found %q, want %q", c.code, found, c.name)
			}
		})
	}
}
