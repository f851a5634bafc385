// Package outbound connects a command to a server, through the user's proxy and with
// the user's certificates. Both are settings of a behaviour, proxy and ca_file. If they
// are not set, the usual variables HTTPS_PROXY and SSL_CERT_FILE apply. Commands that a
// hook starts, and the MCP server that an agent starts, ignore these variables, since a
// repository can set an agent's environment and could then intercept the traffic.
package outbound

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// Transport is the way by a proxy, with the certificates of a file beside those of
// the system; "" for either where nothing is set. env is the environment that
// counts: net/http keeps the proxies of the one that the process was started with.
func Transport(proxy, caFile string, env func(name string) string) (*http.Transport, error) {
	t := http.DefaultTransport.(*http.Transport).Clone()
	if !slices.ContainsFunc([]string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"}, func(n string) bool { return env(n) != "" }) {
		t.Proxy = nil
	}
	if proxy != "" {
		u, err := url.Parse(proxy)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "socks5" {
			return nil, fmt.Errorf("the setting proxy, %q, is not a proxy's address: want http://host:port", redacted(proxy))
		}
		t.Proxy = func(r *http.Request) (*url.URL, error) {
			if host := r.URL.Hostname(); host == "localhost" || net.ParseIP(host).IsLoopback() {
				return nil, nil // as for HTTPS_PROXY
			}
			return u, nil
		}
	}
	if caFile != "" {
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool() // mutant: systems that tests run on have theirs
		}
		const most = 4 << 20
		b, err := safefile.Read(caFile, most)
		if err != nil {
			return nil, fmt.Errorf("the setting ca_file: %w", err)
		}
		if !pool.AppendCertsFromPEM(b) {
			return nil, fmt.Errorf("the setting ca_file: %q contains no certificate in PEM form", caFile)
		}
		t.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
	return t, nil
}

func redacted(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Redacted()
	}
	return "…"
}
