package skills

import (
	"cmp"
	"slices"
)

// A Message is what a Manager asks its caller to make a message of.
type Message struct {
	Role    Role
	Content string
	Mark    Mark
}

// A Mark says what a message in the list was put there for. A caller that keeps
// messages longer than the Manager stores it beside them, by custom as a member
// _hook, and gives it back to [Manager.Resume].
type Mark struct {
	Skill      string `json:"skill"`
	Name       string `json:"name"`
	Timing     Timing `json:"timing"`
	Persistent bool   `json:"persistent"`
	Prompt     bool   `json:"-"` // it is a prompt of the system, of no skill
}

// A Stored is a persistent prompt that was put into the list, for the caller to
// keep in its history: with its mark, or a later Manager cannot count it.
type Stored struct {
	Skill   string `json:"skill"`
	Name    string `json:"name"`
	Role    Role   `json:"role"`
	Content string `json:"content"`
	Mark    Mark   `json:"_hook"`
}

// A Manager puts the prompts of skills into a list of messages and takes them
// out again. See the package for the order of its calls.
//
// The list is the caller's. Between two calls the caller may add, remove, change
// and reorder messages, or set the list to another one. What a Manager removes,
// it knows by pointer: an equal message of the caller's is another one, and so is
// a copy. Each change sets the list to a new slice; one that the caller took
// before, for a call that still runs or a log, stays as it was.
//
// A Manager is not safe for concurrent use. Two of them on two lists are
// independent of each other.
type Manager[M any] struct {
	// Input is what the user asked for in this request, for hooks with a match.
	Input string
	// Invoked reports whether a skill was invoked, for hooks that want that; nil:
	// an enabled skill counts as invoked.
	Invoked func(skill string) bool

	list    *[]*M
	hooks   []Hook
	make    func(Message) *M
	added   []added[M]
	prompts []*M
}

// added is a message that a Manager put into the list.
type added[M any] struct {
	message *M
	id      string
	timing  Timing
	keep    bool
}

// NewManager is a Manager of a list, for one request. newMessage makes a message
// of the caller's kind, a new one each time.
func NewManager[M any](list *[]*M, hooks []Hook, newMessage func(Message) *M) *Manager[M] {
	return &Manager[M]{list: list, hooks: slices.Clone(hooks), make: newMessage}
}

// Resume takes over messages that an earlier Manager put into the list, by their
// marks: as if this one had done it. It is for callers that keep no state between
// two calls, and lets max_copies count the copies that a stored history brought
// along. of returns false for the caller's own messages.
func (m *Manager[M]) Resume(of func(*M) (Mark, bool)) {
	for _, message := range *m.list {
		mark, ours := of(message)
		switch {
		case !ours:
		case mark.Prompt:
			m.prompts = append(m.prompts, message)
		default:
			h := Hook{Skill: mark.Skill, Name: mark.Name}
			m.added = append(m.added, added[M]{message, h.ID(), mark.Timing, mark.Persistent})
		}
	}
}

// Inject appends one message for each hook of a timing, in the order of the
// hooks, and returns the persistent ones, for the caller to store. It never looks
// whether a copy is there already, unless the hook has a max_copies. tool is all
// names of the tool that has run, at after_tool_call: without one, only hooks
// without a tool_filter are put in.
func (m *Manager[M]) Inject(t Timing, tool ...string) []Stored {
	var stored []Stored
	for i := range m.hooks {
		h := &m.hooks[i]
		if h.Timing != t || !h.Wants(tool...) || !m.due(h) {
			continue
		}
		mark := Mark{Skill: h.Skill, Name: h.Name, Timing: t, Persistent: h.Persistent}
		message := m.append(Message{h.Role, h.Content, mark})
		m.added = append(m.added, added[M]{message, h.ID(), t, h.Persistent})
		if h.Persistent {
			stored = append(stored, Stored{h.Skill, h.Name, h.Role, h.Content, mark})
		}
	}
	return stored
}

// due reports whether a hook of the right timing and tool is to be put in.
func (m *Manager[M]) due(h *Hook) bool {
	if h.Invoked && m.Invoked != nil && !m.Invoked(h.Skill) || !h.Fits(m.Input) {
		return false
	}
	if h.MaxCopies == 0 {
		return true
	}
	copies := 0
	for _, a := range m.added {
		if a.id == h.ID() && slices.Contains(*m.list, a.message) {
			copies++
		}
	}
	return copies < h.MaxCopies
}

// Remove takes out the messages that Inject put in for a timing, but for the
// persistent ones. What is gone already is no error.
func (m *Manager[M]) Remove(t Timing) {
	m.take(func(a added[M]) bool { return a.timing == t && !a.keep })
}

func (m *Manager[M]) take(which func(added[M]) bool) {
	gone := map[*M]bool{}
	m.added = slices.DeleteFunc(m.added, func(a added[M]) bool {
		if which(a) {
			gone[a.message] = true
			return true
		}
		return false
	})
	m.remove(gone)
}

// InjectPrompt appends a prompt of the system's own, which no hook has to do
// with, and returns the message as a reference to it. An empty role is system.
func (m *Manager[M]) InjectPrompt(content string, role Role) *M {
	role = cmp.Or(role, System)
	message := m.append(Message{role, content, Mark{Prompt: true}})
	m.prompts = append(m.prompts, message)
	return message
}

// RemovePrompt takes a prompt out. A reference that InjectPrompt did not return,
// or that was used already, does nothing.
func (m *Manager[M]) RemovePrompt(ref *M) {
	if i := slices.Index(m.prompts, ref); i >= 0 {
		m.prompts = slices.Delete(m.prompts, i, i+1)
		m.remove(map[*M]bool{ref: true})
	}
}

// Close takes out all that this Manager put in and that is not persistent, the
// prompts of the system too. Deferred, it leaves a clean list however a request
// ends; a list that is thrown away with its request needs none. It may be called
// twice, and the Manager may be used on.
func (m *Manager[M]) Close() {
	gone := map[*M]bool{}
	for _, p := range m.prompts {
		gone[p] = true
	}
	m.prompts = nil
	m.remove(gone)
	m.take(func(a added[M]) bool { return !a.keep })
}

func (m *Manager[M]) append(message Message) *M {
	made := m.make(message)
	*m.list = append(slices.Clip(*m.list), made)
	return made
}

// remove sets the list to one without some messages.
func (m *Manager[M]) remove(gone map[*M]bool) {
	if !slices.ContainsFunc(*m.list, func(message *M) bool { return gone[message] }) {
		return
	}
	left := make([]*M, 0, len(*m.list))
	for _, message := range *m.list {
		if !gone[message] {
			left = append(left, message)
		}
	}
	*m.list = left
}
