package packs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/pack/source"
)

// Ctrl-C ends add and update as any other command, whatever failed because of it, and no
// other pack is begun after it.
func TestCtrlCEndsAddAndUpdate(t *testing.T) {
	t.Parallel()
	sh := shelltest.New(t)
	p, err := PlaceOf(sh, sh.Host.Home, true)
	must.Do(t, err)
	how := HowOptions{Quick: true, Yes: true}
	request := func(name string) AddOptions {
		dir := filepath.Join(sh.Host.Home, name)
		must.Write(t, filepath.Join(dir, "of-"+name, "HOOK.md"), "---\nname: of-"+name+"\ndescription: d\ntrigger: pre-tool-call\n---\n")
		must.Script(t, filepath.Join(dir, "of-"+name, "scripts", "run"), "#!/bin/sh\n")
		at, err := source.Parse(dir, p.Here)
		must.Do(t, err)
		return AddOptions{PlaceOptions: p, Request: Request{At: at}, HowOptions: how, Typed: dir}
	}
	for _, name := range []string{"one", "two"} {
		_, err := Add(t.Context(), sh, request(name))
		must.Do(t, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	stopped := func(what, says string, err error) {
		t.Helper()
		if !errors.Is(err, shell.ErrStopped) || err.Error() != says {
			t.Errorf("%s: %v", what, err)
		}
		if h, ok := errors.AsType[shell.Hinted](err); ok {
			t.Errorf("%s: a hint: %q", what, h.Hints)
		}
	}
	_, err = Add(ctx, sh, request("three"))
	stopped("add", "add: interrupted, nothing changed", err)
	gone := request("four")
	must.Do(t, os.RemoveAll(gone.Typed))
	_, err = Add(ctx, sh, gone)
	stopped("add of what is not there", "add: interrupted, nothing changed", err)
	var said strings.Builder
	sh.Err = &said
	_, err = Update(ctx, sh, UpdateOptions{PlaceOptions: p, HowOptions: how})
	stopped("update", "update one: interrupted, nothing changed", err)
	if said.Len() > 0 {
		t.Errorf("said before the end: %s", said.String())
	}
}
