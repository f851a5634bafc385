package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// A servePage is docs/serve.md, with a machine on which it is typed.
type servePage struct {
	machine
	text string
}

func readServePage(t *testing.T) *servePage {
	t.Helper()
	return &servePage{machine{t, t.TempDir()}, strings.ReplaceAll(must.Read(t, "../../docs/serve.md"), "\r\n", "\n")}
}

func (p *servePage) find(least int, e string) [][]string {
	p.t.Helper()
	list := regexp.MustCompile(e).FindAllStringSubmatch(p.text, -1)
	if len(list) < least {
		p.t.Fatalf("%s: %d in the page, want %d", e, len(list), least)
	}
	return list
}

// done runs a command that has to end well, and returns what it prints.
func (p *servePage) done(args ...string) string {
	p.t.Helper()
	exit, out, errs := p.run(args...)
	if exit != 0 {
		p.t.Errorf("%q: exit %d: %s%s", args, exit, out, errs)
	}
	return out
}

// Every command of the page does what it is there for, as it stands, one after another on one machine: only ids and
// places are those of this machine.
func TestCommandsOfTheServePage(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "a process for each command of the page")
	p := readServePage(t)
	key := strings.TrimSpace(p.done("key", "create", "--person", "ada"))
	var first, gene string
	seen := map[string]bool{}
	for _, m := range p.find(15, `(?m)^    (?:runuser -u genes -- )?agents-hooks-server( [a-z].*)$`) {
		line, _, _ := strings.Cut(m[1], "   ")
		if strings.Contains(line, "--listen") {
			continue
		}
		words := strings.Fields(strings.NewReplacer("'", "", "removes the lock of others", "unclear", "/var/backups", p.dir, "/tmp/", p.dir+"/").Replace(line))
		switch words[0] {
		case "key":
			if first == "" {
				first = regexp.MustCompile(`key_[0-9a-f]{12}`).FindString(p.done("key", "list"))
			}
			if words[1] == "revoke" { // one that nobody needs any more
				p.done("key", "create", "--person", "bob")
				all := regexp.MustCompile(`(key_[0-9a-f]{12})  bob`).FindStringSubmatch(p.done("key", "list"))
				words[2] = all[1]
			} else if words[1] == "rotate" {
				words[2] = first
			}
		case "gene":
			if len(words) > 2 {
				gene = p.share(key, len(seen))
				words[2] = gene
			}
		}
		out := p.done(words...)
		seen[strings.Join(words[:min(2, len(words))], " ")] = true
		if words[0] == "gene" && words[1] == "waiting" && out == "" {
			t.Error("nothing is said of what waits")
		}
	}
	for _, want := range []string{"key create", "key list", "key revoke", "key rotate", "person role", "gene waiting", "gene approve", "gene hold", "gene delete", "room create", "room add", "room list", "room remove", "room delete"} {
		if !seen[want] {
			t.Errorf("the page does not show %s", want)
		}
	}
}

// share puts a gene on the service of the machine, as somebody's client would.
func (p *servePage) share(key string, n int) string {
	p.t.Helper()
	address := p.serve("--listen", "127.0.0.1:0")
	id := fmt.Sprintf("gene_repair_page%d", n)
	status, body := ask(p.t, http.MethodPost, "http://"+address+"/api/im/evolution/genes", key,
		`{"id": "`+id+`", "category": "repair", "title": "Wait for it", "strategy": ["Look who waits"], "signals_match": ["error:timeout"], "visibility": "published"}`)
	if status != 201 {
		p.t.Fatalf("%d %s", status, body)
	}
	return id
}

func ask(t *testing.T, method, url, key, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	must.Do(t, err)
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := http.DefaultClient.Do(req)
	must.Do(t, err)
	defer resp.Body.Close()
	out, err := io.ReadAll(resp.Body)
	must.Do(t, err)
	return resp.StatusCode, string(out)
}

