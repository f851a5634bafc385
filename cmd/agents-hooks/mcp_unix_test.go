//go:build unix

package main

import (
	"bufio"
	"strings"
	"syscall"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// SIGTERM ends a server that waits for its client, cleanly; nothing but the
// protocol is ever on stdout.
func TestMCPEndsAtSIGTERM(t *testing.T) {
	t.Parallel()
	h := newMCPHome(t)
	cmd := h.command("mcp")
	in, err := cmd.StdinPipe()
	must.Do(t, err)
	out, err := cmd.StdoutPipe()
	must.Do(t, err)
	var messages strings.Builder
	cmd.Stderr = &messages
	must.Do(t, cmd.Start())
	defer cmd.Process.Kill()
	must.Do(t, must.Err(in.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`+"\n"))))
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, `{"jsonrpc":"2.0","id":1,`) {
		t.Fatalf("%v: %q", err, line)
	}
	must.Do(t, cmd.Process.Signal(syscall.SIGTERM))
	if err := cmd.Wait(); err != nil || messages.String() != "" {
		t.Errorf("%v: %s", err, messages.String())
	}
}
