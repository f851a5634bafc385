package deed

import (
	"fmt"
	"slices"
	"strings"
	"testing"

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
		`x=éa; rm ${x^}`:                                  "rm,Éa",
		`x=ÉA; rm ${x,}`:                                  "rm,éA",
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
