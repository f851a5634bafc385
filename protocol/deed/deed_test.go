package deed

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/processor"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// call is an event before a call of a tool that is in no table.
func call(tool, input string) *protocol.Event {
	return &protocol.Event{Type: protocol.PreToolCall, WorkDir: "/p", Call: protocol.Tools(nil).NewCall(tool, protocol.Raw(input))}
}

func shellLine(line string) *protocol.Event {
	return call(protocol.Shell, string(protocol.Object{{Name: "command", Value: protocol.Quote(line)}}.Raw()))
}

// told are the commands of an event, one text each; one that no grammar accepts is in
// brackets.
func told(d *protocol.Deed) string {
	var texts []string
	for _, c := range d.Commands {
		if c.Argv == nil {
			c.Text = "[" + c.Text + "]"
		}
		texts = append(texts, c.Text)
	}
	return strings.Join(texts, " | ")
}

// HM-ACT-01 to HM-ACT-04.
func TestCommands(t *testing.T) {
	for _, tt := range [][2]string{
		{"git push --mirro b", "git push --mirro b | git push --mirror b"},
		{"git push --forc b", "git push --forc b"}, // several begin so: git refuses it
		{"git -C a clean --fo -d", "git -C a clean --fo -d | git clean --fo -d | git clean --force -d"},
		{"git reset --har -- --sof", "git reset --har -- --sof | git reset --hard -- --sof"},
		{"rm --rec --fo x", "rm --rec --fo x | rm --recursive --force x"},
		{"rm --recursive x", "rm --recursive x"},
		{"ls --recu x", "ls --recu x"},
		{"hub push -f", "hub push -f | git push -f"},
		{"git push --force;true", "git push --force | true"},
		{"git push \\\n --force", "git push --force"},
		{"(git push --force)", "git push --force"},
		{"! git push&", "git push"},
		{`g"i"t 'push' $'--for\x63e'`, "git push --force"},
		{`$'\147it' $'p\u0075sh'`, "git push"},
		{`git push --{force,all}`, "git push --force --all"},
		{`echo {1..3} {c..a} {x}`, "echo 1 2 3 c b a {x}"},
		{`git${IFS}push$IFS--force`, "git push --force"},
		{`rm $HOME "$(date)/x" a\ b`, "rm $HOME $(date)/x a b | date"},
		{`git commit -m "a b"`, "git commit -m a b"},
		{`X=1 git push >log 2>&1`, "git push"},
		{`X=$(rm -rf /)`, "rm -rf /"},
		{`export A="b c"`, "export A=b c"},
		{`if a; then b; elif c; then d; else e; fi; for x in 1; do f; done; case y in z) g;; esac`, "a | b | c | d | e | f | g"},
		{`f() { git push; }; [[ $(h) ]] && f`, "git push | h | f"},

		{`bash -c "git push --force"`, "bash -c git push --force | git push --force"},
		{`bash -lc 'sh -c "git push"'`, `bash -lc sh -c "git push" | sh -c git push | git push`},
		{`sh -e -o pipefail -c 'a' b`, "sh -e -o pipefail -c a b | a"},
		{`/bin/bash --norc -xc a`, "/bin/bash --norc -xc a | bash --norc -xc a | a"},
		{`bash script.sh -c x`, "bash script.sh -c x"},
		{`eval "git push" --force`, "eval git push --force | git push --force"},
		{`git -C . -c a=b push -f`, "git -C . -c a=b push -f | git push -f"},
		{`git -c alias.p='push -f' p origin`, "git -c alias.p=push -f p origin | git p origin | git push -f origin"},
		{`git -C . -c alias.P='!rm x' p y`, "git -C . -c alias.P=!rm x p y | git p y | rm x y"},
		{`git config --global alias.p 'push -f'`, "git config --global alias.p push -f | git push -f"},
		{`git --git-dir=x -p push`, "git --git-dir=x -p push | git push"},
		{`git -C`, "git -C"},
		{`sudo -u root -E -- env -i A=b nice -n 5 rm x`, "sudo -u root -E -- env -i A=b nice -n 5 rm x | env -i A=b nice -n 5 rm x | nice -n 5 rm x | rm x"},
		{`sudo -nu root rm x`, "sudo -nu root rm x | rm x"},
		{`env -S "rm x" y`, "env -S rm x y | rm x y"},
		{`nohup timeout -k 5 10s stdbuf -oL rm x &`, "nohup timeout -k 5 10s stdbuf -oL rm x | timeout -k 5 10s stdbuf -oL rm x | stdbuf -oL rm x | rm x"},
		{`time -p rm x`, "rm x"},
		{`command -v rm x`, "command -v rm x"},
		{`command rm x; builtin cd y; exec -a z rm w`, "command rm x | rm x | builtin cd y | cd y | exec -a z rm w | rm w"},
		{`ls | xargs -n 1 -I{} rm {}`, "ls | xargs -n 1 -I{} rm {} | rm {}"},
		{`echo origin +main | xargs git push`, "echo origin +main | xargs git push | git push | git push origin +main"},
		{`echo rm x | sudo xargs -I{} sh -c {}`, "echo rm x | sudo xargs -I{} sh -c {} | xargs -I{} sh -c {} | sh -c {} | {} | sh -c rm x | rm x"},
		{`find . -name x -exec rm -rf {} \; -execdir sh -c 'git push' +`, "find . -name x -exec rm -rf {} ; -execdir sh -c git push + | rm -rf {} | sh -c git push | git push"},
		{`busybox sh -c 'rm x'`, "busybox sh -c rm x | sh -c rm x | rm x"},
		{`doas -u root rm x`, "doas -u root rm x | rm x"},
		{`alias g='git push'; trap 'rm x' EXIT`, "alias g=git push | git push | trap rm x EXIT | rm x"},
		{`docker run -it img bash -c 'rm x'`, "docker run -it img bash -c rm x | bash -c rm x | rm x"},
		{`git rebase -x 'rm x' --exec='rm y' HEAD~1`, "git rebase -x rm x --exec=rm y HEAD~1 | rm x | rm y"},
		{`git submodule foreach --recursive 'rm x'; git submodule foreach rm y`, "git submodule foreach --recursive rm x | rm x | git submodule foreach rm y | rm y"},
		{`git bisect run git -C . push -f`, "git bisect run git -C . push -f | git -C . push -f | git push -f"},
		{`git filter-branch --tree-filter 'rm x' --msg-filter cat HEAD`, "git filter-branch --tree-filter rm x --msg-filter cat HEAD | rm x | cat"},
		{"alias gp='git push'\ngp -f", "alias gp=git push | git push | gp -f | git push -f"},
		{"alias a='b x' b='a y'\na z", "alias a=b x b=a y | b x | a y | a z | b x z | a y x z"},
		{`GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='push -f' git x o`, "git x o | git push -f o"},
		{`V='push -f' git --config-env=alias.x=V x`, "git --config-env=alias.x=V x | git x | git push -f"},
		{`export V='!rm x'; git --config-env alias.x=V x y`, "export V=!rm x | git --config-env alias.x=V x y | git x y | rm x y"},
		{`for c in push status; do git $c -f; done`, "git $c -f | git push -f | git status -f"},
		{`sh -c 'git push $1' _ -f`, "sh -c git push $1 _ -f | git push $1 | git push -f"},
		{`sh -c '"$0" "$@"' git push -f`, `sh -c "$0" "$@" git push -f | $0 $@ | git push -f`},
		{`read -r x y <<< 'push -f o'; git $x $y`, "read -r x y | git $x $y | git push -f o"},
		{`printf '%s ' git push -f | sh`, "printf %s  git push -f | sh | git push -f"},
		{`printf '%-3s %% %s\n' a b c | sh; echo -n 'rm x' | sh`, `printf %-3s %% %s\n a b c | sh | a % b | c % | echo -n rm x | rm x`},
		{`x='rm a'; eval '$x'; x=ls; sh -c 'x=cat; $x'; $x`, "eval $x | $x | rm a | sh -c x=cat; $x | cat | ls"},
		{`git rebase -ix 'rm x' HEAD~1`, "git rebase -ix rm x HEAD~1 | rm x"},
		{`env GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='push -f' git x`, "env GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0=push -f git x | git x | git push -f"},
		{`x='push -f' sh -c 'git $x'; git $x`, "sh -c git $x | git $x | git push -f"},
		{`x=push; x=pull true; git $x`, "true | git $x | git push"},
		{`echo a | while read f; do rm $f; done; read x < <(echo b c); rm $x; set d; rm $1; printf -v y %s e; rm $y`, "echo a | read f | rm $f | rm a | read x | echo b c | rm $x | rm b c | set d | rm $1 | rm d | printf -v y %s e | rm $y | rm e"},
		{`ssh -p 22 host 'rm x'`, "ssh -p 22 host rm x | rm x"},
		{`su - root -c "rm x"`, "su - root -c rm x | rm x"},
		{`pwsh -NoProfile -Command "rm x"`, "pwsh -NoProfile -Command rm x | rm x"},

		{"bash <<'E'\nrm x\nE", "bash | rm x"},
		{"bash -s <<E\nrm $X\\$Y\nE", "bash -s | rm $X$Y"},
		{`bash <<<"rm x"`, "bash | rm x"},
		{"cat <<E\nrm x\nE", "cat"},
		{"cat <<E | sudo sh\nrm x\nE", "cat | sudo sh | sh | rm x"},
		{`echo 'rm x' | sh`, "echo rm x | sh | rm x"},
		{`printf 'rm x\nrm y' | bash -`, `printf rm x\nrm y | bash - | rm x | rm y`},
		{"echo $(rm a) `rm b` <(rm c) \"$(rm d)\" ${x:-$(rm e)}", "echo $(rm a) `rm b` <(rm c) $(rm d) ${x:-$(rm e)} | rm a | rm b | rm c | rm d | rm e"},

		{"sh -c \"$(cat <<'X'\nrm x\nX\n)\"", "sh -c $(cat <<'X'\nrm x\nX\n) | $(cat <<'X'\nrm x\nX\n) | cat | rm x"},
		{`eval $(echo rm x)`, "eval $(echo rm x) | $(echo rm x) | rm x | echo rm x | eval rm x"},
		{`x=rm; sudo "$x" -r y; z="a b"; rm $z "$z"; $x $y`, "sudo $x -r y | $x -r y | sudo rm -r y | rm -r y | rm $z $z | rm a b a b | $x $y"},
		{`bash <(echo rm x)`, "bash <(echo rm x) | rm x | echo rm x"},
		{`time -f %e rm x`, "-f %e rm x | rm x"},
		{`at now <<< 'rm x'`, "at now | rm x"},
		{"bash <<'A' 3<<'B'\nrm x\nA\nrm y\nB", "bash | rm x"},
		{`crontab - <<< '* * * * * rm x'`, "crontab - | rm x"},

		{`for f (*.c) echo $f; print -l **/*(.)`, "[for f (*.c) echo $f; print -l **/*(.)]"},
		{`setopt x; print ${(U)x}`, "setopt x | print ${(U)x}"},
		{`dir "C:\x\"`, `[dir "C:\x\"]`},
		{"", ""}, {"  # nothing", ""},
		{"ls #\\\nrm x", "ls rm x | ls | rm x"},
		{"ls \\\r\nrm x", "ls rm x | ls | rm x"},
	} {
		t.Run(fmt.Sprintf("%.80q", tt[0]), func(t *testing.T) {
			if got := told(Of(shellLine(tt[0]))); got != tt[1] {
				t.Errorf("%s\n have %s\n want %s", tt[0], got, tt[1])
			}
		})
	}
}

