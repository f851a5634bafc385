package lang

import "testing"

// An explicit setting, else the environment's locale.
func TestChoiceOfTheLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		setting string
		env     map[string]string
		want    Language
	}{
		{"zh", map[string]string{"LANG": "en_US.UTF-8"}, Chinese},
		{"en", map[string]string{"LANG": "zh_CN.UTF-8"}, English},
		{"auto", map[string]string{"LANG": "zh_CN.UTF-8"}, Chinese},
		{"", map[string]string{"LANG": "ZH_TW"}, Chinese},
		{"auto", map[string]string{"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, English},
		{"auto", map[string]string{"LC_MESSAGES": "zh", "LANG": "de_DE"}, Chinese},
		{"auto", map[string]string{"LANG": "de_DE.UTF-8"}, English},
		{"auto", nil, English},
	} {
		if got := Of(c.setting, func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%q, %v: %s, want %s", c.setting, c.env, got, c.want)
		}
	}
	if Chinese.Pick("a", "b") != "b" || English.Pick("a", "b") != "a" {
		t.Error("Pick")
	}
}
