package doctor

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// The self-test asks whether what hooks say at the start of a session really reaches the model.
// Only the agent can answer that, so it takes two runs: the first writes a hook that says a
// random word, and records what the agent reports about its session; the second, after sessions
// have begun, looks for the word in their transcripts, and removes the hook.
const (
	selfTestName = "agents-hooks-self-test"
	selfTestRead = 64 << 20 // of a transcript
)

// selfTestHook are the hook's files.
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

// selfTest is one run of it: it prepares the test, or evaluates it.
func selfTest(h host.Host, agents []*protocol.Dialect) ([]check, error) {
	dir := filepath.Join(h.Config, "hooks", selfTestName)
	kept := filepath.Join(h.State, "hooks", "user", selfTestName)
	nonce, err := os.ReadFile(filepath.Join(dir, "nonce"))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(dir); err == nil {
			return nil, fmt.Errorf("doctor: %s already exists, and is not from a self-test", h.Short(dir))
		}
		return armSelfTest(h, dir, kept)
	}
	if err != nil {
		return nil, fmt.Errorf("doctor: %w", err)
	}
	var list []check
	for _, a := range agents {
		event, err := os.ReadFile(filepath.Join(kept, a.ID+".json"))
		if err == nil {
			list = append(list, about(a, arrived(h, a, event, strings.TrimSpace(string(nonce))))...)
		}
	}
	if len(list) == 0 {
		return rows("self-test", checkOff, "start an agent and say a word to it, then run this again; to give up, remove "+h.Short(dir), "no session has begun since the self-test was prepared"), nil
	}
	if err := errors.Join(os.RemoveAll(dir), os.RemoveAll(kept)); err != nil {
		return nil, fmt.Errorf("doctor: ending the self-test: %w", err)
	}
	return append(list, row("self-test", checkOK, "", "over: %s was taken away", h.Short(dir))), nil
}

// armSelfTest writes the hook.
func armSelfTest(h host.Host, dir, kept string) ([]check, error) {
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
		return nil, errors.Join(fmt.Errorf("doctor: preparing the self-test: %w", err), os.RemoveAll(dir))
	}
	return rows("self-test", checkOff, "start each agent, say a word to it, end it; then agents-hooks doctor --self-test again", "prepared: %s says a word as the next sessions begin", h.Short(dir)), nil
}

// arrived looks for the word in the transcript of the session that an event started.
func arrived(h host.Host, a *protocol.Dialect, event []byte, word string) []check {
	o, err := protocol.ParseObject(bytes.TrimSpace(event))
	if err != nil {
		return rows("self-test", checkWarn, "run it again", "what the agent told of its session cannot be read: %v", err)
	}
	hears := slices.ContainsFunc(protocol.ElementsOf(o.Sub("context").Get("can")), func(w protocol.Raw) bool { return protocol.TextOf(w) == "context" })
	path := o.Text("transcript_path")
	text, err := readHead(path)
	switch {
	case !hears:
		return rows("self-test", checkOK, "", "%s hears no hook as a session begins, and nothing was said", a.Name)
	case path == "":
		return rows("self-test", checkOff, "", "the word was said, but %s names no transcript to look into", a.Name)
	case err != nil:
		return rows("self-test", checkWarn, "", "the word was said, but the transcript cannot be read: %v", err)
	case bytes.Contains(text, []byte(word)):
		return rows("self-test", checkOK, "", "what a hook says as a session begins stands in %s", h.Short(path))
	}
	return rows("self-test", checkError, "agents-hooks doctor "+a.ID, "what a hook said as a session began does not stand in %s (%s)", h.Short(path), ago(h.Now(), fileTime(path)))
}

// readHead is the part of a file that is searched.
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
