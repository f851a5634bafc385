package conformance

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// streamRole is the variable that makes this test binary a runner which asks the program
// that it names in a stream, and says what it heard as one event is answered.
const streamRole = "CONFORMANCE_TEST_STREAM"

// A stream is the same runner: what the cases want of one event in a process of its own
// they get of a line. Left out are the cases that are about the process itself.
func TestAStreamIsTheSameRunner(t *testing.T) {
	needsMinutes(t)
	all, err := Cases()
	must.Do(t, err)
	self := Self(ourProgram(t), "", all)
	self.Env = map[string]string{streamRole: self.Run[0]}
	self.Run[0], err = os.Executable()
	must.Do(t, err)
	self.Profiles = []Profile{Runner, Config, Trust, Deeds, Hostile}
	r, err := Run(context.Background(), self, all, Options{Skip: []string{
		"event/held-open",     // when stdin ends
		"event/stdout-closed", // whether somebody reads
	}})
	must.Do(t, err)
	passed := 0
	for _, c := range r.Cases {
		switch c.Result {
		case Passed:
			passed++
		case Failed, Broken:
			t.Errorf("%s: %s %+v", c.ID, c.Result, c.Problems)
		}
	}
	if passed < 400 {
		t.Errorf("%d cases passed", passed)
	}
}

// throughStream takes one event to a stream, and back from it.
func throughStream(program string, args []string) (exit int) {
	event, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 99
	}
	if err := os.Unsetenv(streamRole); err != nil {
		return 99
	}
	cmd := exec.Command(program, append(args, "--stream")...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return 99
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 99
	}
	if err := cmd.Start(); err != nil {
		return 99
	}
	if _, err := in.Write(append(bytes.ReplaceAll(event, []byte("\n"), []byte(" ")), '\n')); err != nil {
		return 99
	}
	answer, err := bufio.NewReader(out).ReadBytes('\n')
	in.Close()
	if werr := cmd.Wait(); err != nil || werr != nil {
		fmt.Fprintln(os.Stderr, err, werr)
		return 99
	}
	return retold(answer)
}

// retold says an answer of a stream as a process would.
func retold(answer []byte) (exit int) {
	var o struct {
		Outcome  map[string]json.RawMessage
		Warnings []struct{ Hook, Kind, Text string }
		Error    *struct{ Kind, Text string }
	}
	var whole struct{ Outcome json.RawMessage }
	if json.Unmarshal(answer, &o) != nil || json.Unmarshal(answer, &whole) != nil {
		return 99
	}
	for _, w := range o.Warnings {
		who := ""
		if w.Hook != "" {
			who = "hook " + w.Hook + ": "
		}
		fmt.Fprintf(os.Stderr, "agents-hooks: %s%s\n", who, strings.ReplaceAll(w.Text, "\n", " "))
	}
	if o.Error != nil {
		fmt.Fprintln(os.Stderr, "agents-hooks:", o.Error.Text)
		if o.Error.Kind == "event" {
			return 0
		}
		return 1
	}
	if string(o.Outcome["decision"]) == `"block"` {
		var reason string
		_ = json.Unmarshal(o.Outcome["reason"], &reason)
		fmt.Fprintln(os.Stderr, strings.TrimRight(reason, "\n"))
		return 2
	}
	if len(o.Outcome) > 0 {
		fmt.Printf("%s\n", whole.Outcome)
	}
	return 0
}
