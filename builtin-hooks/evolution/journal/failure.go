package journal

import (
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// FailureLine is a failure as written in a journal: its ID, members and, up to the end
// of the line, the message. [ReadFailure] reads it.
func FailureLine(f *failure.Failure) string {
	out := f.ID + " kind=" + f.Kind
	for _, m := range [...]struct {
		name string
		n    int
		none int
	}{{"exit", f.Exit, -1}, {"count", f.Count, 0}, {"line", f.Place, 0}} {
		if m.n != m.none {
			out += " " + m.name + "=" + strconv.Itoa(m.n)
		}
	}
	if f.Family != "" {
		out += " family=" + word(f.Family)
	}
	if f.Code != "" {
		out += " code=" + word(f.Code)
	}
	if len(f.Symbols) > 0 {
		out += " symbols=" + word(strings.Join(f.Symbols, ","))
	}
	for _, m := range [...][2]string{{"where", f.Where}, {"said", f.Said}, {"around", f.Around}} {
		if m[1] != "" {
			out += " " + m[0] + "=" + oneWord.Replace(text.OneLine(m[1]))
		}
	}
	return out + " text=" + text.OneLine(f.Text)
}

func word(s string) string { return strings.Join(strings.Fields(s), "_") }

// oneWord writes a text as one word, manyWords reads it back.
var (
	oneWord   = strings.NewReplacer("%", "%25", "_", "%5F", " ", "_", "\t", "_", "\u00a0", "_")
	manyWords = strings.NewReplacer("_", " ", "%5F", "_", "%25", "%")
)

// ReadFailure reads what [FailureLine] writes. Without an ID it is no failure.
func ReadFailure(s string) (f failure.Failure) {
	f.Exit = -1
	head, message, _ := strings.Cut(s, " text=")
	f.Text = message
	for i, w := range strings.Fields(head) {
		if i == 0 {
			f.ID = w
			continue
		}
		name, value, _ := strings.Cut(w, "=")
		n, err := strconv.Atoi(value)
		switch name {
		case "kind":
			f.Kind = value
		case "family":
			f.Family = strings.ReplaceAll(value, "_", " ")
		case "around":
			f.Around = manyWords.Replace(value)
		case "said":
			f.Said = manyWords.Replace(value)
		case "where":
			f.Where = manyWords.Replace(value)
		case "code":
			f.Code = value
		case "symbols":
			f.Symbols = strings.Split(value, ",")
		case "exit":
			if err == nil {
				f.Exit = n
			}
		case "count":
			f.Count = max(n, 0)
		case "line":
			f.Place = max(n, 0)
		}
	}
	return f
}
