package team

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// A version that cannot be compared is neither met nor missed: the row says so, and --check prints it.
func TestVersionRow(t *testing.T) {
	for _, c := range []struct {
		name, have, wants string
		status            Status
		says              string
	}{
		{"newer", "v1.3.0", "1.2.9", OK, "wants 1.2.9 at least"},
		{"the same", "v1.2.0", "1.2", OK, "wants 1.2 at least"},
		{"older", "v1.2.0", "1.10.0", Differ, "v1.2.0 is older than 1.10.0"},
		{"a build before an older one", "v0.1.1-0.20261101120000-abcdefabcdef", "0.2.0", Differ, "is older than 0.2.0"},
		{"a development build", "devel", "0.0.1", Off, "not compared: this is a development build (devel)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := VersionRow(&Manifest{Requires: c.wants}, c.have)
			if len(rows) != 1 || rows[0].Status != c.status || !strings.Contains(rows[0].Message, c.says) {
				t.Errorf("%+v", rows)
			}
		})
	}
	if rows := VersionRow(&Manifest{}, "devel"); rows != nil {
		t.Errorf("nothing is required: %+v", rows)
	}
}

// A required hook that is nowhere may be one that is spelled otherwise.
func TestRequiredHookThatIsMisspelled(t *testing.T) {
	h := shelltest.New(t).Host
	set := &discovery.Set{Hooks: []*discovery.Hook{{Name: "no-secrets"}, {Name: "lint"}}}
	for name, want := range map[string]string{"no-secret": "write no-secrets at team.toml:3, or put its folder", "other": "put its folder"} {
		t.Run(name, func(t *testing.T) {
			if r := stateOf(h, &Manifest{Project: "p"}, Required{Name: name, At: "team.toml:3"}, set); r.Status != Differ || !strings.HasPrefix(r.Fix, want) {
				t.Errorf("%+v", r)
			}
		})
	}
}
