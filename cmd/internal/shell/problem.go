package shell

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/discovery"
)

// ProblemText is a problem on one line: place, field, message, fix. Quoted parts come
// from a stranger's file, so they are made safe to show.
func (sh *Shell) ProblemText(p discovery.Problem) string {
	p.File = sh.Short(p.File)
	return sh.Tidy(p.String())
}

// Problem prints one to stderr.
func (sh *Shell) Problem(p discovery.Problem) {
	fmt.Fprintf(sh.Err, "%s: %s: %s\n", sh.Name, p.Severity, sh.ProblemText(p))
}

// ProblemLine is a problem in the form that editors can jump to.
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

// Severities counts problems.
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

// Tidy is a text that contains paths, made safe and short to show.
func (sh *Shell) Tidy(text string) string {
	return Plain(sh.Host.Tidy(text))
}
