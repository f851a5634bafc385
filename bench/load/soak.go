//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A stream stays open for that many events; each stretch ends with some events in
// processes of their own.
const (
	streamed = 900
	alone    = 100
	refused  = 10 // one in that many
)

// soak sends many events to dispatchers, nine in ten of them in streams, from twenty
// sessions at a time, which keep changing, and checks what is left behind, five times
// on the way.
func (p *place) soak(ctx context.Context, w io.Writer, events int) error {
	begun, done, next := time.Now(), 0, 0
	var first, last held
	most := 0
	for stretch := 0; done < events; stretch++ {
		open, err := p.stream(ctx, stretch)
		if err != nil {
			return err
		}
		most = max(most, open)
		done += streamed
		for i := range alone {
			command, want := harmless, 0
			if i%refused == 0 {
				command, want = forced, 2
			}
			exit, said, _, err := p.ask(ctx, p.event(session(stretch, i), command))
			if err != nil || exit != want {
				return fmt.Errorf("event %d: exit %d, want %d: %s, %v", done, exit, want, said, err)
			}
			done++
		}
		if done < events*next/5 {
			continue
		}
		next++
		if last, err = p.holds(); err != nil {
			return err
		}
		if first == (held{}) {
			first = last
		}
		fmt.Fprintf(w, "%7d events: %s, at most %d files open in a stream\n", done, last, most)
	}
	fmt.Fprintf(w, "took %.0f s\n", time.Since(begun).Seconds())
	if last.processes > 0 || last.temp > 0 {
		return fmt.Errorf("left behind: %s", last)
	}
	if sessions := (events/(streamed+alone) + 1) * 20; last.files > first.files+3*sessions {
		return fmt.Errorf("state grows with events and not with sessions: %s, after %s", last, first)
	}
	return nil
}

func session(stretch, i int) string { return fmt.Sprintf("s%d-%d", stretch, i%20) }

// stream sends many events to one dispatcher, and returns how many files it had open
// before the last one.
func (p *place) stream(ctx context.Context, stretch int) (open int, err error) {
	r, stdin, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer stdin.Close()
	cmd := p.command(ctx, p.run, nil, "run", "--stream")
	cmd.Stdin = r
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	err = cmd.Start()
	r.Close()
	if err != nil {
		return 0, err
	}
	buffer := make([]byte, 1<<16)
	for i := range streamed {
		command := harmless
		if i%refused == 0 {
			command = forced
		}
		if _, err := stdin.Write(p.event(session(stretch, i), command)); err != nil {
			return 0, err
		}
		var line []byte
		for !bytes.HasSuffix(line, []byte("\n")) {
			n, err := out.Read(buffer)
			if err != nil {
				return 0, fmt.Errorf("event %d of a stream: %w", i, err)
			}
			line = append(line, buffer[:n]...)
		}
		if command == forced != strings.Contains(string(line), "not with force") {
			return 0, fmt.Errorf("event %d of a stream: %s", i, line)
		}
		if i == streamed-1 {
			files, err := os.ReadDir(filepath.Join("/proc", fmt.Sprint(cmd.Process.Pid), "fd"))
			if err != nil {
				return 0, err
			}
			open = len(files)
		}
	}
	stdin.Close()
	return open, cmd.Wait()
}
