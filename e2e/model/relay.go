package model

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"time"
)

// An authority signs certificates for any host, so that an agent that connects to its
// maker's servers by name, over TLS, can be led to this one: it is told to trust the
// authority, and to use the server as its proxy. Nothing leaves the machine.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	tls  net.Listener
}

// Relay makes the server an HTTPS proxy that itself answers for every host, and returns
// the certificate, as PEM, that its clients must trust.
func (s *Server) Relay() ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make an authority: %w", err)
	}
	a := &authority{key: key, cert: &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "the scripted model"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}}
	der, err := x509.CreateCertificate(rand.Reader, a.cert, a.cert, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("make an authority: %w", err)
	}
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the relay: %w", err)
	}
	a.tls = tls.NewListener(plain, &tls.Config{GetCertificate: a.sign})
	go func() { _ = s.http.Serve(a.tls) }()
	s.mu.Lock()
	s.relay = a
	s.mu.Unlock()
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), nil
}

// sign makes a certificate for the host that a client connects to.
func (a *authority) sign(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: hello.ServerName}, DNSNames: []string{hello.ServerName},
		NotBefore: a.cert.NotBefore, NotAfter: a.cert.NotAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, a.cert, a.key.Public(), a.key)
	if err != nil {
		return nil, fmt.Errorf("sign for %q: %w", hello.ServerName, err)
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: a.key}, nil
}

// connect leads a client that wants some host to the server itself.
func (s *Server) connect(w http.ResponseWriter, req *http.Request) {
	s.mu.Lock()
	relay := s.relay
	s.mu.Unlock()
	if relay == nil {
		http.Error(w, "this server is no proxy", http.StatusMethodNotAllowed)
		return
	}
	here, err := net.Dial("tcp", relay.tls.Addr().String())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	client, buffered, err := w.(http.Hijacker).Hijack()
	if err != nil {
		_ = here.Close()
		s.note("unreadable " + req.Method + " " + req.Host + ": " + err.Error())
		return
	}
	_, _ = io.WriteString(client, "HTTP/1.1 200 Connection established\r\n\r\n")
	go func() {
		_, _ = io.Copy(here, buffered)
		_ = here.Close()
	}()
	_, _ = io.Copy(client, here)
	_ = client.Close()
}

// otherAccount answers what an agent asks about its user's account before it uses the
// user's own model: a token, the user, the permissions, and the settings, of which
// there are none.
func otherAccount(w http.ResponseWriter, req *http.Request) bool {
	switch req.URL.Path {
	case "/api/v1/jobToken/exchange":
		reply(w, object{"token": "dummy"})
	case "/api/v1/userinfo":
		reply(w, object{"id": "dev", "name": "Dev", "email": "dev@example.org"})
	case "/api/v3/user/status":
		reply(w, object{"featureSwitches": object{"allow_byok": 2}})
	case "/api/v1/qcs/config/resolve":
		reply(w, object{"configs": object{}, "etag": "1"})
	case "/api/v1/qcs/config/stream":
		startStream(w)
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		<-req.Context().Done() // nothing ever changes
	default:
		return false
	}
	return true
}
