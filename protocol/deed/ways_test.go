package deed

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// finds reports whether a command is among those that matchers are tried on.
func finds(d *protocol.Deed, command string) bool {
	return slices.Contains(d.Pieces, command) || slices.ContainsFunc(d.Commands, func(c protocol.Command) bool { return c.Text == command })
}

// HM-ACT-03, HM-ACT-26: a command is found in whatever way it is started, and is not
// where nothing starts it.
func TestWaysToStartACommand(t *testing.T) {
	for line, want := range map[string]bool{
		// What a shell gets as its input, with options before that take a value.
		"bash -euo pipefail <<'E'\nrm x\nE": true, "bash -e -o pipefail <<< 'rm x'": true, "bash --rcfile a <<< 'rm x'": true, "bash -O extglob <<< 'rm x'": true,
		"bash /dev/fd/0 <<< 'rm x'": true, "bash -s a <<< 'rm x'": true, "bash a <<< 'rm x'": false, "bash -o pipefail a <<< 'rm x'": false,
		"(bash) <<< 'rm x'": true, "{ bash; } <<< 'rm x'": true, "if a; then bash; fi <<< 'rm x'": true, "exec <<< 'rm x'; bash": true,
		"sudo -u me -s <<< 'rm x'": true, "sudo -u me cat <<< 'rm x'": false,
		"echo rm x | cat | sh": true, "echo rm x | tee a | sh": true, "echo rm x | cat -n a | sh": false, "(date; echo rm x) | sh": true,
		"(crontab -l; echo '* * * * * rm x') | crontab -": true, "echo '@reboot rm x' | crontab -": true,
		`printf '\x72m x' | sh`: true, `echo -e '\x72m x' | sh`: true, `printf 'rm\0x' | xargs -0 sudo`: true,
		"pwsh <<< 'rm x'": true, "echo rm x | pwsh -NoProfile -Command -": true, "echo rm x | cmd": true, "echo rm x | pwsh -File a": false,

		// A script that the call itself writes.
		"echo rm x > a.sh; sh a.sh": true, "cat > a.sh <<'E'\nrm x\nE\nbash -eu ./a.sh": true, "tee a <<'E' && chmod +x a && ./a\nrm x\nE": true, "echo rm x > a; . ./a": true,
		"cd b; echo rm x > a; cd ..; sh b/a": true, "echo rm x > a; sh b": false, "printf '#!/usr/bin/python3\nrm x\n' > a; ./a": false, "printf '#!/bin/sh\nrm x\n' > a; ./a": true,

		"echo rm x > a; sh < a": true, "echo rm x > a; cat a | sh": true, "echo rm x > a; cat b | sh": false, "echo y > a; echo rm x >> a; sh < ./a": true,
		"exec 4<<< 'rm x'; sh <&4": true, "exec 4<<< 'rm x'; sh <&5": false, "echo rm x > a; exec 7< a; sh <&7": true, "sh <&0": false,

		"find /bin/rm -exec {} x \\;": true, "find /bin/rm -exec ls {} \\;": false, "parallel rm ::: x": true, `"$(printf -- '%s' rm)" x`: true, "xargs -I_ rm _ <<< x": true,

		// A file that is another command's output, or that the call has written.
		"make -f <(printf 'a:\n\trm x\n')": true, "make --file=<(echo 'a:;rm x') a": true, "make -f b <(echo 'a:;rm x')": false, "xargs -a <(echo x) rm": true, "xargs --arg-file=<(echo rm x) sudo": true, "xargs -I_ -a<(echo x) rm _": true,
		"echo x > l; xargs -a l rm": true, "echo x > l; xargs -a m rm": false, "parallel -a <(echo x) rm {}": true, "parallel rm :::: <(echo x)": true, "at -f <(echo rm x) now": true, "echo rm x > a; batch -f a": true, "at now <(echo rm x)": false,
		"crontab <(echo '* * * * * rm x')": true, "echo '@daily rm x' > a; crontab -u me a": true, "python3 <(echo 'import os; os.system(\"rm x\")')": true, "cat <(echo rm x)": false,

		// An alias that git has been told before.
		"git config --global alias.y '!rm'; git y x": true, "git config set alias.y '!f() { rm \"$@\"; }; f' && git -C a y x": true, "git config alias.y '!rm'; git z x": false, "git y x; git config alias.y '!rm'": false, "git config alias.y '!git y; rm x'; git y": true,

		"flock a rm x": true, "flock --timeout 5 a rm x": true, "flock -n --conflict-exit-code 3 a -c 'rm x'": true, "flock rm x": false,

		// Long options that are cut short, where that is clear.
		"rm --recu --forc y": false, "git rm --cach x": false,

		// Shells, and programs that start another one.
		"salt 'w*' cmd.run 'rm x' cwd=/": true, "salt-call --local cmd.shell cmd='rm x'": true, "salt 'w*' test.ping 'rm x'": false, "salt-ssh 'w*' -i cmd.run_all 'rm x'": true,
		"flatpak run --command=rm org.a.B x": true, "flatpak run --branch=b --command=rm org.a.B x": true, "flatpak run org.a.B rm x": false, "flatpak enter org.a.B rm x": true, "flatpak install rm x": false,
		"start-stop-daemon -S -b -x /bin/rm -- x": true, "start-stop-daemon --start --exec /bin/a --startas rm -- x": true, "start-stop-daemon --stop --exec rm -- x": false,
		"$SHELL -c 'rm x'": true, `"$BASH" -c 'rm x'`: true, "$0 -c 'rm x'": true, "fish -C 'rm x'": true, "nu -c 'rm x'": true, "trap -- 'rm x' EXIT": true,
		"runuser -l me -c 'rm x'": true, "runuser -u me bash a -c 'rm x'": false, "pkexec --user me rm x": true, "env -P /bin rm x": true, "ltrace -S rm x": true,
		"docker run --entrypoint rm a x": true, "docker run --entrypoint=rm -v b a x": true, "docker run a x": false, "apptainer exec a rm x": true, "gh codespace ssh -c a -- rm x": true,
		"wsl bash -c 'rm x'": true, "wsl 'rm x'": true, "winpty rm x": true, "ssh-agent rm x": true, "/lib64/ld-linux-x86-64.so.2 rm x": true, "repeat 2 rm x": true,
		`"$(which rm)" x`: true, "$(brew --prefix)/bin/rm x": true, "$D/rm x": true, "=rm x": true, "grm x": true, "gcc x": false, "rm${IFS%?}x": true,

		// Windows.
		"CMD /C rm x": true, "cmd /crm x": true, `cmd /c "r^m x"`: true, "PowerShell -Command rm x": true, "powershell -ep bypass rm x": true, "powershell a.ps1 rm x": false,
		"pwsh -e cgBtACAAeAA=": true, "pwsh -cwa 'rm x'": true, "iex 'rm x'": true, "pwsh -c \"Invoke-Expression 'rm x'\"": true,
		"Start-Process rm -ArgumentList x": true, "Start-Process -Wait -FilePath rm x": true, "start /b rm x": true, "Start-Job { rm x }": true, "1..2 | % { rm x }": true, "try { rm x } catch { y }": true, "$a = rm x": true,

		// What an expansion makes of what the text itself sets.
		"a=xrm; ${a#x} x": true, "a=rm.b; ${a%.*} x": true, "a=b/rm; ${a##*/} x": true, "a=rm.b.c; ${a%%.*} x": true, "a=c.b.rm; ${a#*.} x": false, "a=brm; ${a:1} x": true, "a=brmb; ${a:1:2} x": true,
		"a=RM; ${a,,} x": true, "a=Rm; ${a,} x": true, "a=bm; ${a/b/r} x": true, "a=rbmb; ${a//b} x": true, "a=rm; b=a; ${!b} x": true, "git ${:-push}": false,
		"mapfile -t a <<< 'rm x'; ${a[0]}": true, "readarray a <<< $'b\nrm x'; ${a[1]}": true, "$(printf 'rm x')": true,
	} {
		t.Run(fmt.Sprintf("%q", line), func(t *testing.T) {
			if d := Of(shellLine(line)); finds(d, "rm x") != want {
				t.Errorf("%s: %s %q", line, told(d), d.Pieces)
			}
		})
	}
}

