package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/strange"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// A share can be attached to an issue: which agents are here, what they do that we do not know,
// and the structure of this project's recordings. Its JSON form is stable.
type share struct {
	Schema  int           `json:"schema"`
	Program string        `json:"program"`
	System  string        `json:"system"`
	Agents  []sharedAgent `json:"agents"`
	Events  []sharedEvent `json:"events"` // recorded in this project, the newest last
}

type sharedAgent struct {
	ID        string         `json:"id"`
	Installed string         `json:"installed"` // its version, "" if unknown
	Proven    string         `json:"proven"`
	Strange   []sharedOddity `json:"strange"`
}

type sharedOddity struct {
	Kind    string          `json:"kind"`
	Event   string          `json:"event"`
	Field   string          `json:"field"`
	Version string          `json:"version"`
	First   time.Time       `json:"first"`
	Last    time.Time       `json:"last"`
	Count   int             `json:"count"`
	Shape   json.RawMessage `json:"shape"`
}

type sharedEvent struct {
	Agent    string          `json:"agent"`
	Native   string          `json:"native_event"`
	Event    string          `json:"event"`
	Decision string          `json:"decision"`
	Exit     int             `json:"exit"`
	Payload  json.RawMessage `json:"payload"`
	Answer   json.RawMessage `json:"answer"`
}

// mostShared is how many recorded events are included.
const mostShared = 40

// shareInto writes the file, and says what is in it.
func shareInto(sh *shell.Shell, path string, o recordOptions) error {
	s, err := shareOf(sh, o.root)
	if err != nil {
		return fmt.Errorf("record: --share: %w", err)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := errors.Join(enc.Encode(s), writeNew(path, b.Bytes())); err != nil {
		return fmt.Errorf("record: --share: %w", err)
	}
	odd := 0
	for _, a := range s.Agents {
		odd += len(a.Strange)
	}
	sh.Printf("%s: %s, %s that %s not known here, %s of this project\n", sh.Shown(path), text.Count(len(s.Agents), "agent"),
		text.Count(odd, "thing"), isOrAre(odd), text.Count(len(s.Events), "recorded event"))
	sh.Hints([]string{
		"it has names of events, fields and tools, types and lengths; no paths, prompts, commands or answers: look at it before you give it away",
		"agents-hooks record on, then the same again, adds what agents send in this project",
	})
	return nil
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// writeNew creates a file that does not exist, for its owner only.
func writeNew(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%q already exists: name another file", path)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}

func shareOf(sh *shell.Shell, root string) (share, error) {
	s := share{Schema: 1, Program: shell.ProgramVersion(), System: runtime.GOOS + "/" + runtime.GOARCH, Agents: []sharedAgent{}, Events: []sharedEvent{}}
	_ = strange.Settle(sh.Host.State, agentarg.Installable(), sh.Host.Now()) // what cannot be counted now is counted later
	for _, d := range agentarg.Installable() {
		here := setup.PresenceOf(sh.Host, d)
		rows := strange.Rows(sh.Host.State, d.ID)
		if !here.Found() && len(rows) == 0 {
			continue
		}
		a := sharedAgent{ID: d.ID, Installed: setup.InstalledVersion(here.Program), Proven: d.Observed, Strange: []sharedOddity{}}
		for _, r := range rows {
			a.Strange = append(a.Strange, sharedOddity{r.Kind, redact.Kind(r.Event), redact.Log.Text(r.Field), redact.Kind(r.Version), r.First, r.Last, r.Count(r.First), json.RawMessage(r.Shape)})
		}
		s.Agents = append(s.Agents, a)
	}
	p, err := record.Store{State: sh.Host.State}.Project(root)
	if err != nil {
		return s, err
	}
	for _, file := range slices.Backward(p.Sessions) {
		events, err := eventsOf(file.Path)
		if err != nil {
			return s, err
		}
		s.Events = append(events, s.Events...)
		if over := len(s.Events) - mostShared; over >= 0 {
			s.Events = s.Events[over:]
			break
		}
	}
	return s, nil
}

// eventsOf are the structures of a recorded session's events.
func eventsOf(path string) (list []sharedEvent, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", filepath.Base(path), err)
	}
	for line := range bytes.Lines(b) {
		o, err := protocol.ParseObject(line)
		if err != nil {
			continue
		}
		if e, ok := record.Parse(o); ok {
			list = append(list, sharedEvent{e.Agent, redact.Kind(e.NativeEvent), redact.Kind(e.Event), redact.Kind(e.Answer.Decision), e.Answer.Exit,
				json.RawMessage(redact.Shape(e.Payload, toolsOf(e.Agent))), json.RawMessage(answerShape(e.Answer.Stdout))})
		}
	}
	return list, nil
}

// toolsOf are the known tools of an agent.
func toolsOf(agent string) protocol.Tools {
	if d, ok := agents.Lookup(agent); ok {
		return d.Tools
	}
	return nil
}

// answerShape is the structure of an answer: an object, or a text.
func answerShape(stdout string) protocol.Raw {
	if o, err := protocol.ParseObject([]byte(stdout)); err == nil {
		return redact.Shape(o.Raw(), nil)
	}
	return redact.Shape(protocol.Quote(stdout), nil)
}
