package doctor

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/keep"
	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/runner"
	"github.com/agents-hooks/agents-hooks/spec"
	"github.com/agents-hooks/agents-hooks/trust"
)

// program says what this program is, and which copy of it the entries start.
func program(h host.Host, entries []setup.Standing) []check {
	list := rows("program", checkOK, "", "%s, format %s, in %s", shell.ProgramVersion(), spec.Version, h.Short(h.Self))
	now, ok := keep.Read(h)
	dir := h.Short(keep.Dir(h))
	switch {
	case !ok && len(entries) == 0:
		return append(list, row("copy", checkOff, "", "no entry stands; install makes a copy in %s for them to name", dir))
	case !ok && !keep.Stands(h):
		return append(list, row("copy", checkWarn, "agents-hooks install again", "there is no copy in %s: entries end with the program that they name", dir))
	case !keep.Stands(h):
		return append(list, row("copy", checkError, "agents-hooks install again", "the copy that entries start is gone from %s, or incomplete: no hook runs", dir))
	}
	if err := trust.Steered(keep.Dir(h)); err != nil {
		list = append(list, row("copy", checkError, "make it yours alone (chown, chmod go-w)", "%v: who can write there decides what agents start", err))
	}
	return append(list, row("copy", checkOK, "", "entries start %s, in %s, of %s", now.Version, dir, h.Short(now.From)))
}

// stateDirectory writes a file, as an event would.
func stateDirectory(h host.Host) []check {
	dir := h.State
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(dir, ".doctor-*"); err == nil {
			_, err = f.WriteString("x")
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		return rows("state", checkError, "make it writable: until then nothing is logged or remembered", "the state directory %s cannot be written: %s", h.Short(dir), beneath.Why(err))
	}
	return rows("state", checkOK, "", "%s can be written", h.Short(dir))
}

// private examines the folders that only their owner should read. Folders inside project are
// shared as the project is.
func private(h host.Host, project string) (list []check) {
	for _, dir := range []string{h.State, h.Data, filepath.Join(h.State, "sessions")} {
		if dir != "" {
			list = append(list, readable(h, dir, project)...)
		}
	}
	return list
}

// steered warns of the user's places that somebody else can change.
func steered(h host.Host) (list []check) {
	for _, why := range setup.Steered(h) {
		list = append(list, row("steered", checkWarn, "make it yours alone (chown, chmod go-w): who can write there decides which hooks run", "%s", why))
	}
	return list
}

// readable warns of a folder that others can read.
func readable(h host.Host, dir, project string) []check {
	info, err := os.Stat(dir)
	shared := project != "" && setup.Within(dir, project)
	if err != nil || shared || h.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	return rows("private", checkWarn, "chmod 700 "+h.Short(dir), "%s can be read by others (%o)", h.Short(dir), info.Mode().Perm())
}

// sandboxes says what of the hooks' sandboxes this system enforces.
func sandboxes(set *discovery.Set) []check {
	var confined, required []string
	for _, h := range set.Hooks {
		if h.Sandbox != nil && h.Status == discovery.Ready {
			confined = append(confined, h.Name)
			if h.Sandbox.Required {
				required = append(required, h.Name)
			}
		}
	}
	lack, none := runner.SandboxLacks()
	const fix = "a Linux from 6.12 on, with Landlock and seccomp, enforces all of it"
	switch {
	case len(required) > 0 && lack != "":
		return rows("sandbox", checkError, fix, "%s: a sandbox is required, so these hooks do not run: %s", strings.Join(required, ", "), lack)
	case len(confined) > 0 && none:
		return rows("sandbox", checkWarn, fix, "hooks run without their sandbox (%s): %s", strings.Join(confined, ", "), lack)
	case len(confined) > 0 && lack != "":
		return rows("sandbox", checkWarn, fix, "sandboxes are not whole (%s): %s", strings.Join(confined, ", "), lack)
	case len(confined) > 0:
		return rows("sandbox", checkOK, "", "files, network, other processes and signals are kept from %s", strings.Join(confined, ", "))
	case lack != "":
		return rows("sandbox", checkOff, "", "no hook is held to a sandbox; one would not be whole: %s", lack)
	}
	return rows("sandbox", checkOff, "", "no hook is held to a sandbox; this system could: [trust] sandbox")
}

// recordings says where events are being recorded, and how much is kept.
func recordings(h host.Host) (list []check) {
	all, err := record.Store{State: h.State}.Projects()
	if err != nil {
		return rows("record", checkWarn, "", "recordings cannot be read: %v", err)
	}
	kept, size := 0, int64(0)
	for _, p := range all {
		kept += len(p.Sessions)
		size += p.Bytes()
		if p.On {
			list = append(list, row("record", checkWarn, "agents-hooks record off --project "+h.Shown(p.Root), "what agents send in %s is being recorded, since %s: %s, %s",
				h.Short(p.Root), p.Since.Local().Format(time.DateTime), text.Count(len(p.Sessions), "session"), shell.Size(p.Bytes())))
		}
	}
	if kept > 0 {
		list = append(list, row("record", checkOK, "", "recordings kept: %s, %s", text.Count(kept, "session"), shell.Size(size)))
	}
	return list
}

// running lists async hooks that are still running.
func running(h host.Host) []check {
	var names []string
	for _, r := range runner.LiveAsync(h.State) {
		names = append(names, fmt.Sprintf("%s (pid %d, since %s)", r.Hook, r.Pid, r.Started.Local().Format("15:04:05")))
	}
	if len(names) == 0 {
		return nil
	}
	return rows("async", checkOK, "", "async hooks running now: %s", strings.Join(names, ", "))
}