// What a matcher tries besides the commands: what a word may turn out to be.
func TestPieces(t *testing.T) {
	for line, want := range map[string]string{
		`git pu${x}sh --force`:    "git push --force",
		`r=rm; $r -rf a`:          "rm -rf a",
		`X='rm -rf x'; eval "$X"`: "rm -rf x",
		`$(which rm) -rf x`:       "rm -rf x",

		`a=(git push --force); "${a[@]}"`:                 "git push --force",
		`a=(git); a+=(push -f); ${a[*]}`:                  "git push -f",
		`x=git; x+=" push"; $x -f`:                        "git push -f",
		`git ${x:-push} -f`:                               "git push -f",
		`git $(echo push) -f`:                             "git push -f",
		"x=`printf push`; git $x \"$(echo --force)\"":     "git push --force",
		`f() { git push "$@"; }; f --force`:               "git push --force",
		`f() { git "$1" $2; }; g() { f push -f; }; g`:     "git push -f",
		`set -- push -f; git "$@"`:                        "git push -f",
		`f() { f "$@"; f $1 x; git $*; }; f push --force`: "git push --force",
		`cd x; (; git "push"`:                             "git push",
	} {
		t.Run(line, func(t *testing.T) {
			if d := Of(shellLine(line)); !slices.Contains(d.Pieces, want) {
				t.Errorf("%s: %q, want %q among them", line, d.Pieces, want)
			}
		})
	}
	raw := &protocol.Event{Type: protocol.PreToolCall, Call: protocol.Tools{{Native: "p", Name: protocol.Shell, Does: protocol.RawShell}}.NewCall("p", protocol.Raw(`{"command": "cd x; git push"}`))}
	if d := Of(raw); told(d) != "[cd x; git push]" || !slices.Contains(d.Pieces, "git push") {
		t.Error(told(d), d.Pieces)
	}
}

