//go:build linux && (amd64 || arm64)

package confine

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// TestMain is also the program that is confined, and the one outside that it
// reaches for.
func TestMain(m *testing.M) {
	switch os.Getenv("CONFINE_TEST_ROLE") {
	case "attacker":
		attack()
	case "neighbour":
		// It says that it is there, and stays until its stdin ends.
		fmt.Println("ready")
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	case "euid":
		fmt.Println(os.Geteuid())
	default:
		os.Exit(m.Run())
	}
}

// A world is what an attacker finds.
type world struct {
	dir, secret, outside, project, state, temp string
	neighbour                                  int    // pid of a process that is not confined
	tcp, udp                                   string // addresses where somebody listens
	unixPath, datagram, abstract               string
	descriptor                                 int // of a secret file, inherited
}

func (w world) rules() Rules {
	self, _ := os.Executable()
	return Rules{
		Read:  []string{"/usr", "/bin", "/lib", "/lib64", "/etc", self, w.project},
		Write: []string{w.state, w.temp, "/dev/null"},
	}
}

// newWorld makes one, with everything in it that could be reached.
func newWorld(t *testing.T) world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must.Do(t, err)
	in := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	w := world{dir: dir, secret: in("home", ".ssh", "id"), outside: in("outside"), project: in("home", "project"), state: in("home", "state"), temp: in("home", "temp")}
	for _, d := range []string{filepath.Dir(w.secret), w.outside, w.project, w.state, w.temp, in("home", "empty")} {
		must.Do(t, os.MkdirAll(d, 0o700))
	}
	self, err := os.ReadFile(mustSelf(t))
	must.Do(t, err)
	program, err := os.ReadFile("/bin/true")
	must.Do(t, err)
	for _, f := range []struct {
		path string
		data []byte
		mode os.FileMode
	}{{w.secret, []byte("SECRET\n"), 0o600}, {in("home", "notes"), []byte("notes"), 0o600}, {filepath.Join(w.outside, "file"), []byte("kept"), 0o600},
		{filepath.Join(w.outside, "tool"), []byte("#!/bin/sh\nexit 0\n"), 0o755}, {filepath.Join(w.project, "file"), []byte("project"), 0o600}, {filepath.Join(w.project, "swapped"), nil, 0o600}, {filepath.Join(w.project, "swapped2"), []byte("text"), 0o600}, {filepath.Join(w.outside, "true"), program, 0o755}, {filepath.Join(w.project, "setuid"), self, 0o755}} {
		must.Do(t, os.WriteFile(f.path, f.data, f.mode))
	}
	// Set-user-id of somebody else, where that can be made.
	if os.Chown(filepath.Join(w.project, "setuid"), 65534, -1) == nil {
		_ = os.Chmod(filepath.Join(w.project, "setuid"), 0o755|os.ModeSetuid)
	}
	w.listen(t)
	w.neighbour = neighbour(t)
	// As an agent may leave one open: not closed when a program is executed.
	w.descriptor, err = unix.Open(w.secret, unix.O_RDONLY, 0)
	must.Do(t, err)
	t.Cleanup(func() { unix.Close(w.descriptor) })
	return w
}

func mustSelf(t *testing.T) string {
	self, err := os.Executable()
	must.Do(t, err)
	return self
}

// listen opens what a confined process might connect to.
func (w *world) listen(t *testing.T) {
	t.Helper()
	keep := func(c interface{ Close() error }, err error) {
		must.Do(t, err)
		t.Cleanup(func() { c.Close() })
	}
	tcp, err := net.Listen("tcp4", "127.0.0.1:0")
	keep(tcp, err)
	udp, err := net.ListenPacket("udp4", "127.0.0.1:0")
	keep(udp, err)
	w.tcp, w.udp = tcp.Addr().String(), udp.LocalAddr().String()
	w.unixPath, w.datagram, w.abstract = filepath.Join(w.state, "s.sock"), filepath.Join(w.state, "d.sock"), "@confine-test"+strings.ReplaceAll(w.dir, "/", "-")
	c, err := net.Listen("unix", w.unixPath)
	keep(c, err)
	d, err := net.ListenPacket("unixgram", w.datagram)
	keep(d, err)
	a, err := net.Listen("unix", w.abstract)
	keep(a, err)
}

// raced keeps the race detector from waiting for a second as each process ends.
const raced = "GORACE=atexit_sleep_ms=0"

// neighbour starts a process that is not confined, and waits for it.
func neighbour(t *testing.T) int {
	t.Helper()
	cmd := exec.Command(mustSelf(t))
	cmd.Env = append(os.Environ(), "CONFINE_TEST_ROLE=neighbour", "NEIGHBOUR_SECRET=1", raced)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdin, err := cmd.StdinPipe()
	must.Do(t, err)
	stdout, err := cmd.StdoutPipe()
	must.Do(t, err)
	must.Do(t, cmd.Start())
	t.Cleanup(func() {
		stdin.Close()
		_ = cmd.Wait()
	})
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "ready\n" {
		t.Fatalf("the neighbour said %q (%v)", line, err)
	}
	return cmd.Process.Pid
}

