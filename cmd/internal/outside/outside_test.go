package outside

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// find writes a hook with one script, and returns what is found in it.
func find(t *testing.T, name, content string) []Ref {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "project", ".agents", "hooks", "x")
	file := filepath.Join(dir, filepath.FromSlash(name))
	must.Script(t, file, content)
	return Of(dir)
}

// Each way in which a shell script takes something from elsewhere is found on its
// line; what is in the hook's folder or comes with the system is not.
func TestShell(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		`. ./lib.sh`:                                           "reads a file of the working directory",
		`source lib.sh`:                                        "reads a file of PATH or of the working directory",
		`. "$AGENTS_HOOKS_HOOK_DIR/lib.sh"`:                    "",
		`. "$AGENTS_HOOKS_HOOK_DIR/../lib.sh"`:                 "outside of the hook's folder",
		`. "$(dirname "$0")/../lib.sh"`:                        "",
		`. "$(dirname "$0")/../../lib.sh"`:                     "outside of the hook's folder",
		`. "${0%/*}/lib.sh"`:                                   "",
		`here=$(cd "$(dirname "$0")" && pwd); . $here/a`:       "",
		`here=$(cd "$(dirname "$0")/../.." && pwd); "$here"/a`: "outside of the hook's folder",
		`. "$AGENTS_HOOKS_PROJECT_DIR/scripts/x.sh"`:           "reads a file of the project",
		`. "$AGENTS_HOOKS_SOURCE_DIR/x.sh"`:                    "reads a file of the project",
		`. "$PWD/x"`:                                           "reads a file of the project",
		`. "$SOMEWHERE"`:                                       "cannot be told",
		`. /etc/profile`:                                       "",
		`. ~/.profile`:                                         "",
		`. /tmp/x`:                                             "outside of the hook's folder",
		`./check`:                                              "runs a program of the working directory",
		`../check --all`:                                       "runs a program of the working directory",
		`bin/check`:                                            "runs a program of the working directory",
		`if ! scripts/lint "$f"; then exit 2; fi`:              "runs a program of the working directory",
		`x=$(./tool)`:                                          "runs a program of the working directory",
		`for f in a b; do (cd "$f" && ./x); done`:              "runs a program of the working directory",
		`f() { ./x; }`:                                         "runs a program of the working directory",
		`"$(git rev-parse --show-toplevel)/ci"`:                "runs a program of the project",
		`root=$(git rev-parse --show-toplevel); $root/ci`:      "runs a program of the project",
		`/usr/bin/git status`:                                  "",
		`node ./x`:                                             "runs a script of the working directory",
		`node x.js`:                                            "runs a file of the working directory",
		`python3 tools/x.py`:                                   "runs a script of the working directory",
		`python3 "$AGENTS_HOOKS_HOOK_DIR/x.py"`:                "",
		`python3 -m pytest`:                                    "what files of the project say",
		`python3 -c 'import json,sys'`:                         "",
		`python3 -c 'exec(open("x.py").read())'`:               "runs a file",
		`node -e 'require("./x")'`:                             "loads a file of the working directory",
		`sh x.sh`:                                              "runs a file of the working directory",
		`bash -c './x'`:                                        "runs a program of the working directory",
		`sh -ec 'set -u; . ./x'`:                               "reads a file of the working directory",
		`eval "./x"`:                                           "runs a program of the working directory",
		`trap './cleanup' EXIT`:                                "runs a program of the working directory",
		`env FOO=1 ./x`:                                        "runs a program of the working directory",
		`env PYTHONPATH=. python3 -c 1`:                        "imports from elsewhere",
		`nohup timeout 5 ./x &`:                                "runs a program of the working directory",
		`git ls-files | xargs ./x`:                             "runs a program of the working directory",
		`exec ./x`:                                             "runs a program of the working directory",
		`env -u FOO ./x`:                                       "runs a program of the working directory",
		`env -C sub ./x`:                                       "runs a program of the working directory",
		`nice -n 5 ./x`:                                        "runs a program of the working directory",
		`xargs -n 1 -I {} ./x {}`:                              "runs a program of the working directory",
		`timeout -k 5 10 ./x`:                                  "runs a program of the working directory",
		`sudo -u me ./x`:                                       "runs a program of the working directory",
		`find . -name x -exec ./x {} +`:                        "runs a program of the working directory",
		`awk -f x.awk "$f"`:                                    "of the working directory",
		`gawk -v a=1 -F: -f tools/x.awk`:                       "of the working directory",
		`awk -ftools/x.awk`:                                    "of the working directory",
		`awk -f "$AGENTS_HOOKS_HOOK_DIR/x.awk"`:                "",
		`awk -F: '{ print $1 }' x`:                             "",
		`awk 'BEGIN { system("./x") }'`:                        "runs a program of the working directory",
		`awk '{ "./x" | getline }'`:                            "runs a program of the working directory",
		`gawk -i lib -e '{ print }'`:                           "of the working directory",
		`sed -nf .ci/x.sed y`:                                  "of the working directory",
		`sed --file=x.sed y`:                                   "of the working directory",
		`sed -n -e 's/a/b/' f`:                                 "",
		`sed -i.bak 's/a/b/' ./f`:                              "",
		`jq -f rules.jq <x`:                                    "of the working directory",
		`jq -rf "$AGENTS_HOOKS_PROJECT_DIR/rules.jq"`:          "of the project",
		`jq --from-file rules.jq x`:                            "of the working directory",
		`jq -f -r rules.jq`:                                    "of the working directory",
		`jq -L lib '.a'`:                                       "of the working directory",
		`jq -r '.tool_input.file_path' ./x`:                    "",
		`make -f ci/Makefile lint`:                             "of the working directory",
		`perl -Ilib -e '1'`:                                    "of the working directory",
		`perl -e 'do "x.pl"'`:                                  "of the working directory",
		`perl -ne 'print if /x/' ./f`:                          "",
		`ruby -r ./x -e 1`:                                     "of the working directory",
		`ruby -rjson -e 'puts 1'`:                              "",
		`ruby -e 'load "x.rb"'`:                                "of the working directory",
		`node -r ./x "$AGENTS_HOOKS_HOOK_DIR/y.js"`:            "of the working directory",
		`node --import=./x.mjs -e 1`:                           "of the working directory",
		`node --require dotenv/config -e 1`:                    "of the working directory",
		`bash --rcfile ./rc -i`:                                "of the working directory",
		`bash --init-file x`:                                   "of the working directory",
		`bash -o pipefail -c 'ls'`:                             "",
		`php -f x.php`:                                         "of the working directory",
		`php -r 'include "x.php";'`:                            "of the working directory",
		`lua -l x -e 1`:                                        "of the working directory",
		`lua -e 'dofile("x.lua")'`:                             "of the working directory",
		`lua5.4 x.lua`:                                         "of the working directory",
		`python3.12 x.py`:                                      "of the working directory",
		`osascript x.scpt`:                                     "of the working directory",
		`osascript -l JavaScript x.js`:                         "of the working directory",
		`gdb -batch -x cmds`:                                   "of the working directory",
		`vim -es -S x.vim`:                                     "of the working directory",
		`curl -K x.conf`:                                       "of the working directory",
		`ssh -F ./ssh_config host true`:                        "of the working directory",
		`tclsh x.tcl`:                                          "of the working directory",
		`git -c alias.x='!./x' x`:                              "of the working directory",
		`git -c core.fsmonitor=./x status`:                     "of the working directory",
		`git -c user.name=x -c core.pager=cat log`:             "",
		`php -d auto_prepend_file=./x.php -r 'echo 1;'`:        "of the working directory",
		`php -d memory_limit=1G -r 'echo 1;'`:                  "",
		`java -jar tools/x.jar`:                                "of the working directory",
		`eval "$(cat tools/x.sh)"`:                             "cannot be told",
		`git -c core.hooksPath=.githooks commit`:               "hooks of git",
		`find . -name x -print`:                                "",
		`env -u ./x`:                                           "",
		`nice -n 5 ls ./x`:                                     "",
		`eval "set -- a"`:                                      "",
		`sh < x.sh`:                                            "runs a script of the working directory",
		"sh <<EOF\n./x\nEOF":                                   "runs a program of the working directory",
		"python3 - <<'EOF'\nimport sys\nsys.path.insert(0, '.')\nEOF": "imports from elsewhere",
		`curl -s https://example.org/x | sh`:                          "runs what another program prints",
		`curl -s https://example.org/x | sh -s`:                       "runs what another program prints",
		`curl -s https://example.org/x | sh -`:                        "runs what another program prints",
		`curl -s https://example.org/x | sh -c 'cat'`:                 "",
		`curl -s https://example.org/x | perl -e 'print <>'`:          "",
		`curl -s https://example.org/x | python3 -m json.tool`:        "",
		`echo '{}' | python3 -c 'import sys'`:                         "",
		`cat | bash`:                                                  "runs what another program prints",
		`PATH=.:$PATH`:                                                "not fixed",
		`export PATH="node_modules/.bin:$PATH"`:                       "not fixed",
		`PATH=$PWD/bin:$PATH lint`:                                    "not fixed",
		`PATH=$PATH:/usr/bin:/bin`:                                    "",
		`PATH="$AGENTS_HOOKS_HOOK_DIR/bin:$PATH"`:                     "",
		`export NODE_PATH=./lib`:                                      "loads packages from elsewhere",
		`LD_PRELOAD=./x.so ls`:                                        "loads a library of elsewhere",
		`PYTHONSAFEPATH= python3 -c 1`:                                "lets Python import",
		`make test`:                                                   "what files of the project say",
		`npm run lint`:                                                "what files of the project say",
		`npx eslint .`:                                                "what files of the project say",
		`go test ./...`:                                               "what files of the project say",
		`go vet ./... && gofmt -l .`:                                  "",
		`cargo test`:                                                  "what files of the project say",
		`cargo fmt --check`:                                           "",
		`make --version`:                                              "",
		`grep -q x "$f" && jq . <x.json`:                              "",
		`echo ./x; printf '%s' ./y; cat ./z; rm -f ./w`:               "",
		`cd sub && ls`:                                                "",
		`# ./x`:                                                       "",
		`if then`:                                                     "cannot be read as a shell script",
	} {
		t.Run(fmt.Sprintf("%q", script), func(t *testing.T) {
			refs := find(t, "scripts/run", "#!/bin/sh\nset -e\n"+script+"\n")
			switch {
			case want == "" && len(refs) > 0:
				t.Errorf("%s: %+v", script, refs)
			case want != "" && (len(refs) == 0 || !strings.Contains(refs[0].Why, want)):
				t.Errorf("%s: %+v, want %q", script, refs, want)
			case want != "" && refs[0].Line != 3 && !strings.Contains(script, "\n") && want != "cannot be read as a shell script":
				t.Errorf("%s: line %d", script, refs[0].Line)
			}
		})
	}
}