// A quoted variable is one word, a quoted list several.
func TestWordsOfVariables(t *testing.T) {
	for line, want := range map[string]string{
		`A="git push"; $A x`:        "git,push,x",
		`A="git push"; "$A" x`:      "git push,x",
		`set -- git push; "$@" x`:   "git,push,x",
		`A=(git push); "${A[@]}" x`: "git,push,x",

		`set -- git "a b"; "$@"`:                          "git,a b",
		`set -- git "a b"; $@`:                            "git,a,b",
		`set -- git "a b"; "$*" x`:                        "git a b,x",
		`set -- x git push; shift; "$@"`:                  "git,push",
		`set -- x y git; shift 2; "$1" push`:              "git,push",
		`A=(x git "a b"); "${A[1]}" "${A[2]}"`:            "git,a b",
		`A=(git); A+=("a b"); B=("${A[@]}"); "${B[@]}"`:   "git,a b",
		`set -- x git "a b"; "${@:2}"`:                    "git,a b",
		`set -- x git "a b" c; "${@:2:2}"`:                "git,a b",
		`A=(x git "a b"); "${A[@]:1}"`:                    "git,a b",
		`x=rm; ${x[0]} -rf y`:                             "rm,-rf,y",
		`a=(rm -rf x); "${a[@]:0:9}"`:                     "rm,-rf,x",
		`a=(rm -rf x); "${a[@]: -3}"`:                     "rm,-rf,x",
		`n=0; a=(rm -rf x); "${a[@]:$n}"`:                 "rm,-rf,x",
		`set -- rm -rf x; if false; then shift; fi; "$@"`: "rm,-rf,x",
		`set -- rm -rf x; false && shift; "$@"`:           "rm,-rf,x",
		`f() { shift; "$@"; }; f x git "a b"`:             "git,a b",
		`s=' '; c=rm; $s $c -rf y`:                        "rm,-rf,y",
		`a=("" rm ls); ${a[1]} y`:                         "rm,y",
		`set -- $'a\x01b' rm; shift; $1 y`:                "rm,y",
		`c=git; $c "" "a b"`:                              "git,,a b",
		`f() { "$@"; }; f git "a b"`:                      "git,a b",
		`for w in "git a" rm; do $w x; done`:              "rm,x",
		`set -- "git a" "git b"; for w; do $w; done`:      "git,b",
	} {
		t.Run(line, func(t *testing.T) {
			list := Of(shellLine(line)).Commands
			if got := strings.Join(list[len(list)-1].Argv, ","); got != want {
				t.Errorf("%s: %q, want %q", line, got, want)
			}
		})
	}
}

// The members in which tools keep what they run, whatever their names.
func TestCommandMembers(t *testing.T) {
	for _, tt := range [][2]string{
		{`{"command": ["git", "push", "a b"]}`, "git push a b"},
		{`{"cmd": ["bash", "-lc", "git push"]}`, "bash -lc git push | git push"},
		{`{"command": ["npm ci", "npm test"]}`, "npm ci | npm test"},
		{`{"commands": ["ls", "git push"]}`, "ls | git push"},
		{`{"commands": "[\"ls\", \"git push\"]"}`, "ls | git push"},
		{`{"commands": [{"command": "git", "args": ["push", "-f"]}, "ls"]}`, "git push -f | ls"},
		{`{"command": "git", "args": ["push", "-f"]}`, "git push -f"},
		{`{"command": {"program": "git", "args": "[\"push\", \"-f\"]"}}`, "git push -f"},
		{`{"command": {"program": "git", "args": "[push"}}`, "git"},
		{`{"command": "ls; rm -rf /", "args": ["x"]}`, "ls; rm -rf / x | ls | rm -rf /"},
		{`{"script": "a\nb"}`, "a | b"},
		{`{"arguments": {"shell_command": "a"}}`, "a"},
		{`{"params": "{\"cmd\": \"a\"}"}`, "a"},
		{`{"chars": "rm x\n", "session_id": 1}`, "rm x"},
		{`{"keys": ["rm x", "Enter"]}`, "rm x | Enter"},
		{`{"command": "view", "path": "a"}`, ""},
		{`{"text": "rm x"}`, ""},
	} {
		t.Run(tt[0], func(t *testing.T) {
			ev := call("mcp__x__y", tt[0])
			if got := told(Of(ev)); got != tt[1] {
				t.Errorf("%s: %s, want %s", tt[0], got, tt[1])
			}
			want := "mcp__x__y"
			if tt[1] != "" {
				want += " Shell"
			}
			if got := strings.Join(ev.Call.Names(), " "); got != want {
				t.Errorf("%s: names %q, want %q", tt[0], got, want)
			}
		})
	}
}

