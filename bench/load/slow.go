//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// turns is how many times per second a slow disk reads, and writes: an old and busy
	// one, or one across a network.
	turns = 40
	// leastSlow is the least duration of the slowest event, or the disk was not slow.
	leastSlow = 100 * time.Millisecond
)

// A slowDisk is a home and a project on a disk of their own, of which nothing stays
// cached from one round to the next, and which serves few requests per second.
type slowDisk struct {
	*place
	image, at string
	limit     string // the control group
	longest   time.Duration
}

// newSlowDisk makes one in a folder, if that is allowed. release removes it.
func newSlowDisk(bin, dir string) (d *slowDisk, release func(), err error) {
	d = &slowDisk{image: filepath.Join(dir, "slow.img"), at: filepath.Join(dir, "slow")}
	release = func() {
		_ = run("umount", d.at)
		if d.limit != "" {
			_ = os.Remove(d.limit)
		}
	}
	defer func() {
		if err != nil {
			release()
		}
	}()
	if err := errors.Join(os.MkdirAll(d.at, 0o755), os.WriteFile(d.image, nil, 0o600), os.Truncate(d.image, 64<<20)); err != nil {
		return nil, nil, err
	}
	if err := errors.Join(run("mkfs.ext4", "-q", "-F", d.image), d.mount()); err != nil {
		return nil, nil, err
	}
	if d.place, err = newPlace(bin, d.at); err != nil {
		return nil, nil, err
	}
	if err := d.slow(); err != nil {
		return nil, nil, err
	}
	return d, release, nil
}

func run(program string, args ...string) error {
	if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", program, err, out)
	}
	return nil
}

func (d *slowDisk) mount() error { return run("mount", "-o", "loop", d.image, d.at) }

// forget drops the disk from the cache, once nobody uses it: a killed process may have
// started a hook.
func (d *slowDisk) forget() error {
	const most = 5 * time.Second
	for begun := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if err := run("umount", d.at); err == nil {
			return errors.Join(d.mount(), d.slow())
		} else if time.Since(begun) > most {
			return err
		}
	}
}

// slow makes the control group for the place's commands, with few requests per second
// to the disk, which is a new device after each mount.
func (d *slowDisk) slow() error {
	var st syscall.Stat_t
	if err := syscall.Stat(d.at, &st); err != nil {
		return err
	}
	device := fmt.Sprintf("%d:%d ", unix.Major(st.Dev), unix.Minor(st.Dev))
	name := fmt.Sprintf("agents-hooks-load-%d", os.Getpid())
	rules := map[string]string{"blkio.throttle.read_iops_device": fmt.Sprint(device, turns), "blkio.throttle.write_iops_device": fmt.Sprint(device, turns)}
	group := filepath.Join("/sys/fs/cgroup/blkio", name)
	if _, err := os.Stat("/sys/fs/cgroup/cgroup.controllers"); err == nil { // version 2
		_ = os.WriteFile("/sys/fs/cgroup/cgroup.subtree_control", []byte("+io"), 0)
		rules = map[string]string{"io.max": fmt.Sprintf("%sriops=%d wiops=%d", device, turns, turns)}
		group = filepath.Join("/sys/fs/cgroup", name)
	}
	if err := os.Mkdir(group, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	d.limit, d.group = group, group
	for file, rule := range rules {
		if err := os.WriteFile(filepath.Join(group, file), []byte(rule), 0); err != nil {
			return err
		}
	}
	return nil
}

// round saves a fact, kills a dispatcher, and then lets a guard judge, each with
// nothing cached; the acknowledged fact must be on the disk afterwards.
func (d *slowDisk) round(ctx context.Context, r *rand.Rand) error {
	fact := noWords(r)
	if err := d.forget(); err != nil {
		return err
	}
	out, err := d.command(ctx, d.tool, nil, "memory", "save", fact).CombinedOutput()
	if err != nil {
		return fmt.Errorf("save: %w\n%s", err, out)
	}
	if err := d.forget(); err != nil {
		return err
	}
	if kept, err := d.remembered(); err != nil || !strings.Contains(kept, fact) {
		return fmt.Errorf("acknowledged and lost: %s, %v", fact, err)
	}
	killed := d.command(ctx, d.run, d.event("k", forced), "run")
	if err := killed.Start(); err != nil {
		return err
	}
	time.Sleep(time.Duration(r.IntN(200)) * time.Millisecond)
	_ = killed.Process.Kill()
	_ = killed.Wait()
	if err := d.forget(); err != nil {
		return err
	}
	exit, said, took, err := d.ask(ctx, d.event("slow", forced))
	if d.longest = max(d.longest, took); err != nil || exit != 2 || !strings.Contains(said, "not with force") || took > within {
		return fmt.Errorf("exit %d after %v, %s, %v", exit, took, said, err)
	}
	return nil
}

// slowDisk makes a slow disk for the rounds, nil if there is none.
func (p *place) slowDisk(w io.Writer) (d *slowDisk, release func()) {
	d, release, err := newSlowDisk(filepath.Dir(p.run), filepath.Dir(p.home))
	if err != nil {
		fmt.Fprintf(w, "left out: a slow disk: none can be had here: %v\n", err)
		return nil, func() {}
	}
	return d, release
}
