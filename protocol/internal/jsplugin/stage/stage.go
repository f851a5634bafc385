// Package stage runs a plugin, as install writes it, in Node: a test's script loads it
// and calls it as its agent would, and each frame starts a real process, which is the
// test's own program.
//
//	func TestMain(m *testing.M) { stage.Main(m) }
package stage

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Main is the TestMain of a plugin's tests, and the dispatcher of its plugin.
func Main(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "dispatch" {
		os.Exit(dispatch(os.Args[2], os.Args[len(os.Args)-1] == "--stream"))
	}
	os.Exit(m.Run())
}

// dispatch notes a frame in a folder, and does what the folder says for its hook;
// with --stream, one frame after another.
func dispatch(dir string, stream bool) int {
	if stream {
		return stay(dir)
	}
	frame, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 1
	}
	code, answer := judge(dir, frame, "process")
	os.Stdout.Write(answer)
	return code
}

// stay is a resident dispatcher, or does what "stay" in the folder says.
func stay(dir string) int {
	switch how, _ := os.ReadFile(filepath.Join(dir, "stay")); string(how) {
	case "never":
		return 1
	case "mute":
		_, _ = io.Copy(io.Discard, os.Stdin)
		return 0
	case "babble":
		fmt.Println("good day")
	}
	Note(dir, "stays", fmt.Sprint(os.Getpid()))
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			Note(dir, "left", fmt.Sprint(os.Getpid()))
			return 0
		}
		o, err := protocol.ParseObject(line)
		if err != nil {
			return 1
		}
		if o.Has("request") {
			fmt.Println(`{"schema": 1, "line": 1, "hello": {"stream": 1}}`)
			Note(dir, "ready", "hello")
			continue
		}
		id := o.Get("id")
		o.Delete("id")
		switch unbegun, _ := os.ReadFile(filepath.Join(dir, "unbegun")); string(unbegun) {
		case "":
		case "mute":
			time.Sleep(time.Hour)
		default:
			return 1
		}
		fmt.Printf(`{"schema": 1, "id": %s, "begun": true}`+"\n", id)
		code, answer := judge(dir, o.Raw(), "stream")
		if code != 0 {
			os.Stdout.Write(answer)
			return code
		}
		if said, err := protocol.ParseObject(answer); err == nil {
			answer = said.Raw()
		} else if len(answer) == 0 {
			answer = []byte("{}")
		}
		fmt.Printf(`{"schema": 1, "id": %s, "answer": %s}`+"\n", id, answer)
	}
}

// Note adds a line to a file of the folder.
func Note(dir, name, text string) bool {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = f.WriteString(text + "\n")
	return err == nil
}

// judge is what happens with one frame.
func judge(dir string, frame []byte, by string) (code int, answer []byte) {
	o, err := protocol.ParseObject(frame)
	if err != nil {
		_ = os.WriteFile(filepath.Join(dir, "bad"), frame, 0o600)
		return 1, nil
	}
	where, _ := os.Getwd()
	if !Note(dir, "frames", string(frame)) || !Note(dir, "by", by+" "+where+" "+os.Getenv("STAGE_VARIABLE")) {
		return 1, nil
	}
	answer, _ = os.ReadFile(filepath.Join(dir, o.Text("hook")))
	switch string(answer) {
	case "crash":
		return 3, []byte(`{"block": "half an answer"}`)
	case "two":
		return 2, []byte(`{"block": "exit 2 is no answer here"}`)
	case "block later ones":
		if !bytes.Contains(frame, []byte("LATER")) {
			return 0, nil
		}
		return 0, []byte(`{"block": "no later ones"}`)
	case "stop the agent":
		agent := fmt.Sprint(os.Getppid())
		if exec.Command("kill", "-STOP", agent).Run() != nil || exec.Command("sh", "-c", "sleep 4; kill -CONT "+agent).Start() != nil {
			return 1, nil
		}
		return 0, []byte(`{"block": "said in time"}`)
	case "hang":
		_ = os.WriteFile(filepath.Join(dir, "pid"), []byte(fmt.Sprint(os.Getpid())), 0o600)
		time.Sleep(time.Hour)
	case "flood":
		line := bytes.Repeat([]byte("x"), 1<<20)
		for {
			if _, err := os.Stdout.Write(line); err != nil {
				return 0, nil
			}
		}
	}
	return 0, answer
}