// An input that is not an object is the line, or its words: a program that calls us
// in the format's own form may send that.
func TestInputThatIsTheCommand(t *testing.T) {
	for _, tt := range [][2]string{
		{`"git push -f && ls"`, "git push -f | ls"},
		{`["git", "push", "a b"]`, "git push a b"},
		{`"[\"git\", \"push\"]"`, "git push"},
		{`null`, ""},
		{`3`, ""},
	} {
		t.Run(fmt.Sprintf("input %s", tt[0]), func(t *testing.T) {
			if got := told(Of(call("Shell", tt[0]))); got != tt[1] {
				t.Errorf("%s: %s, want %s", tt[0], got, tt[1])
			}
		})
	}
}

// HM-ACT-05 to HM-ACT-07: shapes of what is written.
func TestChanges(t *testing.T) {
	const patch = `*** Begin Patch\n*** Add File: a b\n+x\n+y\n*** Update File: c\n*** Move to: d/../e\n@@ f\n-old\n+new\n keep\n*** Delete File: /g\n*** End Patch`
	const changed = `[{"action": "create", "path": "/p/a b", "new": "x\ny\n"}, {"action": "move", "path": "/p/c", "to": "/p/e", "old": "old", "new": "new"}, {"action": "delete", "path": "/g"}]`
	for _, tt := range [][3]string{
		{"write", `{"file_path": "a/../b", "content": "x"}`, `[{"action": "create", "path": "/p/b", "new": "x"}]`},
		{"write", `{"uri": "file:///c%3A/x/./y", "content": ["x", "z"]}`, `[{"action": "create", "path": "c:\\x\\y", "new": "x\nz"}]`},
		{"edit", `{"path": "a", "old_string": "x", "new_string": "y"}`, `[{"action": "update", "path": "/p/a", "old": "x", "new": "y"}]`},
		{"edit", `{"path": "a", "old_string": "", "new_string": "y"}`, `[{"action": "create", "path": "/p/a", "new": "y"}]`},
		{"edit", `{"path": "a", "edits": [{"old_string": "x", "new_string": "y"}, {"oldText": "z", "newText": "w"}]}`, `[{"action": "update", "path": "/p/a", "old": "x\nz", "new": "y\nw"}]`},
		{"edit", `{"edits": [{"path": "a", "new_string": "y"}, {"path": "b", "new_string": "z"}]}`, `[{"action": "update", "path": "/p/a", "new": "y"}, {"action": "update", "path": "/p/b", "new": "z"}]`},
		{"edit", `{"path": "a", "old_str_1": "x", "new_str_1": "y", "new_str_2": "z"}`, `[{"action": "update", "path": "/p/a", "old": "x", "new": "y\nz"}]`},
		{"editor", `{"command": "create", "path": "a", "file_text": "x"}`, `[{"action": "create", "path": "/p/a", "new": "x"}]`},
		{"editor", `{"command": "insert", "path": "a", "insert_line": 1, "new_str": "x"}`, `[{"action": "update", "path": "/p/a", "new": "x"}]`},
		{"editor", `{"command": "append", "path": "a", "content": "x"}`, `[{"action": "update", "path": "/p/a", "new": "x"}]`},
		{"editor", `{"command": "undo_edit", "path": "a"}`, `[{"action": "update", "path": "/p/a"}]`},
		{"editor", `{"command": "view", "path": "a"}`, `[]`},
		{"NotebookEdit", `{"notebook_path": "a", "edit_mode": "delete", "new_source": ""}`, `[{"action": "update", "path": "/p/a"}]`},
		{"fs__move_file", `{"source": "a", "destination": "../b"}`, `[{"action": "move", "path": "/p/a", "to": "/b"}]`},
		{"delete_files", `{"paths": ["a", "b"]}`, `[{"action": "delete", "path": "/p/a"}, {"action": "delete", "path": "/p/b"}]`},
		{"touch", `{"path": "~/.x"}`, `[{"action": "update", "path": "~/.x"}]`},
		{"list_dir", `{"path": "a"}`, `[]`},
		{"apply_patch", `{"input": "` + patch + `"}`, changed},
		{"apply_patch", `"` + patch + `"`, changed},
		{"apply_patch", `{"patchText": "<<'EOF'\n  ` + strings.ReplaceAll(patch, `\n*** End Patch`, `\nEOF`) + `"}`, changed},
		{"Shell", `{"command": "(cd x) && apply_patch <<'EOF'\n` + patch + `\nEOF\n"}`, changed},
		{"Shell", `{"command": "cd x; echo K=1 >>.env; (cd y; printf 'a\nb' > z); cat > w <<E\nt\nE\nmake 2>/dev/null >&2 | tee -a log >$X"}`,
			`[{"action": "update", "path": "/p/x/.env", "new": "K=1"}, {"action": "create", "path": "/p/x/y/z", "new": "a\nb"}, {"action": "create", "path": "/p/x/w", "new": "t\n"}, {"action": "update", "path": "/p/x/log"}]`},
		{"Shell", `{"command": "echo x | tee /a b; make > out; a >&2 >&- >&x 1<>y >&\"z\""}`, `[{"action": "update", "path": "/a", "new": "x"}, {"action": "update", "path": "/p/b", "new": "x"}, {"action": "update", "path": "/p/out"}, {"action": "update", "path": "/p/x"}, {"action": "update", "path": "/p/y"}, {"action": "update", "path": "/p/z"}]`},
		{"Shell", `{"command": "git apply <<'E'\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nE"}`, `[{"action": "update", "path": "/p/x", "old": "a", "new": "b"}]`},
		{"Shell", `{"command": "rm -rf a /b -- -c $X; unlink d"}`, deleted("/p/a", "/b", "/p/-c", "/p/d")},
		{"Shell", `{"command": "mv a b; mv -f x y z/; mv -t d e; mv $X f"}`, `[{"action": "move", "path": "/p/a", "to": "/p/b"}, {"action": "move", "path": "/p/x", "to": "/p/z/x"}, {"action": "move", "path": "/p/y", "to": "/p/z/y"}, {"action": "move", "path": "/p/e", "to": "/p/d/e"}, {"action": "create", "path": "/p/f"}]`},
		{"Shell", `{"command": "cp -r a b; cp --target-directory=c a; ln -sf a l; install -m 644 a i; dd if=a of=o"}`, created("/p/b", "/p/c/a", "/p/l", "/p/i", "/p/o")},
		{"Shell", `{"command": "sed -i s/a/b/ x; sed -i.bak -e s/a/b/ -- y; sed -n p z; perl -pi -e s/a/b/ v; touch -d now w; truncate -s 0 u; date | tee t"}`, updated("/p/x", "/p/y", "/p/v", "/p/w", "/p/u", "/p/t")},
		{"Shell", `{"command": "curl -fsSLo a x://y; wget -q -O b x://y; sort -o c d; sudo cp x /etc/e"}`, created("/p/a", "/p/b", "/p/c", "/etc/e")},
		{"Shell", `{"command": "git -C . rm a; git rm --cached b; git checkout main -- c"}`, `[{"action": "delete", "path": "/p/a"}, {"action": "update", "path": "/p/c"}]`},
		{"Shell", `{"command": "F=.env; echo x > $F; rm \"$F\" $G; mv $F y; rm $F"}`, `[{"action": "create", "path": "/p/.env", "new": "x"}, {"action": "create", "path": "/p/y"}, {"action": "move", "path": "/p/.env", "to": "/p/y"}, {"action": "delete", "path": "/p/.env"}]`},
		{"Shell", `{"command": "find sub -name .env -exec rm {} +; patch a < b; find . -name x"}`, `[{"action": "delete", "path": "/p/sub/.env"}, {"action": "update", "path": "/p/a"}]`},
		{"Shell", `{"command": "rm \"$PWD/a\" ${PWD}/b $HOME/c; cd x; rm $PWD/d; PWD=/q; rm $PWD/e; cd $HOME; rm f; cd $X; rm g"}`, deleted("/p/a", "/p/b", "~/c", "/p/x/d", "/q/e", "~/f", "~/g")},
		{"Shell", `{"command": "for f in .env a; do rm $f; done; for f in 1 2 3; do rm x$f; done; for f in {b,c}; do echo > \"$PWD/$f\"; done"}`,
			`[{"action": "delete", "path": "/p/.env"}, {"action": "delete", "path": "/p/a"}, {"action": "delete", "path": "/p/x1"}, {"action": "update", "path": "/p/b"}, {"action": "update", "path": "/p/c"}]`},
		{"Shell", `{"command": "curl --output a x; wget --output-document b x; sort --output=c d; git diff --output=d; git archive -o e HEAD; git archive --output f HEAD; ln -s x l"}`, created("/p/a", "/p/b", "/p/c", "/p/d", "/p/e", "/p/f", "/p/l")},
		{"Shell", `{"command": "git checkout HEAD .env x; git checkout .a; git checkout main; git checkout v1.2; git checkout -b a.b o/m; yq -i . b; yq e -i .x=1 c; yq . d"}`, updated("/p/.env", "/p/x", "/p/.a", "/p/b", "/p/c")},
		{"Shell", `{"command": "gzip -9 a; gunzip b.gz; xz -k c; xz -dk d.xz; bzip2 -c e"}`, `[{"action": "move", "path": "/p/a", "to": "/p/a.gz"}, {"action": "move", "path": "/p/b.gz", "to": "/p/b"}, {"action": "create", "path": "/p/c.xz"}, {"action": "create", "path": "/p/d"}]`},
		{"Shell", `{"command": "echo \"$PWD/.env\" ${PWD##*/}.env $HOME; cat $PWD/.env"}`, `[]`},
		{"Shell", `{"command": ["rm", "a b"]}`, deleted("/p/a b")},
		{"Shell", `{"command": "echo rm a; cp; mv a; sed -i; git"}`, `[]`},
		{"create_file", `{"filePath": "a", "lines": ["x", "y"]}`, `[{"action": "create", "path": "/p/a", "new": "x\ny"}]`},
		{"multi", `{"changes": {"a.txt": {"content": "x"}}}`, `[{"action": "create", "path": "/p/a.txt", "new": "x"}]`},
		{"Shell", `{"command": ["apply_patch", "` + patch + `"]}`, changed},
		{"patch", `{"path": "a", "diff": "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"}`, `[{"action": "update", "path": "/p/a", "old": "x", "new": "y"}]`},
		{"patch", `{"diff": "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n k\n-a\n+b\n"}`, `[{"action": "update", "path": "/p/x", "old": "a", "new": "b"}]`},

		// A member that the tool does not know hides nothing.
		{"write", `{"path": "a", "file_path": "b", "content": "x"}`, `[{"action": "create", "path": "/p/b", "new": "x"}, {"action": "update", "path": "/p/a"}]`},
		{"write", `{"file_path": "/p/a", "path": "a", "content": "x", "command": "view"}`, `[{"action": "create", "path": "/p/a", "new": "x"}]`},
		{"write", `{"path": "a", "content": "x", "command": "delete"}`, `[{"action": "create", "path": "/p/a", "new": "x"}]`},
		{"write", `{"path": "a", "content": "x", "command": "rename", "to": "b"}`, `[{"action": "create", "path": "/p/a", "new": "x"}]`},
		{"write", `{"path": "a", "content": "x", "patch": "*** Begin Patch\n*** Delete File: b\n*** End Patch"}`, `[{"action": "delete", "path": "/p/b"}, {"action": "create", "path": "/p/a", "new": "x"}]`},
		{"apply_patch", `{"input": "*** Begin Patch\n*** Delete File: a\n*** End Patch", "command": "*** Begin Patch\n*** Delete File: b\n*** End Patch"}`, deleted("/p/b", "/p/a")},
	} {
		t.Run(fmt.Sprintf("%.80s", tt[1]), func(t *testing.T) {
			ev := call(tt[0], tt[1])
			d := Of(ev)
			if got := string(list(d.Changes, change)); got != tt[2] || d.UnreadChanges != "" {
				t.Errorf("%s %s\n have %s %s\n want %s", tt[0], tt[1], got, d.UnreadChanges, tt[2])
			}
		})
	}
}

