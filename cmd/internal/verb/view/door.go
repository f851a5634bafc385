package view

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
)

// A door admits requests that know the token, use a name of this machine, and come from a page
// of ours. The token is part of the path: there is no cookie, which other servers on this
// machine would also receive.
type door struct {
	want  [sha256.Size]byte   // the hash of the token
	hosts []string            // names of this server, with the port
	known func(*http.Request) // is told of each request that knows the token; may be nil
	in    http.Handler        // gets the path after the token
}

// newToken is 192 random bits.
func newToken() string {
	var b [24]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

func (d door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	for name, value := range map[string]string{
		"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
		"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp",
		"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
	} {
		h.Set(name, value)
	}
	if !slices.Contains(d.hosts, r.Host) {
		// A foreign name that was made to resolve to this machine.
		refuse(w, http.StatusMisdirectedRequest, "this is not served under that name")
		return
	}
	word, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	sum := sha256.Sum256([]byte(word))
	if subtle.ConstantTimeCompare(sum[:], d.want[:]) != 1 {
		refuse(w, http.StatusNotFound, "nothing here; the address stands in the terminal where agents-hooks ui runs")
		return
	}
	if d.known != nil {
		d.known(r)
	}
	if why := foreign(r, rest == ""); why != "" {
		refuse(w, http.StatusForbidden, why)
		return
	}
	if !strings.Contains(strings.TrimPrefix(r.URL.Path, "/"), "/") {
		http.Redirect(w, r, "/"+word+"/", http.StatusSeeOther)
		return
	}
	r.URL.Path = "/" + rest
	d.in.ServeHTTP(w, r)
}

// foreign says why a request is not from a page of ours, "" if it may be. A page that the user
// opens may come from anywhere, but only into a window, not into a frame.
func foreign(r *http.Request, page bool) string {
	h := r.Header
	if origin := h.Get("Origin"); origin != "" && origin != "http://"+r.Host || origin == "" && r.Method == http.MethodPost {
		return "the request comes from another page"
	}
	site, mode, dest := h.Get("Sec-Fetch-Site"), h.Get("Sec-Fetch-Mode"), h.Get("Sec-Fetch-Dest")
	opens := page && r.Method == http.MethodGet && (mode == "" || mode == "navigate") && (dest == "" || dest == "document")
	if site != "" && site != "same-origin" && !opens || page && !opens {
		return "the request comes from another page"
	}
	return ""
}

// refuse answers with a line of text.
func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte("agents-hooks: " + why + "\n"))
}
