package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A service is a running program, and persons with their keys.
type service struct {
	cmd        *exec.Cmd
	url        string
	keys       []string
	client     *http.Client
	postmaster int
	made, told atomic.Int64
	cursor     atomic.Int64
}

// begin creates twenty persons, starts the service, and waits until it prints its
// address.
func begin(program string, o options) (*service, error) {
	s := &service{postmaster: o.postmaster, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2 * o.clients}}}
	for i := range 20 {
		out, err := exec.Command(program, "key", "create", "--person", fmt.Sprintf("person %d", i), "--store", o.store, "--json").Output()
		if err != nil {
			return nil, fmt.Errorf("making a key: %w", err)
		}
		var made struct{ Key string }
		if err := json.Unmarshal(out, &made); err != nil {
			return nil, err
		}
		s.keys = append(s.keys, made.Key)
	}
	s.cmd = exec.Command(program, "--store", o.store, "--listen", "127.0.0.1:0", "--rate", "0")
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(stderr)
	for s.url == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("the service ended: %w", err)
		}
		var said struct{ Msg, Address string }
		if json.Unmarshal([]byte(line), &said) == nil && said.Msg == "listening" {
			s.url = "http://" + said.Address
		}
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return s, nil
}

func (s *service) end() error {
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	return s.cmd.Wait()
}

// post sends one request, and expects 200 or 201.
func (s *service) post(person int, path string, body any) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequest(http.MethodPost, s.url+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+s.keys[person%len(s.keys)])
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	out, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode/100 != 2 {
		err = fmt.Errorf("%s: %s: %.300s", path, resp.Status, out)
	}
	return out, err
}

// figures are the costs of requests.
type figures struct {
	median, tail time.Duration
	spent        time.Duration // CPU time of one
	busy         bool          // something else used the machine as well
}

// show lets each client ask a number of times, and prints the figures.
func (s *service) show(what string, clients, times int, ask func(client, turn int) error) (f figures, err error) {
	var mu sync.Mutex
	var all []time.Duration
	var work sync.WaitGroup
	before, began, idle := spent(s.cmd.Process.Pid, s.postmaster), time.Now(), others(s.cmd.Process.Pid, s.postmaster)
	for c := range clients {
		work.Go(func() {
			for turn := range times {
				at := time.Now()
				e := ask(c, turn)
				mu.Lock()
				all = append(all, time.Since(at))
				if e != nil && err == nil {
					err = e
				}
				mu.Unlock()
				if e != nil {
					return
				}
			}
		})
	}
	work.Wait()
	if err != nil {
		return f, fmt.Errorf("%s: %w", what, err)
	}
	took := time.Since(began)
	slices.Sort(all)
	f = figures{median: all[len(all)/2], tail: all[len(all)*95/100], spent: (spent(s.cmd.Process.Pid, s.postmaster) - before) / time.Duration(len(all))}
	// A machine at rest uses less than a fifth of one processor for other things.
	f.busy = others(s.cmd.Process.Pid, s.postmaster)-idle > took/5
	fmt.Printf("%-44s %9s %9s %9.0f %11s %8s\n", what, short(f.median), short(f.tail), float64(len(all))/took.Seconds(), short(f.spent), load())
	return f, nil
}

func short(d time.Duration) string { return d.Round(10 * time.Microsecond).String() }
