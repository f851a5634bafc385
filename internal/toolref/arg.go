package toolref

import (
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// An Arg is an argument of a call, by the name that it has as a tool's. The
// flag of a command is called the same, with dashes: gene_id and geneId are
// --gene-id.
type Arg struct {
	Name string
	// Flag is the whole flag, where it is called otherwise: "--gene"; "-" for an
	// argument that the command takes without a flag.
	Flag string

	json  protocol.Raw
	words []string // as the shell is to have them; none for a switch
}

// As is the argument with a flag of another name, "-" for none.
func (a Arg) As(flag string) Arg {
	a.Flag = flag
	return a
}

// Text is a text that the agent writes: a placeholder. It stands in double
// quotes for a shell, so that the agent sees where its own words go.
func Text(name, value string) Arg {
	return Arg{Name: name, json: protocol.Quote(value), words: []string{double(value)}}
}

// Word is a value that is to be taken as it stands.
func Word(name, value string) Arg {
	return Arg{Name: name, json: protocol.Quote(value), words: []string{text.ShellWord(value)}}
}

// Number is a number.
func Number(name string, value float64) Arg {
	text := strconv.FormatFloat(value, 'f', -1, 64)
	return Arg{Name: name, json: protocol.Raw(text), words: []string{text}}
}

// Flag is a switch that is on.
func Flag(name string) Arg { return Arg{Name: name, json: protocol.Raw("true")} }

// List are several texts; for a shell they are parted by commas.
func List(name string, values ...string) Arg {
	return Arg{Name: name, json: protocol.TextList(values), words: []string{double(strings.Join(values, ","))}}
}

// Many are several texts too, for a command whose flag repeats.
func Many(name string, values ...string) Arg {
	a := Arg{Name: name, json: protocol.TextList(values)}
	for _, v := range values {
		a.words = append(a.words, double(v))
	}
	return a
}

// flag is the argument for a shell, a blank before it.
func (a Arg) flag() (line string) {
	if a.words == nil {
		return " " + a.spelled()
	}
	for _, w := range a.words {
		if a.Flag != "-" {
			line += " " + a.spelled()
		}
		line += " " + w
	}
	return line
}

func (a Arg) spelled() string {
	if a.Flag != "" {
		return a.Flag
	}
	var b strings.Builder
	b.WriteString("--")
	for _, c := range a.Name {
		switch {
		case c == '_':
			b.WriteByte('-')
		case c >= 'A' && c <= 'Z':
			b.WriteByte('-')
			b.WriteRune(c + 'a' - 'A')
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// double puts a text into double quotes, or single ones if a shell would read
// something in it.
func double(s string) string {
	if strings.ContainsAny(s, "\"$`\\!\n") {
		return text.ShellWord(s)
	}
	return `"` + s + `"`
}
