package internal_test

import (
	"fmt"
	"strings"
	"testing"
)

// An event comes on stdin. A script that looks for it in its arguments, and never at
// stdin, does not get one; options with a default are its own business.
func TestHabitEventsAreNoArguments(t *testing.T) {
	for script, want := range map[string]string{
		"#!/bin/bash\nif [[ \"$1\" == *rm* ]]; then exit 2; fi\n":                                           "error run:2:1: script: $1 is empty",
		"#!/bin/sh\ncase \"$*\" in *rm*) exit 2;; esac\n":                                                   "error run:2:1: script: $* is empty",
		"#!/bin/sh\nmain() {\n  [ \"$1\" = rm ] && exit 2\n  exit 0\n}\nmain \"$@\"\n":                      "error run:3:1: script: $1 is empty",
		"#!/usr/bin/env python3\nimport json, sys\nif json.loads(sys.argv[1]): sys.exit(2)\n":               "error run:3:1: script: sys.argv is empty",
		"#!/usr/bin/env node\nif (JSON.parse(process.argv[2]).x) process.exit(2)\n":                         "error run:2:1: script: process.argv is empty",
		"#!/bin/sh\necho \"$1\" >> log\n":                                                                   "warning run:2:1: script: $1 is empty",
		"#!/bin/sh\nmode=${1:-block}\n[ $mode = block ] && exit 2\nexit 0\n":                                "",
		"#!/bin/sh\ninput=${1:-$(cat)}\ncase $input in *rm*) exit 2;; esac\n":                               "",
		"#!/bin/sh\nset -- $(jq -r .tool_input.command)\n[ \"$1\" = rm ] && exit 2\nexit 0\n":               "",
		"#!/bin/sh\ndeny() { echo \"$1\" >&2; exit 2; }\njq -r .tool_name | grep -q x && deny no\nexit 0\n": "",
		"#!/bin/sh\n(cat >/dev/null)\n[ \"$1\" = rm ] && exit 2\nexit 0\n":                                  "",
		"#!/bin/sh\ncat a >b\n[ \"$1\" = rm ] && exit 2\nexit 0\n":                                          "error run:3:1: script: $1 is empty",
		"#!/bin/sh\ngrep x a >b\n[ \"$1\" = rm ] && exit 2\nexit 0\n":                                       "error run:3:1: script: $1 is empty",
		"#!/bin/sh\ncat a - >b\n[ \"$1\" = rm ] && exit 2\nexit 0\n":                                        "",
		"#!/bin/sh\nmain() { echo '{}'; }\nmain \"$@\"\n":                                                   "",
		"#!/bin/sh\nexec python3 guard.py \"$@\"\n":                                                         "",
		"#!/usr/bin/env node\nconst f = process.argv[2]; require('fs').readFileSync(0); process.exit(2)\n":  "",
	} {
		t.Run(fmt.Sprintf("%q", script), func(t *testing.T) {
			got := habitsOf(t, onTools, script)
			severity, rest, _ := strings.Cut(want, " run")
			if want == "" && strings.Contains(got, "is empty") || !strings.HasPrefix(got, severity) || !strings.Contains(got, rest) {
				t.Errorf("%s: %q, want %q", script, got, want)
			}
		})
	}
}

