package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/spec"
)

// TestScripts plays testdata/script/*.txtar: real processes in real directories.
// Each script has a machine of its own: HOME is $WORK/home, system hooks lie in
// $WORK/etc/agents, the working directory is $WORK/w. Beside testscript's own
// words a script has
//
//	json FILE PATH [VALUE]   the member at PATH (hooks.0.name) is there (and is VALUE)
//	schema NAME FILE         the document is one that spec/NAME.schema.json accepts
//	lines FILE N             the file has N lines
//	width FILE N             no line of it is longer than N characters
//
// A line that begins with [slow] starts hundreds of processes: it is played with -slow.
// So is what comes after "[!slow] stop", and a script with "[!slow] skip", which looks at
// one side of what another one plays from end to end.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 scriptsOfSystem(t, "testdata/script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setUpScript,
		Condition:           scriptCondition,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"json":   scriptJSON,
			"keep":   scriptKeep,
			"schema": scriptSchema,
			"lines":  scriptLines,
			"width":  scriptWidth,
		},
	})
}

// scriptCondition knows [slow], which is said on the command line of the test.
func scriptCondition(name string) (bool, error) {
	if name != "slow" {
		return false, fmt.Errorf("no condition %q", name)
	}
	return slowtest.On(), nil
}

func setUpScript(env *testscript.Env) error {
	work := env.WorkDir
	for _, dir := range []string{"home", "w"} {
		if err := os.MkdirAll(filepath.Join(work, dir), 0o700); err != nil {
			return err
		}
	}
	env.Cd = filepath.Join(work, "w")
	for name, value := range map[string]string{
		"HOME":            filepath.Join(work, "home"),
		"USERPROFILE":     filepath.Join(work, "home"),
		"AppData":         filepath.Join(work, "home", "AppData", "Roaming"),
		"LocalAppData":    filepath.Join(work, "home", "AppData", "Local"),
		"XDG_CONFIG_HOME": filepath.Join(work, "home", ".config"),
		"XDG_STATE_HOME":  filepath.Join(work, "home", ".local", "state"),
		"XDG_CACHE_HOME":  filepath.Join(work, "home", ".cache"),
		"XDG_DATA_HOME":   filepath.Join(work, "home", ".local", "share"),
		"XDG_CONFIG_DIRS": filepath.Join(work, "etc"),
	} {
		env.Setenv(name, value)
	}
	return makeExecutable(work)
}

// makeExecutable gives the entries of hooks, and what a script puts into bin,
// their executable bit, which an archive of text cannot hold. It happens before
// the first process starts: a file that was just written cannot always be
// executed while another process is being started (golang.org/issue/22315).
func makeExecutable(root string) error {
	return filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, dir := d.Name(), filepath.Base(filepath.Dir(p))
		if dir == "scripts" && strings.HasPrefix(name, "run") || dir == "bin" {
			return os.Chmod(p, 0o755)
		}
		return nil
	})
}

func scriptJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: json FILE PATH [VALUE]")
	}
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	dec.UseNumber()
	var doc any
	ts.Check(dec.Decode(&doc))
	if dec.More() {
		ts.Fatalf("%s: text after the first document", args[0])
	}
	v, ok := member(doc, args[1])
	got := word(v)
	switch {
	case neg && ok && (len(args) == 2 || got == args[2]):
		ts.Fatalf("%s is there: %s", args[1], got)
	case neg:
	case !ok:
		ts.Fatalf("no %s in the document", args[1])
	case len(args) == 3 && got != args[2]:
		ts.Fatalf("%s: have %s, want %s", args[1], got, args[2])
	}
}

// scriptKeep puts what stands in a document into a variable.
func scriptKeep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: keep NAME FILE PATH")
	}
	var doc any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[1])), &doc))
	v, ok := member(doc, args[2])
	if !ok {
		ts.Fatalf("no %s in the document", args[2])
	}
	ts.Setenv(args[0], word(v))
}

// member walks a dotted path: names of members, indexes of elements, "#" for the
// number of elements.
func member(v any, path string) (any, bool) {
	for _, key := range strings.Split(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			sub, ok := x[key]
			if !ok {
				return nil, false
			}
			v = sub
		case []any:
			if key == "#" {
				v = json.Number(strconv.Itoa(len(x)))
				continue
			}
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(x) {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// word is a value as a script writes it: a string as it is, all else as JSON.
func word(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(b)
}

func scriptSchema(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: schema NAME FILE")
	}
	s, err := compileSchema(args[0])
	ts.Check(err)
	var doc any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[1])), &doc))
	if err := s.Validate(doc); err != nil {
		ts.Fatalf("%s is not what %s.schema.json says: %v", args[1], args[0], err)
	}
}

// compiled are the schemas that were asked for: compiling one takes as long as a process.
var compiled sync.Map

// compileSchema compiles one schema of package spec, with those that it refers to;
// nothing is fetched. The library is the one that the MCP SDK brings: what this test
// links is started anew by every line of a script.
func compileSchema(name string) (*jsonschema.Resolved, error) {
	compile, _ := compiled.LoadOrStore(name, sync.OnceValues(func() (*jsonschema.Resolved, error) {
		root, err := parseSchema(name)
		if err != nil {
			return nil, err
		}
		return root.Resolve(&jsonschema.ResolveOptions{Loader: func(uri *url.URL) (*jsonschema.Schema, error) {
			return parseSchema(strings.TrimSuffix(path.Base(uri.Path), ".schema.json"))
		}})
	}))
	return compile.(func() (*jsonschema.Resolved, error))()
}

func parseSchema(name string) (*jsonschema.Schema, error) {
	text, ok := spec.Schema(name)
	if !ok {
		return nil, fmt.Errorf("no schema %q", name)
	}
	s := new(jsonschema.Schema)
	if err := json.Unmarshal([]byte(text), s); err != nil {
		return nil, fmt.Errorf("%s.schema.json: %w", name, err)
	}
	return s, nil
}

func scriptLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines FILE N")
	}
	if n := strings.Count(ts.ReadFile(args[0]), "\n"); strconv.Itoa(n) != args[1] {
		ts.Fatalf("%s has %d lines, want %s", args[0], n, args[1])
	}
}

func scriptWidth(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: width FILE N")
	}
	most, err := strconv.Atoi(args[1])
	ts.Check(err)
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if n := len([]rune(strings.TrimRight(line, "\r\n"))); n > most {
			ts.Fatalf("%s: a line of %d characters, want at most %d: %s", args[0], n, most, line)
		}
	}
}
