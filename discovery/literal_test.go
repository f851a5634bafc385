package discovery

import "testing"

// An expression is about the beginning of a text if each of its alternatives is.
func TestWhatIsTiedToTheBeginning(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]bool{
		"^a": true, "a": false, "^a|^b": true, "^a|b": false, "b|^a": false,
		"^(a|b)": true, "(^a|b)": false, "^[|]a": true, "^[|]|a": false, `^\|a`: true, `^\\|a`: false,
		"(?i)^a": true, "(?i)a": false, "^a|": false,
	} {
		t.Run(expr, func(t *testing.T) {
			if got := tied(expr); got != want {
				t.Errorf("tied: %v", got)
			}
		})
	}
}
