package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// An operatortop is a machine of somebody: a home directory and the program.
type desktop struct {
	t        *testing.T
	dir      string
	env      []string
	sessions int
}

func newDesktop(t *testing.T, env ...string) *desktop {
	t.Helper()
	dir := t.TempDir()
	d := &desktop{t: t, dir: dir}
	must.Leave(t, dir) // what a failure unpacks in the background may be written a moment longer
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PRISMER_") && !strings.HasPrefix(v, "XDG_") && !strings.HasPrefix(v, "AGENTS_HOOKS_") {
			d.env = append(d.env, v)
		}
	}
	d.env = append(append(d.env, "HOME="+dir, "USERPROFILE="+dir, "XDG_DATA_HOME="+dir+"/data", "XDG_CONFIG_HOME="+dir+"/config", "XDG_STATE_HOME="+dir+"/state", "XDG_CACHE_HOME="+dir+"/cache", "XDG_CONFIG_DIRS="+dir+"/etc"), env...)
	return d
}

func (d *desktop) command(args ...string) *exec.Cmd {
	cmd := exec.Command("agents-hooks", args...)
	cmd.Env, cmd.Dir = d.env, d.dir
	return cmd
}

// json runs a command and reads what it prints.
func (d *desktop) json(stdin string, args ...string) map[string]any {
	d.t.Helper()
	cmd := d.command(append(args, "--json")...)
	cmd.Stdin = strings.NewReader(stdin)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	var doc map[string]any
	if jerr := json.Unmarshal(out, &doc); jerr != nil {
		d.t.Fatalf("%v: %v, %v: %q %s", args, err, jerr, out, errs.String())
	}
	return doc
}

// A service is a running agents-hooks-server, started as "evolution serve".
type service struct {
	cmd     *exec.Cmd
	address string
	log     chan string // its lines, closed at its end
}

// serveAt starts the service of a store, and waits until it answers.
func (d *desktop) serveAt(store, listen string, more ...string) *service {
	d.t.Helper()
	s := &service{cmd: d.command(append([]string{"evolution", "serve", "--listen", listen, "--store", store}, more...)...), log: make(chan string, 10000)}
	pipe, err := s.cmd.StderrPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	must.Do(d.t, err)
	d.t.Cleanup(func() { s.cmd.Process.Kill(); s.cmd.Wait() })
	lines := bufio.NewScanner(pipe)
	var first struct{ Msg, Address string }
	if !lines.Scan() || json.Unmarshal(lines.Bytes(), &first) != nil || first.Msg != "listening" {
		d.t.Fatalf("the service says %q", lines.Text())
	}
	s.address = first.Address
	go func() {
		defer close(s.log)
		for lines.Scan() {
			s.log <- lines.Text()
		}
	}()
	return s
}

func (d *desktop) newKey(store, person string) string {
	d.t.Helper()
	return fmt.Sprint(d.json("", "evolution", "serve", "key", "create", "--store", store, "--person", person)["key"])
}