// A line of PowerShell that is no sh is tried in pieces, also without what precedes a
// command.
func TestPiecesOfPowerShell(t *testing.T) {
	for _, line := range []string{
		"$a = 'b'; & git push -f", `& "C:\Program Files\Git\cmd\git.exe" push -f; $b = @{}`, "git push `\n -f; @{}", "@{}; $r = git push -f", "if ($a) { iex 'git push -f' } else { @{} }",
		"[void](git push -f); @{}", "@{}; Start-Process git -ArgumentList push, -f",
		"& (Get-Command git) push -f", "& (gcm git.exe -CommandType Application).Source push -f", ". $(Get-Command -Name 'git') push -f", "$g = Get-Command git; & $g push -f", "$g = (gcm git).Path; & $g push -f", "& (where.exe git) push -f",
	} {
		t.Run(line, func(t *testing.T) {
			ev := &protocol.Event{Type: protocol.PreToolCall, Call: protocol.Tools{{Native: "p", Name: protocol.Shell, Does: protocol.RawShell}}.NewCall("p", protocol.Object{{Name: "command", Value: protocol.Quote(line)}}.Raw())}
			if d := Of(ev); !slices.Contains(d.Pieces, "git push -f") {
				t.Errorf("%s: %q", line, d.Pieces)
			}
		})
	}
}

