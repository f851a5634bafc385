package shell

import "testing"

// A name that may pass for another one is written out: letters of another alphabet among
// ours or that all look like ours, and what is not shown; one of another script, or of
// one that is written together with ours, is not.
func TestNamesThatLookLikeOthersAreWrittenOut(t *testing.T) {
	const letters, hidden = "its name has letters of another alphabet: ", "its name has characters that are not shown: "
	for name, want := range map[string]string{
		"no-rm": "", "größe-1": "", "без-rm": letters + `\u0431\u0435\u0437-rm`, "n\u03bf-rm": letters + `n\u03bf-rm`, "g\u0443ard": letters + `g\u0443ard`,
		"без-силы": "", "保护rm": "", "ガードrm": "", "보호-rm": "",
		"\u0440\u0430\u0441\u0435": letters + `\u0440\u0430\u0441\u0435`,
		"guard\u200b":              hidden + `guard\u{200b}`, "g\u202edraug": hidden + `g\u{202e}draug`, "g\x1b[8mx": hidden + `g\x1b[8mx`, "\u043e\u200dn": hidden + `\u043e\u{200d}n`,
	} {
		t.Run(name, func(t *testing.T) {
			if got := Disguised("its name", name); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// In a line of commands each word is for itself: a message in another language is none of
// ours, and a program whose name is half in one is.
func TestWordsOfALineThatLookLikeOthers(t *testing.T) {
	for line, want := range map[string]string{
		`echo "готово" && git status`:     "",
		"/usr/bin/g\u0456t push":          `its command has letters of another alphabet: g\u0456t`,
		"git push \u202eecrof-- # \u2066": `its command has characters that are not shown: git push \u{202e}ecrof-- # \u{2066}`,
	} {
		t.Run(line, func(t *testing.T) {
			if got := DisguisedLine("its command", line); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
