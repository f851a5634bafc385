// Package keyring records which server a key belongs to. A user's key is sent only to
// that server: not to one that an environment variable names, nor to one that has
// replaced it in a file.
//
//	err := keyring.Ring{State: state}.May(key, "https://example.com/v1", true)
//
// The server of a key is the first one that it is sent to, or the one that the user
// names (Give): scheme, host and port, with any path. It is stored in the state
// directory under a digest of the key, so that the file contains no keys.
package keyring

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// A Ring is the keys that this machine has sent somewhere.
type Ring struct {
	State string // the state directory; "": nothing is kept
}

// An Elsewhere is the error for a key that was given for another server.
type Elsewhere struct{ Asked, Known string }

func (e *Elsewhere) Error() string {
	if e.Known == "" {
		return fmt.Sprintf("the key is that of a file, but the environment names the server %q: it is not sent there", e.Asked)
	}
	return fmt.Sprintf("the key was given for %s and is not sent to %s", e.Known, e.Asked)
}

// May reports whether a key may go to a server. first says that whoever named the
// server may say so of a key that went nowhere yet.
func (r Ring) May(key, server string, first bool) error {
	asked, err := Origin(server)
	if err != nil {
		return err
	}
	known, err := r.Server(key)
	switch {
	case err != nil:
		return err
	case known == asked:
		return nil
	case known != "" || !first:
		return &Elsewhere{Asked: asked, Known: known}
	}
	return r.Give(key, server)
}

// Server is the server of a key, "" if it went nowhere yet.
func (r Ring) Server(key string) (string, error) {
	if r.State == "" {
		return "", nil
	}
	b, err := statefile.Read(r.file())
	if err != nil {
		return "", fmt.Errorf("which server the key is for: %w", err)
	}
	for line := range strings.Lines(string(b)) {
		if name, server, _ := strings.Cut(strings.TrimSpace(line), " "); name == digest(key) {
			return server, nil
		}
	}
	return "", nil
}

// Give makes a server that of a key, in place of the one before.
func (r Ring) Give(key, server string) error {
	origin, err := Origin(server)
	if err != nil || r.State == "" {
		return err
	}
	err = statefile.Update(r.file(), 2*time.Second, func(old []byte) ([]byte, error) {
		lines := slices.DeleteFunc(bytes.SplitAfter(old, []byte("\n")), func(l []byte) bool {
			return len(bytes.TrimSpace(l)) == 0 || bytes.HasPrefix(l, []byte(digest(key)+" "))
		})
		return append(bytes.Join(lines, nil), digest(key)+" "+origin+"\n"...), nil
	})
	if err != nil {
		return fmt.Errorf("recording which server the key is for: %w", err)
	}
	return nil
}

func (r Ring) file() string { return filepath.Join(r.State, "keys") }

// digest names a key without telling it.
func digest(key string) string {
	sum := sha256.Sum256([]byte("agents-hooks key\n" + key))
	return hex.EncodeToString(sum[:16])
}

// Origin is the server of an address: its scheme, host and port.
func Origin(address string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%q is not a server's address: want https://host", shown(address))
	}
	host := strings.ToLower(u.Hostname())
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port := u.Port(); port != "" && port != map[string]string{"http": "80", "https": "443"}[u.Scheme] {
		host += ":" + port
	}
	return u.Scheme + "://" + host, nil
}

// shown is an address without the password that may stand in it.
func shown(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Redacted()
	}
	return "…"
}