func deleted(paths ...string) string { return changesOf("delete", paths) }
func created(paths ...string) string { return changesOf("create", paths) }
func updated(paths ...string) string { return changesOf("update", paths) }

func changesOf(action string, paths []string) string {
	var each []string
	for _, p := range paths {
		each = append(each, `{"action": "`+action+`", "path": "`+p+`"}`)
	}
	return "[" + strings.Join(each, ", ") + "]"
}

// PowerShell: the line is kept unchanged, and the parts of it that mean the same in
// sh are matched and seen.
func TestPowerShell(t *testing.T) {
	tools := protocol.Tools{{Native: "p", Name: protocol.Shell, Does: protocol.RawShell}}
	for _, tt := range [][3]string{
		{`bash -c "cd x && git -C . push origin +main"`, "git push origin +main", "[]"},
		{`git.exe push -f; ls`, "git push -f", "[]"},
		{`cp new.env .\.env`, "cp new.env ./.env", created("/p/.env")},
		{`echo 'a' >> config.yaml`, "echo a", `[{"action": "update", "path": "/p/config.yaml", "new": "a"}]`},
		{`Set-Content -Path .env -Value "a b"`, "Set-Content -Path .env -Value a b", `[{"action": "update", "path": "/p/.env", "new": "a b"}]`},
		{`remove-item -Recurse -Force .env`, "remove-item -Recurse -Force .env", deleted("/p/.env")},
		{`"x" | Out-File .env`, "Out-File .env", updated("/p/.env")},
		{`Move-Item a -Destination .env; Copy-Item a b`, "Copy-Item a b", `[{"action": "move", "path": "/p/a", "to": "/p/.env"}, {"action": "create", "path": "/p/b"}]`},
		{`if ($x) { rm -r y }`, "rm -r y", "[]"},
	} {
		t.Run(tt[0], func(t *testing.T) {
			ev := &protocol.Event{Type: protocol.PreToolCall, WorkDir: "/p", Call: tools.NewCall("p", protocol.Object{{Name: "command", Value: protocol.Quote(tt[0])}}.Raw())}
			d := Of(ev)
			if told(d) != "["+tt[0]+"]" || !slices.Contains(d.Pieces, tt[1]) || string(list(d.Changes, change)) != tt[2] {
				t.Errorf("%s\n%s %q\n%s", tt[0], told(d), d.Pieces, list(d.Changes, change))
			}
		})
	}
}

