package pagetest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// A Tab is a page in a running Chromium, driven over a pair of pipes: no port is
// opened, and no other program is needed.
type Tab struct {
	t       testing.TB
	write   *os.File
	session string

	mu      sync.Mutex
	next    int
	waiting map[int]chan reply
	heard   []Heard
}

// Heard is something that the browser said without being asked.
type Heard struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

type reply struct {
	ID     int             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
	Heard
}

// Open starts a Chromium and opens an address in it; "" is none yet.
func Open(t testing.TB, address string) *Tab {
	t.Helper()
	tab := start(t)
	var target struct{ TargetID, SessionID string }
	tab.ask("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	tab.ask("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &target)
	tab.session = target.SessionID
	for _, domain := range []string{"Page", "Runtime", "Network", "Log"} {
		tab.ask(domain+".enable", map[string]any{}, nil)
	}
	if address != "" {
		tab.Go(address)
	}
	return tab
}

// start starts the program.
func start(t testing.TB) *Tab {
	t.Helper()
	program := Browser(t)
	dir := home(t)
	toRead, toWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromRead, fromWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	cmd := exec.CommandContext(ctx, program, append(flags(dir), "--remote-debugging-pipe", "about:blank")...)
	cmd.ExtraFiles = []*os.File{toRead, fromWrite}
	cmd.Env = environment(cmd, dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	toRead.Close()
	fromWrite.Close()
	tab := &Tab{t: t, write: toWrite, waiting: map[int]chan reply{}}
	done := make(chan struct{})
	go func() { tab.listen(fromRead); close(done) }()
	t.Cleanup(func() {
		toWrite.Close()
		cancel()
		_ = cmd.Wait()
		<-done
		fromRead.Close()
	})
	return tab
}

func (tab *Tab) listen(from *os.File) {
	in := bufio.NewReaderSize(from, 1<<20)
	for {
		b, err := in.ReadBytes(0)
		if err != nil {
			tab.mu.Lock()
			for _, c := range tab.waiting {
				close(c)
			}
			tab.waiting = nil
			tab.mu.Unlock()
			return
		}
		var r reply
		if json.Unmarshal(bytes.TrimRight(b, "\x00"), &r) != nil {
			continue
		}
		tab.mu.Lock()
		if c := tab.waiting[r.ID]; c != nil {
			delete(tab.waiting, r.ID)
			c <- r
		} else {
			tab.heard = append(tab.heard, r.Heard)
		}
		tab.mu.Unlock()
	}
}

// ask sends a command of the browser's protocol, and reads the answer into out.
func (tab *Tab) ask(method string, params map[string]any, out any) {
	tab.t.Helper()
	answer := make(chan reply, 1)
	tab.mu.Lock()
	if tab.waiting == nil {
		tab.mu.Unlock()
		tab.t.Fatalf("%s: the browser is gone", method)
	}
	tab.next++
	id := tab.next
	tab.waiting[id] = answer
	tab.mu.Unlock()
	m := map[string]any{"id": id, "method": method, "params": params}
	if tab.session != "" {
		m["sessionId"] = tab.session
	}
	b, err := json.Marshal(m)
	if err == nil {
		_, err = tab.write.Write(append(b, 0))
	}
	if err != nil {
		tab.t.Fatalf("%s: %v", method, err)
	}
	r, ok := <-answer
	switch {
	case !ok:
		tab.t.Fatalf("%s: the browser is gone", method)
	case r.Error != nil:
		tab.t.Fatalf("%s: %s", method, r.Error.Message)
	case out != nil:
		if err := json.Unmarshal(r.Result, out); err != nil {
			tab.t.Fatalf("%s: %v", method, err)
		}
	}
}

// Go opens an address, and waits until the page's script has come to its end.
func (tab *Tab) Go(address string) {
	tab.t.Helper()
	tab.ask("Page.navigate", map[string]any{"url": address}, nil)
	tab.Wait(`document.documentElement.dataset.ready !== undefined`)
}

// Eval is the value of an expression in the page; a promise is waited for.
func (tab *Tab) Eval(expression string) any {
	tab.t.Helper()
	var out struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	tab.ask("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &out)
	if out.ExceptionDetails != nil {
		tab.t.Fatalf("%.300s: %s", expression, out.ExceptionDetails)
	}
	return out.Result.Value
}

// Text is the value of an expression as text.
func (tab *Tab) Text(expression string) string {
	tab.t.Helper()
	return fmt.Sprint(tab.Eval(expression))
}

// Wait waits until an expression is true.
func (tab *Tab) Wait(expression string) {
	tab.t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		var out struct{ Result struct{ Value any } }
		tab.ask("Runtime.evaluate", map[string]any{"expression": "!!(" + expression + ")", "returnByValue": true}, &out)
		if out.Result.Value == true {
			return
		}
		if time.Now().After(end) {
			tab.t.Fatalf("never true: %s\n%.3000s", expression, tab.Text("document.documentElement.outerHTML"))
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// Size makes the window so large, in light or dark colours.
func (tab *Tab) Size(width, height int, dark bool) {
	tab.t.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	tab.ask("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
	tab.ask("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// Key presses keys by their names, such as Tab, Enter or a.
func (tab *Tab) Key(names ...string) {
	tab.t.Helper()
	codes := map[string]int{"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "ArrowDown": 40, "ArrowUp": 38}
	for _, name := range names {
		text := ""
		if name == "Enter" {
			text = "\r"
		} else if len(name) == 1 {
			text = name
		}
		key := map[string]any{"type": "keyDown", "key": name, "text": text, "windowsVirtualKeyCode": codes[name]}
		tab.ask("Input.dispatchKeyEvent", key, nil)
		key["type"] = "keyUp"
		tab.ask("Input.dispatchKeyEvent", key, nil)
	}
}

// Compose begins to put a text together where the keyboard is, as an input method does.
func (tab *Tab) Compose(text string) {
	tab.t.Helper()
	tab.ask("Input.imeSetComposition", map[string]any{"text": text, "selectionStart": len(text), "selectionEnd": len(text)}, nil)
}

// Insert puts a text where the keyboard is, in the place of what was composed.
func (tab *Tab) Insert(text string) {
	tab.t.Helper()
	tab.ask("Input.insertText", map[string]any{"text": text}, nil)
}

// Shot writes a picture of the page to the folder of -shots.
func (tab *Tab) Shot(name string) {
	tab.t.Helper()
	if *shots == "" {
		return
	}
	var out struct{ Data string }
	tab.ask("Page.captureScreenshot", map[string]any{"format": "png"}, &out)
	b, err := base64.StdEncoding.DecodeString(out.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(*shots, name+".png"), b, 0o600)
	}
	if err != nil {
		tab.t.Fatal(err)
	}
}

// Heard are the things of a kind that the browser said since the page was opened.
func (tab *Tab) Heard(method string) (list []string) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	for _, h := range tab.heard {
		if h.Method == method {
			list = append(list, string(h.Params))
		}
	}
	return list
}
