package internal_test

import (
	"fmt"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
)

// An explicit setting, else the environment's locale.
func TestChoiceOfTheLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		setting string
		env     map[string]string
		want    locale.Language
	}{
		{"zh", map[string]string{"LANG": "en_US.UTF-8"}, locale.Chinese},
		{"en", map[string]string{"LANG": "zh_CN.UTF-8"}, locale.English},
		{"auto", map[string]string{"LANG": "zh_CN.UTF-8"}, locale.Chinese},
		{"", map[string]string{"LANG": "ZH_TW"}, locale.Chinese},
		{"auto", map[string]string{"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, locale.English},
		{"auto", map[string]string{"LC_MESSAGES": "zh", "LANG": "de_DE"}, locale.Chinese},
		{"auto", map[string]string{"LANG": "de_DE.UTF-8"}, locale.English},
		{"auto", nil, locale.English},
	} {
		t.Run(fmt.Sprintf("setting %q, environment %v", c.setting, c.env), func(t *testing.T) {
			if got := locale.Of(c.setting, func(name string) string { return c.env[name] }); got != c.want {
				t.Errorf("%q, %v: %s, want %s", c.setting, c.env, got, c.want)
			}
		})
	}
	if locale.Chinese.Pick("a", "b") != "b" || locale.English.Pick("a", "b") != "a" {
		t.Error("Pick")
	}
}
