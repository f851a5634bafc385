package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

func fetched(t *testing.T, url, key string, more http.Header) (int, string) {
	t.Helper()
	req, err := http.NewRequest("GET", url, nil)
	must.Do(t, err)
	if more != nil {
		req.Header = more
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := http.DefaultClient.Do(req)
	must.Do(t, err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	must.Do(t, err)
	return resp.StatusCode, string(b)
}

// A service is alive without its database, and ready only with it, in its schema.
func TestAliveAndReady(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := opened(t, place)
		c := team(t, s, DefaultLimits(), io.Discard, "ada")[0]
		c.key = ""
		c.want(200, "GET", "/healthz", "")
		c.want(200, "GET", "/readyz", "")
		must.Do(t, must.Err(s.db.ExecContext(t.Context(), `INSERT INTO schema_migrations (version, at) VALUES (99, 0)`)))
		if e := c.want(503, "GET", "/readyz", ""); at(e, "code") != "SCHEMA" {
			t.Errorf("%v", e)
		}
		s.Close()
		if e := c.want(503, "GET", "/readyz", ""); at(e, "code") != "DATABASE" {
			t.Errorf("%v", e)
		}
		c.want(200, "GET", "/healthz", "")
	})
}

// A database that is gone is said to be that, by every call, and not to be the service's fault.
func TestADatabaseThatIsGoneIsSaidToBeGone(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s, c := crew(t, place, "ada member")
		c[0].push(fact("log-1", 1, "The mill turns"))
		must.Do(t, s.Close())
		for path, body := range map[string]string{room.SyncPath: `{"protocol": 1, "room": "app", "pull": {"since": 0}}`, "/api/im/evolution/sync": `{"pull": {"since": 0}}`} {
			if e := c[0].want(503, "POST", path, body); at(e, "code") != "DATABASE" {
				t.Errorf("%s: %v", path, e)
			}
		}
	})
}

// What is written into a file that was moved away, or that another one stands in for, would be lost:
// nothing is taken, and the service is not ready, until it is back.
func TestAFileThatWasMovedTakesNothing(t *testing.T) {
	place := filepath.Join(t.TempDir(), "store.sqlite")
	s := opened(t, place)
	c := team(t, s, DefaultLimits(), io.Discard, "ada")[0]
	note := func(taken, ready int) {
		t.Helper()
		if e := c.want(taken, "POST", "/api/im/memory/files", `{"path": "a", "content": "b"}`); ready != 200 && at(e, "code") != "DATABASE" {
			t.Errorf("%v", e)
		}
		c.want(ready, "GET", "/readyz", "")
	}
	note(201, 200)
	if err := os.Rename(place, place+".away"); err != nil {
		t.Skip("an open file cannot be moved here: ", err)
	}
	note(503, 503)
	must.Do(t, os.WriteFile(place, nil, 0o600))
	note(503, 503)
	must.Do(t, os.Rename(place+".away", place))
	note(201, 200)
}

