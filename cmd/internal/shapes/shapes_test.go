package shapes

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

const folder = "/w/project"

var (
	line  = `git push --force "origin" && echo 'it is done'`
	write = protocol.Change{Action: protocol.Create, Path: folder + "/deep/.env", New: "KEY=1\nOTHER=2\n", HasNew: true}
	edit  = protocol.Change{Action: protocol.Update, Path: folder + "/deep/.env", Old: "KEY=0", New: "KEY=1", HasOld: true, HasNew: true}
	gone  = protocol.Change{Action: protocol.Delete, Path: folder + "/deep/.env"}
)

// carries are what can be inserted into a shape.
func carries(s *Shape) (list []string) {
	if _, ok := s.Run(line, folder); ok {
		list = append(list, "run")
	}
	for name, c := range map[string]protocol.Change{"write": write, "edit": edit, "gone": gone} {
		if _, ok := s.Change(c, folder); ok {
			list = append(list, name)
		}
	}
	for _, c := range asked() {
		if _, ok := s.Ask(c, folder); ok {
			list = append(list, "ask")
		}
	}
	slices.Sort(list)
	return list
}

// asked are a call of each kind that neither runs nor changes anything.
func asked() []*protocol.Call {
	return []*protocol.Call{
		protocol.Tools(nil).NewCall(protocol.ReadFile, protocol.Raw(`{"file_path": "`+folder+`/deep/.env"}`)),
		protocol.Tools(nil).NewCall(protocol.Search, protocol.Raw(`{"pattern": "pass\\s*word", "path": "`+folder+`/deep"}`)),
		protocol.Tools(nil).NewCall(protocol.Fetch, protocol.Raw(`{"url": "https://held.example/?out=1"}`)),
		protocol.Tools(nil).NewCall(protocol.WebSearch, protocol.Raw(`{"query": "how to leak"}`)),
		protocol.Tools(nil).NewCall(protocol.Task, protocol.Raw(`{"prompt": "do \"it\"", "description": "it", "subagent_type": "held"}`)),
	}
}

// TestPayloadsAreThoseOfTheDialects rebuilds the list from all payloads below
// protocol into which something can be inserted: one for each form of a tool's input,
// captured ones before made ones.
func TestPayloadsAreThoseOfTheDialects(t *testing.T) {
	root := filepath.Join("..", "..", "..", "protocol")
	var b bytes.Buffer
	for _, d := range agents.All() {
		seen := map[string]bool{}
		for _, file := range files(t, root, d.ID) {
			payload, err := protocol.ParseObject([]byte(must.Read(t, file)))
			must.Do(t, err)
			from := filepath.Base(filepath.Dir(file)) + "/" + strings.TrimSuffix(filepath.Base(file), ".json")
			event, _, _ := strings.Cut(filepath.Base(from), ".")
			event = regexp.MustCompile(`-\d+$`).ReplaceAllString(event, "")
			s := Shape{Agent: d, Event: event, payload: payload}
			if strings.Contains(from, "windows") || !s.read() || len(carries(&s)) == 0 {
				continue
			}
			form := s.Event + " " + s.Tool
			for _, m := range s.decode(payload, folder).Call.NativeInput {
				form += " " + m.Name + string(m.Value[0])
			}
			if !seen[form] {
				seen[form] = true
				o := protocol.Object{{Name: "agent", Value: protocol.Quote(d.ID)}, {Name: "event", Value: protocol.Quote(event)}, {Name: "from", Value: protocol.Quote(from)}, {Name: "payload", Value: payload.Raw()}}
				b.Write(append(o.Raw(), '\n'))
			}
		}
	}
	if os.Getenv("AGENTS_HOOKS_UPDATE") != "" {
		must.Write(t, "payloads.jsonl", b.Bytes())
	} else if !bytes.Equal(b.Bytes(), payloads) {
		t.Error("payloads.jsonl is not made of what lies below protocol: AGENTS_HOOKS_UPDATE=1 go test ./cmd/internal/shapes")
	}
}

