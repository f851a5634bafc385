package keeper

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Keeper works on one memory folder.
type Keeper struct {
	Dir    string
	Within *beneath.Root  // what the folder lies in; nil: it is the person's own
	Ledger *ledger.Ledger // of that project
	// Waiting lists what nobody has looked at yet as well.
	Waiting bool
	Now     time.Time
	Random  func() uint64
}

// Read is the content of a file of the folder, nil if there is none.
func (k Keeper) Read(file string) ([]byte, error) { return k.place().Read(file) }

// place is the folder as package memory knows it.
func (k Keeper) place() memory.Place {
	return memory.Place{Dir: k.Dir, Within: k.Within, Ledger: k.Ledger, Waiting: k.Waiting}
}

// An Entry is a fact, and where it stands.
type Entry struct {
	memory.Fact
	File     string // below the folder
	TopicKey string
	Seen     int // how often it was saved
}

// Facts are all facts of the folder, deleted ones too, in the order in which
// they stand.
func (k Keeper) Facts() ([]Entry, error) {
	var out []Entry
	for _, file := range k.place().FactFiles() {
		err := k.place().Lines(file, func(o protocol.Object, whose ledger.Whose) {
			if e, ok := entryOf(o, file); ok {
				e.Whose = whose
				out = append(out, e)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func entryOf(o protocol.Object, file string) (Entry, bool) {
	f, ok := memory.ParseFact(o)
	return Entry{Fact: f, File: file, TopicKey: o.Text("topic_key"), Seen: max(1, number(o.Get("seen_count")))}, ok
}

// Living are the facts that hold: not deleted, and not superseded by a later one
// that holds.
func Living(all []Entry) []Entry {
	gone := map[string]bool{}
	for _, e := range all {
		if e.Deleted {
			gone[e.ID] = true
		}
	}
	for _, e := range all {
		if !gone[e.ID] {
			for _, id := range e.Supersedes {
				gone[id] = true
			}
		}
	}
	ids := map[string]bool{}
	var out []Entry
	for _, e := range all {
		if gone[e.ID] || e.ID != "" && ids[e.ID] {
			continue
		}
		ids[e.ID] = true
		out = append(out, e)
	}
	return out
}

// Limits of what is saved.
const (
	contentMax = 800   // characters of a fact (MEM-23)
	summaryMax = 2_000 // characters of a summary (resolution 5)
	topicMax   = 200
)

// Refused says why something is not saved; the caller can mend it.
type Refused struct{ Reason string }

func (r Refused) Error() string { return r.Reason }

// Saved is what became of a fact.
type Saved struct {
	Status     string   `json:"status"` // ok, duplicate
	ID         string   `json:"id"`
	Supersedes []string `json:"supersedes,omitempty"`
}

// Save keeps a fact, unless it is there already (MEM-23, MEM-25). A fact that
// says nearly the same about the same thing as an older one supersedes it, and
// so does one with its topic key.
func (k Keeper) Save(f memory.Fact, topicKey string) (s Saved, err error) {
	if err := check(&f); err != nil {
		return s, err
	}
	err = k.place().Locked(func() error {
		living, err := k.near(f, topicKey)
		if err != nil {
			return err
		}
		if same, ok := duplicate(living, f, topicKey); ok {
			s = Saved{Status: "duplicate", ID: same.ID}
			return k.seenAgain(same)
		}
		f.ID, f.Time = memory.NewID("log", k.Now, k.Random()), k.Now
		f.Supersedes = superseded(living, f, topicKey)
		s = Saved{Status: "ok", ID: f.ID, Supersedes: f.Supersedes}
		return k.place().KeepFact(f, topicKey)
	})
	if err != nil {
		return Saved{}, err
	}
	if s.Status == "ok" {
		err = k.place().Counted(f)
	}
	return s, err
}

// check cleans a fact, and refuses one that says nothing.
func check(f *memory.Fact) error {
	if f.Kind == "" {
		f.Kind = "W"
	}
	if len(f.Kind) != 1 || !strings.Contains(memory.Types, f.Kind) {
		return Refused{fmt.Sprintf("type %q: want W, B, O or S", f.Kind)}
	}
	if f.Confidence < 0 || f.Confidence > 1 {
		return Refused{fmt.Sprintf("confidence %v: want 0 to 1", f.Confidence)}
	}
	f.Content = text.Clip(redact.Memory.Text(withoutEcho(f.Content)), contentMax)
	if len(memory.Normal(f.Content)) == 0 {
		return Refused{"content is empty, or holds nothing that may be kept"}
	}
	for i, e := range f.Entities {
		f.Entities[i] = redact.Memory.Text(strings.TrimSpace(e))
	}
	f.Entities = slices.DeleteFunc(f.Entities, func(e string) bool { return e == "" })
	return nil
}

// withoutEcho takes off what an agent sometimes copies along: the command that it
// saves with.
func withoutEcho(text string) string {
	var kept []string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		bare := strings.TrimLeft(strings.TrimSpace(line), "$> ")
		if strings.HasPrefix(bare, "agents-hooks memory ") || strings.Contains(bare, "save_fact.py") || strings.Contains(bare, "save_summary.py") {
			continue
		}
		kept = append(kept, strings.TrimRight(line, "\r\n"))
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

// How alike two facts have to be (MEM-25).
const (
	sameAs  = 0.9
	updates = 0.7
)

// duplicate finds a fact that says the same.
func duplicate(living []Entry, f memory.Fact, topicKey string) (Entry, bool) {
	text, terms := memory.Normal(f.Content), termsOf(f.Content)
	for _, e := range slices.Backward(living) {
		if e.TopicKey != topicKey && topicKey != "" || e.Kind != f.Kind && (e.Kind == "S" || f.Kind == "S") {
			continue
		}
		if memory.Normal(e.Content) == text || alike(termsOf(e.Content), terms) >= sameAs && numbers(e.Content) == numbers(f.Content) {
			return e, true
		}
	}
	return Entry{}, false
}

// superseded are the facts that a new one stands for.
func superseded(living []Entry, f memory.Fact, topicKey string) []string {
	var out []string
	terms := termsOf(f.Content)
	for _, e := range living {
		switch {
		case topicKey != "" && e.TopicKey == topicKey:
			out = append(out, e.ID)
		case e.Kind != f.Kind || f.Kind == "S" || !shareOne(e.Entities, f.Entities):
		case alike(termsOf(e.Content), terms) >= updates:
			out = append(out, e.ID)
		}
	}
	return slices.DeleteFunc(out, func(id string) bool { return id == "" })
}

func termsOf(text string) map[string]bool {
	out := map[string]bool{}
	for _, t := range find.Terms(text) {
		out[t] = true
	}
	return out
}

// numbers are the digits of a text in their order: "port 8080" and "port 8081"
// are alike, and say something else.
func numbers(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '.' {
			return r
		}
		return -1
	}, text)
}

func alike(a, b map[string]bool) float64 {
	both := 0
	for t := range a {
		if b[t] {
			both++
		}
	}
	if all := len(a) + len(b) - both; all > 0 {
		return float64(both) / float64(all)
	}
	return 0
}

func shareOne(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool {
		return slices.ContainsFunc(b, func(y string) bool { return strings.EqualFold(x, y) })
	})
}

// seenAgain notes that a fact was saved once more.
func (k Keeper) seenAgain(e Entry) error {
	return k.place().Rewrite(e.File, func(o *protocol.Object) (bool, bool) {
		if f, ok := memory.ParseFact(*o); !ok || f.ID != e.ID || f.Content != e.Content {
			return false, true
		}
		o.Set("seen_count", strconv.AppendInt(nil, int64(max(1, number(o.Get("seen_count")))+1), 10))
		o.SetText("last_seen_at", memory.Stamp(k.Now))
		return true, true
	})
}

// Summarize keeps the summary of a session. A session that has one is left alone
// ([memory.ErrSaved]), unless again is set: then the later one stands.
func (k Keeper) Summarize(s memory.Summary, again bool) (string, error) {
	if s.Session == "" {
		s.Session = k.place().CurrentSession()
	}
	s.Topic, s.Text = text.Clip(redact.Memory.Text(withoutEcho(s.Topic)), topicMax), text.Clip(redact.Memory.Text(withoutEcho(s.Text)), summaryMax)
	if s.Topic == "" && s.Text == "" {
		return "", Refused{"topic and summary are empty, or hold nothing that may be kept"}
	}
	for _, list := range []*[]string{&s.Decisions, &s.Todos} {
		for i, item := range *list {
			(*list)[i] = text.Clip(redact.Memory.Text(strings.TrimSpace(item)), contentMax)
		}
		*list = slices.DeleteFunc(*list, func(t string) bool { return t == "" })
	}
	s.ID, s.Time = memory.NewID("sum", k.Now, k.Random()), k.Now
	if s.Source == "" {
		s.Source = "layer1_rules"
	}
	if err := k.place().Make(); err != nil {
		return "", err
	}
	return s.ID, k.place().KeepSummary(s, again)
}

// Summaries are those of the folder, deleted ones too, as they stand.
func (k Keeper) Summaries() ([]memory.Summary, error) {
	var out []memory.Summary
	err := k.place().Lines(memory.SessionsFile, func(o protocol.Object, whose ledger.Whose) {
		s := memory.ParseSummary(o)
		s.Whose = whose
		if !s.Deleted {
			out = append(out, s)
		}
	})
	return out, err
}

func number(raw protocol.Raw) int {
	n, err := strconv.Atoi(string(raw))
	if err != nil {
		return 0
	}
	return n
}

// path is a file of the folder.