// HM-ACT-17: what cannot be read is absent, and known to be absent.
func TestUnread(t *testing.T) {
	for _, tt := range [][2]string{
		{"apply_patch", `{"input": "*** Begin Patch\n*** Update File: a\n+x\n*** Replace File: b\n+y"}`},
		{"apply_patch", `{"input": "*** Begin Patch\n*** Move to: b"}`},
		{"edit", `{"path": "a", "diff": "no diff"}`},
		{"rename_symbol", `{"symbol": "main", "new_name": "start", "path": "src"}`},
		{"edit", `{"diff": "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d\n"}`},
		{"Shell", `{"command": "` + strings.Repeat("cd a;", 5000) + `rm x"}`},
		{"Shell", `{"command": "git ` + strings.Repeat("-C a ", 5000) + `rm x"}`},
		{"Shell", `{"command": ": ` + strings.Repeat("x", 300<<10) + `; echo k > .env"}`},
	} {
		t.Run(fmt.Sprintf("%.80s", tt[1]), func(t *testing.T) {
			d := Of(call(tt[0], tt[1]))
			if len(d.Changes) > 0 && tt[0] == "apply_patch" || d.UnreadChanges == "" {
				t.Errorf("%s: %v %q", tt[1], d.Changes, d.UnreadChanges)
			}
		})
	}
	long := []string{
		strings.Repeat("(", 64<<10), strings.Repeat("$(", 32<<10), strings.Repeat("((", 32<<10), strings.Repeat("{ ", 32<<10), strings.Repeat(`"$(`, 20<<10),
		"cat " + strings.Repeat("<<A ", 16<<10), strings.Repeat("f(){ ", 13<<10), strings.Repeat("a;", 32<<10), "echo " + strings.Repeat("{a,b}", 20<<10),
		strings.Repeat("sh -c 'sh -c ", 5<<10), strings.Repeat("eval ", 13<<10) + "x", "rm " + strings.Repeat("x", 300<<10), strings.Repeat("sudo ", 13<<10) + "x", strings.Repeat("`", 64<<10),
		strings.Repeat("{ ", 2<<10) + "echo x; " + strings.Repeat("} > a; ", 2<<10), strings.Repeat("(", 1<<10) + "echo x" + strings.Repeat(" | tee a)", 1<<10), "echo " + strings.Repeat("$(echo ", 1<<10) + strings.Repeat(")", 1<<10) + " > a",
		"for x in " + strings.Repeat("a b ", 90) + "; do " + strings.Repeat("a $x;", 10<<10) + " done", "f() { " + strings.Repeat("a $1;", 10<<10) + " }; " + strings.Repeat("f x;", 180),
		"echo " + strings.Repeat("x ", 100<<10) + "| xargs -I{} rm " + strings.Repeat("{} ", 10<<10), "x='" + strings.Repeat("ls;", 80) + "'; " + strings.Repeat(`sh -c "$x";`, 20<<10),
		strings.Repeat("a | tee f | ", 20<<10) + "x", "sed -i '" + strings.Repeat("a x\n", 50<<10) + "' f", "x=" + strings.Repeat("$(echo ", 500) + strings.Repeat(")", 500),
	}
	for _, line := range long {
		t.Run(fmt.Sprintf("%d bytes of %.40q", len(line), line), func(t *testing.T) {
			start := processor.Time()
			if !fair(line) {
				t.Errorf("%.20s…: neither read, nor tried as it stands, nor a match", line)
			}
			if took := processor.Time() - start; took > time.Second {
				t.Errorf("%.20s…: %s", line, took)
			}
		})
	}
}