// files are the payloads of the dialect with an id, the best known first.
func files(t *testing.T, root, id string) (list []string) {
	t.Helper()
	sources, err := filepath.Glob(filepath.Join(root, "*", "*.go"))
	must.Do(t, err)
	for _, source := range sources {
		if b, err := os.ReadFile(source); err == nil && regexp.MustCompile(`(?m)^\s*(const )?id\s+= "`+id+`"`).Match(b) {
			for _, kind := range []string{"captured", "made", "own"} {
				found, _ := filepath.Glob(filepath.Join(filepath.Dir(source), "testdata", "payloads", kind, "*.json"))
				list = append(list, found...)
			}
		}
	}
	if len(list) == 0 {
		t.Fatalf("no payloads of %s below %s", id, root)
	}
	return list
}

// TestEachToolHasAShape: every tool that an agent's table says to run commands,
// change files, read, search, fetch or start an agent can be called here, so that
// hooks are tried on it; but one that does not say which files it changes.
func TestEachToolHasAShape(t *testing.T) {
	if os.Getenv("AGENTS_HOOKS_UPDATE") != "" {
		t.Skip("payloads.jsonl was written, and is read when this is built again")
	}
	const missing = ": add one to its testdata/payloads, then AGENTS_HOOKS_UPDATE=1 go test ./cmd/internal/shapes"
	namesNoFile := []string{"crush lsp_rename"}
	have := map[string][]string{}
	for _, s := range All() {
		at := s.Agent.ID + " " + s.Tool
		have[at] = append(have[at], carries(&s)...)
	}
	for _, d := range agents.All() {
		for _, tool := range d.Tools {
			does := cmp.Or(tool.Does, protocol.DoesOf(tool.Name))
			can := have[d.ID+" "+tool.Native]
			switch {
			case does.Has(protocol.Runs) && !slices.Contains(can, "run"):
				t.Errorf("%s: no payload of %s carries a command (has %v)%s", d.ID, tool.Native, can, missing)
			case does.Has(protocol.Changes) && len(can) == 0 && !slices.Contains(namesNoFile, d.ID+" "+tool.Native):
				t.Errorf("%s: no payload of %s carries a change%s", d.ID, tool.Native, missing)
			case len(subjects(tool.Name)) > 0 && !slices.Contains(can, "ask"):
				t.Errorf("%s: no payload of %s can be asked of something%s", d.ID, tool.Native, missing)
			}
		}
	}
}

// TestWhatIsAskedStandsWhereTheToolKeepsIt: in the payload and in what a hook reads,
// a path is in the agent's form.
func TestWhatIsAskedStandsWhereTheToolKeepsIt(t *testing.T) {
	for _, s := range All() {
		for _, want := range asked() {
			c, ok := s.Ask(want, folder)
			if !ok {
				continue
			}
			text := want.Input.Text(subjects(want.Name)[0])
			if s.call.Input.Text("pattern") == "" && want.Name == protocol.Search && s.call.Input.Has("path") {
				text = want.Input.Text("path") // it lists a folder
			}
			if !strings.HasPrefix(text, "/") || !strings.Contains(string(c.Payload), text) {
				text = Relative(text, folder)
			}
			in := string(c.Event.Call.NativeInput.Raw())
			if quoted := string(protocol.Quote(text)); !strings.Contains(in, strings.Trim(quoted, `"`)) && !strings.Contains(in, text) {
				t.Errorf("%s %s (%s): %s, want %s in it", s.Agent.ID, s.Tool, s.From, in, text)
			}
			if subject := c.Event.Call.Input.Text(subjects(want.Name)[0]); subject == "" && !(want.Name == protocol.Search && c.Event.Call.Input.Has("path")) {
				t.Errorf("%s %s: a hook that reads %s finds none in %s", s.Agent.ID, s.Tool, subjects(want.Name)[0], c.Event.Call.Input.Raw())
			}
			if c.Event.Call.Name != want.Name || c.Event.Call.NativeName != s.Tool {
				t.Errorf("%s %s: called %s %s", s.Agent.ID, s.Tool, c.Event.Call.Name, c.Event.Call.NativeName)
			}
		}
	}
}
