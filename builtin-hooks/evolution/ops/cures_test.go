package ops

import (
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// noted puts a session into the journals of a bench: what fails has an output.
func (b *bench) noted(session string, calls ...[2]string) {
	b.t.Helper()
	for i, c := range calls {
		r := journal.Record{Tool: "bash", Command: c[0], Hint: "x"}
		if c[1] != "" {
			r.Signals, r.Failure = signal.Of(c[0], c[1]), failure.Of(c[0], c[1], 1)
		}
		must.Do(b.t, must.Err(journal.Of(b.Dir, session).Add(r, b.now.Add(time.Duration(i)*time.Minute))))
	}
}

// A gene that is made gets, from the journal of its session, the failure that it cured,
// of several the one that its own words are about; it is found by that in another
// project and in other words, and by nothing else. EV-FND-10.
func TestAGeneGetsWhatItCured(t *testing.T) {
	b := newBench(t)
	const gradle = "FAILURE: Build failed with an exception.\n* What went wrong:\nUnsupported class file major version 65\nBUILD FAILED in 2s"
	b.noted("s9", [2]string{"./gradlew build", gradle}, [2]string{"npm test", "Error: connect ECONNREFUSED 127.0.0.1:5432"},
		[2]string{"npm test", ""}, [2]string{"./gradlew build", ""}, [2]string{"make x", "x.c:3:1: error: unknown type name 'foo'"})
	out := b.call("evolve_create_gene", `{"session": "s9", "title": "Point Gradle at the JDK that the build asks for", "strategy": ["Ask which JDK runs Gradle.", "Set the toolchain to a class file version that it can read."]}`)
	if out["status"] != "created" {
		t.Fatalf("%v", out)
	}
	g := out["gene"].(map[string]any)
	cures, _ := g["cures"].([]any)
	if len(cures) != 1 || !strings.Contains(cures[0].(map[string]any)["text"].(string), "class file major version") {
		t.Fatalf("%v", cures)
	}
	if signals := g["signals_match"].([]any); len(signals) != 1 {
		t.Errorf("%v", signals)
	}
	find := func(command, output string) string {
		f := failure.Of(command, output, 1)
		return b.call("evolve_analyze", `{"signals": ["error:build_failure"], "command": "`+command+`", "failure": `+quoted(journal.FailureLine(&f))+`}`)["gene_id"].(string)
	}
	if got := find("./gradlew assemble", "BUG! exception in phase 'semantic analysis' in source unit '_BuildScript_' Unsupported class file major version 66"); got != out["gene_id"] {
		t.Errorf("in another project: %q", got)
	}
	if got := find("make", "main.o: undefined reference to `deflateInit_'\ncollect2: error: ld returned 1 exit status"); got == out["gene_id"] {
		t.Errorf("for a failure of another kind: %q", got)
	}
	// What was not over is cured by nothing.
	b.noted("s10", [2]string{"make x", "x.c:3:1: error: unknown type name 'foo'"})
	out = b.call("evolve_create_gene", `{"session": "s10", "title": "Declare a type before it is used", "strategy": ["Find the header that has the name.", "Include it where the name is used."]}`)
	if g := out["gene"].(map[string]any); g["cures"] != nil || len(g["signals_match"].([]any)) == 0 {
		t.Errorf("%v", g)
	}
}

func quoted(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` }

// A gene for a signal that nothing has is refused: nobody would find it. EV-FND-17.
func TestASignalThatNothingHas(t *testing.T) {
	b := newBench(t)
	b.fails("evolve_create_gene", `{"title": "Free the disk", "signals_match": ["error:disk_full"], "strategy": ["Look what is full."]}`, "BAD_ARGUMENT", `"error:disk_full"`)
	if out := b.call("evolve_create_gene", `{"title": "Ask again", "signals_match": ["task:release"], "strategy": ["Ask who releases, and when."]}`); out["status"] != "created" {
		t.Errorf("%v", out)
	}
}
