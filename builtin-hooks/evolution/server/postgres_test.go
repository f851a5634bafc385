package server

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// A cluster is a PostgreSQL server that the tests start, once.
type cluster struct {
	dir   string
	argv  []string // what starts its programs as another user, if that must be
	bin   string
	port  int
	cmd   *exec.Cmd
	ended <-chan struct{}
	err   error
}

var theCluster = sync.OnceValue(startCluster)

// TestMain ends the server that the tests may have started.
func TestMain(m *testing.M) {
	if role := os.Getenv("SERVE_TEST"); role != "" {
		os.Exit(play(role))
	}
	flag.Parse()
	code := m.Run()
	if started {
		theCluster().stop()
	}
	os.Exit(code)
}

var started bool

// startCluster makes and starts a server: programs of the newest version that is
// here, in a directory of its own, on a free port of this machine.
func startCluster() *cluster {
	c := &cluster{}
	if c.bin = postgresBin(); c.bin == "" {
		c.err = errors.New("no postgres here: looked for initdb in PATH and in /usr/lib/postgresql/*/bin")
		return c
	}
	if c.dir, c.err = os.MkdirTemp("", "ah-pg-"); c.err != nil {
		return c
	}
	if os.Getuid() == 0 {
		// The server does not run as root.
		name := "postgres"
		u, err := user.Lookup(name)
		if err != nil {
			name = "nobody"
			u, err = user.Lookup(name)
		}
		setpriv, err2 := exec.LookPath("setpriv")
		if c.err = errors.Join(err, err2); c.err != nil {
			return c
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		c.argv = []string{setpriv, "--reuid", u.Uid, "--regid", u.Gid, "--clear-groups"}
		if c.err = os.Chown(c.dir, uid, gid); c.err != nil {
			return c
		}
	}
	if out, err := c.command("initdb", "-D", c.dir+"/data", "-U", "tester", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C").CombinedOutput(); err != nil {
		c.err = fmt.Errorf("initdb: %v: %s", err, out)
		return c
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		c.err = err
		return c
	}
	c.port = l.Addr().(*net.TCPAddr).Port
	l.Close()
	c.err = c.begin()
	return c
}

// begin starts the server that was made, and waits until it answers.
func (c *cluster) begin() error {
	c.cmd = c.command("postgres", "-D", c.dir+"/data", "-p", strconv.Itoa(c.port), "-h", "127.0.0.1", "-k", "", "-c", "fsync=off", "-c", "max_connections=200")
	if err := c.cmd.Start(); err != nil {
		return err
	}
	db, err := sql.Open("pgx", c.address("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	ended := make(chan struct{})
	go func() { _ = c.cmd.Wait(); close(ended) }()
	c.ended = ended
	for {
		if err = db.PingContext(context.Background()); err == nil {
			return nil
		}
		select {
		case <-ended:
			return fmt.Errorf("postgres ended: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// crash ends the server as if the machine had: nothing is written any more.
func (c *cluster) crash() {
	_ = c.cmd.Process.Signal(syscall.SIGQUIT)
	<-c.ended
}

func postgresBin() string {
	if p, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(p)
	}
	list, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	slices.Sort(list)
	if len(list) == 0 {
		return ""
	}
	return filepath.Dir(list[len(list)-1])
}

func (c *cluster) command(name string, args ...string) *exec.Cmd {
	argv := append(append(slices.Clone(c.argv), filepath.Join(c.bin, name)), args...)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = c.dir
	return cmd
}

func (c *cluster) stop() {
	if c.cmd != nil && c.cmd.Process != nil {
		_ = c.cmd.Process.Signal(os.Interrupt)
		<-c.ended
	}
	if c.dir != "" {
		_ = os.RemoveAll(c.dir)
	}
}

func (c *cluster) address(name string) string {
	u := url.URL{Scheme: "postgres", User: url.User("tester"), Host: fmt.Sprintf("127.0.0.1:%d", c.port), Path: "/" + name, RawQuery: "sslmode=disable"}
	return u.String()
}

// fresh is a new database on the server.
func (c *cluster) fresh(t *testing.T) string {
	t.Helper()
	db, err := sql.Open("pgx", c.address("postgres"))
	must.Do(t, err)
	defer db.Close()
	name := "t" + strings.ToLower(newID()[:16])
	must.Do(t, must.Err(db.ExecContext(t.Context(), "CREATE DATABASE "+name)))
	return c.address(name)
}

// onBoth plays a test on a file and, with -slow, on a PostgreSQL server.
func onBoth(t *testing.T, test func(t *testing.T, place string)) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, filepath.Join(t.TempDir(), "team folder", "serve #1.sqlite"))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		test(t, postgres(t))
	})
}

func postgres(t *testing.T) string {
	t.Helper()
	if !slowtest.On() {
		t.Skip("a PostgreSQL server of our own takes seconds: -slow plays it")
	}
	started = true
	c := theCluster()
	if c.err != nil {
		t.Skip(c.err)
	}
	return c.fresh(t)
}
