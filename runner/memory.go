package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

const (
	// lockWait is how long a session's file may be held by another dispatcher.
	lockWait = 2 * time.Second

	maxOfHook = 3  // different notices of one kind about one hook
	maxOfKind = 10 // different notices of one kind
	maxLeft   = 10 // texts that wait for the person
	maxTasks  = 64 // remembered Task calls
	maxTask   = 16 << 10

	longestLeft = 4000 // characters of a text that waits
	taskAge     = time.Hour
)

// Due returns those of an event's warnings that the user has not seen in this session.
// Each text is shown once. So that a repository with a thousand mistakes cannot hide
// what matters, at most three texts of one hook and kind are shown, and ten of one
// kind; more says, once a kind, how many were left out. If this cannot be recorded, all
// are returned: better twice than never.
func (s *Session) Due(list []Warning) (due []Warning, more int) {
	if due, more = s.read().due(list); len(due)+more > 0 {
		s.update(func(m *memory) { due, more = m.due(list) })
	}
	return due, more
}

// due is Due as the session's file has it, and changes that.
func (m *memory) due(list []Warning) (due []Warning, more int) {
	full := map[string]bool{} // kinds of which too much was said just now
	for _, w := range list {
		kind := w.Kind + " "
		hook := kind + w.Hook + " "
		key := hook + longHash(w.Text)
		switch {
		case slices.Contains(m.notices, key):
		case m.told(hook) < maxOfHook && m.told(kind) < maxOfKind:
			m.notices = append(m.notices, key)
			due = append(due, w)
		case full[kind]:
			more++
		case !slices.Contains(m.notices, kind+"+"):
			m.notices = append(m.notices, kind+"+")
			full[kind] = true
			more++
		}
	}
	return due, more
}

// Leave stores a text for the user, for [Session.Collect].
func (s *Session) Leave(said string) {
	if said == "" {
		return
	}
	said = text.Clip(said, longestLeft)
	s.update(func(m *memory) {
		switch {
		case len(m.left) > maxLeft || slices.Contains(m.left, said):
		case len(m.left) == maxLeft:
			m.left = append(m.left, "agents-hooks: and more: run `agents-hooks log`")
		default:
			m.left = append(m.left, said)
		}
	})
}

// Collect returns the stored texts, once.
func (s *Session) Collect() (list []string) {
	if len(s.read().left) == 0 {
		return nil
	}
	s.update(func(m *memory) { list, m.left = m.left, nil })
	return list
}

// told is how many notices that begin like this were given.
func (m *memory) told(prefix string) (n int) {
	for _, key := range m.notices {
		if strings.HasPrefix(key, prefix) {
			n++
		}
	}
	return n
}

// Limits is how often hooks may make the agent go on. Package discovery reads the
// user's setting and has the defaults: here 0 means 0, so that a stop_limit of 0 allows
// none at all.
type Limits struct {
	Row   int // in a row; 0: never
	Total int // a session; 0: never
	Agent int // the agent's own limit in a row, 0 if it has none
}

func (l Limits) row() int {
	if l.Agent > 0 {
		return min(l.Row, l.Agent)
	}
	return l.Row
}

// StopCount returns how often the agent was made to go on: in a row, and since the
// session began.
func (s *Session) StopCount() (row, total int) {
	c := s.read().counts[stopCounter]
	return c.row, c.total
}

// AllowContinue reports whether the agent may be made to go on once more, and counts it
// if so. If it cannot be counted, it is allowed only if the agent has its own limit: an
// infinite loop costs more than a gate that is bypassed with a warning.
func (s *Session) AllowContinue(l Limits) bool { return s.allow(stopCounter, nil, l, "") }

// stopCounter counts pre-agent-turn-stop; subagents have counters of their own.
const stopCounter = "stop"

// allow is AllowContinue for one counter. hooks are those that made the agent go
// on, text is what it is told.
func (s *Session) allow(counter string, hooks []string, l Limits, text string) bool {
	ok := false
	recorded := s.update(func(m *memory) {
		c := m.counts[counter]
		if ok = c.row < l.row() && c.total < l.Total; !ok {
			return
		}
		m.counts[counter] = count{c.row + 1, c.total + 1}
		for _, h := range hooks {
			key := hookCounter(counter, h)
			m.counts[key] = count{m.counts[key].row + 1, m.counts[key].total + 1}
		}
		m.continued = markOf(text)
	})
	if !recorded {
		return l.Agent > 0 && l.Row > 0 && l.Total > 0
	}
	return ok
}

func hookCounter(counter, hook string) string { return counter + "/" + hook }

// Continued records the text with which the agent was made to go on, if it differs from
// the reason or follow-up that Run recorded.
func (s *Session) Continued(text string) {
	s.update(func(m *memory) { m.continued = markOf(text) })
}

// PromptArrived reports a prompt. A new one of the user resets the count of
// continuations in a row. Our own continuation, which some agents report as a prompt,
// does not, and ours is true.
func (s *Session) PromptArrived(prompt string) (ours bool) {
	m := s.read()
	if m.continued.of(prompt) {
		return true
	}
	reset := m.continued != mark{}
	for _, c := range m.counts {
		reset = reset || c.row > 0
	}
	if !reset {
		return false
	}
	s.update(func(m *memory) {
		m.continued = mark{}
		for name, c := range m.counts {
			c.row = 0
			m.counts[name] = c
		}
	})
	return false
}

