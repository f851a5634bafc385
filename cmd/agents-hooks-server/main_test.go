package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// TestMain lets the test binary be the program: what tests start is a real
// process that runs main.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"agents-hooks-server": main})
}

// A machine is a home directory of somebody who runs the program.
type machine struct {
	t   *testing.T
	dir string
}

func (m machine) command(args ...string) *exec.Cmd {
	cmd := exec.Command("agents-hooks-server", args...)
	cmd.Dir = m.dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "XDG_") && !strings.HasPrefix(v, "AGENTS_HOOKS_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "HOME="+m.dir, "USERPROFILE="+m.dir, "XDG_DATA_HOME="+filepath.Join(m.dir, "data"))
	return cmd
}

// run runs a command to its end.
func (m machine) run(args ...string) (exit int, stdout, stderr string) {
	m.t.Helper()
	var out, errs strings.Builder
	cmd := m.command(args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		m.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// serve starts the service and returns its address when it listens.
func (m machine) serve(args ...string) string {
	m.t.Helper()
	cmd := m.command(args...)
	pipe, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	must.Do(m.t, err)
	m.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	lines := bufio.NewScanner(pipe)
	var first struct{ Msg, Address string }
	if !lines.Scan() || json.Unmarshal(lines.Bytes(), &first) != nil || first.Msg != "listening" {
		m.t.Fatalf("the service says %q", lines.Text())
	}
	go func() {
		for lines.Scan() { // so that it never waits for a reader
		}
	}()
	return first.Address
}

// The rules of the command line are those of agents-hooks: help on stdout and at
// most 79 columns wide, exit 64 and hints for what cannot be understood, 1 for
// what cannot be done, and the program's own name before each message.
func TestCommandLine(t *testing.T) {
	t.Parallel()
	m := machine{t, t.TempDir()}
	for i, words := range []string{"", "key", "key create", "key list", "key rotate", "key revoke", "person", "person list", "person role", "gene", "gene waiting", "gene show", "gene release", "gene approve", "gene hold", "gene delete", "audit", "backup", "restore", "version"} {
		if !slowtest.Part(i, 4) {
			continue
		}
		t.Run(fmt.Sprintf("%q", words), func(t *testing.T) {
			asked := [][]string{append(strings.Fields(words), "--help"), append([]string{"help"}, strings.Fields(words)...)}
			for _, args := range asked {
				exit, out, errs := m.run(args...)
				if exit != 0 || errs != "" || !strings.Contains(out, "USAGE:\n   "+strings.TrimSpace("agents-hooks-server "+words)) {
					t.Errorf("%q: exit %d, stdout %q, stderr %q", args, exit, out, errs)
				}
				for line := range strings.Lines(out) {
					if n := utf8.RuneCountInString(line); n > 80 {
						t.Errorf("%q: %d columns wide: %s", args, n-1, line)
					}
				}
			}
		})
	}
	for args, want := range map[string]string{
		"keys":                           `no such command: "keys"` + "\nhint: agents-hooks-server key\n",
		"--no-such-flag":                 "no such flag: --no-such-flag\nhint: it has --listen, --store, --tls-cert, ",
		"--lisen 127.0.0.1:0":            "no such flag: --lisen\nhint: did you mean --listen?\nhint: agents-hooks-server --help\n",
		"key create --no-such-flag":      "key create: no such flag: --no-such-flag\nhint: it has --person, --label, --days, --scope, --store, --json, --help\nhint: agents-hooks-server key create --help\n",
		"key lst":                        `key: no such command: "lst"` + "\nhint: agents-hooks-server key list\n",
		"key create":                     "key create: want --person NAME\n",
		"key create --person a b":        "key create: too many arguments (b), want flags only\nhint: agents-hooks-server key create --help\n",
		"key revoke":                     "key revoke: want ids of keys, as list has them\nhint: agents-hooks-server key revoke --help\n",
		"version x":                      "version: too many arguments (x), want flags only\nhint: agents-hooks-server version --help\n",
		"--tls-cert x":                   "--tls-cert and --tls-key go together\n",
		"--rate -1":                      "--rate, --burst and --body: want numbers above 0\n",
		"--burst 0 --listen 127.0.0.1:0": "--rate, --burst and --body: want numbers above 0\n",
	} {
		t.Run(args, func(t *testing.T) {
			if exit, out, errs := m.run(strings.Fields(args)...); exit != 64 || out != "" || !strings.HasPrefix(errs, "agents-hooks-server: "+want) {
				t.Errorf("%q: exit %d, stdout %q, stderr %q, want %q", args, exit, out, errs, want)
			}
		})
	}
	if list, err := os.ReadDir(m.dir); err != nil || len(list) != 0 {
		t.Errorf("a command line that cannot be understood left %v, %v", list, err)
	}
	for args, want := range map[string]string{
		"key revoke key_none":   "there is no key \"key_none\"\nhint: agents-hooks-server key revoke --help",
		"--listen nowhere":      "missing port in address\n",
		"--listen 127.0.0.1:-1": "invalid port\n",
		"--listen 127.0.0.1:0 --tls-cert " + os.DevNull + " --tls-key " + os.DevNull: "the certificate \"" + os.DevNull + "\": not a regular file but a device\n",
		"--listen 0.0.0.0:0":     "in the clear\nhint: give --tls-cert",
		"key list --store .":     "opening the database: .: it is a folder; want a file\nhint: " + map[bool]string{true: "dir", false: "ls"}[runtime.GOOS == "windows"] + " .\n",
		"--store postgres://%zz": "opening the database: the postgres:// address cannot be read\n",
	} {
		t.Run(args, func(t *testing.T) {
			if exit, out, errs := m.run(strings.Fields(args)...); exit != 1 || out != "" || !strings.HasPrefix(errs, "agents-hooks-server: ") || !strings.Contains(errs, want) ||
				strings.Contains(errs, "hint: ") != strings.Contains(want, "hint: ") {
				t.Errorf("%q: exit %d, stdout %q, stderr %q, want %q", args, exit, out, errs, want)
			}
		})
	}
}

// Without a word and without a flag it serves on this machine alone, and keeps
// its database where people's data lie; a key that key create printed is let in.
func TestServesAndKeepsWhereNobodyToldIt(t *testing.T) {
	t.Parallel()
	m := machine{t, t.TempDir()}
	exit, key, errs := m.run("key", "create", "--person", "ada")
	if exit != 0 || !strings.HasPrefix(key, "sk-prismer-") || !strings.HasPrefix(errs, "agents-hooks-server: key key_") {
		t.Fatalf("exit %d, stdout %q, stderr %q", exit, key, errs)
	}
	if _, err := os.Stat(filepath.Join(m.dir, "data", "agents-hooks", "serve", "serve.sqlite")); err != nil {
		t.Error(err)
	}
	at := m.serve("--listen", "127.0.0.1:0")
	for bearer, want := range map[string]int{strings.TrimSpace(key): 200, "sk-prismer-none": 401} {
		req, err := http.NewRequest("GET", "http://"+at+"/api/im/skills/installed", nil)
		must.Do(t, err)
		req.Header.Set("Authorization", "Bearer "+bearer)
		resp, err := http.DefaultClient.Do(req)
		if err != nil || resp.StatusCode != want {
			t.Fatalf("%v, %v; want %d", resp, err, want)
		}
		resp.Body.Close()
	}
	exit, out, errs := m.run("version", "--json")
	var version struct {
		Schema  int
		Version string
	}
	if err := json.Unmarshal([]byte(out), &version); err != nil || exit != 0 || version.Schema != 1 || version.Version == "" {
		t.Errorf("version: exit %d, %v, stdout %q, stderr %q", exit, err, out, errs)
	}
}

// A page whose name was pointed at the service is told nothing, with or without a
// key; a name that whoever runs it gave is answered.
func TestForeignNamesAreNotAnswered(t *testing.T) {
	t.Parallel()
	m := machine{t, t.TempDir()}
	_, key, _ := m.run("key", "create", "--person", "ada")
	at := m.serve("--listen", "127.0.0.1:0", "--host-name", "genes.example.com", "--host-name", "Other.Example.Com")
	for _, c := range []struct {
		name, host string
		want       int
	}{
		{"the address that it serves", at, 200},
		{"this machine", "localhost", 200},
		{"a name that was given, with a port", "genes.example.com:443", 200},
		{"a name that was given in capitals", "other.example.com", 200},
		{"a foreign name", "rebound.example.net", 421},
		{"a foreign name with a port", "rebound.example.net:8787", 421},
		{"a name below one that was given", "x.genes.example.com", 421},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, path := range []string{"/healthz", "/api/im/skills/installed"} {
				req, err := http.NewRequest("GET", "http://"+at+path, nil)
				must.Do(t, err)
				req.Host = c.host
				req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(key))
				resp, err := http.DefaultClient.Do(req)
				if err != nil || resp.StatusCode != c.want {
					t.Fatalf("%s of %q: %v, %v; want %d", path, c.host, resp, err, c.want)
				}
				resp.Body.Close()
			}
		})
	}
	if exit, _, errs := m.run("--host-name", "https://genes.example.com"); exit != 64 || !strings.Contains(errs, "without scheme and port") {
		t.Errorf("exit %d, stderr %q", exit, errs)
	}
}

// A service that other machines reach wants TLS, and has it.
func TestServeTLS(t *testing.T) {
	t.Parallel()
	m := machine{t, t.TempDir()}
	store := filepath.Join(m.dir, "serve.sqlite")
	out, err := m.command("--listen", "0.0.0.0:0", "--store", store).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "in the clear") || !strings.Contains(string(out), "hint: ") {
		t.Errorf("%v: %s", err, out)
	}
	cert, pool := certificate(t, m.dir)
	at := m.serve("--listen", "127.0.0.1:0", "--store", store, "--tls-cert", cert, "--tls-key", cert)
	client := http.Client{Transport: &http.Transport{TLSClientConfig: pool}}
	resp, err := client.Get("https://" + at + "/healthz")
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("%v, %v", resp, err)
	}
	resp.Body.Close()
}

// certificate makes a key and a certificate of this machine in one file.
func certificate(t *testing.T, dir string) (file string, trust *tls.Config) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must.Do(t, err)
	about := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	must.Do(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	must.Do(t, err)
	text := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})...)
	file = filepath.Join(dir, "cert.pem")
	must.Write(t, file, text)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	return file, &tls.Config{RootCAs: pool}
}
