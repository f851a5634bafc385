package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/client"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// play is the test program as one of its own workers: a service, or the end of a
// session of a client.
func play(role string) int {
	var err error
	switch role {
	case "service":
		err = playService(os.Args[1])
	case "client":
		err = playClient(os.Args[1], os.Args[2], os.Args[3])
	case "share":
		err = playShare(os.Args[1], os.Args[2], os.Args[3])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func playService(place string) error {
	s, err := Open(context.Background(), place, time.Now, newID)
	if err != nil {
		return err
	}
	l, err := Listen("127.0.0.1:0", "", "", false)
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	return New(s, DefaultLimits(), Hosts{}, io.Discard).Run(context.Background(), l, time.Second)
}

func playClient(dir, base, key string) error {
	st, err := store.Open(context.Background(), dir)
	if err != nil {
		return err
	}
	defer st.Close()
	c, err := client.New(base, key, "", &http.Transport{})
	if err != nil {
		return err
	}
	s := &client.Sync{Client: c, Store: st, Dir: dir, Scope: "app", Session: "s", Now: time.Now, Log: func(string, ...any) {}}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	r := client.NewResult()
	s.End(ctx, r)
	return json.NewEncoder(os.Stdout).Encode(r)
}

func worker(t *testing.T, role string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	must.Do(t, err)
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), "SERVE_TEST="+role)
	cmd.Stderr = os.Stderr
	return cmd
}

// A chain is a client, a service, and a proxy of ours between them that does the
// harm.
type chain struct {
	t       *testing.T
	place   string // of the service's database
	role    string // that the client plays
	dir     string // of the client's store
	key     string
	proxy   *httptest.Server
	service *exec.Cmd

	mu     sync.Mutex
	target string
	peer   *exec.Cmd
	seen   int // requests of this round
	harm   harm
	done   bool // the harm was done
}

// A harm is what happens to whom at which request: before the service gets it,
// while it works on it, or after it answered and before the client knows.
type harm struct {
	victim string // service, client, network; "" is none
	when   string // before, during, after
	at     int    // the first request is 1
}

func newChain(t *testing.T, place string) *chain {
	t.Helper()
	key, _, err := opened(t, place).NewKey(t.Context(), "ada", Terms{})
	must.Do(t, err)
	return newChainOf(t, place, "client", key)
}

func newChainOf(t *testing.T, place, role, key string) *chain {
	t.Helper()
	c := &chain{t: t, place: place, role: role, dir: t.TempDir(), key: key}
	c.proxy = httptest.NewServer(c)
	t.Cleanup(c.proxy.Close)
	c.begin()
	return c
}

// begin starts the service.
func (c *chain) begin() {
	c.t.Helper()
	cmd := worker(c.t, "service", c.place)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	must.Do(c.t, err)
	c.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		c.t.Fatal("the service did not begin")
	}
	c.mu.Lock()
	c.service, c.target = cmd, "http://"+lines.Text()
	c.mu.Unlock()
}

// ServeHTTP passes a request on, unless it is the one of the harm.
func (c *chain) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	c.mu.Lock()
	c.seen++
	h, target := c.harm, c.target
	hit := h.victim != "" && c.seen == h.at
	c.done = c.done || hit
	c.mu.Unlock()
	if hit && h.when == "before" {
		c.strike(h)
		panic(http.ErrAbortHandler)
	}
	pass := func() (*http.Response, []byte, error) {
		req, err := http.NewRequest(r.Method, target+r.URL.RequestURI(), strings.NewReader(string(body)))
		if err != nil {
			return nil, nil, err
		}
		req.Header = r.Header.Clone()
		resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
		if err != nil {
			return nil, nil, err
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		return resp, b, err
	}
	if hit && h.when == "during" {
		var beside sync.WaitGroup
		beside.Go(func() { pass() })
		time.Sleep(time.Duration(h.at) * 500 * time.Microsecond) // somewhere in its work; wherever, nothing may be lost
		c.strike(h)
		beside.Wait()
		panic(http.ErrAbortHandler)
	}
	resp, b, err := pass()
	if hit {
		c.strike(h)
		panic(http.ErrAbortHandler)
	}
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	w.WriteHeader(resp.StatusCode)
	w.Write(b)
}

// strike does the harm. Cutting the network is what the caller does anyway.
func (c *chain) strike(h harm) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch h.victim {
	case "service":
		c.service.Process.Kill()
		c.service.Wait()
	case "client":
		c.peer.Process.Kill()
	}
}

// sync is the end of a session in a process of its own; what it prints is read if
// it lived.
func (c *chain) sync(h harm) (r client.Result, lived bool) {
	c.t.Helper()
	return r, json.Unmarshal(c.syncWith(h), &r) == nil
}

// syncWith is the same, and returns what was printed.
func (c *chain) syncWith(h harm) []byte {
	c.t.Helper()
	cmd := worker(c.t, c.role, c.dir, c.proxy.URL, c.key)
	out, err := cmd.StdoutPipe()
	must.Do(c.t, err)
	c.mu.Lock()
	c.peer, c.seen, c.harm, c.done = cmd, 0, h, false
	err = cmd.Start()
	c.mu.Unlock()
	must.Do(c.t, err)
	b, err := io.ReadAll(out)
	must.Do(c.t, err)
	if err := cmd.Wait(); err != nil && h.victim != "client" {
		c.t.Fatalf("the client ended with %v", err)
	}
	return b
}

