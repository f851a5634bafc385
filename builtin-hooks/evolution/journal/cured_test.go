package journal

import (
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What is over is what failed and then went well by the same command or one of its
// kind: not what an edit or another program came after, and each once. EV-JRN-11.
func TestCured(t *testing.T) {
	t.Parallel()
	bad := func(command, output string) Record {
		return Record{Tool: "bash", Command: command, Signals: signal.Of(command, output), Failure: failure.Of(command, output, 1)}
	}
	good := func(command string) Record { return Record{Tool: "bash", Command: command} }
	const numpy = "ModuleNotFoundError: No module named 'numpy'"
	const types = "src/a.ts(1,2): error TS2322: Type 'a' is not assignable to type 'b'."
	for _, c := range []struct {
		name    string
		records []Record
		want    string // the symbols or codes of what is over
	}{
		{"nothing failed", []Record{good("go test ./...")}, ""},
		{"still open", []Record{bad("python run.py", numpy), good("git commit -m x")}, ""},
		{"an edit settles nothing", []Record{bad("npx tsc", types), {Tool: "edit", Command: "src/a.ts"}}, ""},
		{"the same command", []Record{bad("python run.py", numpy), good("pip install numpy"), good("python run.py")}, "module:numpy"},
		{"a command of its kind", []Record{bad("npx tsc", types), good("npm run typecheck")}, "TS2322"},
		{"twice, then over: once", []Record{bad("npx tsc", types), bad("npx tsc", types), good("npx tsc")}, "TS2322"},
		{"two, in the order in which they were over", []Record{bad("python run.py", numpy), bad("npx tsc", types), good("npx tsc"), good("python run.py")}, "TS2322 module:numpy"},
		{"over, and there again", []Record{bad("npx tsc", types), good("npx tsc"), bad("npx tsc", types)}, "TS2322"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := open(t)
			for i, r := range c.records {
				r.Hint = "x"
				must.Do(t, must.Err(f.Add(r, noon.Add(time.Duration(i)*time.Minute))))
			}
			j := f.Read()
			var got []string
			for _, cure := range j.Cured() {
				name := cure.Failure.Code
				if len(cure.Failure.Symbols) > 0 {
					name = cure.Failure.Symbols[0]
				}
				if len(cure.Signals) == 0 {
					t.Errorf("%s has no signal", name)
				}
				got = append(got, name)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
