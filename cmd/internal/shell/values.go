package shell

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/discovery"
)

// words is a flag that may be given several times. The library's own would split
// sentences at their commas.
type List struct{ List []string }

func (w *List) String() string { return strings.Join(w.List, ", ") }

// Set adds a word.
func (w *List) Set(s string) error {
	if s != sameWords {
		w.List = append(w.List, s)
	}
	return nil
}

// Serialize is what the parser sets the other names of the flag to. They share the
// list, which must not get its own words once more.
func (w *List) Serialize() string { return sameWords }

// sameWords is no argument that a program can be given.
const sameWords = "\x00"

// FirstLine is the first line of a text with something in it, made safe to show.
func FirstLine(s string) string {
	for line := range strings.Lines(s) {
		if text := Plain(line); text != "" {
			return text
		}
	}
	return ""
}

// Line prints a document to stdout, on one line: for an agent.
func (sh *Shell) Line(doc any) error {
	b, err := json.Marshal(doc)
	if err == nil {
		sh.Printf("%s\n", b)
	}
	return err
}

// SplitCommas splits list arguments at commas, which the library does for some shells
// only.
func SplitCommas(list []string) (out []string) {
	for _, item := range list {
		for _, w := range strings.FieldsFunc(item, func(r rune) bool { return r == ',' || r == '，' }) {
			if w = strings.TrimSpace(w); w != "" {
				out = append(out, w)
			}
		}
	}
	return out
}

// FileOrStdin reads the file that is the only argument, or stdin.
func (sh *Shell) FileOrStdin(c *cli.Context, behaviour string, most int64) ([]byte, error) {
	words, err := Args(c, 0, 1, "a file, or nothing for stdin")
	if err != nil {
		return nil, err
	}
	if len(words) == 0 || words[0] == "-" {
		b, err := ReadAll(sh.In, most)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", behaviour, c.Command.Name, err)
		}
		return b, nil
	}
	path, err := sh.Abs(words[0])
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", behaviour, c.Command.Name, err)
	}
	return b, nil
}

// Headline is the beginning of a text, on one line.
func Headline(text string) string {
	const most = 200
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > most {
		return string(runes[:most]) + " …"
	}
	return string(runes)
}

// ReadAll reads to the end, and refuses what is longer than most bytes.
func ReadAll(r io.Reader, most int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("more than %d bytes", most)
	}
	return b, err
}

// Count is a number of things.
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Size is a number of bytes.
func Size(n int64) string {
	switch {
	case n < 10<<10:
		return fmt.Sprintf("%d B", n)
	case n < 10<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

func Severities(problems []discovery.Problem) (errs, warnings int) {
	for _, p := range problems {
		if p.Severity == discovery.Error {
			errs++
		} else {
			warnings++
		}
	}
	return errs, warnings
}

// ProblemLine is a problem in the form that editors jump to.
func (sh *Shell) ProblemLine(p discovery.Problem) string {
	place := sh.Relative(p.File)
	if p.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", place, p.Line, p.Column)
	}
	p.File, p.Line = "", 0
	severity := sh.Paint(Red, string(discovery.Error))
	if p.Severity == discovery.Warning {
		severity = sh.Paint(Yellow, string(discovery.Warning))
	}
	return fmt.Sprintf("%s: %s: %s", Plain(place), severity, Plain(p.String()))
}

// ProgramVersion is the version that the module system stamped into the
// program, "devel" for a build from a working copy.
func ProgramVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

// Version prints what program this is.
func (sh *Shell) Version(asJSON bool) error {
	v := ProgramVersion()
	if asJSON {
		return sh.JSON(map[string]any{"schema": 1, "version": v, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH})
	}
	sh.Printf("%s %s (%s, %s/%s)\n", sh.Name, v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}
