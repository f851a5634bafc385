package packs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/runner"
)

// tests are the results of a hook's own tests and of the hostile trials.
type tests struct {
	Own      int      `json:"own"`    // tests that it contains
	Passed   int      `json:"passed"` // of those
	Wrong    []string `json:"wrong"`  // each test that is not as wanted, and the first reason
	Unproven string   `json:"unproven"`
	Trials   int      `json:"trials"` // hostile ones
	Holes    int      `json:"holes"`  // a block became an allow
	Missed   int      `json:"missed"` // agents with tools that do what the hook does not see
	Failed   bool     `json:"failed"` // test would end with 1
	Problem  string   `json:"problem"`
}

// The limits of a pack's tests.
const (
	testTime = 60 * time.Second // of a hook
	allTests = 3 * time.Minute
	atOnce   = 2
)

// try runs the tests of what is new or changed. The hooks are a stranger's, and not
// approved: each is tried by a process that can read the system and the pack, write
// to a temporary folder, and reach no network.
func (pl *Plan) try(ctx context.Context, sh *shell.Shell, temp string, skip bool) {
	switch lacks := runner.BoxLacks(); {
	case skip:
		pl.Tested = "--no-test"
	case lacks != "":
		pl.Tested = "code that nobody has approved is tried in a sandbox alone, and " + lacks + "; agents-hooks test FOLDER --hostile plays them"
	}
	if pl.Tested != "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, allTests)
	defer cancel()
	var all sync.WaitGroup
	places := make(chan struct{}, atOnce)
	for i := range pl.Hooks {
		h := &pl.Hooks[i]
		if h.Change == isSame || h.Change == isGone {
			continue
		}
		all.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			h.Tests = tried(ctx, sh, filepath.Join(pl.staged, h.Folder), filepath.Join(temp, "try", h.Folder))
		})
	}
	all.Wait()
}

// tried is what `test --hostile` reports about a hook in a folder.
func tried(ctx context.Context, sh *shell.Shell, dir, temp string) *tests {
	ctx, cancel := context.WithTimeout(ctx, testTime)
	defer cancel()
	t := &tests{Wrong: []string{}}
	out, err := boxed(ctx, sh, dir, temp)
	var doc struct {
		Proof *struct {
			Unproven string
			Tests    []struct {
				Test, Result string
				Detail       []string
			}
		}
		Hostile []struct{ Class string }
		Played  []struct{ Missed []json.RawMessage }
	}
	if jerr := json.Unmarshal(out, &doc); jerr != nil {
		t.Failed, t.Problem = true, "its tests ended without a result"
		if ctx.Err() != nil {
			t.Problem = fmt.Sprintf("its tests took more than %v", testTime)
		} else if err != nil {
			t.Problem += ": " + err.Error()
		}
		return t
	}
	var exit *exec.ExitError
	t.Failed = errors.As(err, &exit)
	if doc.Proof != nil {
		t.Own, t.Unproven = len(doc.Proof.Tests), doc.Proof.Unproven
		for _, one := range doc.Proof.Tests {
			if one.Result == "pass" || one.Result == "skip" {
				t.Passed++
				continue
			}
			t.Wrong = append(t.Wrong, strings.Join(append([]string{one.Test}, one.Detail[:min(1, len(one.Detail))]...), ": "))
		}
	}
	t.Trials = len(doc.Hostile)
	for _, r := range doc.Hostile {
		if r.Class == "hole" {
			t.Holes++
		}
	}
	for _, a := range doc.Played {
		if len(a.Missed) > 0 {
			t.Missed++
		}
	}
	return t
}

// boxed runs this program's own test in a sandbox, and returns its output. The error
// is how it ended.
func boxed(ctx context.Context, sh *shell.Shell, dir, temp string) ([]byte, error) {
	home := filepath.Join(temp, "home")
	if err := os.MkdirAll(filepath.Join(home, "tmp"), 0o700); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, sh.Host.Self, "test", "--json", "--hostile", "--", dir)
	cmd.Dir = home
	cmd.Env = []string{"HOME=" + home, "USERPROFILE=" + home, "TMPDIR=" + filepath.Join(home, "tmp"), "XDG_CONFIG_HOME=" + filepath.Join(home, ".config"), "XDG_CONFIG_DIRS=" + home,
		"XDG_STATE_HOME=" + filepath.Join(home, ".state"), "XDG_CACHE_HOME=" + filepath.Join(home, ".cache"), "XDG_DATA_HOME=" + filepath.Join(home, ".data"), "LANG=C.UTF-8"}
	for _, name := range []string{"PATH", "NO_COLOR", "TERM"} {
		if v := sh.Host.Getenv(name); v != "" {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	var out, said bounded
	cmd.Stdout, cmd.Stderr = &out, &said
	cmd.WaitDelay = 2 * time.Second
	if err := runner.Boxed(cmd.Start, sh.Host.Home, []string{filepath.Dir(dir), sh.Host.Self}, []string{home}); err != nil {
		return nil, err
	}
	err := cmd.Wait()
	if line, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n"); err != nil && line != "" {
		err = fmt.Errorf("%w: %s", err, line)
	}
	return out.Bytes(), err
}

// bounded keeps the beginning of what is written.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	const most = 32 << 20
	if left := most - b.Len(); left > 0 {
		b.Buffer.Write(p[:min(len(p), left)])
	}
	return len(p), nil
}
