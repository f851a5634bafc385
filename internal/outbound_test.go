package internal_test

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/outbound"
)

func unset(string) string { return "" }

// A person's certificates are believed beside the system's, and nobody else's.
func TestCertificatesOfAFile(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "ca.pem")
	must.Write(t, file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	for caFile, believed := range map[string]bool{"": false, file: true} {
		way, err := outbound.Transport("", caFile, unset)
		must.Do(t, err)
		resp, err := (&http.Client{Transport: way}).Get(server.URL)
		if (err == nil) != believed {
			t.Errorf("%q: %v", caFile, err)
		}
		if err == nil {
			resp.Body.Close()
		}
	}
	empty := filepath.Join(t.TempDir(), "empty.pem")
	must.Write(t, empty, "")
	for _, bad := range []string{empty, filepath.Join(t.TempDir(), "none")} {
		if _, err := outbound.Transport("", bad, unset); err == nil || !strings.Contains(err.Error(), "ca_file") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// Proxies of the environment count where it does: one that is closed has none,
// whatever this process was started with.
func TestProxyOfTheEnvironmentThatCounts(t *testing.T) {
	t.Parallel()
	for name, used := range map[string]bool{"HTTPS_PROXY": true, "http_proxy": true, "PATH": false} {
		t.Run(name, func(t *testing.T) {
			way, err := outbound.Transport("", "", func(n string) string { return map[string]string{name: "http://127.0.0.1:1"}[n] })
			if err != nil || (way.Proxy != nil) != used {
				t.Errorf("%s: a proxy %t, %v", name, way.Proxy != nil, err)
			}
		})
	}
}

// What is asked for goes by the proxy of the settings, but for this machine itself.
func TestProxyOfTheSettings(t *testing.T) {
	t.Parallel()
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked = append(asked, r.URL.String()) }))
	defer proxy.Close()
	way, err := outbound.Transport(proxy.URL, "", unset)
	must.Do(t, err)
	defer way.CloseIdleConnections()
	client := &http.Client{Transport: way}
	for _, address := range []string{"http://team.invalid/a", proxy.URL + "/direct"} {
		resp, err := client.Get(address)
		must.Do(t, err)
		resp.Body.Close()
	}
	if got := strings.Join(asked, " "); got != "http://team.invalid/a /direct" {
		t.Errorf("asked %s", got)
	}
	for _, bad := range []string{"proxy:3128", "ftp://proxy", "http://", "http://me:secret@%"} {
		t.Run(bad, func(t *testing.T) {
			if _, err := outbound.Transport(bad, "", unset); err == nil || strings.Contains(err.Error(), "secret") {
				t.Errorf("%q: %v", bad, err)
			}
		})
	}
}
