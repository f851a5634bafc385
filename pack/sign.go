package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"aead.dev/minisign"
)

// Sums is the text that an author signs: a line for each hook's folder, and one for
// pack.toml.
func (p *Pack) Sums() []byte {
	var b strings.Builder
	for _, f := range p.Folders {
		fmt.Fprintf(&b, "%s  %s/\n", f.Hash(), f.Name)
	}
	if p.manifest != nil {
		sum := sha256.Sum256(p.manifest)
		fmt.Fprintf(&b, "%s  %s\n", hex.EncodeToString(sum[:]), manifestFile)
	}
	return []byte(b.String())
}

// Signed reports whether a pack has a signature.
func (p *Pack) Signed() bool { return p.sig != nil }

// Verify checks the signature of a pack with a public key.
func (p *Pack) Verify(key string) error {
	public, err := ParseKey(key)
	if err != nil {
		return err
	}
	if p.sig == nil {
		return fmt.Errorf("is not signed: it has no %s", sigFile)
	}
	var sig minisign.Signature
	if err := sig.UnmarshalText(p.sig); err != nil {
		return fmt.Errorf("%s is not a minisign signature: %v", sigFile, err)
	}
	if sig.KeyID != public.ID() {
		return fmt.Errorf("is signed by another key, %X, not by %X", sig.KeyID, public.ID())
	}
	if !minisign.Verify(public, p.sums, p.sig) {
		return fmt.Errorf("its signature does not match %s", sumsFile)
	}
	if want := p.Sums(); !bytes.Equal(p.sums, want) {
		return fmt.Errorf("%s, which is signed, does not match the pack's files: %s", sumsFile, firstDifference(p.sums, want))
	}
	return nil
}

// firstDifference is the first line that one text has and the other lacks.
func firstDifference(signed, have []byte) string {
	lines := func(b []byte) map[string]bool {
		all := map[string]bool{}
		for l := range strings.Lines(string(b)) {
			all[strings.TrimSpace(l)] = true
		}
		return all
	}
	name := func(l string) string {
		_, n, _ := strings.Cut(l, "  ")
		return shown(n)
	}
	s, h := lines(signed), lines(have)
	for l := range strings.Lines(string(have)) {
		if l = strings.TrimSpace(l); !s[l] {
			return name(l)
		}
	}
	for l := range strings.Lines(string(signed)) {
		if l = strings.TrimSpace(l); !h[l] {
			return name(l)
		}
	}
	return "the order of its lines"
}

// ParseKey parses a minisign public key: one line, as in a .pub file.
func ParseKey(text string) (key minisign.PublicKey, err error) {
	if err := key.UnmarshalText([]byte(strings.TrimSpace(text))); err != nil {
		return key, fmt.Errorf("%q is not a minisign public key: %v", text, err)
	}
	return key, nil
}