// RememberTask stores a Task call until its subagent starts, for at most an hour, with
// at most 16 KiB of each text.
func (s *Session) RememberTask(t Task) {
	now := time.Now()
	s.update(func(m *memory) {
		m.tasks = append(m.tasks, remembered{Task{text.HeadBytes(t.SubagentType, 256), text.HeadBytes(t.Description, maxTask), text.HeadBytes(t.Prompt, maxTask)}, now})
		m.tasks = m.tasks[max(0, len(m.tasks)-maxTasks):]
	})
}

// TakeTask removes and returns the oldest stored call for a type of subagent, or for
// any type if subagentType is empty.
func (s *Session) TakeTask(subagentType string) (Task, bool) {
	if len(s.read().tasks) == 0 {
		return Task{}, false
	}
	var t Task
	ok := false
	s.update(func(m *memory) {
		m.tasks = slices.DeleteFunc(m.tasks, func(r remembered) bool { return time.Since(r.at) > taskAge })
		for i, r := range m.tasks {
			if subagentType == "" || r.SubagentType == subagentType {
				t, ok = r.Task, true
				m.tasks = slices.Delete(m.tasks, i, i+1)
				return
			}
		}
	})
	return t, ok
}

// Looked returns how much of the session's transcript was examined for rejected
// answers.
func (s *Session) Looked() int64 { return int64(s.read().looked) }

// Look stores that.
func (s *Session) Look(size int64) { s.update(func(m *memory) { m.looked = int(size) }) }

func (s *Session) read() *memory {
	if s == nil || s.path == "" {
		return parseMemory(nil)
	}
	b, err := statefile.Read(s.path)
	if err != nil {
		s.warn(err)
	}
	return parseMemory(b)
}

// update changes the session's file, and reports whether it could.
func (s *Session) update(change func(*memory)) bool {
	if s == nil || s.path == "" {
		return false
	}
	err := statefile.Update(s.path, lockWait, func(old []byte) ([]byte, error) {
		m := parseMemory(old)
		change(m)
		return m.append(nil), nil
	})
	if err != nil {
		s.warn(err)
	}
	return err == nil
}

// memory is the content of a session's file. A file that cannot be read counts
// as empty: all that is lost is a notice told twice, a row begun anew.
type memory struct {
	counts    map[string]count
	notices   []string
	left      []string // for the person, at the next event with a place for it
	tasks     []remembered
	continued mark
	looked    int // bytes of the transcript
}

type count struct{ row, total int }

type remembered struct {
	Task
	at time.Time
}

func (r remembered) raw() protocol.Raw {
	var o protocol.Object
	o.SetText("at", r.at.UTC().Format(time.RFC3339Nano))
	o.SetText("subagent_type", r.SubagentType)
	o.SetText("description", r.Description)
	o.SetText("prompt", r.Prompt)
	return o.Raw()
}

// A mark recognises a text without keeping it.
type mark struct {
	size int
	sum  string
}

func markOf(text string) mark {
	text = strings.TrimSpace(text)
	if text == "" {
		return mark{}
	}
	sum := sha256.Sum256([]byte(text))
	return mark{len(text), hex.EncodeToString(sum[:16])}
}

// of reports whether a prompt ends in the marked text. Agents put context of
// other hooks before it.
func (m mark) of(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	return m.size > 0 && len(prompt) >= m.size && markOf(prompt[len(prompt)-m.size:]) == m
}

func parseMemory(b []byte) *memory {
	m := &memory{counts: map[string]count{}}
	o, err := protocol.ParseObject(b)
	if err != nil {
		return m
	}
	for _, c := range o.Sub("continued") {
		pair := protocol.ElementsOf(c.Value)
		if len(pair) == 2 {
			m.counts[c.Name] = count{number(pair[0]), number(pair[1])}
		}
	}
	m.notices = append(m.notices, protocol.TextsOf(o.Get("notices"))...)
	m.left = append(m.left, protocol.TextsOf(o.Get("left"))...)
	for _, raw := range protocol.ElementsOf(o.Get("tasks")) {
		t := protocol.ObjectOf(raw)
		at, _ := time.Parse(time.RFC3339Nano, t.Text("at"))
		m.tasks = append(m.tasks, remembered{Task{t.Text("subagent_type"), t.Text("description"), t.Text("prompt")}, at})
	}
	m.continued = mark{number(o.Get("text_size")), o.Text("text_hash")}
	m.looked = number(o.Get("looked"))
	return m
}

func (m *memory) append(dst []byte) []byte {
	var o, counts protocol.Object
	for _, name := range slices.Sorted(maps.Keys(m.counts)) {
		c := m.counts[name]
		counts.Set(name, protocol.Raw("["+strconv.Itoa(c.row)+", "+strconv.Itoa(c.total)+"]"))
	}
	o.Set("v", protocol.Raw("1"))
	o.Set("continued", counts.Raw())
	o.Set("notices", protocol.TextList(m.notices))
	if len(m.left) > 0 {
		o.Set("left", protocol.TextList(m.left))
	}
	o.Set("tasks", protocol.ListOf(m.tasks, remembered.raw))
	if m.looked > 0 {
		o.Set("looked", protocol.Raw(strconv.Itoa(m.looked)))
	}
	if m.continued.size > 0 {
		o.Set("text_size", protocol.Raw(strconv.Itoa(m.continued.size)))
		o.SetText("text_hash", m.continued.sum)
	}
	return append(o.Append(dst), '\n')
}

func number(raw protocol.Raw) int {
	n, _ := strconv.Atoi(string(raw))
	return n
}
