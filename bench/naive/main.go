// Command naive is a straightforward dispatcher: every library linked and initialised,
// every HOOK.md parsed completely, every matcher compiled. It is a yardstick of package
// bench, not part of the product, and a separate module, so that nothing else requires
// its dependencies.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"

	"github.com/adrg/frontmatter"
	"github.com/adrg/xdg"
	"github.com/dlclark/regexp2"
	"github.com/urfave/cli/v2"
	"gopkg.in/yaml.v3"
)

type hook struct {
	Name    string `yaml:"name"`
	Trigger string `yaml:"trigger"`
	Matcher struct {
		Tool    string `yaml:"tool"`
		Pattern string `yaml:"pattern"`
	} `yaml:"matcher"`
	Priority int `yaml:"priority"`
	dir      string
}

func main() {
	app := &cli.App{Name: "naive", Action: dispatch}
	if err := app.Run(os.Args); err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			os.Exit(exit.ExitCode())
		}
		os.Exit(1)
	}
}

func dispatch(*cli.Context) error {
	payload, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	var event map[string]any
	if err := json.Unmarshal(payload, &event); err != nil {
		return err
	}
	work, _ := event["cwd"].(string)
	hooks := append(load(filepath.Join(xdg.ConfigHome, "agents", "hooks")), load(filepath.Join(work, ".agents", "hooks"))...)
	sort.SliceStable(hooks, func(i, j int) bool { return hooks[i].Priority > hooks[j].Priority })
	for _, h := range hooks {
		if h.Trigger != "pre-tool-call" || !match(h.Matcher.Tool, "Shell") {
			continue
		}
		cmd := exec.Command(filepath.Join(h.dir, "scripts", "run"))
		cmd.Stdin = bytes.NewReader(payload)
		if err := cmd.Run(); err != nil {
			return err
		}
	}
	return nil
}

func match(expr, s string) bool {
	re, err := regexp2.Compile(expr, regexp2.None)
	if err != nil {
		return false
	}
	ok, _ := re.MatchString(s)
	return ok
}

func load(dir string) []hook {
	entries, _ := os.ReadDir(dir)
	var hooks []hook
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name(), "HOOK.md"))
		if err != nil {
			continue
		}
		h := hook{dir: filepath.Join(dir, e.Name())}
		if _, err := frontmatter.Parse(bytes.NewReader(b), &h, frontmatter.NewFormat("---", "---", yaml.Unmarshal)); err == nil {
			hooks = append(hooks, h)
		}
	}
	return hooks
}