// HM-ACT-18, HM-ACT-21: files that commands name, also those of cmd and PowerShell.
func TestFilesOfCommands(t *testing.T) {
	for line, want := range map[string]string{
		"cat > $(pwd)/a": "/w/a", "rm `echo a`": "/w/a", `f=b/a.env; rm "${f##*/}"`: "/w/a.env", "ln -sf b/a": "/w/a", "link b a": "/w/a", "grm a": "/w/a", "trash a": "/w/a", "zstd -d a.zst": "/w/a", "xxd -r b a": "/w/a",
		"curl --trace-ascii a u": "/w/a", "curl --etag-save a u": "/w/a", "bsdtar xf b a": "/w/a", "find b -fprint a": "/w/a",
		"find b -name a -exec sed -i s/x/y/ {} +": "/w/b/a", `find b -name a -exec sh -c 'rm "$1"' _ {} \;`: "/w/b/a", "find b -name a | xargs rm": "/w/b/a", "find b -name a -print0 | xargs -0 rm -f": "/w/b/a", "ls a | xargs rm": "/w/a",
		"find b -name a | xargs cat": "", "find b -name a -exec cat {} +": "",
		"del /f a": "/w/a", "erase a": "/w/a", "copy /y b a": "/w/a", "move b a": "/w/b,/w/a", "ren a b": "/w/a,/w/b", "ri a": "/w/a", "Remove-Item a,b": "/w/a,/w/b", "ni a": "/w/a", "b | sc a": "/w/a",
		"Set-Content -Path:a b": "/w/a", "iwr u -OutFile a": "/w/a", "iwr u": "", "cmd /c del a": "/w/a", "pwsh -c 'ri a'": "/w/a",
	} {
		t.Run(line, func(t *testing.T) {
			if got := strings.Join(namedBy(line), ","); got != want {
				t.Errorf("%s: %s, want %s", line, got, want)
			}
		})
	}
}

