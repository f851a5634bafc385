//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// crowd sends many events of some sessions to dispatchers, each a process: first one at
// a time per session, as agents do, which wait for an answer; then all at once. Each
// must be refused.
func (p *place) crowd(ctx context.Context, w io.Writer, events, sessions int) error {
	var lone []time.Duration
	var loneCPU time.Duration
	for i := range 30 {
		exit, said, took, cpu, err := p.askCPU(ctx, p.event("lone", forced))
		if err != nil || exit != 2 {
			return fmt.Errorf("a lone event: exit %d, %s, %v", exit, said, err)
		}
		if i >= 5 {
			lone, loneCPU = append(lone, took), loneCPU+cpu
		}
	}
	slices.Sort(lone)
	one := lone[len(lone)/2]
	turns, _, cpu, err := p.inTurn(ctx, events, sessions)
	if err != nil {
		return err
	}
	p95 := turns[len(turns)*95/100]
	fmt.Fprintf(w, "%d events of %d sessions, each of which waits for its answers: each was judged\n", events, sessions)
	fmt.Fprintf(w, "a lone one %.1f ms, median %.1f ms, p95 %.1f ms: %.1f of a lone one\n", ms(one), ms(turns[len(turns)/2]), ms(p95), float64(p95)/float64(one))
	once, took, onceCPU, err := p.inTurn(ctx, events, events)
	if err != nil {
		return err
	}
	loneCPU /= time.Duration(len(lone))
	fmt.Fprintf(w, "of the processors a lone one takes %.1f ms, one of twenty at once %.2f of that, one of all at once %.2f\n", ms(loneCPU),
		float64(cpu)/float64(events)/float64(loneCPU), float64(onceCPU)/float64(events)/float64(loneCPU))
	fmt.Fprintf(w, "all at the same moment: median %.0f ms, all in %.0f ms, which is %.2f of as many lone ones\n", ms(once[len(once)/2]), ms(took), float64(took)/float64(events)/float64(one))
	if float64(p95) > most*float64(one) {
		return fmt.Errorf("p95 is %.1f of a lone event, want at most %d", float64(p95)/float64(one), most)
	}
	return nil
}

// most is how many times longer than a lone event one of twenty sessions may take: each
// of two processors has ten of them.
const most = 15

// inTurn plays events of some sessions, in sequence within each. It returns the
// durations, sorted, and the totals.
func (p *place) inTurn(ctx context.Context, events, sessions int) (each []time.Duration, all, cpu time.Duration, err error) {
	asked := make([][]byte, events)
	for i := range asked {
		asked[i] = p.event(fmt.Sprint("session", i%sessions), forced)
	}
	each = make([]time.Duration, events)
	errs, cpus := make([]error, sessions), make([]time.Duration, sessions)
	begun := time.Now()
	var wait sync.WaitGroup
	for s := range sessions {
		wait.Go(func() {
			for i := s; i < events && errs[s] == nil; i += sessions {
				exit, said, took, busy, err := p.askCPU(ctx, asked[i])
				if each[i], cpus[s] = took, cpus[s]+busy; err == nil && exit != 2 {
					err = fmt.Errorf("event %d: exit %d: %s", i, exit, said)
				}
				errs[s] = err
			}
		})
	}
	wait.Wait()
	all = time.Since(begun)
	slices.Sort(each)
	for _, c := range cpus {
		cpu += c
	}
	return each, all, cpu, errors.Join(errs...)
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