// PowerShell accepts lines that no grammar here does: of very many pieces, the last
// ones are not left out unnoticed. What is listed is bounded too, however a line
// repeats itself.
func TestMuchIsUnread(t *testing.T) {
	tools := protocol.Tools{{Native: "p", Name: protocol.Shell, Does: protocol.RawShell}}
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "$x%d = @(1); ", i)
	}
	raw := &protocol.Event{Type: protocol.PreToolCall, Call: tools.NewCall("p", protocol.Object{{Name: "command", Value: protocol.Quote(b.String() + "git push -f")}}.Raw())}
	if d := Of(raw); d.UnreadCommands == "" {
		t.Errorf("%d pieces, and nothing unread", len(d.Pieces))
	}
	deep := Tell(shellLine("echo " + strings.Repeat(`"$(echo `, 400) + strings.Repeat("x", 4000) + strings.Repeat(`)"`, 400)))
	if size := len(deep.Fields.Get("commands")); size > 3*maxListed {
		t.Errorf("a line of 8 KiB makes an event of %d", size)
	}
}

// fair reports whether a line is known to be read incompletely, or is among what is
// matched.
func fair(line string) bool {
	d := Of(shellLine(line))
	return d.UnreadCommands != "" || len(d.Lines) == 1 && d.Lines[0] == line && len(d.Commands) > 0 || strings.Trim(line, "`") == ""
}

// HM-ACT-09, HM-ACT-10.
func TestTell(t *testing.T) {
	ev := shellLine("echo '" + strings.Repeat("é", 40<<10) + "'")
	ev.Fields = protocol.Object{{Name: "tool_name", Value: protocol.Quote("Shell")}, {Name: "commands", Value: protocol.Raw(`"given"`)}}
	got := Tell(ev)
	commands := protocol.ElementsOf(got.Fields.Get("commands"))
	if len(commands) != 1 || !protocol.ObjectOf(commands[0]).Bool("cut") || len(protocol.ObjectOf(commands[0]).Text("text")) > maxText || len(commands[0]) > 3*maxText {
		t.Fatalf("%.200s", got.Fields.Get("commands"))
	}
	if string(ev.Fields.Get("commands")) != `"given"` {
		t.Error("the event itself was changed")
	}
	got.SetInput(protocol.Object{{Name: "command", Value: protocol.Quote("ls -l")}})
	if got.Fields.Has("commands") {
		t.Error("commands of the input as it was")
	}
	if again := string(Tell(got).Fields.Get("commands")); again != `[{"text": "ls -l", "argv": ["ls", "-l"]}]` {
		t.Error(again)
	}
}

func TestAbsolute(t *testing.T) {
	for _, tt := range [][3]string{
		{"/p", "a", "/p/a"}, {"/p", "./a//b/../c/", "/p/a/c"}, {"/p", "/a/../../b", "/b"}, {"/p", "file:///a%20b/c", "/a b/c"}, {"/p", "file://localhost/a", "/a"},
		{"/p", "~/x/../y", "~/y"}, {"/p", "untitled:x", "/p/untitled:x"}, {"/p", "vscode-remote://h/x", "vscode-remote://h/x"}, {"", "a/../b", "b"},
		{`C:\p`, `a\..\b`, `C:\p\b`}, {`C:\p`, "a/b", `C:\p\a\b`}, {`C:\p`, `\x`, `C:\x`}, {"/p", `D:/x/../y`, `D:\y`}, {`C:\p`, `\\h\s\..\t`, `\\h\t`}, {"/p", "file://h/s/x", `\\h\s\x`}, {`C:\p`, ".env.", `C:\p\.env`}, {`C:\p`, `.env::$DATA`, `C:\p\.env`}, {`C:\p`, `a \..\.env `, `C:\p\.env`}, {"/p", ".env.", "/p/.env."},
	} {
		t.Run(tt[1], func(t *testing.T) {
			if got := absolute(tt[0], tt[1]); got != tt[2] {
				t.Errorf("%q in %q: %q, want %q", tt[1], tt[0], got, tt[2])
			}
		})
	}
}

