package dialecttest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Rules says where an agent deviates from the rules for all agents: the lines "key:
// words" of testdata/rules.txt in its folder, # for comments. So a new agent brings
// its own exceptions, and the tests of the rules name no agent. One that has none needs
// no file.
type Rules map[string][]string

// The keys of rules.txt.
const (
	PlainText  = "plain-text"  // native events whose answer may be plain text
	Progress   = "progress"    // native events whose answer may have lines before it that the user is shown
	ExitTwo    = "exit-2"      // native events that are blocked by exit 2, since they have no JSON form for it
	BareAllow  = "bare-allow"  // native events that must be answered with a verdict, so that no opinion is allow
	CallID     = "call-id"     // the members that may hold the agent's own id of a call, as paths; tool_use_id if absent
	StopActive = "stop-active" // "untold": the agent does not say that it continues because of a hook
	Untold     = "untold"      // payloads whose agent cannot be recognised by shape
)

var keys = []string{PlainText, Progress, ExitTwo, BareAllow, CallID, StopActive, Untold}

// ReadRules reads the rules of the dialect in a folder.
func ReadRules(t testing.TB, folder string) Rules {
	t.Helper()
	path := filepath.Join(folder, "testdata", "rules.txt")
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	rules := Rules{}
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		key, words, ok := strings.Cut(line, ":")
		if _, twice := rules[key]; !ok || twice || !slices.Contains(keys, key) {
			t.Fatalf("%s: %q is no rule, or stands twice: want a line \"KEY: WORDS\" with one of %s", path, line, strings.Join(keys, ", "))
		}
		rules[key] = strings.Fields(words)
	}
	return rules
}

// Has reports whether a key has a word.
func (r Rules) Has(key, word string) bool { return slices.Contains(r[key], word) }

// Text is the value of a key.
func (r Rules) Text(key string) string { return strings.Join(r[key], " ") }

// CallIDOf is the agent's own id of the call in a payload, "" if it gives none.
func (r Rules) CallIDOf(p protocol.Object) string {
	paths := r[CallID]
	if len(paths) == 0 {
		paths = []string{"tool_use_id"}
	}
	for _, path := range paths {
		steps := strings.Split(path, ".")
		o, last := p, len(steps)-1
		for _, step := range steps[:last] {
			o = o.Sub(step)
		}
		if id := o.Text(steps[last]); id != "" {
			return id
		}
	}
	return ""
}