func (w world) env() []string {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "TMPDIR=") || strings.HasPrefix(kv, "HOME=") })
	return append(env, raced, "CONFINE_TEST_ROLE=attacker", "TMPDIR="+w.temp, "HOME="+filepath.Join(w.dir, "home"), fmt.Sprintf("CONFINE_TEST_WORLD=%s %d %s %s %s %d", w.dir, w.neighbour, w.tcp, w.udp, w.abstract, w.descriptor))
}

func worldOf(text string) (w world) {
	_, err := fmt.Sscanf(text, "%s %d %s %s %s %d", &w.dir, &w.neighbour, &w.tcp, &w.udp, &w.abstract, &w.descriptor)
	if err != nil {
		panic(err)
	}
	home := filepath.Join(w.dir, "home")
	w.secret, w.outside, w.project, w.state, w.temp = filepath.Join(home, ".ssh", "id"), filepath.Join(w.dir, "outside"), filepath.Join(home, "project"), filepath.Join(home, "state"), filepath.Join(home, "temp")
	w.unixPath, w.datagram = filepath.Join(w.state, "s.sock"), filepath.Join(w.state, "d.sock")
	return w
}

// run runs the attacker, confined or not, and returns what became of each attempt.
// One that ends it is tried by a process of its own.
func (w world) run(t *testing.T, rules *Rules, only string) map[string]string {
	t.Helper()
	self, got := mustSelf(t), map[string]string{}
	r, out, err := os.Pipe()
	must.Do(t, err)
	defer r.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	must.Do(t, err)
	defer null.Close()
	attr := &syscall.ProcAttr{Dir: w.project, Env: append(w.env(), "CONFINE_TEST_ONLY="+only), Files: []uintptr{null.Fd(), out.Fd(), 2}}
	pid := 0
	begin := func() { pid, err = syscall.ForkExec(self, []string{self}, attr) }
	if rules == nil {
		begin()
	} else if doErr := rules.Do(begin); doErr != nil {
		t.Fatal(doErr)
	}
	out.Close()
	must.Do(t, err)
	for s := bufio.NewScanner(r); s.Scan(); {
		name, what, _ := strings.Cut(s.Text(), "\t")
		got[name] = what
	}
	var ws syscall.WaitStatus
	must.Do(t, must.Err(syscall.Wait4(pid, &ws, 0, nil)))
	switch _, told := got[only]; {
	case ws.Signaled():
		got[only] = "ended by " + ws.Signal().String()
	case only != "" && !told && ws.ExitStatus() != 0: // Go's runtime turned a signal into a report: this kernel runs no i386 calls
		got[only] = fmt.Sprintf("ended with %d", ws.ExitStatus())
	}
	return got
}

// ends is "" if an attempt ended the neighbour.
func (w world) ends(t *testing.T, rules *Rules, name string) string {
	t.Helper()
	said := w.run(t, rules, name)[name]
	for range 20 {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", w.neighbour))
		if _, state, _ := strings.Cut(string(b), ") "); err != nil || strings.HasPrefix(state, "Z") {
			return ""
		}
		time.Sleep(5 * time.Millisecond)
	}
	return "it lives: " + said
}

// TestEscapes tries each way out, of a process that is not confined, which shows
// that it is one, and of one that is.
func TestEscapes(t *testing.T) {
	if s := Supported(); len(s.Missing()) > 0 {
		t.Skipf("this system does not enforce %v", s.Missing())
	}
	rules := func(w world) *Rules { r := w.rules(); return &r }
	loose, tight := newWorld(t), newWorld(t)
	control, got := loose.run(t, nil, ""), tight.run(t, rules(tight), "")
	for _, a := range attempts() {
		if a.fatal {
			control[a.name] = newWorld(t).ends(t, nil, a.name)
			w := newWorld(t)
			got[a.name] = w.ends(t, rules(w), a.name)
		}
		if a.deadly {
			control[a.name] = loose.run(t, nil, a.name)[a.name]
			got[a.name] = tight.run(t, rules(tight), a.name)[a.name]
		}
	}
	judged := 0
	for _, a := range attempts() {
		t.Run(a.name, func(t *testing.T) {
			switch {
			case control[a.name] != "":
				t.Skipf("cannot be judged here: not even without a sandbox: %s", control[a.name])
			case a.may && got[a.name] != "":
				t.Errorf("must work in a sandbox, and does not: %s", got[a.name])
			case !a.may && got[a.name] == "":
				t.Error("gets out")
			}
			judged++
		})
	}
	if judged < len(attempts())*2/3 {
		t.Errorf("only %d of %d were judged", judged, len(attempts()))
	}
	t.Logf("%d judged", judged)
	for _, kept := range []struct{ path, text string }{{tight.secret, "SECRET\n"}, {filepath.Join(tight.outside, "file"), "kept"}, {filepath.Join(tight.project, "file"), "project"}} {
		if b, err := os.ReadFile(kept.path); string(b) != kept.text {
			t.Errorf("%s is now %q (%v)", kept.path, b, err)
		}
	}
}