// learn keeps a new gene and two outcomes of it, on the client's machine.
func (c *chain) learn(round int) string {
	c.t.Helper()
	st, err := store.Open(c.t.Context(), c.dir)
	must.Do(c.t, err)
	defer st.Close()
	row, err := st.Put(c.t.Context(), gene.Gene{Category: gene.Repair, Title: "A way", SignalsMatch: gene.Signals("error:oom"), Strategy: []string{"Do this"}, Constraints: gene.DefaultConstraints()}, "local", time.Now())
	must.Do(c.t, err)
	for _, session := range []string{"a", "b"} {
		must.Do(c.t, must.Err(st.Record(c.t.Context(), store.Observation{Gene: row.ID, Session: fmt.Sprint(session, round), Success: session == "a", Signals: gene.Signals("error:oom"), At: time.Now()})))
	}
	return row.ID
}

// Kill the service, kill the client or cut the network, at every request of a
// sync, before it, in it and after it: when all is well again, every outcome is
// there exactly once, on both sides. EV-SHR-03.
func TestNothingLostNothingDoubled(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		c := newChain(t, place)
		round := 0
		for i, kind := range []harm{{"service", "before", 0}, {"service", "during", 0}, {"service", "after", 0}, {"client", "before", 0}, {"client", "during", 0}, {"client", "after", 0}, {"network", "before", 0}, {"network", "after", 0}} {
			first, last := 1, 20
			if !slowtest.On() {
				first, last = 2, 2 // the push itself
			}
			if !slowtest.Part(i, 4) {
				continue
			}
			for kind.at = first; kind.at <= last; kind.at++ {
				round++
				if !c.round(kind, round) {
					break
				}
			}
			if slowtest.On() && kind.at < 3 {
				t.Errorf("%+v: a sync of %d requests: nothing was proved", kind, kind.at)
			}
		}
		if round < slowtest.Count(2, 8) {
			t.Errorf("%d rounds", round)
		}
	})
}

// round does one harm to one sync, lets another one follow, and looks at what is
// there; false if the sync had fewer requests.
func (c *chain) round(h harm, n int) bool {
	c.t.Helper()
	id := c.learn(n)
	_, lived := c.sync(h)
	done := c.done
	if done && lived == (h.victim == "client") {
		c.t.Errorf("%+v: the client lived: %v", h, lived)
	}
	if done && h.victim == "service" {
		c.begin()
	}
	if r, lived := c.sync(harm{}); !lived || !r.Done {
		c.t.Fatalf("%+v: the sync after it: %+v", h, r)
	}
	s, err := Open(c.t.Context(), c.place, time.Now, newID)
	must.Do(c.t, err)
	defer s.Close()
	var genes, good, bad, seen int
	err = s.db.QueryRowContext(c.t.Context(), `SELECT count(*), coalesce(sum(success), 0), coalesce(sum(failure), 0), (SELECT count(*) FROM observations o WHERE o.gene = $1) FROM genes WHERE id = $1`, id).Scan(&genes, &good, &bad, &seen)
	if err != nil || genes != 1 || good != 1 || bad != 1 || seen != 2 {
		c.t.Errorf("%+v: %d genes, %d+%d of %d outcomes, %v", h, genes, good, bad, seen, err)
	}
	st, err := store.Open(c.t.Context(), c.dir)
	must.Do(c.t, err)
	defer st.Close()
	left, err := st.Observations(c.t.Context(), store.Search{Unpushed: true})
	waiting, werr := client.Waiting(c.dir)
	if err != nil || werr != nil || len(left) > 0 || waiting > 0 {
		c.t.Errorf("%+v: %d outcomes and %d entries wait, %v %v", h, len(left), waiting, err, werr)
	}
	all, err := st.Observations(c.t.Context(), store.Search{Gene: id})
	if err != nil || len(all) != 2 {
		c.t.Errorf("%+v: %d outcomes here, %v", h, len(all), err)
	}
	if row, err := st.Get(c.t.Context(), id); err != nil || row.Elsewhere.N() != 0 {
		c.t.Errorf("%+v: our own outcomes came back as those of others: %+v, %v", h, row.Elsewhere, err)
	}
	return done
}

// Two instances behind one database, one of them killed in the middle: the other
// goes on, and what the dead one took is there. EV-SRV-04.
func TestInstancesShareADatabase(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		c := newChain(t, place)
		first := c.service
		c.begin()
		second := c.target
		who := peer{t: t, url: second, key: c.key}
		id := fmt.Sprint(at(who.want(201, "POST", "/api/im/evolution/genes", geneBody), "id"))
		first.Process.Kill()
		first.Wait()
		who.want(200, "POST", "/api/im/evolution/record", `{"gene_id": "`+id+`", "signals": ["a:b"], "outcome": "success"}`)
	})
}

// A back-up that could not be restored is not made: a row is longer in it than in the database.
func TestNoBackupIsMadeThatRestoreRefuses(t *testing.T) {
	s := opened(t, t.TempDir()+"/s.sqlite")
	must.Do(t, must.Err(s.db.ExecContext(t.Context(), `INSERT INTO meta (key, value) VALUES ('long', $1)`, strings.Repeat("<", mostLine/6))))
	if _, err := s.Backup(t.Context(), io.Discard); !errors.Is(err, errLongLine) || !strings.Contains(err.Error(), "the table meta") {
		t.Errorf("%v", err)
	}
}