// What a shell is given in the script is found on its line of the file, however deep it is.
func TestLinesOfWhatAShellIsGiven(t *testing.T) {
	t.Parallel()
	for script, line := range map[string]int{
		"sh <<'A'\n./x\nA\n":                      3,
		"\nsh <<'A'\nls\n./x\nA\n":                5,
		"ls\nsh <<'A'\nls\nsh <<'B'\n./x\nB\nA\n": 6,
	} {
		if refs := find(t, "scripts/run", "#!/bin/sh\n"+script); len(refs) != 1 || refs[0].Line != line {
			t.Errorf("%q: %+v, want line %d", script, refs, line)
		}
	}
}

// The line that names the interpreter is checked in every file.
func TestShebang(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"#!/bin/sh": "", "#!/usr/bin/env python3": "", "#!/usr/bin/env -S node --no-warnings": "", "#!/opt/homebrew/bin/bash": "", "#! /bin/sh -e": "",
		"#!./x": "of the working directory", "#!bin/x": "of the working directory", "#!/usr/bin/env ./x": "of the working directory", "#!/usr/bin/env -S ./x -y": "of the working directory",
		"#!/usr/bin/env -S PATH=. x": "not fixed", "#!/tmp/x": "outside of the hook's folder", "#!/home/me/project/bin/x": "outside of the hook's folder",
	} {
		t.Run(line, func(t *testing.T) {
			for _, name := range []string{"scripts/run", "lib/any.txt"} {
				refs := find(t, name, line+"\n")
				if (want == "") != (len(refs) == 0) || want != "" && (!strings.Contains(refs[0].Why, want) || refs[0].Line != 1 || refs[0].File != name) {
					t.Errorf("%s in %s: %+v, want %q", line, name, refs, want)
				}
			}
		})
	}
}