// Prometheus reads what was answered, how fast, and what is held: from this machine, or
// with a key that is good for it, and not through a proxy without one.
func TestMetricsAreCounted(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := opened(t, place)
		c := team(t, s, DefaultLimits(), io.Discard, "ada")[0]
		c.want(201, "POST", genesPath, shareBody("gene_repair_a", "rm -rf ~"))
		c.want(404, "POST", genesPath+"/none/publish", "")
		status, got := fetched(t, c.url+"/metrics", "", nil)
		for _, want := range []string{
			`agents_hooks_requests_total{call="POST /api/im/evolution/genes",status="201"} 1`, `agents_hooks_requests_total{call="POST /api/im/evolution/genes/{id}/publish",status="404"} 1`,
			`agents_hooks_request_seconds_bucket{call="POST /api/im/evolution/genes",le="+Inf"} 1`, `agents_hooks_request_seconds_count{call="POST /api/im/evolution/genes"} 1`,
			"agents_hooks_genes_held 1", "agents_hooks_persons 1", "agents_hooks_database_up 1", "# TYPE agents_hooks_request_seconds histogram",
		} {
			if status != 200 || !strings.Contains(got, want+"\n") {
				t.Errorf("%d, no %q in:\n%s", status, want, got)
			}
		}
		for _, line := range strings.Split(strings.TrimSpace(got), "\n") {
			if fields := strings.Fields(line); !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "agents_hooks_") || len(fields) < 2 {
				t.Errorf("%q is no line of the format", line)
			}
		}
		through := func() http.Header { return http.Header{"X-Forwarded-For": {"192.0.2.1"}} }
		if status, _ := fetched(t, c.url+"/metrics", "", through()); status != 401 {
			t.Errorf("through a proxy: %d", status)
		}
		narrow, _, err := s.NewKey(t.Context(), "ada", Terms{Scopes: []string{Read}})
		must.Do(t, err)
		if status, _ := fetched(t, c.url+"/metrics", narrow, through()); status != 401 {
			t.Errorf("a key that is not good for it: %d", status)
		}
		if status, _ := fetched(t, c.url+"/metrics", c.key, through()); status != 200 {
			t.Errorf("with a key: %d", status)
		}
	})
}

// Each answer has an id that its line of the log has too.
func TestAnswersAndTheLogHaveOneID(t *testing.T) {
	t.Parallel()
	var log lockedBuffer
	c := team(t, opened(t, filepath.Join(t.TempDir(), "s.sqlite")), DefaultLimits(), &log, "ada")[0]
	resp, err := http.Get(c.url + "/healthz")
	must.Do(t, err)
	resp.Body.Close()
	if id := resp.Header.Get("X-Request-Id"); id == "" || !strings.Contains(log.String(), `"id":"`+id+`"`) {
		t.Errorf("%q: %s", id, log.String())
	}
}

// What SQLite keeps beside the database is its owner's alone, and was before the first
// row was written.
func TestFilesBesideTheDatabaseArePrivate(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files have no mode there")
	}
	place := filepath.Join(t.TempDir(), "s.sqlite")
	for range 2 {
		s := opened(t, place)
		team(t, s, DefaultLimits(), io.Discard, "ada")
		for _, name := range []string{place, place + "-wal", place + "-shm"} {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v", filepath.Base(name), info, err)
			}
		}
		s.Close()
	}
}

// certificate writes a pair of files for a name.
func certificate(t *testing.T, dir, name string) (cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must.Do(t, err)
	form := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &k.PublicKey, k)
	must.Do(t, err)
	secret, err := x509.MarshalECPrivateKey(k)
	must.Do(t, err)
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, b := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "EC PRIVATE KEY", Bytes: secret}} {
		must.Write(t, name, pem.EncodeToMemory(b))
	}
	return cert, key
}

// shown is the name in the certificate that a service shows now.
func shown(t *testing.T, l net.Listener) string {
	t.Helper()
	conn, err := tls.Dial("tcp", l.Addr().String(), &tls.Config{InsecureSkipVerify: true})
	must.Do(t, err)
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0].Subject.CommonName
}

// A certificate is read anew while the service runs; a broken one changes nothing.
func TestCertificatesAreReadAnew(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := certificate(t, dir, "one.example")
	l, err := Listen("127.0.0.1:0", cert, key, false)
	must.Do(t, err)
	h := &http.Server{Handler: http.NotFoundHandler()}
	go h.Serve(l)
	t.Cleanup(func() { h.Close() })
	if got := shown(t, l); got != "one.example" {
		t.Error(got)
	}
	certificate(t, dir, "two.example")
	if again, err := Reload(l); !again || err != nil {
		t.Error(again, err)
	}
	if got := shown(t, l); got != "two.example" {
		t.Error(got)
	}
	must.Write(t, cert, "no")
	if _, err := Reload(l); err == nil {
		t.Error("taken")
	}
	if got := shown(t, l); got != "two.example" {
		t.Error(got)
	}
}

// A lockedBuffer is written to by a server while a test reads it.
type lockedBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
