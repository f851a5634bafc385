package failure

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// A Failure is what is known about a call that failed.
type Failure struct {
	ID      string   `json:"id,omitempty"`
	Kind    string   `json:"kind,omitempty"`
	Family  string   `json:"family,omitempty"` // of the command: "go test"
	Exit    int      `json:"exit"`             // its exit code, -1 if unknown
	Code    string   `json:"code,omitempty"`
	Symbols []string `json:"symbols,omitempty"`
	Text    string   `json:"text"`
	Count   int      `json:"count,omitempty"`   // how many failures there are, 0 if unknown
	Place   int      `json:"line,omitempty"`    // the line of the first one, 0 if there is none
	Cause   string   `json:"cause,omitempty"`   // the genes for its cause, separated by spaces
	Trouble string   `json:"trouble,omitempty"` // troubles that several kinds of programs have and word differently, separated by spaces
	Said    string   `json:"-"`                 // the original message
	Where   string   `json:"-"`                 // the place of the first one: main.go:7
	Around  string   `json:"-"`                 // the text around the message, in case the message tells nothing
}

const (
	mostLines = 6   // of a message
	mostText  = 700 // bytes of a message
	mostSaid  = 900 // bytes of the original message
)

// Of derives the failure of a command that is known to have failed from its output.
// exit is its exit code, -1 if unknown. projects are names that mean nothing elsewhere.
func Of(command, output string, exit int, projects ...string) Failure {
	f := Failure{Family: redacted(family(command)), Exit: exit}
	all := signal.Telling(output, true)
	told := telling(all)
	for i := range told {
		told[i].Text = redacted(told[i].Text) // before numbers are removed: without them no token is recognized
	}
	var here, there, shown []string
	for _, t := range told {
		n := normal(t.Text, projects)
		f.note(&n, t, projects)
		here, there = append(here, n.here), append(there, n.there)
		if !slices.Contains(shown, n.text) && n.text != "" {
			shown = append(shown, n.text)
		}
	}
	f.own(output)
	f.Exit = inner(all, exit)
	if name := notRun(all, f.Exit); name != "" && !slices.ContainsFunc(f.Symbols, func(s string) bool { return strings.HasPrefix(s, "command:") }) {
		f.Symbols = append(f.Symbols, "command:"+name)
	}
	f.Count = count(all)
	f.Around = redacted(text.HeadBytes(strings.Join(signal.Around(output, told), " / "), mostSaid))
	f.Said = redacted(text.HeadBytes(saying(told), mostSaid)) // across all lines
	f.Text = text.HeadBytes(strings.Join(shown, " / "), mostText)
	for _, s := range f.Symbols {
		if !strings.HasPrefix(s, "package:") {
			there = append(there, s)
		}
	}
	tests := failing(output)
	if f.thin() {
		here, there = append(here, f.Family, strconv.Itoa(exit)), append(there, f.Family, strconv.Itoa(exit))
	}
	// Messages of parallel work come in any order.
	here, there = slices.Compact(slices.Sorted(slices.Values(here))), slices.Compact(slices.Sorted(slices.Values(there)))
	f.ID, f.Kind = sum(append(here, tests...)), sum(append(there, f.Code))
	return f
}

// redacted is a text without secrets.
func redacted(text string) string { return redact.Memory.Text(text) }

// Same reports whether this is the same failure as an earlier one.
func (f *Failure) Same(before *Failure) bool { return f.ID != "" && f.ID == before.ID }

// Better reports whether the same failure got better: there are fewer errors, or it
// comes later.
func (f *Failure) Better(before *Failure) bool {
	const edits = 12 // lines by which an edit may have moved it
	return f.Count > 0 && f.Count < before.Count || before.Place > 0 && f.Place > before.Place+edits
}

// General is a message without the names of a project, as it would be anywhere.
func General(text string) string {
	n := normal(text, nil)
	return n.there
}

// thin reports whether the message alone says too little.
func (f *Failure) thin() bool {
	return len(strings.Fields(f.Text)) < 4 && f.Code == "" && len(f.Symbols) == 0
}

// telling are the lines that make up a message: the first ones, and the last, where a
// stack trace ends. Lines that only say that something failed are used if there are no
// others.
func telling(all []signal.Told) []signal.Told {
	list := slices.DeleteFunc(slices.Clone(all), func(t signal.Told) bool { return t.Summary })
	if len(list) == 0 {
		list = slices.DeleteFunc(slices.Clone(all), func(t signal.Told) bool { return strings.HasPrefix(t.Text, "Exit code ") })
	}
	if len(list) == 0 {
		list = all
	}
	if len(list) > mostLines {
		list = append(slices.Clone(list[:mostLines-1]), list[len(list)-1])
	}
	return list
}

