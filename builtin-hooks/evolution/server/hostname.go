package server

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Hosts are the host names of the service. Any other name in a request means a page in
// somebody's browser whose name was pointed at this address: the browser takes the
// service for a part of that page, and would let it read every answer. An IP address
// cannot be pointed elsewhere, so a service that listens on all addresses answers to
// each of them.
type Hosts struct {
	names     []string
	addresses bool
}

// HostsOf are the names of a service that listens on an address ("127.0.0.1:8787",
// ":8787"): its host, this machine's own names for itself, and the given ones.
func HostsOf(listen string, names []string) (Hosts, error) {
	h := Hosts{names: []string{"localhost"}}
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		host = listen
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		h.addresses = true
	} else {
		h.names = append(h.names, hostName(host))
	}
	for _, name := range names {
		told := hostName(name)
		if _, err := netip.ParseAddr(told); err != nil && strings.ContainsAny(told, ":/*@ ") || told == "" {
			return h, fmt.Errorf("%q is no name of a host: want one such as genes.example.com, without scheme and port", name)
		}
		h.names = append(h.names, told)
	}
	return h, nil
}

// hostName is a name in the form for comparison: without brackets and the final dot,
// and in lower case.
func hostName(s string) string {
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		s = s[1 : len(s)-1]
	}
	return strings.ToLower(strings.TrimSuffix(s, "."))
}

// answers reports whether the Host of a request is one of them.
func (h Hosts) answers(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	name = hostName(name)
	if ip, err := netip.ParseAddr(name); err == nil {
		return ip.Unmap().IsLoopback() || h.addresses || slices.Contains(h.names, name)
	}
	return slices.Contains(h.names, name)
}

// misdirected answers a request for a name that is not ours.
func misdirected(w http.ResponseWriter) {
	respond(w, http.StatusMisdirectedRequest, envelope(nil, failure{Code: "MISDIRECTED",
		Message: "the service is not known by the name in Host; whoever runs it adds one with --host-name"}))
}