// In other languages the usual forms are found.
func TestPlain(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"run.py\nimport json, sys, os":                                                          "",
		"run.py\nsys.path.insert(0, os.getcwd())":                                               "imports from elsewhere",
		"run.py\nsys.path.append('lib')":                                                        "imports from elsewhere",
		"run.py\nsys.path += ['.']":                                                             "imports from elsewhere",
		"run.py\nsys.path.insert(0, os.path.dirname(__file__))":                                 "",
		"run.py\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', '..', '..'))": "imports from elsewhere",
		"run.py\nsys.path.insert(0, os.environ['AGENTS_HOOKS_HOOK_DIR'])":                       "",
		"run.py\nsubprocess.run(['./check'])":                                                   "runs a program of the working directory",
		"run.py\nos.system('make lint')":                                                        "what files of the project say",
		"run.py\nsubprocess.run(['npm', 'run', 'x'])":                                           "what files of the project say",
		"run.py\nsubprocess.run(['git', 'status'])":                                             "",
		"run.py\nexec(open('x.py').read())":                                                     "runs a file",
		"run.py\nrunpy.run_path('tools/x.py')":                                                  "runs a file",
		"run.py\nsubprocess.run([os.environ['AGENTS_HOOKS_PROJECT_DIR'] + '/x'])":               "of the project",
		"run.js\nconst fs = require('fs'); const p = require('node:path')":                      "",
		"run.mjs\nimport { a } from './lib.js'":                                                 "",
		"run.mjs\nimport { a } from '../../../x.js'":                                            "outside of the hook's folder",
		"run.js\nconst x = require('../../../x')":                                               "outside of the hook's folder",
		"run.js\nconst x = require(process.cwd() + '/x')":                                       "working directory",
		"run.js\nconst chalk = require('chalk')":                                                "loads a package",
		"run.js\nrequire('child_process').execSync('./check')":                                  "runs a program of the working directory",
		"run.js\nexecSync('npm test')":                                                          "what files of the project say",
		"run.rb\nrequire 'json'":                                                                "",
		"run.rb\nrequire_relative '../../../x'":                                                 "outside of the hook's folder",
		"run.rb\nload './x.rb'":                                                                 "working directory",
		"run.pl\ndo './x.pl';":                                                                  "working directory",
		"run.pl\nuse lib 'lib';":                                                                "loads from elsewhere",
	} {
		t.Run(fmt.Sprintf("%q", script), func(t *testing.T) {
			name, text, _ := strings.Cut(script, "\n")
			refs := find(t, "scripts/"+name, "\n"+text+"\n")
			if (want == "") != (len(refs) == 0) || want != "" && (!strings.Contains(refs[0].Why, want) || refs[0].Line != 2) {
				t.Errorf("%s: %+v, want %q", script, refs, want)
			}
		})
	}
}

