package wording

import "testing"

// BM-LOD-15, BM-TRU-01.
func TestWhatDiffersInNothingThatIsSaidHasOneWording(t *testing.T) {
	t.Parallel()
	for _, p := range [][2]string{
		{"The cache lives in Redis, for sessions.", "the cache  lives in redis for sessions"},
		{"Use `pnpm` — not npm!", "use pnpm, not npm"},
		{"**Deploys** need the “VPN”", "Deploys need the VPN"},
		{"（发票）保存 10 年。", "发票保存10年"},
		{"Wait (a day) first", "wait a day first"},
		{"The range is 10–20", "The range is 10-20"},
	} {
		if a, b := Of(p[0]), Of(p[1]); a != b {
			t.Errorf("%q of %q, %q of %q", a, p[0], b, p[1])
		}
	}
}

// BM-LOD-15, BM-TRU-01.
func TestASignThatSaysSomethingStays(t *testing.T) {
	t.Parallel()
	for _, p := range [][2]string{
		{"It is set to -5 °C", "It is set to 5 °C"}, {"at - 5", "at 5"}, {">= 5", "<= 5"}, {"$5", "€5"}, {"10", "10%"}, {"-v", "-V"}, {"getUser", "getuser"}, {"DEBUG=1", "DEBUG!=1"},
		{"~/bin", "/bin"}, {"./a", "../a"}, {"*.go", ".go"}, {"^a$", "a"}, {"10-20", "10 20"}, {"a@x.io", "a.x.io"}, {"f()", "f"}, {"src/**/a", "src/*/a"},
		{"done ✅", "done ❌"}, {"Is it on?", "Is it on"}, {"!ready", "ready"}, {"低于-5度", "低于5度"}, {"Plan A", "Plan a"}, {"1,000", "1.000"},
	} {
		if a, b := Of(p[0]), Of(p[1]); a == b {
			t.Errorf("%q of both %q and %q", a, p[0], p[1])
		}
	}
}
