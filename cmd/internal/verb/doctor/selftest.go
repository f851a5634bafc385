package doctor

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// The self-test of doctor asks whether what hooks say as a session begins really
// gets into it. Nobody but the agent can answer that, so it takes two
// runs: the first writes a hook that says a word made up for it, and keeps what
// the agent told of the session; the second, after sessions began, looks for the
// word in their transcripts, and takes the hook away.
const (
	selfTestName = "agents-hooks-self-test"
	selfTestRead = 64 << 20 // of a transcript
)

// selfTestHook is the hook by its files.
func selfTestHook(nonce string) map[string]string {
	says := `{"additional_context": "` + nonce + `: a test of doctor, whether this text arrives. It asks for nothing."}`
	return map[string]string{
		"HOOK.md": "---\nname: " + selfTestName + "\ndescription: Written by agents-hooks doctor --self-test, and taken away by its next run.\ntrigger: pre-session\npriority: 1000\n---\n\n" +
			"Says a word as a session begins, so that doctor can look for it in the transcript.\n",
		"nonce":           nonce + "\n",
		"scripts/run":     "#!/bin/sh\ncat > \"$AGENTS_HOOKS_STATE_DIR/$AGENTS_HOOKS_AGENT.json\"\nprintf '%s\\n' '" + says + "'\n",
		"scripts/run.cmd": "@echo off\r\nfindstr \"^\" > \"%AGENTS_HOOKS_STATE_DIR%\\%AGENTS_HOOKS_AGENT%.json\"\r\necho " + says + "\r\n",
	}
}

// selfTest is one run of it.
func (d *doctor) selfTest(list []*protocol.Dialect) error {
	dir := filepath.Join(d.Host.Config, "hooks", selfTestName)
	kept := filepath.Join(d.Host.State, "hooks", "user", selfTestName)
	nonce, err := os.ReadFile(filepath.Join(dir, "nonce"))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(dir); err == nil {
			return fmt.Errorf("doctor: %s is there, and not of a self-test", d.Short(dir))
		}
		return d.armSelfTest(dir, kept)
	}
	if err != nil {
		return fmt.Errorf("doctor: %w", err)
	}
	word := strings.TrimSpace(string(nonce))
	told := 0
	for _, a := range list {
		d.agent = a.ID
		event, err := os.ReadFile(filepath.Join(kept, a.ID+".json"))
		if err != nil {
			continue
		}
		told++
		d.arrived(a, event, word)
	}
	d.agent = ""
	if told == 0 {
		d.add("self-test", checkOff, "start an agent and say a word to it, then run this again; to give up, remove "+d.Short(dir), "no session has begun since the self-test was prepared")
		return nil
	}
	if err := errors.Join(os.RemoveAll(dir), os.RemoveAll(kept)); err != nil {
		return fmt.Errorf("doctor: ending the self-test: %w", err)
	}
	d.add("self-test", checkOK, "", "over: %s was taken away", d.Short(dir))
	return nil
}

// armSelfTest writes the hook.
func (d *doctor) armSelfTest(dir, kept string) error {
	err := os.RemoveAll(kept)
	for name, text := range selfTestHook("ahst-" + setup.RandomID()) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(name, "scripts/") {
			mode = 0o755
		}
		err = errors.Join(err, os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), mode))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("doctor: preparing the self-test: %w", err), os.RemoveAll(dir))
	}
	d.add("self-test", checkOff, "start each agent, say a word to it, end it; then agents-hooks doctor --self-test again", "prepared: %s says a word as the next sessions begin", d.Short(dir))
	return nil
}

// arrived looks for the word in the transcript of the session that an event began.
func (d *doctor) arrived(a *protocol.Dialect, event []byte, word string) {
	o, err := protocol.ParseObject(bytes.TrimSpace(event))
	if err != nil {
		d.add("self-test", checkWarn, "run it again", "what the agent told of its session cannot be read: %v", err)
		return
	}
	can := false
	for _, w := range protocol.ElementsOf(o.Sub("context").Get("can")) {
		can = can || protocol.TextOf(w) == "context"
	}
	path := o.Text("transcript_path")
	text, err := readHead(path)
	switch {
	case !can:
		d.add("self-test", checkOK, "", "%s hears no hook as a session begins, and nothing was said", a.Name)
	case path == "":
		d.add("self-test", checkOff, "", "the word was said, but %s names no transcript to look into", a.Name)
	case err != nil:
		d.add("self-test", checkWarn, "", "the word was said, but the transcript cannot be read: %v", err)
	case bytes.Contains(text, []byte(word)):
		d.add("self-test", checkOK, "", "what a hook says as a session begins stands in %s", d.Short(path))
	default:
		d.add("self-test", checkError, "agents-hooks doctor "+a.ID, "what a hook said as a session began does not stand in %s (%s)", d.Short(path), d.ago(fileTime(path)))
	}
}

// readHead is a file, as far as one looks into it.
func readHead(path string) ([]byte, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return shell.ReadAll(f, selfTestRead)
}

func fileTime(path string) (at time.Time) {
	if info, err := os.Stat(path); err == nil {
		at = info.ModTime()
	}
	return at
}
