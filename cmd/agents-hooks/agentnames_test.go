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
	"unicode"

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

// names are what the agents of a list are called by.
type names struct {
	words     []string   // that name an agent wherever they begin a word
	alone     []string   // whole names that are ordinary words: "cursor"
	rows      [][]string // names of several ordinary words: "vs", "code"
	variables []string   // of the environment; with a * at the end any that begin so
	folders   []string   // ".claude"

	identifiers map[string]string // what was found in those that were read: most come many times
}

func namesOf(list []*protocol.Dialect) names {
	n := names{identifiers: map[string]string{}}
	for _, d := range list {
		for _, name := range append(append([]string{d.ID, d.Name}, d.Aliases...), d.Programs...) {
			n.add(name)
		}
		n.variables = append(n.variables, d.Markers...)
		for _, file := range filesOf(d) {
			for _, step := range strings.Split(file, "/") {
				if strings.HasPrefix(step, ".") && !slices.Contains(notTheirs, step) {
					n.folders = append(n.folders, step)
				}
			}
		}
	}
	return n
}

func (n *names) add(name string) {
	words := runsOf(name)
	plain := true
	for _, w := range words {
		if !slices.Contains(ordinary, w) {
			n.words = append(n.words, w)
			plain = false
		}
	}
	switch {
	case !plain:
	case len(words) == 1:
		n.alone = append(n.alone, name)
	default:
		n.rows = append(n.rows, words)
	}
}

// filesOf are the files and folders of an agent.
func filesOf(d *protocol.Dialect) []string {
	var list []string
	for _, scope := range []protocol.Scope{protocol.UserScope, protocol.ProjectScope} {
		site := protocol.Site{Scope: scope, GOOS: "linux", Home: "/home/dev", Project: "/project"}
		if d.Folder != nil {
			list = append(list, d.Folder(site))
		}
		if d.Config != nil {
			list = append(list, d.Config.File(site))
		}
		if d.MCP != nil {
			list = append(list, d.MCP.File(site))
		}
		list = append(list, d.Skills.Dir(site))
	}
	return list
}

// runsOf splits a text into its runs of letters, in lower case.
func runsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
}

// wordsOf splits a name or a text into its words in lower case: at what is no
// letter, and where a capital begins a new one.
func wordsOf(text string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = nil
		}
	}
	runes := []rune(text)
	for i, r := range runes {
		if !unicode.IsLetter(r) {
			end()
			continue
		}
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsUpper(runes[i-1]) && unicode.IsLower(runes[i+1])) {
			end()
		}
		word = append(word, r)
	}
	end()
	return words
}

// in is the name that stands in the text of an identifier or a string; aboutAgents
// says whether what surrounds it is about agents, and is asked where that decides.
func (n names) in(text string, isString bool, aboutAgents func() bool) string {
	if n.maybeIn(strings.ToLower(text)) {
		if name := n.inWords(text); name != "" {
			return name
		}
	}
	if !isString {
		return ""
	}
	for _, name := range n.alone {
		if text == name && (unicode.IsLower(rune(name[0])) && !slices.Contains(everyday, name) || aboutAgents()) || unicode.IsUpper(rune(name[0])) && strings.Contains(text, name) && inSentence(text, name) {
			return name
		}
	}
	for _, f := range n.folders {
		if at := strings.Index(text, f); at >= 0 && (at == 0 || !isWord(text[at-1])) && (at+len(f) == len(text) || !isWord(text[at+len(f)])) {
			return f
		}
	}
	for _, v := range n.variables {
		prefix, open := strings.CutSuffix(v, "*")
		if !strings.Contains(text, prefix) {
			continue
		}
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r > 127 || !isWord(byte(r)) }) {
			// A variable that is one ordinary word is a name only where nothing else stands.
			if word == v && (word == text || strings.Contains(v, "_")) || open && strings.HasPrefix(word, prefix) {
				return word
			}
		}
	}
	return ""
}

// maybeIn reports whether one of the names can be in a text in lower case: most texts
// have none, and to split one into words takes longer.
func (n names) maybeIn(lower string) bool {
	return slices.ContainsFunc(n.words, func(name string) bool { return strings.Contains(lower, name) }) ||
		slices.ContainsFunc(n.rows, func(row []string) bool {
			return !slices.ContainsFunc(row, func(w string) bool { return !strings.Contains(lower, w) })
		})
}

// inWords is the name that is a word of a text, or a row of its words.
func (n names) inWords(text string) string {
	words := wordsOf(text)
	for i, w := range append(words, runsOf(text)...) {
		for _, name := range n.words {
			// A name may be in the middle of a word too, if it is long enough to be no accident.
			if strings.HasPrefix(w, name) || len(name) >= 6 && strings.Contains(w, name) {
				return name
			}
		}
		for _, row := range n.rows {
			if i < len(words) && i+len(row) <= len(words) && slices.Equal(words[i:i+len(row)], row) {
				return strings.Join(row, " ")
			}
		}
	}
	return ""
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// inSentence reports whether a name stands in a sentence behind its first word,
// where no ordinary word has a capital.
func inSentence(text, name string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",:;()\"'`", r) })
	for i, w := range words {
		if strings.TrimSuffix(strings.TrimSuffix(w, "."), "'s") == name && i > 0 && !strings.HasSuffix(words[i-1], ".") {
			return true
		}
	}
	return false
}

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
