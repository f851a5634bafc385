package evolution

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
)

// A key that a file holds does not go to an address that the environment names.
func TestKeyIsBoundToItsAddress(t *testing.T) {
	t.Parallel()
	mine := keyPrefix + "mine"
	files := map[string]any{"api" + "_key": mine, "base_url": "https://mine.example"}
	for name, c := range map[string]struct {
		env  map[string]string
		want Account
	}{
		"both of the file":         {nil, Account{mine, "https://mine.example"}},
		"the address is elsewhere": {map[string]string{"PRISMER_BASE_URL": "https://evil.example"}, Account{"", "https://evil.example"}},
	} {
		v := setting.Resolve(Settings(), setting.Sources{Env: func(n string) string { return c.env[n] }, Files: files})
		if got := AccountOf(v, t.TempDir()); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
