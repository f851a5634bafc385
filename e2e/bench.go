//go:build e2e && unix

package e2e

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Environment variables that control the suite. doc.go describes them.
const (
	modeVar     = "AGENTS_HOOKS_E2E"
	cacheVar    = "AGENTS_HOOKS_E2E_CACHE"
	agentsVar   = "AGENTS_HOOKS_E2E_AGENTS"
	versionsVar = "AGENTS_HOOKS_E2E_VERSIONS"
	reportVar   = "AGENTS_HOOKS_E2E_REPORT"
	keepVar     = "AGENTS_HOOKS_E2E_KEEP"
	binaryVar   = "AGENTS_HOOKS_E2E_BINARY"
	benchVar    = "AGENTS_HOOKS_E2E_BENCH" // set by the suite for its inner half
)

// A Bench is what all checks share: it is made while there is still a network, and
// passed to the part of the suite that has none.
type Bench struct {
	Binary   string               `json:"binary"` // agents-hooks, built from this tree
	Node     string               `json:"node"`
	Agents   map[string]Installed `json:"agents"`
	Inspect  Installed            `json:"inspect"`            // the MCP inspector
	Missing  string               `json:"missing,omitempty"`  // why no agent can be installed at all
	Isolated bool                 `json:"isolated"`           // there is only a loopback interface
	Open     string               `json:"open,omitempty"`     // why there is more
	Required bool                 `json:"required,omitempty"` // a missing agent is a failure
}

// prepareBench installs the agents and builds our binary into dir.
func prepareBench(dir string) (*Bench, error) {
	b := &Bench{Agents: map[string]Installed{}, Required: os.Getenv(modeVar) == "require"}
	var err error
	if b.Binary, err = ourBinary(dir); err != nil {
		return nil, err
	}
	cache := os.Getenv(cacheVar)
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil, err
		}
		cache = filepath.Join(user, "agents-hooks-e2e")
	}
	store := &Store{Dir: cache}
	if b.Node, err = store.Node(); err != nil {
		b.Missing = err.Error()
		return b, nil
	}
	b.Inspect = store.Agent(&inspector, inspector.Version)
	versions, err := wantedVersions(os.Getenv(versionsVar))
	if err != nil {
		return nil, err
	}
	agents, err := chosenAgents()
	if err != nil {
		return nil, err
	}
	for _, a := range agents {
		if _, done := b.Agents[a.ID]; done {
			continue // its other recipe
		}
		v := a.Version
		if w := versions[a.ID]; w != "" {
			v = w
		} else if w := versions[""]; w != "" {
			v = w
		}
		b.Agents[a.ID] = store.Agent(a, v)
	}
	return b, nil
}

// ourBinary is the program under test: the one in AGENTS_HOOKS_E2E_BINARY, or one built
// from this tree.
func ourBinary(dir string) (string, error) {
	if given := os.Getenv(binaryVar); given != "" {
		return filepath.Abs(given)
	}
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		return "", err
	}
	// all of cmd: install may write the entry of a program beside it
	build := exec.Command("go", "build", "-tags", "nethttpomithttp2", "-o", bin, "../cmd/...")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build agents-hooks: %w\n%s", err, text)
	}
	return filepath.Join(bin, "agents-hooks"), nil
}

// chosenAgents are the recipes named in AGENTS_HOOKS_E2E_AGENTS, or all.
func chosenAgents() ([]*Agent, error) {
	list := os.Getenv(agentsVar)
	if list == "" {
		return Agents(), nil
	}
	var out []*Agent
	for _, name := range strings.Split(list, ",") {
		known := len(out)
		for _, a := range Agents() {
			if a.ID == strings.TrimSpace(name) {
				out = append(out, a)
			}
		}
		if len(out) == known {
			return nil, fmt.Errorf("%s: no recipe for %q", agentsVar, name)
		}
	}
	return out, nil
}

// wantedVersions reads "latest" (all agents) or "codex=0.170.0,gemini-cli=latest".
func wantedVersions(text string) (map[string]string, error) {
	out := map[string]string{}
	for _, part := range strings.Split(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		id, version, ok := strings.Cut(part, "=")
		if !ok {
			id, version = "", part
		}
		if version == "" {
			return nil, fmt.Errorf("%s: want VERSION or AGENT=VERSION, have %q", versionsVar, part)
		}
		out[id] = version
	}
	return out, nil
}

func (b *Bench) encode() string {
	data, err := json.Marshal(b)
	if err != nil {
		panic(err) // our own struct
	}
	return string(data)
}

func decodeBench(text string) (*Bench, error) {
	b := &Bench{}
	if err := json.Unmarshal([]byte(text), b); err != nil {
		return nil, fmt.Errorf("%s: %w", benchVar, err)
	}
	return b, nil
}

// quiet is the environment that keeps an agent off the network if there is no namespace
// to do it: proxies that lead nowhere.
func (b *Bench) quiet() []string {
	if b.Isolated {
		return nil
	}
	return []string{
		"HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "ALL_PROXY=http://127.0.0.1:9",
		"http_proxy=http://127.0.0.1:9", "https_proxy=http://127.0.0.1:9", "all_proxy=http://127.0.0.1:9",
		"NO_PROXY=127.0.0.1,localhost,::1", "no_proxy=127.0.0.1,localhost,::1",
	}
}

// scratch makes a folder for one lab. It is removed after the check, unless
// AGENTS_HOOKS_E2E_KEEP names a folder to keep all of them in.
func (b *Bench) scratch(t *testing.T) string {
	t.Helper()
	keep := os.Getenv(keepVar)
	if keep == "" {
		dir, err := os.MkdirTemp("", "agents-hooks-e2e-")
		if err == nil {
			dir, err = filepath.EvalSymlinks(dir)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { discard(t, dir) })
		return dir
	}
	name := strings.Map(func(r rune) rune {
		if r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, t.Name())
	if err := os.MkdirAll(keep, 0o755); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(keep, name+"-")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// discard removes a lab's folder. The worker of a past session may still write there,
// and a folder that is written to cannot be removed.
func discard(t *testing.T, dir string) {
	var err error
	for range 100 {
		if err = os.RemoveAll(dir); err == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("remove the lab: %v", err)
}

// onlyLoopback reports whether this process sees no interface except loopback.
func onlyLoopback() (bool, error) {
	all, err := net.Interfaces()
	if err != nil {
		return false, err
	}
	for _, i := range all {
		if i.Flags&net.FlagLoopback == 0 && i.Flags&net.FlagUp != 0 {
			return false, nil
		}
	}
	return true, nil
}
