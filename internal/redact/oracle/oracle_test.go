// Package oracle holds the table of package redact against the rules and the
// examples of gitleaks, which others made for the same purpose. It is a module of
// its own, so that what it needs is nobody else's: run "go test ." in its folder.
//
// gitleaks keeps its examples in the program that writes its configuration: each
// rule is made with texts that it must find and texts that it must not. The test
// takes a copy of the module from the cache, puts a file in the place of the one
// that checks them (testdata/validate.go) which prints them instead, and runs
// that program. So the kinds and the examples are all theirs, and a new version
// brings new ones.
//
// A kind is caught by a policy if in none of its examples more than half of what
// gitleaks finds there is left in one piece. Every kind that is not caught is
// listed with its reason (misses); the test fails when a kind is missed that is
// not listed, or listed and caught.
package oracle

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	// What is held against, so that go.mod names its version.
	_ "github.com/zricethezav/gitleaks/v8/version"

	"github.com/agents-hooks/agents-hooks/internal/redact"
)

var (
	seed = flag.Int("seed", 1, "another seed makes other examples")
	show = flag.Bool("show", false, "show what is left of the examples that are missed")
)

// least is the share of kinds that each policy has to catch.
const least = 0.95

// A miss is a kind that some policies do not catch, and why.
type miss struct {
	policies []string
	why      string
}

var both = []string{"log", "memory"}

var misses = map[string]miss{
	"curl-auth-user":         {both, "the name before the password stays, and in some examples it is the longer half of what is found"},
	"jwt":                    {both, "its expression allows for a backslash, at which a value ends in our texts: it is one of JSON or of a shell there"},
	"kubernetes-secret-yaml": {both, "what a value in base64 is, its document says and not its line; data: may hold anything under any name"},
	"messagebird-client-id":  {both, "an id, which is sent in the open"},
	"nuget-config-password":  {both, "the password is gone: what is found is the whole element around it"},
	"sidekiq-sensitive-url":  {[]string{"log"}, "the name before the password of a URL stays in the log, and is as long"},
	"sumologic-access-id":    {both, "an id; the key that goes with it is caught"},
}

// An example is a text of a rule, and what gitleaks finds in it.
type example struct {
	Rule, Text string
	Secrets    []string
}

func TestAgainstGitleaks(t *testing.T) {
	list := examples(t)
	t.Run("what gitleaks leaves", func(t *testing.T) { leaves(t, list) })
	for name, p := range map[string]redact.Policy{"log": redact.Log, "memory": redact.Memory} {
		t.Run(name, func(t *testing.T) {
			kinds, missed, texts, left := map[string]bool{}, map[string]int{}, 0, 0
			for _, e := range list {
				if len(e.Secrets) == 0 {
					continue
				}
				kinds[e.Rule] = true
				texts++
				clean := p.Text(e.Text)
				for _, s := range e.Secrets {
					if survives(s, clean) {
						missed[e.Rule]++
						left++
						if *show {
							fmt.Printf("%s %s: %q\n", name, e.Rule, clean)
						}
						break
					}
				}
			}
			share := 1 - float64(len(missed))/float64(len(kinds))
			t.Logf("%d of %d kinds, %d of %d examples (%.1f %%)", len(kinds)-len(missed), len(kinds), texts-left, texts, 100*share)
			if share < least || len(kinds) < 200 {
				t.Errorf("%.1f %% of %d kinds are caught", 100*share, len(kinds))
			}
			for _, kind := range slices.Sorted(maps.Keys(missed)) {
				if !slices.Contains(misses[kind].policies, name) {
					t.Errorf("%s: %d examples are missed, and no reason is listed", kind, missed[kind])
				}
			}
			for kind, m := range misses {
				if slices.Contains(m.policies, name) && missed[kind] == 0 {
					t.Errorf("%s is listed as missed (%s), and is caught or no kind any more", kind, m.why)
				}
			}
		})
	}
}

// leaves looks at what gitleaks says to be none. Most of it is no secret to us
// either; this is a bound and no goal, for some of it (a token of another service
// than that of the rule) is one all the same.
func leaves(t *testing.T, list []example) {
	all, cut := 0, 0
	for _, e := range list {
		if len(e.Secrets) > 0 {
			continue
		}
		all++
		if clean := redact.Memory.Text(e.Text); clean != e.Text {
			cut++
			if *show {
				fmt.Printf("left by gitleaks: %s: %q\n", e.Rule, clean)
			}
		}
	}
	t.Logf("%d of %d are redacted", cut, all)
	if all < 100 || cut > all/2 {
		t.Errorf("%d of %d texts without a secret are redacted", cut, all)
	}
}

// survives reports whether more than half of a secret stands in a text in one
// piece.
func survives(secret, text string) bool {
	n := len(secret)/2 + 1
	for i := 0; i+n <= len(secret); i++ {
		if strings.Contains(text, secret[i:i+n]) {
			return true
		}
	}
	return false
}

// examples are all of gitleaks' own.
func examples(t *testing.T) (list []example) {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/zricethezav/gitleaks/v8").Output()
	if err != nil {
		t.Fatalf("where gitleaks is: %v", err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(strings.TrimSpace(string(out)))); err != nil {
		t.Fatal(err)
	}
	for name, place := range map[string]string{"validate.go": "cmd/generate/config/utils", "regen.go": "cmd/generate/secrets"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(dir, place, name)
		if err := os.Remove(at); err != nil {
			t.Fatalf("gitleaks has no %s any more: %v", place, err)
		}
		if err := os.WriteFile(at, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", ".", filepath.Join(dir, "out.toml"))
	cmd.Dir = filepath.Join(dir, "cmd", "generate", "config")
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", fmt.Sprintf("ORACLE_SEED=%d", *seed))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if out, err = cmd.Output(); err != nil {
		t.Fatalf("gitleaks' examples: %v: %s", err, stderr.String())
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var e example
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	return list
}