// What an unknown tool runs or changes is found by what its name and its members say.
func TestWaysOfUnknownTools(t *testing.T) {
	for _, tt := range [][3]string{
		{"mcp__x__run", `{"argv": ["rm", "x"]}`, "rm x"}, {"mcp__x__run", `{"program": "rm", "args": "x"}`, "rm x"}, {"mcp__x__run", `{"program": "rm", "parameters": ["x"]}`, "rm x"},
		{"mcp__x__run", `{"command": {"line": "rm x"}}`, "rm x"}, {"run_command", `{"line": "rm x"}`, "rm x"}, {"execute_command", `{"input": "rm x"}`, "rm x"}, {"list_commands", `{"input": "rm x"}`, ""},
		{"multi_tool_use", `{"tool_uses": [{"recipient_name": "shell", "parameters": {"command": ["rm", "x"]}}]}`, "rm x"}, {"call", `{"function": {"name": "sh", "arguments": "{\"command\": \"rm x\"}"}}`, "rm x"},
		{"mcp__fs__write", `{"target": "x", "content": "y"}`, "/p/x"}, {"mcp__fs__write", `{"location": "x", "content": "y"}`, "/p/x"}, {"mcp__fs__remove", `{"target": "x"}`, "/p/x"}, {"mcp__fs__move", `{"from": "x", "to": "y"}`, "/p/x"},
		{"deploy", `{"target": "x"}`, ""}, {"read_file", `{"target": "x"}`, ""},
	} {
		t.Run(tt[0]+tt[1], func(t *testing.T) {
			d := Of(call(tt[0], tt[1]))
			if got := len(d.Commands) + len(d.Changes); tt[2] == "" && got > 0 || tt[2] != "" && !finds(d, tt[2]) && !slices.ContainsFunc(d.Changes, func(c protocol.Change) bool { return c.Path == tt[2] }) {
				t.Errorf("%s %s: %s %v", tt[0], tt[1], told(d), d.Changes)
			}
		})
	}
	deep := Of(call("mcp__fs__write", `{"path": "a", "blocks": [{"x": ["fish"]}]}`))
	if !slices.Contains(deep.Texts, "fish") {
		t.Errorf("texts %q", deep.Texts)
	}
}

// A pipe is a line of its own, in which quotes hide nothing.
func TestPipesAreLines(t *testing.T) {
	for line, want := range map[string]string{
		`cu""rl "u" | sudo sh`: "curl u | sudo sh", `c=curl; $c u | tr a b | sh`: "curl u | tr a b | sh", `bash -c 'cu\rl u | sh'`: "curl u | sh", "a | b": "", "(a; b) | c 'd'": "(a; b) | c d",
	} {
		t.Run(line, func(t *testing.T) {
			if got := strings.Join(Of(shellLine(line)).Pipes, "; "); got != want {
				t.Errorf("%s: %q, want %q", line, got, want)
			}
		})
	}
}

// A name of which only a part is known is no change, but is tried as it is written.
func TestNamesThatAreKnownInPart(t *testing.T) {
	for line, want := range map[string]string{
		"echo x > $D/.env": "$D/.env", `rm "${D}/.env"`: "${D}/.env", `cp a "$(git rev-parse --show-toplevel)/.env"`: "$(git rev-parse --show-toplevel)/.env", "mv $D/.env b": "$D/.env", "mv a $D/.env": "$D/.env",
		"echo x | tee -a ${D:-.}/.env": "${D:-.}/.env,./.env", "rm ${D-.env}": "${D-.env},.env", "sed -i s/a/b/ $D/.env": "$D/.env", "cat $D/.env": "", "echo x > .env": "", "D=b; rm $D/.env": "",
	} {
		t.Run(line, func(t *testing.T) {
			d := Of(shellLine(line))
			if got := strings.Join(d.Paths, ","); got != want && !(want == "" && len(d.Changes) > 0) {
				t.Errorf("%s: %s, want %s", line, got, want)
			}
		})
	}
}
