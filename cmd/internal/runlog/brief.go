package runlog

import (
	"bytes"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// A brief reads lines for counting: in one pass, allocating each word only once, and
// without what nobody adds up, such as reasons and inputs. It knows only the spelling
// of [runner.LogLine.Append]; a line that is spelled differently is left to
// [runner.ParseLogLine], so that both agree on any text.
type brief struct {
	words map[string]string
	line  runner.LogLine

	b   []byte // the unread rest of the line
	bad bool
}

// How many words are cached: above that, the cache begins anew.
const (
	mostWords   = 10_000
	longestWord = 256
)

// read reads a line. The result is valid until the next read.
func (r *brief) read(text []byte) (*runner.LogLine, bool) {
	if len(r.words) > mostWords || r.words == nil {
		r.words = map[string]string{}
	}
	l := &r.line
	*l = runner.LogLine{V: 1, Hooks: l.Hooks[:0], Async: l.Async[:0], Allowed: l.Allowed[:0], Warnings: l.Warnings[:0]}
	if r.b, r.bad = bytes.TrimSuffix(text, []byte("\n")), !utf8.Valid(text); !r.bad && r.members(l) {
		return l, true
	}
	full, ok := runner.ParseLogLine(text)
	*l = full
	return l, ok
}

// members reads a line's members, in the order in which they are written.
func (r *brief) members(l *runner.LogLine) bool {
	r.due(`{"v": 1, "id": `)
	r.text()
	l.Ref = r.wordIf(`, "ref": `)
	r.due(`, "time": `)
	at, plain := r.text()
	if r.bad || !plain || l.Time.UnmarshalText(at) != nil {
		return false
	}
	l.Agent = r.word(`, "agent": `)
	l.Event = r.word(`, "event": `)
	l.NativeEvent = r.word(`, "native_event": `)
	l.Tool = r.wordIf(`, "tool": `)
	l.NativeTool = r.wordIf(`, "native_tool": `)
	r.textIf(`, "call": `)
	l.Session = r.word(`, "session": `)
	l.Project = r.word(`, "project": `)
	l.Duration = r.duration(`, "duration_ms": `)
	l.Decision = r.word(`, "decision": `)
	l.Allowed = r.listIf(`, "allowed_by": [`, l.Allowed)
	r.due(`, "hooks": [`)
	for sep := ""; !r.bad && !r.is(`]`); sep = ", " {
		r.due(sep)
		l.Hooks = append(l.Hooks, r.hook())
	}
	l.Async = r.listIf(`, "async": [`, l.Async)
	r.due(`, "warnings": [`)
	for sep := ""; !r.bad && !r.is(`]`); sep = ", " {
		r.due(sep)
		l.Warnings = append(l.Warnings, runner.Warning{Hook: r.word(`{"hook": `), Kind: r.word(`, "kind": `)})
		r.due(`, "text": `)
		r.text()
		r.due(`}`)
	}
	r.due(`}`)
	return !r.bad && len(r.b) == 0
}

func (r *brief) hook() (h runner.LogHook) {
	h.Name = r.word(`{"name": `)
	h.Layer = discovery.LayerName(r.word(`, "layer": `))
	h.Duration = r.duration(`, "duration_ms": `)
	r.due(`, "exit": `)
	r.is(`-`)
	r.whole()
	r.due(`, "signal": `)
	r.text()
	h.Result = runner.Verdict(r.word(`, "result": `))
	h.Decision = r.wordIf(`, "decision": `)
	r.due(`, "warning": `)
	r.text()
	r.due(`, "async": `)
	if h.Async = r.is(`true`); !h.Async {
		r.due(`false`)
	}
	h.Changed = r.is(`, "changed_input": true`)
	for _, name := range [...]string{`, "reason": `, `, "stdout": `, `, "stderr": `} {
		r.textIf(name)
	}
	r.due(`}`)
	return h
}

// is skips s, if that comes next.
func (r *brief) is(s string) bool {
	if len(r.b) < len(s) || string(r.b[:len(s)]) != s {
		return false
	}
	r.b = r.b[len(s):]
	return true
}

func (r *brief) due(s string) { r.bad = r.bad || !r.is(s) }

// text reads a text. plain are its bytes if nothing in it is escaped.
func (r *brief) text() (quoted []byte, plain bool) {
	if r.bad || len(r.b) == 0 || r.b[0] != '"' {
		r.bad = true
		return nil, false
	}
	plain = true
	for i := 1; i < len(r.b); i++ {
		switch c := r.b[i]; {
		case c == '"':
			quoted, r.b = r.b[:i+1], r.b[i+1:]
			if plain {
				return quoted[1:i], true
			}
			return quoted, false
		case c == '\\':
			plain = false
			if i++; i < len(r.b) && strings.IndexByte(`"\nrtbf`, r.b[i]) < 0 {
				i = len(r.b)
			}
		case c < ' ':
			i = len(r.b)
		}
	}
	r.bad = true
	return nil, false
}

func (r *brief) textIf(name string) {
	if r.is(name) {
		r.text()
	}
}

func (r *brief) word(name string) string {
	r.due(name)
	quoted, plain := r.text()
	if r.bad {
		return ""
	}
	if !plain {
		return protocol.TextOf(quoted)
	}
	word, ok := r.words[string(quoted)]
	if !ok {
		if word = string(quoted); len(word) <= longestWord {
			r.words[word] = word
		}
	}
	return word
}

func (r *brief) wordIf(name string) string {
	if len(r.b) < len(name) || string(r.b[:len(name)]) != name {
		return ""
	}
	return r.word(name)
}

func (r *brief) listIf(name string, list []string) []string {
	if !r.is(name) {
		return list
	}
	for sep := ""; !r.bad && !r.is(`]`); sep = ", " {
		list = append(list, r.word(sep))
	}
	return list
}

// duration reads milliseconds as they are written, to the microsecond.
func (r *brief) duration(name string) time.Duration {
	r.due(name)
	us := r.whole() * 1000
	if r.is(`.`) {
		n, part := r.digits()
		for ; n < 3; n++ {
			part *= 10
		}
		us, r.bad = us+part, r.bad || n > 3
	}
	return us * time.Microsecond
}

// whole reads a number without a leading zero.
func (r *brief) whole() time.Duration {
	zero := len(r.b) > 0 && r.b[0] == '0'
	n, number := r.digits()
	r.bad = r.bad || zero && n > 1
	return number
}

// digits reads n digits, at most as many as fit.
func (r *brief) digits() (n int, number time.Duration) {
	for ; n < len(r.b) && n < 12 && r.b[n] >= '0' && r.b[n] <= '9'; n++ {
		number = number*10 + time.Duration(r.b[n]-'0')
	}
	r.b, r.bad = r.b[n:], r.bad || n == 0
	return n, number
}
