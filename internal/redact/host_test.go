package redact

import "testing"

// A host is no name of a secret, and its port no value; what stands in a URL as a
// password still is one.
func TestAPortIsNoSecret(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		`Post "https://cert-manager-webhook.cert-manager.svc:443/validate?timeout=30s": no endpoints`, "https://webhook.example.com:443/validate?timeout=30s",
		"http://secret-store:8200", "(https://token-service:9443)",
	} {
		t.Run(s, func(t *testing.T) {
			if got := Policy(0).Text(s); got != s {
				t.Errorf("%s becomes %s", s, got)
			}
		})
	}
	for _, s := range []string{"https://token:12345@example.com/x", "webhook: https://example.com/aB3kZ9qLm2Xw7Tn5Rv8Yc1Hd", "//secret: hunter22x"} {
		t.Run(s, func(t *testing.T) {
			if got := Policy(0).Text(s); got == s {
				t.Errorf("%s stays", s)
			}
		})
	}
}