// The page names every call of the OpenAPI document and no other one, its scope is the document's, and every code of an
// error; its numbers are there to be read; its flags exist.
func TestTheServePageIsTrue(t *testing.T) {
	t.Parallel()
	p := readServePage(t)
	b, err := os.ReadFile("../../docs/serve.openapi.json")
	must.Do(t, err)
	var api struct {
		Paths map[string]map[string]struct {
			Scope string `json:"x-scope"`
		}
	}
	must.Do(t, json.Unmarshal(b, &api))
	named := map[string]bool{}
	base := ""
	for _, m := range p.find(14, "(?m)^\\| ((?:`(?:GET|POST|DELETE) [^|]*|`/[a-z]+`)) \\| ([^|]*)") {
		methods := []string{"GET"}
		for _, span := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(m[1], -1) {
			verb, path, both := strings.Cut(span[1], " ")
			if !both {
				path = verb
				if verb == "GET" || verb == "POST" || verb == "DELETE" { // "`GET` and `POST /…`"
					methods = append(methods[:0], verb)
					continue
				}
			} else {
				methods = append(methods, verb)
			}
			path, _, _ = strings.Cut(path, "?")
			if at := strings.LastIndex(path, "/"); strings.HasPrefix(path, "/api/") {
				base = path[:at]
			}
			path = strings.NewReplacer("/ID", "/{id}", "/SLUG", "/{slug}").Replace(path)
			for known, list := range api.Paths {
				for method, call := range list {
					fits := known == path || strings.HasPrefix(path, "…") && strings.HasSuffix(known, strings.TrimPrefix(path, "…"))
					if fits && (slices.Contains(methods, strings.ToUpper(method)) || !both) {
						named[method+" "+known] = true
						if call.Scope != "" && !strings.Contains(m[2], call.Scope) {
							t.Errorf("%s %s wants the scope %s, the page says %q", method, known, call.Scope, m[2])
						}
					}
				}
			}
		}
	}
	for path, list := range api.Paths {
		for method := range list {
			if !named[method+" "+path] {
				t.Errorf("the page does not name %s %s (of %s)", method, path, base)
			}
		}
	}
	_, help, _ := p.run("--help")
	for _, m := range p.find(6, "(?m)^\\| `(--[^|]*)` \\|") {
		for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(m[1], -1) {
			if !strings.Contains(help, flag+" ") {
				t.Errorf("there is no %s", flag)
			}
		}
	}
	address := p.serve("--listen", "127.0.0.1:0")
	_, metrics := ask(t, http.MethodGet, "http://"+address+"/metrics", "", "")
	for _, m := range p.find(8, "`((?:agents_hooks)?_?[a-z]+_[a-z_]+)`") {
		if name := "agents_hooks_" + strings.TrimPrefix(strings.TrimPrefix(m[1], "agents_hooks"), "_"); (strings.HasPrefix(m[1], "agents_hooks_") || strings.HasPrefix(m[1], "_")) && !strings.Contains(metrics, name) {
			t.Errorf("/metrics has no %s", name)
		}
	}
}

// The units are what systemd reads, and what they start is what the program understands.
func TestUnitsOfTheServePage(t *testing.T) {
	t.Parallel()
	p := readServePage(t)
	program, err := exec.LookPath("agents-hooks-server")
	must.Do(t, err)
	verify, _ := exec.LookPath("systemd-analyze")
	_, help, _ := p.run("--help")
	units := p.find(3, "(?s)```ini\n(.*?)```")
	for i, m := range units {
		unit := m[1]
		for _, start := range regexp.MustCompile(`(?m)^ExecStart=(/usr/local/bin/agents-hooks-server.*)$`).FindAllStringSubmatch(unit, -1) {
			for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(start[1], -1) {
				if !strings.Contains(help, flag+" ") {
					t.Errorf("a unit gives %s", flag)
				}
			}
		}
		if verify == "" {
			continue
		}
		name := []string{"agents-hooks-server@8787.service", "agents-hooks-backup.service", "agents-hooks-backup.timer"}[i]
		for _, n := range []string{name, "agents-hooks-backup.service"} { // the timer wants its service beside it
			text := unit
			if n != name {
				text = units[1][1]
			}
			text = strings.NewReplacer("/usr/local/bin/agents-hooks-server", program, "User=genes", "User=root").Replace(text)
			must.Write(t, filepath.Join(p.dir, n), text)
		}
		cmd := exec.Command(verify, "verify", "--man=no", filepath.Join(p.dir, name))
		out, err := cmd.CombinedOutput()
		if strings.Contains(string(out), "Failed to initialize manager") {
			t.Log("systemd cannot read units here: ", string(out))
			continue
		}
		for line := range strings.Lines(string(out)) {
			if strings.Contains(line, filepath.Base(name)) {
				t.Errorf("%s: %v: %s", name, err, line)
			}
		}
	}
}