// saying joins original lines of a message, each cut to a third of the maximum.
func saying(told []signal.Told) string {
	lines := make([]string, len(told))
	for i, t := range told {
		lines[i] = text.HeadBytes(t.Text, mostSaid/3)
	}
	return strings.Join(lines, " / ")
}

// note takes from a line what identifies a failure.
func (f *Failure) note(n *normalised, t signal.Told, projects []string) {
	f.Code = cmp.Or(f.Code, n.code)
	if f.Place == 0 && n.place > 0 {
		f.Place, f.Where = n.place, n.where
	}
	for _, s := range symbols(t.Text) {
		if kind, name, _ := strings.Cut(s, ":"); kind == "package" && mine(name, projects) {
			continue
		}
		if !slices.Contains(f.Symbols, s) && len(f.Symbols) < 4 {
			f.Symbols = append(f.Symbols, s)
		}
	}
}

// inner is the exit code of what failed inside, if the program that ran it reports that
// and exits with a code of its own: make: *** [all] Error 127.
func inner(told []signal.Told, exit int) int {
	for _, code := range [...]int{noProgram, notAllowed, killed, crashed} {
		if slices.ContainsFunc(told, func(t signal.Told) bool { return t.Summary && strings.HasSuffix(t.Text, " Error "+strconv.Itoa(code)) }) {
			return code
		}
	}
	if slices.ContainsFunc(told, func(t signal.Told) bool { return shellLacks(t.Text) }) {
		return noProgram
	}
	return exit
}

// shellLacks reports whether a shell says that there is no such program.
func shellLacks(line string) bool {
	shell, rest, _ := strings.Cut(line, ": ")
	shell = shell[strings.LastIndexByte(shell, '/')+1:]
	return slices.Contains([]string{"sh", "bash", "dash", "zsh", "ash", "ksh"}, strings.TrimPrefix(shell, "-")) && (strings.HasSuffix(rest, ": not found") || strings.HasSuffix(rest, ": command not found"))
}

// notRun is the program that could not be run, if that exit code comes with a message
// that could as well be about a file: make: tool: No such file or directory.
func notRun(told []signal.Told, exit int) string {
	if exit != noProgram {
		return ""
	}
	for _, t := range told {
		head, ok := strings.CutSuffix(t.Text, ": No such file or directory")
		// Several words describe what failed: cannot open shared object file, bad
		// interpreter.
		if name := head[strings.LastIndex(head, ": ")+1:]; ok && name != "" && !strings.ContainsAny(strings.TrimSpace(name), ` ./\`) {
			return strings.Trim(name, edges)
		}
	}
	return ""
}

// count is how many failures the output says there are, else how many lines report one.
func count(all []signal.Told) int {
	most, lines := 0, 0
	for _, t := range all {
		most = max(most, t.Count)
		if !t.Summary {
			lines++
		}
	}
	if most > 0 {
		return most
	}
	return max(lines, 1)
}

// failing are the names of the failing tests, sorted, without duplicates.
func failing(output string) (names []string) {
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		for _, mark := range [...]string{"--- FAIL: ", "FAILED ", "FAIL: ", "✗ ", "✕ ", "✘ ", "× ", "not ok ", "[  FAILED  ] ", "(fail) ", "test "} {
			rest, ok := strings.CutPrefix(line, mark)
			if !ok || mark == "test " && !strings.HasSuffix(rest, "... FAILED") {
				continue
			}
			if i := strings.IndexAny(rest, "(["); i > 0 {
				rest = rest[:i] // the duration
			}
			if head, _, cut := strings.Cut(rest, " - "); cut {
				rest = head
			}
			if name := "test:" + strings.Trim(rest, "0123456789. -"); !slices.Contains(names, name) && len(names) < 200 {
				names = append(names, name)
			}
			break
		}
	}
	slices.Sort(names)
	return names
}

// family is the first thing that a command runs or, if it only looks, what it asks.
func family(command string) string {
	c := signal.Read(command)
	if all := append(c.Families, c.Looks...); len(all) > 0 {
		return all[0]
	}
	return ""
}

func sum(parts []string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}
