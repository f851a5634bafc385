package screen

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
)

// The kinds of findings.
const (
	Destructive = "destructive"
	Piped       = "piped"
	Leaks       = "leaks"
	Weakens     = "weakens"
	Injection   = "injection"
	Hidden      = "hidden"
	Secret      = "secret"
)

// A Finding is a reason to hold a text.
type Finding struct {
	Kind  string `json:"kind"`
	Field string `json:"field"` // "strategy[2]"
	Value string `json:"value"` // what was found; never a secret
	Why   string `json:"why"`
}

func (f Finding) String() string {
	if f.Value == "" {
		return fmt.Sprintf("%s: %s", f.Field, f.Why)
	}
	return fmt.Sprintf("%s: %s: %s", f.Field, f.Why, f.Value)
}

// A Field is a named text to be screened.
type Field struct{ Name, Text string }

// Reason joins all findings on one line, "" if there are none.
func Reason(list []Finding) string {
	var out []string
	for _, f := range list {
		out = append(out, f.String())
	}
	return text.Clip(strings.Join(out, "; "), 600)
}

// mostText bounds how much of a field is read: more than any gene may contain.
const mostText = 8 << 10

// Texts screens all fields of something. It also finds commands split between two of
// them, such as a download and the run of it.
func Texts(fields []Field) (out []Finding) {
	var whole, steps []string
	for _, f := range fields {
		t := text.HeadBytes(f.Text, mostText)
		out = append(out, one(f.Name, t)...)
		whole = append(whole, plain(t))
		if strings.Contains(f.Name, "strategy") {
			steps = append(steps, whole[len(whole)-1])
		}
	}
	if len(out) == 0 && len(steps) > 1 {
		// Text that only means something in combination was split for that.
		out = one("strategy", text.HeadBytes(strings.Join(steps, " "), mostText))
	}
	if !slices.ContainsFunc(out, func(f Finding) bool { return f.Kind == Piped }) {
		if file := fetchedAndRun(strings.Join(whole, "\n")); file != "" {
			out = append(out, Finding{Piped, fields[0].Name, file, "runs what it has fetched from the network, unread"})
		}
	}
	return out
}

// one screens one text. Only the first finding of each kind is reported.
func one(field, t string) (out []Finding) {
	add := func(kind, value, why string) {
		if why != "" && !slices.ContainsFunc(out, func(f Finding) bool { return f.Kind == kind }) {
			out = append(out, Finding{kind, field, text.Clip(text.OneLine(protocol.Plain(value)), 80), why})
		}
	}
	if redact.Memory.Text(t) != t || strings.Contains(t, "[REDACTED") {
		add(Secret, "", "holds a secret")
	}
	if c := hidden(t); c != "" {
		add(Hidden, c, "has characters that a reader does not see, or takes for others")
	}
	p := plain(t)
	for _, r := range append([]string{p}, readings(p)...) {
		look(r, add)
	}
	for _, r := range disguises(p) {
		at, why := injection(r)
		add(Injection, at, why)
	}
	return out
}

// look screens one reading of a text.
func look(p string, add func(kind, value, why string)) {
	at, why := injection(p)
	add(Injection, at, why)
	small := strings.ToLower(p)
	for _, rule := range piped() {
		if rule.may(small) {
			if at := rule.re.FindString(p); at != "" {
				add(rule.kind, at, rule.why)
			}
		}
	}
	for _, rule := range prose() {
		if !rule.may(small) {
			continue
		}
		for _, at := range rule.re.FindAllStringIndex(p, -1) {
			if !warned(p[:at[0]]) && !disowned(p[at[1]:]) {
				add(rule.kind, p[at[0]:at[1]], rule.why)
				break
			}
		}
	}
	for _, argv := range commands(p) {
		kind, why := judge(argv)
		add(kind, strings.Join(argv, " "), why)
	}
}

// commands are the simple commands that may be in a text, and those inside them.
func commands(t string) (out [][]string) {
	for _, line := range lines(t) {
		d := deed.Of(&protocol.Event{Type: protocol.PreToolCall, WorkDir: "/", Call: protocol.Tools(nil).NewCall(protocol.Shell,
			protocol.Object{{Name: "command", Value: protocol.Quote(line)}}.Raw())})
		for _, c := range d.Commands {
			if c.Argv != nil && !slices.Contains(c.Argv, "") {
				out = append(out, c.Argv)
			} else if words := bare(c.Text); len(words) > 0 {
				out = append(out, words)
			}
		}
		for _, piece := range d.Pieces {
			out = append(out, bare(piece))
		}
	}
	return out
}