// HM-ACT-08: the shapes of a response.
func TestResult(t *testing.T) {
	for _, tt := range []struct {
		name     string
		failed   bool
		form     protocol.Ending
		response string
		mistake  string
		want     string
	}{
		{"text", false, protocol.Ending{}, `"hi"`, ``, `{"text": "hi"}`},
		{"text of a call that went well for sure", false, protocol.Ending{Sure: true}, `"hi"`, ``, `{"ok": true, "text": "hi"}`},
		{"nothing, of one that went well", false, protocol.Ending{Sure: true}, ``, ``, `{"ok": true}`},
		{"nothing", false, protocol.Ending{}, ``, ``, ``},
		{"output, errors, and no interruption", false, protocol.Ending{Sure: true}, `{"stdout": "a", "stderr": "b", "interrupted": false}`, ``, `{"ok": true, "stdout": "a", "stderr": "b"}`},
		{"the code of a failure", true, protocol.Ending{Exit: "^Exit code "}, ``, `"Exit code 3\nno"`, `{"ok": false, "exit_code": 3, "text": "Exit code 3\nno"}`},
		{"a code that does not say how it ended", false, protocol.Ending{Exit: "^Exit code: "}, `"x\nExit code: 3"`, ``, `{"text": "x\nExit code: 3"}`},
		{"the last line that looks like a code", false, protocol.Ending{Sure: true, Exit: "exited with code "}, `"exited with code 0\nexited with code 3]"`, ``, `{"ok": false, "exit_code": 3, "text": "exited with code 0\nexited with code 3]"}`},
		{"the only line", false, protocol.Ending{Sure: true, Exit: "exited with code "}, `"exited with code 3"`, ``, `{"ok": false, "exit_code": 3, "text": "exited with code 3"}`},
		{"a code below 0", false, protocol.Ending{Sure: true, Exit: "exited with code "}, `"exited with code -1"`, ``, `{"ok": false, "exit_code": -1, "text": "exited with code -1"}`},
		{"a code beside the output", false, protocol.Ending{}, `{"output": "x", "metadata": {"output": "x", "exit": 2}}`, ``, `{"ok": false, "exit_code": 2, "text": "x"}`},
		{"JSON in a text", false, protocol.Ending{JSON: true}, `"{\"exitCode\":0,\"stdout\":\"ok\"}"`, ``, `{"ok": true, "exit_code": 0, "stdout": "ok"}`},
		{"which is text where it is none", false, protocol.Ending{}, `"{\"exitCode\":0}"`, ``, `{"text": "{\"exitCode\":0}"}`},
		{"success with a list", false, protocol.Ending{}, `{"success": false, "result": ["exit 1"]}`, ``, `{"ok": false, "text": "exit 1"}`},
		{"results of several queries", false, protocol.Ending{}, `[{"query": "a", "result": "x", "success": true}, {"query": "b", "result": "", "error": "no", "success": false}]`, ``, `{"ok": false, "text": "x\nno"}`},
		{"a code as text", false, protocol.Ending{}, `{"success": true, "result": [{"exit_status": "1", "stdout": "o", "stderr": "e"}]}`, ``, `{"ok": false, "exit_code": 1, "stdout": "o", "stderr": "e"}`},
		{"a list of texts", false, protocol.Ending{Sure: true}, `[{"type": "text", "text": "a"}]`, ``, `{"ok": true, "text": "a"}`},
		{"what the tool wrote", false, protocol.Ending{Sure: true}, `{"type": "create", "filePath": "/a", "content": "x"}`, ``, `{"ok": true}`},
		{"an error with a code", true, protocol.Ending{}, ``, `{"code": "internal", "message": "no"}`, `{"ok": false, "text": "no"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ev := &protocol.Event{Type: protocol.PostToolCall, Outcome: tt.form, Call: &protocol.Call{Name: "x"}}
			if tt.failed {
				ev.Type = protocol.PostToolCallFailure
			}
			for name, value := range map[string]string{"tool_response": tt.response, "error": tt.mistake} {
				if value != "" {
					ev.Fields = append(ev.Fields, protocol.Member{Name: name, Value: protocol.Raw(value)})
				}
			}
			if got := string(Tell(ev).Fields.Get("result")); got != tt.want {
				t.Errorf("%s %s\n have %s\n want %s", tt.response, tt.mistake, got, tt.want)
			}
		})
	}
}

func BenchmarkUsualLine(b *testing.B) {
	for b.Loop() {
		Tell(shellLine("cd /home/dev/project && git push --force origin main 2>&1 | tail -5"))
	}
}

func BenchmarkPlainLine(b *testing.B) {
	for b.Loop() {
		Tell(shellLine("npm run build"))
	}
}

// Functions that call each other endlessly are read for a while, and then count as
// unreadable.
func TestFunctionsAreReadForAWhile(t *testing.T) {
	var b strings.Builder
	for i := range 12 {
		b.WriteString("fn" + string(rune('a'+i)) + "() { ")
		for j := range 9 {
			b.WriteString("fn" + string(rune('b'+i)) + " " + string(rune('0'+j)) + "; ")
		}
		b.WriteString("}; ")
	}
	b.WriteString("fna x")
	start := time.Now()
	d := Of(shellLine(b.String()))
	if took := time.Since(start); took > 2*time.Second || d.UnreadCommands == "" {
		t.Errorf("%v, unread %q", took, d.UnreadCommands)
	}
	long := Of(shellLine("a=xxxxxxxxxxxxxxxx; " + strings.Repeat("a=$a$a; ", 40) + "echo $a"))
	for _, piece := range long.Pieces {
		if len(piece) > 2000 {
			t.Errorf("a piece of %d bytes", len(piece))
		}
	}
}

// A line is still read if other processes took the machine's time.
func TestABusyMachineIsNoReason(t *testing.T) {
	r := &reader{until: time.Now().Add(-time.Hour)}
	r.line("ls -l", 0)
	if r.unread != "" || len(r.out) != 1 || len(r.out[0].Argv) != 2 {
		t.Errorf("unread %q, commands %v", r.unread, r.out)
	}
	r = &reader{until: time.Now().Add(-time.Hour), since: 1} // the whole limit was used up
	for processor.Time() < 2*maxParse {
		// Asking for it uses it up.
	}
	r.line("ls -l", 0)
	if r.unread == "" {
		t.Errorf("read though its time is over: %v", r.out)
	}
}
