package dispatch

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/runner"
)

// A stopper is an agent that has a stop, and a payload of one.
type stopper struct {
	agent   *protocol.Dialect
	native  protocol.Native
	payload string
	event   *protocol.Event
}

// stoppers finds them in the payloads of each dialect.
func stoppers(t *testing.T) (list []stopper) {
	t.Helper()
	for _, d := range agents.All() {
		at := slices.IndexFunc(d.NativeEvents, func(n protocol.Native) bool { return n.MapsTo[0] == protocol.PreAgentTurnStop })
		if at < 0 {
			continue
		}
		s := stopper{agent: d, native: d.NativeEvents[at]}
		if !s.find(t) {
			t.Errorf("%s: no payload of a plain %s in its testdata", d.ID, s.native.Name)
			continue
		}
		list = append(list, s)
	}
	return list
}

var fileNumber = regexp.MustCompile(`-\d+$`)

// payloadsOf is the folder of an agent's payloads.
func payloadsOf(d *protocol.Dialect) string {
	pkg, _, _ := strings.Cut(strings.TrimPrefix(runtime.FuncForPC(reflect.ValueOf(d.Decode).Pointer()).Name(), "github.com/agents-hooks/agents-hooks/"), ".")
	return filepath.Join("..", "..", "..", filepath.FromSlash(pkg), "testdata", "payloads")
}

// find takes the first payload that becomes a stop which nothing was told of yet.
func (s *stopper) find(t *testing.T) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(payloadsOf(s.agent), "*", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no payloads: %v", s.agent.ID, err)
	}
	for _, f := range files {
		o, err := protocol.ParseObject([]byte(must.Read(t, f)))
		name, _, _ := strings.Cut(filepath.Base(f), ".")
		if err != nil {
			continue
		}
		in := protocol.Input{Payload: o, Event: fileNumber.ReplaceAllString(name, ""), WorkDir: os.TempDir(), Now: time.Now()}
		events, err := s.agent.Decode(in)
		if err != nil || len(events) == 0 {
			continue
		}
		ev := events[0]
		if ev.Type == protocol.PreAgentTurnStop && ev.NativeEvent == s.native.Name && ev.Can == s.native.Can && ev.SessionID != "" &&
			!ev.Fields.Bool("stop_active") && (ev.Fields.Get("loop_count") == nil || string(ev.Fields.Get("loop_count")) == "0") {
			s.payload, s.event = string(o.Raw()), ev
			return true
		}
	}
	return false
}

// gate is a hook that does what stands in the file mode, and tells of its event.
const gate = `cat > "$TELL/$$"
case $(cat "$TELL/mode") in
hang) : > "$TELL/there"; exec sleep 60 ;;
fail) exit 1 ;;
esac
echo go on >&2
exit 2`

// For each agent that has a stop: the cap is kept on disk, is
// never above the agent's own, and holds over all windows of a session; hooks are
// told the count; neither a hook that failed nor a dispatcher that was killed
// counts.
func TestStopLoopOfEachAgent(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("what a killed dispatcher leaves behind has its folder open for a minute")
	}
	t.Parallel()
	for i, s := range stoppers(t) {
		if !slowtest.Part(i, 6) {
			continue // -slow plays each agent
		}
		t.Run(s.agent.ID, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			tell := t.TempDir()
			w.env = []string{"TELL=" + tell}
			w.hook(w.userHooks(), "gate", "trigger: pre-agent-turn-stop", gate)
			stop := func() { w.run(s.payload, "--agent="+s.agent.ID, "--event="+s.native.Name) }
			mode := func(word string) { w.file(filepath.Join(tell, "mode"), word, 0o644) }

			mode("hang")
			killed := w.command([]string{"--agent=" + s.agent.ID, "--event=" + s.native.Name}, strings.NewReader(s.payload))
			must.Do(t, killed.Start())
			waitFor(t, filepath.Join(tell, "there"))
			_ = killed.Process.Kill()
			_ = killed.Wait()
			endHung(t, tell)
			mode("fail")
			stop()
			mode("block")

			limit := 0
			if s.native.Can.Has(protocol.CanBlock) {
				limit = discovery.DefaultStopRow
				if s.agent.StopMax > 0 {
					limit = min(limit, s.agent.StopMax)
				}
			}
			stop()
			stop()
			var windows sync.WaitGroup
			for range 6 {
				windows.Go(stop)
			}
			windows.Wait()
			stop()
			if n := strings.Count(w.log(), `"decision": "block"`); n != limit {
				t.Errorf("made to go on %d times, want %d", n, limit)
			}
			if limit > 0 {
				has(t, "log", w.log(), "it may stop now")
			}
			row, total := runner.OpenSession(w.state(), s.agent.ID, s.session(t, w.project)).StopCount()
			if row != limit || total != limit {
				t.Errorf("kept on disk: %d in a row, %d in all; want %d", row, total, limit)
			}
			s.checkTold(t, tell, limit)
		})
	}
}

// session is the one of the payload in a folder: some agents name none, and the
// folder tells.
func (s stopper) session(t *testing.T, dir string) string {
	t.Helper()
	o, err := protocol.ParseObject([]byte(s.payload))
	must.Do(t, err)
	events, err := s.agent.Decode(protocol.Input{Payload: o, Event: s.native.Name, WorkDir: dir})
	if err != nil || len(events) == 0 {
		t.Fatal(events, err)
	}
	return events[0].SessionID
}

// checkTold looks at what the hook was told: how often, and whether it goes on
// because of a hook.
func (s stopper) checkTold(t *testing.T, dir string, limit int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "[0-9]*"))
	must.Do(t, err)
	seen := map[string]int{}
	for _, f := range files {
		o, err := protocol.ParseObject([]byte(must.Read(t, f)))
		must.Do(t, err)
		active := "false"
		if string(o.Get("loop_count")) != "0" {
			active = "true"
		}
		if got := string(o.Get("stop_active")); got != active {
			t.Errorf("loop_count %s and stop_active %s", o.Get("loop_count"), got)
		}
		seen[string(o.Get("loop_count"))]++
	}
	if len(files) != 11 {
		t.Errorf("the hook was asked %d times, want 11", len(files))
	}
	// The killed one, the one that failed, the first that counts; then the second.
	if limit == 0 && seen["0"] != 11 || limit > 0 && seen["0"] != 3 || limit > 1 && seen["1"] == 0 || limit > 0 && seen[fmt.Sprint(limit)] == 0 {
		t.Errorf("told %v", seen)
	}
}

// endHung ends the hook that its dispatcher could not end any more. It is known by
// the name of what it wrote.
func endHung(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "[0-9]*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v; want the one hook that hangs", files, err)
	}
	pid, err := strconv.Atoi(filepath.Base(files[0]))
	must.Do(t, err)
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}