// What the kernel enforces is asked of it: no test of a sandbox is left out because nobody asked.
func TestTheKernelIsAsked(t *testing.T) {
	t.Parallel()
	version, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		version = 0
	}
	seccomp, err := os.ReadFile("/proc/sys/kernel/seccomp/actions_avail")
	if s := Supported(); s.Landlock != int(version) || err == nil && s.Seccomp != strings.Contains(string(seccomp), "errno") || !s.System {
		t.Errorf("%+v, want version %d, and one of %s", s, version, seccomp)
	}
}

// What a kernel cannot do is named.
func TestWhatIsMissing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		support Support
		missing string
		nothing bool
	}{
		{Support{}, "files network processes signals", true},
		{Support{Landlock: 1}, "network processes signals", false},
		{Support{Landlock: scopes}, "network processes", false},
		{Support{Seccomp: true}, "files signals", false},
		{Support{Landlock: scopes - 1, Seccomp: true}, "signals", false},
		{Support{Landlock: scopes, Seccomp: true}, "", false},
	} {
		if got := strings.Join(c.support.Missing(), " "); got != c.missing || c.support.Nothing() != c.nothing {
			t.Errorf("%+v misses %q, nothing %t", c.support, got, c.support.Nothing())
		}
	}
}

// Whoever is given the network can connect and be told, and nothing else.
func TestNetwork(t *testing.T) {
	if s := Supported(); len(s.Missing()) > 0 {
		t.Skipf("this system does not enforce %v", s.Missing())
	}
	w := newWorld(t)
	r := w.rules()
	r.Network = true
	got := w.run(t, &r, "")
	for _, a := range attempts() {
		if !strings.HasPrefix(a.name, "socket/") {
			continue
		}
		given := a.name == "socket/tcp" || a.name == "socket/udp"
		if out := got[a.name] == ""; out != given && !a.may && !a.deadly {
			t.Errorf("%s: %q, given %t", a.name, got[a.name], given)
		}
	}
}

// This process is what it was, whatever it started.
func TestWeAreNotConfined(t *testing.T) {
	w := newWorld(t)
	r := w.rules()
	for range 3 {
		must.Do(t, r.Do(func() {}))
	}
	if _, err := os.ReadFile(w.secret); err != nil {
		t.Error(err)
	}
	if c, err := net.Dial("tcp", w.tcp); err != nil {
		t.Error(err)
	} else {
		c.Close()
	}
	if n, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); n != 0 {
		t.Errorf("no_new_privs is %d (%v)", n, err)
	}
}

// What lies below the project is not followed out of it.
func TestBelowIsNotFollowed(t *testing.T) {
	if Supported().Landlock == 0 {
		t.Skip("no Landlock")
	}
	w := newWorld(t)
	must.Do(t, os.Symlink(filepath.Dir(w.secret), filepath.Join(w.project, "link")))
	must.Do(t, os.Mkdir(filepath.Join(w.project, "src"), 0o700))
	must.Write(t, filepath.Join(w.project, "src", "a"), "a")
	r := w.rules()
	r.Read = r.Read[:len(r.Read)-1]
	r.Root, r.ReadBelow, r.WriteBelow = w.project, []string{"link", "../.ssh", "src"}, []string{"link"}
	sh := func(script string) error {
		cmd := exec.Command("/bin/sh", "-c", script)
		var err error
		if doErr := r.Do(func() { err = cmd.Start() }); doErr != nil {
			t.Fatal(doErr)
		}
		must.Do(t, err)
		return cmd.Wait()
	}
	if err := sh("cat " + w.secret); err == nil {
		t.Error("the secret was read")
	}
	if err := sh("cat " + filepath.Join(w.project, "file")); err == nil {
		t.Error("what was not named was read")
	}
	if err := sh("cat " + filepath.Join(w.project, "src", "a")); err != nil {
		t.Error("what was named was not read")
	}
}

func BenchmarkDo(b *testing.B) {
	r := Rules{Read: []string{"/usr", "/etc", "/bin", "/lib"}}
	for b.Loop() {
		must.Do(b, r.Do(func() {}))
	}
}