// A team shares genes with real processes: a service, two people's machines, keys
// that are listed and revoked; a page is kept, shared and found again; a
// gene of another person is held; nothing leaves a
// machine that has no key.
func TestServeSharesWithATeam(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "TestStuckAsksTheServer has a server and a team too")
	host := newDesktop(t)
	store := filepath.Join(host.dir, "team", "serve.sqlite")
	ada, bob := host.newKey(store, "ada"), host.newKey(store, "bob")
	s := host.serveAt(store, "127.0.0.1:0")
	base := "http://" + s.address
	a := newDesktop(t, "PRISMER_API_KEY="+ada, "PRISMER_BASE_URL="+base+"/")
	b := newDesktop(t, "PRISMER_API_KEY="+bob, "PRISMER_BASE_URL="+base)
	made := a.json("", "evolution", "create", "--category", "repair", "--signals-match", "error:timeout", "--title", "Look at the proxy first", "--strategy", "See which proxy is set", "--strategy", "Try again without it")
	id := fmt.Sprint(made["gene_id"])
	a.json("", "evolution", "publish", id, "--skip-canary")
	a.json("", "evolution", "record", id, "--signals", "error:timeout", "--outcome", "success", "--summary", "it was the proxy")
	if r := a.json("", "evolution", "sync", "--end", "--session", "s1"); r["done"] != true || r["pushed"] != 1.0 {
		t.Fatalf("%v", r)
	}
	if r := b.json("", "evolution", "sync", "--start", "--session", "s1", "--deadline-ms", "20000"); r["done"] != true || r["added"] != 1.0 {
		t.Fatalf("%v", r)
	}
	if g := b.json("", "evolution", "show", id); !strings.Contains(fmt.Sprint(g), "held") {
		t.Errorf("a gene of somebody else: %v", g)
	}
	page := `{"url": "https://1.1.1.1/doc", "text": "` + strings.Repeat("words of a page. ", 20) + `"}`
	must.Do(t, os.MkdirAll(filepath.Join(a.dir, "config", "agents"), 0o700))
	settings := filepath.Join(a.dir, "config", "agents", "hooks.toml")
	if r := a.json(page, "evolution", "web-save"); r["kept"] != true || r["shared"] != false {
		t.Errorf("without web_share: %v", r)
	}
	must.Write(t, settings, "[builtin.evolution]\nweb_share = true\nweb_load_remote = true\n")
	if r := a.json(page, "evolution", "web-save"); r["shared"] != true {
		t.Errorf("with web_share: %v", r)
	}
	if r := a.json("", "evolution", "web-load", "https://1.1.1.1/doc"); r["hit"] != true || r["from"] != "here" {
		t.Errorf("%v", r)
	}
	must.Do(t, os.RemoveAll(filepath.Join(a.dir, "cache")))
	if r := a.json("", "evolution", "web-load", "https://1.1.1.1/doc"); r["hit"] != true || r["from"] != "server" {
		t.Errorf("%v", r)
	}
	host.serveKeys(store, base, ada)
	host.endsWell(s)
}

// serveKeys: a revoked key ends at once.
func (d *desktop) serveKeys(store, base, key string) {
	d.t.Helper()
	list, _ := d.json("", "evolution", "serve", "key", "list", "--store", store)["keys"].([]any)
	if len(list) != 2 || strings.Contains(fmt.Sprint(list), key) {
		d.t.Fatalf("%v", list)
	}
	for _, k := range list {
		if k := k.(map[string]any); k["person"] == "ada" {
			d.json("", "evolution", "serve", "key", "revoke", "--store", store, fmt.Sprint(k["id"]))
		}
	}
	req, err := http.NewRequest("GET", base+"/api/im/skills/installed", nil)
	must.Do(d.t, err)
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil || resp.StatusCode != 401 {
		d.t.Fatalf("a revoked key: %v, %v", resp, err)
	}
	resp.Body.Close()
}

// endsWell: SIGTERM ends a service with exit 0, after what is being answered.
func (d *desktop) endsWell(s *service) {
	d.t.Helper()
	if runtime.GOOS == "windows" {
		return
	}
	// A request that has begun when the signal comes is answered.
	conn, err := net.Dial("tcp", s.address)
	must.Do(d.t, err)
	defer conn.Close()
	fmt.Fprintf(conn, "POST /api/im/evolution/report HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{")
	time.Sleep(10 * time.Millisecond)
	must.Do(d.t, s.cmd.Process.Signal(syscall.SIGTERM))
	for line := range s.log {
		if strings.Contains(line, `"ending"`) {
			break
		}
	}
	fmt.Fprint(conn, "}")
	b, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(b), "HTTP/1.1 401") {
		d.t.Errorf("the last answer: %q, %v", b, err)
	}
	for range s.log {
	}
	if err := s.cmd.Wait(); err != nil {
		d.t.Errorf("the service ended with %v", err)
	}
}

// A server that only the environment names does not get the key that lies
// in the person's file, unless it is this machine.
func TestKeyOfAFileAndServerOfTheEnvironment(t *testing.T) {
	t.Parallel()
	d := newDesktop(t, "PRISMER_BASE_URL=https://collector.example.net")
	must.Write(t, filepath.Join(d.dir, ".prismer", "config.toml"), "api_key = \"sk-prismer-0123456789\"\n")
	out, err := d.command("evolution", "sync").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "the key is that of a file") || strings.Contains(string(out), "0123456789") {
		t.Errorf("%v: %s", err, out)
	}
}