// A Stage is a plugin, ready to be called.
type Stage struct {
	T      *testing.T
	Dir    string         // in which the dispatcher looks for its answers
	Argv   []string       // of the dispatcher
	Limits map[string]int // of its events, in milliseconds
	Drive  map[string]any // what else the script is told
}

// New takes the time limits of an agent's events; its dispatcher answers nothing.
func New(t *testing.T, agent string, natives []protocol.Native) *Stage {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	// A resident dispatcher may note that it leaves after the script is over, while
	// the folder is being removed; wait until it is gone.
	t.Cleanup(func() {
		for end := time.Now().Add(30 * time.Second); os.RemoveAll(dir) != nil && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		}
	})
	s := &Stage{T: t, Dir: dir, Argv: []string{self, "dispatch", dir, "run", "--agent=" + agent}, Limits: map[string]int{}, Drive: map[string]any{}}
	for _, n := range natives {
		s.Limits[n.Name] = int(n.Limit / time.Millisecond)
	}
	return s
}

// Says sets what the dispatcher answers to a hook.
func (s *Stage) Says(hook, answer string) {
	s.T.Helper()
	if err := os.WriteFile(filepath.Join(s.Dir, hook), []byte(answer), 0o600); err != nil {
		s.T.Fatal(err)
	}
}

// Play has testdata/drive.mjs call a plugin with steps in JSON, unmarshals what it
// prints into played, and returns the frames.
func (s *Stage) Play(source string, played any, steps ...string) []protocol.Object {
	s.T.Helper()
	entry, err := json.Marshal(map[string]any{"argv": s.Argv, "gone": "its program is gone", "limits": s.Limits})
	if err != nil {
		s.T.Fatal(err)
	}
	text := strings.Replace(source, protocol.PluginEntry+"null\n", protocol.PluginEntry+string(entry)+"\n", 1)
	file := filepath.Join(s.Dir, "agents-hooks.mjs") // not .js, since the folder has no package.json
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		s.T.Fatal(err)
	}
	s.Drive["plugin"] = file
	s.Drive["steps"] = json.RawMessage("[" + strings.Join(steps, ",") + "]")
	in, err := json.Marshal(s.Drive)
	if err != nil {
		s.T.Fatal(err)
	}
	cmd := exec.Command("node", filepath.Join("testdata", "drive.mjs"))
	cmd.Stdin = bytes.NewReader(in)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	switch {
	case s.Drive["killed"] == true && err != nil:
		return nil
	case err != nil:
		s.T.Fatalf("%v: %s", err, stderr.Bytes())
	}
	if err := json.Unmarshal(out, played); err != nil {
		s.T.Fatalf("%v in %s", err, out)
	}
	var frames []protocol.Object
	lines, _ := os.ReadFile(filepath.Join(s.Dir, "frames"))
	for line := range bytes.Lines(lines) {
		o, err := protocol.ParseObject(line)
		if err != nil {
			s.T.Fatal(err)
		}
		frames = append(frames, o)
	}
	if bad, err := os.ReadFile(filepath.Join(s.Dir, "bad")); err == nil {
		s.T.Fatalf("a frame that is no JSON: %s", bad)
	}
	return frames
}

// Gone waits for a process to end.
func Gone(t *testing.T, pid string) {
	t.Helper()
	status := filepath.Join("/proc", pid, "status")
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		b, err := os.ReadFile(status)
		if err != nil || bytes.Contains(b, []byte("State:\tZ")) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("process %s is still there", pid)
		}
	}
}
