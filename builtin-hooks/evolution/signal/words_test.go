package signal

import (
	"testing"
)

// A program complains by its own name at the beginning of a line, also through a shell; others that
// say the same, what is skipped, and progress are none of it.
func TestProgramsComplain(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"sed: -e expression #1, char 3: unterminated `s' command": true,
		"ok\nsed: can't read a.txt: No such file or directory":    true,
		"/usr/bin/sed: cannot open a.txt":                         true,
		"bash: line 1: sed: command not found":                    true,
		"sh: 1: sed: not found":                                   true,
		"awk: cannot open a.txt":                                  false,
		"sed cannot open a.txt":                                   false,
		"sed: ":                                                   false,
		"sed: cannot open a.txt, skipping":                        false,
		"sed: 3 lines were changed":                               false,
		"bash: it cannot be":                                      false,
		"curl: (7) Failed to connect":                             false,
	} {
		t.Run(text, func(t *testing.T) {
			if got := Complains(text, []string{"sed"}); got != want {
				t.Errorf("%v", got)
			}
		})
	}
	if !Complains("  % Total\n100 1 curl: (7) Failed to connect", []string{"curl"}) {
		t.Error("curl complains after its progress")
	}
}

// Only the first line says how an output begins.
func TestAnOutputBeginsBadly(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"fatal: not a git repository":            true,
		"\n\nError from server (NotFound): pods": true,
		"sed: cannot open a.txt\nrows":           true,
		"rows\nfatal: not a git repository":      false,
		"fatalities: 3":                          false,
		"awk: cannot open a.txt":                 false,
		"":                                       false,
	} {
		t.Run(text, func(t *testing.T) {
			if got := BeginsBadly(text, []string{"sed"}); got != want {
				t.Errorf("%v", got)
			}
		})
	}
}

// A word stands alone where neither side joins it to a path, a URL or a longer name.
func TestAWordStandsPlainly(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"failed": true, "it failed": true, "failed: x": true, "it failed.": true, "(failed)": true, "failed/x, failed": true,
		"src/failed": false, "failed/x": false, "failed.go": false, "a-failed": false, "failed-a": false, "x=failed": false, "failed_x": false,
	} {
		t.Run(line, func(t *testing.T) {
			if got := plainly(line, "failed"); got != want {
				t.Errorf("%v", got)
			}
		})
	}
}

// A word of failure counts by itself if it stands plainly, a phrase and Chinese wherever they are; none
// that is denied.
func TestWordsOfFailure(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"the upload failed": true, "it was rejected": true, "this is not permitted here": true, "上传失败了": true, "status=not permitted": true, "原因=无法连接": true,
		"see docs/rejected": false, "no failed uploads": false, "all is well": false,
	} {
		t.Run(text, func(t *testing.T) {
			lines(text, func(l *line) {
				if got := l.anyWord(l.lower, softPhrases); got != want {
					t.Errorf("%v", got)
				}
			})
		})
	}
}