// bare are the words of a text that no grammar accepts.
func bare(t string) []string {
	words := strings.Fields(t)
	for i := range words {
		words[i] = strings.Trim(words[i], "`'\",;()")
	}
	return words
}

// spans are the parts marked as something to type.
var spans = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("`([^`]+)`|\"([^\"]{3,})\"|'([^']{3,})'|“([^”]+)”|「([^」]+)」")
})

// mostLines bounds how many parts of a text are read as commands.
const mostLines = 40

// lines are the parts of a text that may be commands: those marked as such, and
// everything from each name of a dangerous program to the end. A warning right before
// one removes it.
func lines(t string) (out []string) {
	add := func(before, line string) {
		if line = strings.TrimSpace(line); line != "" && !warned(before) && len(out) < mostLines && !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	for _, at := range spans().FindAllStringSubmatchIndex(t, -1) {
		for g := 2; g < len(at); g += 2 {
			if at[g] >= 0 {
				add(t[:at[0]], t[at[g]:at[g+1]])
			}
		}
	}
	for _, at := range starters().FindAllStringSubmatchIndex(t, -1) {
		line := t[at[2]:]
		if i := strings.IndexAny(line, "`\n"); i >= 0 {
			line = line[:i]
		}
		if i := sentenceEnd(line); i >= 0 {
			line = line[:i]
		}
		if i := strings.IndexByte(line, ' '); i < 0 || !disowned(afterOption(line[i:])) {
			add(t[:at[2]], line)
		}
	}
	return out
}

// sentenceEnd is the end of the sentence that contains a command, -1 if it has none.
func sentenceEnd(line string) int {
	if at := ends().FindStringIndex(line); at != nil {
		return at[0]
	}
	return -1
}

// afterOption is a line after its first option.
func afterOption(line string) string {
	line = strings.TrimLeft(line, " ")
	if !strings.HasPrefix(line, "-") {
		return ""
	}
	if i := strings.IndexByte(line, ' '); i >= 0 {
		return line[i:]
	}
	return ""
}

var ends = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[.;:,!?] +[A-Z\p{Han}]|[。；，、！？]|, (?:then|and|or)\b| (?:and then|(?:and|then) (?:build|run|try|start|restart|install|configure|push|open|look|read|test|make|wait|commit|clone|init|add|check)|before you|so that|because|if it|when it) `)
})

// warnings are the words right before something that should not be done.
var warnings = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:\b(?:never|do not|don't|must not|should not|avoid|instead of|rather than|not)(?: (?:ever|just|simply|run|running|use|using|call|calling|do|doing|try|trying|reach for|resort to|go for|go past|go around|them|it|skip|skipping|skip hooks|bypass|checks|by|to|with|a|an|the|plain))*|(?:切勿|绝不|不要|别|禁止|避免|而不是|而非|不能|不应)(?:执行|运行|使用|用|直接|再|靠|去)*)[ :]*["'` + "`" + `“「(]*$`)
})

func warned(before string) bool { return warnings().MatchString(before) }

// plain is a text the way a reader takes it: full-width letters as the usual ones, all
// kinds of spaces as one.
func plain(t string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 0xff01 && c <= 0xff5e && c != '，' && c != '；' && c != '！' && c != '？' && c != '：':
			return c - 0xff01 + '!'
		case c >= 0x1d400 && c <= 0x1d6a3: // bold, italic and script letters, by alphabets
			if i := (c - 0x1d400) % 52; i < 26 {
				return 'A' + i
			} else {
				return 'a' + i - 26
			}
		case c == 'ſ':
			return 's' // an expression takes it for one, but lower case does not
		case c == 0x3000, c == 0xa0, c >= 0x2000 && c <= 0x200a:
			return ' '
		case c == '’' || c == '‘':
			return '\''
		case invisible(c):
			return -1
		}
		return c
	}, t)
}