// If exit 2 refuses, the reason has to be on stderr; one printed to stdout before it
// is lost.
func TestReasonsThatNobodyReads(t *testing.T) {
	for script, lost := range map[string]bool{
		"#!/bin/sh\nif grep -q rm; then\n  echo no\n  exit 2\nfi\n":                                        true,
		"#!/bin/sh\ngrep -q rm && { echo no; exit 2; }\nexit 0\n":                                          true,
		"#!/bin/sh\ndeny() {\n  printf '%s' \"$1\"\n  exit 2\n}\ngrep -q rm && deny no\nexit 0\n":          true,
		"#!/bin/sh\necho no | tr n N | head -5\nexit 2\n":                                                  true,
		"#!/bin/sh\necho no | tee /dev/stderr | grep x\nexit 2\n":                                          false,
		"#!/bin/sh\necho no | sed s/n/N/ >&2\nexit 2\n":                                                    false,
		"#!/bin/sh\ncat <<END\nno\nEND\nexit 2\n":                                                          true,
		"#!/usr/bin/env python3\nimport sys\nif sys.stdin.read():\n    print('no')\n    sys.exit(2)\n":     true,
		"#!/usr/bin/env node\nprocess.stdin.on('data', () => { console.log('no'); process.exit(2) })\n":    true,
		"#!/usr/bin/env ruby\nputs 'no'\nexit 2\n":                                                         true,
		"#!/bin/sh\necho no >&2\nexit 2\n":                                                                 false,
		"#!/bin/sh\nexec >&2\necho no\nexit 2\n":                                                           false,
		"#!/bin/sh\n{ echo no; exit 2; } >&2\n":                                                            false,
		"#!/bin/sh\ndeny() { echo \"$1\"; exit 2; }\ngrep -q rm && deny no >&2\nexit 0\n":                  false,
		"#!/bin/sh\necho no >&2\necho so there\nexit 2\n":                                                  false,
		"#!/bin/sh\necho '{}'\ngrep -q rm || exit 0\necho no >&2\nexit 2\n":                                false,
		"#!/usr/bin/env python3\nimport sys\nprint('no',\n  file=sys.stderr)\nsys.exit(2)\n":               false,
		"#!/usr/bin/env python3\nimport sys\nprint('{}')\nif sys.stdin.read():\n    sys.exit(2)\n":         false,
		"#!/usr/bin/env node\nif (x) { console.error('no'); process.exit(2) }\nconsole.log('{}')\n":        false,
		"#!/usr/bin/env python3\nimport sys\nsys.stdout = sys.stderr\nprint('no')\nsys.exit(2)\n":          false,
		"#!/bin/sh\nout=$(go vet ./... 2>&1) || { printf '%s' \"$out\" | head -5 >&2; exit 2; }\nexit 0\n": false,
	} {
		t.Run(fmt.Sprintf("%q", script), func(t *testing.T) {
			if got := habitsOf(t, onTools, script); strings.Contains(got, "nobody reads") != lost {
				t.Errorf("%s: %q", script, got)
			}
		})
	}
}

// A script whose last command is `… && exit 2` exits with 1 on each call that it lets
// through.
func TestLastCommandsThatFail(t *testing.T) {
	for script, fails := range map[string]bool{
		"jq -r .tool_input.command | grep -q rm && exit 2\n":                             true,
		"x=$(cat)\n[[ $x == *rm* ]] && { echo no >&2; exit 2; }\n":                       true,
		"x=$(cat)\nfor w in rm dd; do\n  grep -q $w <<<\"$x\" && exit 2\ndone\n":         true,
		"check() {\n  grep -q rm && exit 2\n}\ncheck\n":                                  true,
		"die() { echo no >&2; exit 2; }\ngrep -q rm && die\n":                            true,
		"jq -r .a | while read -r w; do [ \"$w\" = rm ] && exit 2; done\n":               true,
		"if [ -n \"$CI\" ]; then exit 0; else grep -q rm && (echo no >&2; exit 2); fi\n": true,
		"grep -q rm && exit 2\nexit 0\n":                                                 false,
		"grep -q rm && exit 2 || exit 0\n":                                               false,
		"grep -q rm && exit 2\ntrue\n":                                                   false,
		"if grep -q rm; then exit 2; fi\n":                                               false,
		"grep -q rm || exit 0\nexit 2\n":                                                 false,
		"trap 'exit 0' EXIT\ngrep -q rm && exit 2\n":                                     false,
		"npm test >&2 || exit 2\n":                                                       false,
	} {
		t.Run(fmt.Sprintf("%q", script), func(t *testing.T) {
			if got := habitsOf(t, onTools, "#!/bin/bash\n"+script); strings.Contains(got, "its last command") != fails {
				t.Errorf("%s: %q", script, got)
			}
		})
	}
}
