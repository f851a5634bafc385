package approval

import "testing"

// A name in which letters of another alphabet may pass for ours is written out; one of
// another script alone, or of one that is written together with ours, is not.
func TestNamesThatLookLikeOthersAreWrittenOut(t *testing.T) {
	for name, want := range map[string]string{
		"no-rm": "", "größe-1": "", "без-rm": `\u0431\u0435\u0437-rm`, "n\u03bf-rm": `n\u03bf-rm`, "g\u0443ard": `g\u0443ard`,
		"без-силы": "", "保护rm": "", "ガードrm": "", "보호-rm": "",
	} {
		t.Run(name, func(t *testing.T) {
			if got := disguised(name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		})
	}
}
