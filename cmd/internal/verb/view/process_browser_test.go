package view

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/page/pagetest"
)

// A program is agents-hooks as it is installed, on a machine of its own.
type program struct {
	t             *testing.T
	file          string
	home, project string
}

func built(t *testing.T) program {
	t.Helper()
	p := program{t: t, file: filepath.Join(t.TempDir(), "agents-hooks"), home: t.TempDir()}
	p.project = filepath.Join(p.home, "src", "shop")
	build := exec.Command("go", "build", "-tags", "nethttpomithttp2", "-o", p.file, "./cmd/agents-hooks")
	build.Dir = filepath.Join("..", "..", "..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	must.Write(t, filepath.Join(p.project, ".git", "HEAD"), "ref: refs/heads/main\n")
	return p
}

func (p program) command(args ...string) *exec.Cmd {
	cmd := exec.Command(p.file, args...)
	cmd.Dir, cmd.Env = p.project, []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH"), "LANG=en_US.UTF-8"}
	return cmd
}

func (p program) run(args ...string) string {
	p.t.Helper()
	out, err := p.command(args...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// ui starts it; it ends with the test at the latest.
func (p program) ui() (cmd *exec.Cmd, address string) {
	p.t.Helper()
	cmd = p.command("ui", "--yes", "--json")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	must.Do(p.t, err)
	p.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadBytes('\n')
	var said struct{ Address string }
	if err != nil || json.Unmarshal(line, &said) != nil {
		p.t.Fatalf("%v: %s", err, line)
	}
	return cmd, said.Address
}

// While a person changes facts in the page, agents save and change others, by processes
// of their own: all of it is kept. ui is killed under what they type: the page says so,
// and how to go on, and what was typed is still there.
// BM-VIE-09.
func TestBrowserMemoryAmongProcesses(t *testing.T) {
	pagetest.Browser(t)
	p := built(t)
	p.run("memory", "save", "The staging port is 3001")
	p.run("memory", "save", "Deploys happen on Tuesdays")
	ui, address := p.ui()
	tab := pagetest.Open(t, address+"#part=memory")
	tab.Size(1280, 900, false)
	tab.Wait(`document.getElementById("live").textContent === "live"`)
	press(tab, cardOn("staging port"), "Edit")
	tab.Wait(`document.querySelector(".form")`)
	typeInto(tab, "textarea", "预发布端口是 3002")
	var agents sync.WaitGroup
	for i := range 12 {
		agents.Go(func() {
			if out, err := p.command("memory", "save", fmt.Sprintf("Service number %d belongs to team %c", i, 'A'+i), "--entities", fmt.Sprint("service", i)).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	press(tab, `document.querySelector(".form")`, "Save")
	tab.Wait(`document.getElementById("said")`)
	press(tab, cardOn("Tuesdays"), "Delete")
	tab.Wait(`document.getElementById("said").textContent.includes("Deleted")`)
	agents.Wait()
	list := p.run("memory", "list", "--last", "0", "--json")
	for i := range 12 {
		if !strings.Contains(list, fmt.Sprintf("Service number %d belongs", i)) {
			t.Errorf("fact %d is lost", i)
		}
	}
	if !strings.Contains(list, "预发布端口是 3002") || strings.Contains(list, "Tuesdays") || strings.Contains(list, "port is 3001") {
		t.Errorf("what was done in the page is lost:\n%s", list)
	}

	tab.Wait(cardOn("Service number 11"))
	press(tab, cardOn("预发布"), "Edit")
	tab.Wait(`document.querySelector(".form")`)
	typeInto(tab, "textarea", "typed when it was killed")
	must.Do(t, ui.Process.Kill())
	tab.Wait(`document.getElementById("lost")`)
	if is := tab.Text(`document.getElementById("lost").textContent`); !strings.Contains(is, "does not answer") || !strings.Contains(is, "agents-hooks ui --dir ~/src/shop") {
		t.Errorf("it says %q", is)
	}
	press(tab, `document.querySelector(".form")`, "Save")
	tab.Wait(`document.querySelector(".problem")`)
	if is := tab.Text(`document.querySelector(".problem").textContent + document.querySelector("textarea").value`); !strings.Contains(is, "still here") || !strings.HasSuffix(is, "typed when it was killed") {
		t.Errorf("it says %q", is)
	}
	tab.Accessible(pagetest.Axe(t), "killed")
	tab.Eval(`scrollTo(0, 0)`)
	tab.Shot("memory-killed")
	_, address = p.ui()
	again := pagetest.Open(t, address+"#part=memory")
	again.Wait(cardOn("预发布端口是 3002"))
	for _, file := range []string{"daily", "session_state"} {
		list, _ := filepath.Glob(filepath.Join(p.project, ".agents", "memory-data", file, "*.tmp-*"))
		if len(list) > 0 {
			t.Errorf("left behind: %v", list)
		}
	}
}