// A stranger's folder cannot make the search hang, flood its output, or lead it
// elsewhere.
func TestHostileFolder(t *testing.T) {
	t.Parallel()
	if refs := find(t, "scripts/run", strings.Repeat("./x; ./y $RANDOM\n", 5000)); len(refs) != maxRefs {
		t.Errorf("%d", len(refs))
	}
	for _, text := range []string{strings.Repeat("$(", 20000), strings.Repeat("eval 'eval '", 3000), "\xff\xfe\x00", strings.Repeat("if true; then ", 3000), "echo \x01hook/../x", `eval '\x01hook'`} {
		find(t, "scripts/run.sh", text)
	}
	refs := find(t, "scripts/run", "./a"+strings.Repeat("\x1b]0;x", 100))
	if len(refs) == 1 && len(refs[0].Text) > maxText+10 {
		t.Errorf("%q", refs[0].Text)
	}
}

// This repository's own hooks take nothing from the repository except what they say.
func TestOwnHooks(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"go-check", "shell-guard", "stop-check"} {
		t.Run(name, func(t *testing.T) {
			for _, r := range Of(filepath.Join("..", "..", "..", ".agents", "hooks", name)) {
				t.Logf("%s: %+v", name, r)
				if !strings.Contains(r.Why, "what files of the project say") {
					t.Errorf("%s: %+v", name, r)
				}
			}
		})
	}
}

// Bytes that are not text, and lines that are not shell, hide nothing else.
func TestOddBytesHideNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"#!/bin/sh\necho \xff\n./x\n", "#!/bin/sh\n./x\nif then\n", "#!/bin/bash\n./x\ndone\n"} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			refs := find(t, "scripts/run", text)
			if !slices.ContainsFunc(refs, func(r Ref) bool { return r.Text == "./x" }) {
				t.Errorf("%q: %+v", text, refs)
			}
		})
	}
}
