package deed

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// What an editor, a pager, a wrapper or an interpreter runs by a word of its own is a command of
// the line; what only looks so is none.
func TestWaysOfProgramsToRun(t *testing.T) {
	for line, want := range map[string]bool{
		// Wrappers, with options that take a value and options that take none.
		"env - rm x": true, "setpriv --reuid 1 rm x": true, "systemd-run -t rm x": true, "systemd-run --unit u rm x": true, "unshare -p rm x": true, "unshare -R / rm x": true, "nsenter -t 1 -m rm x": true,
		"setarch -R rm x": true, "setarch x86_64 rm x": true, "strace -o l -f rm x": true, "systemd-inhibit --what idle rm x": true, "choom -n 1 -- rm x": true, "tini -- rm x": true, "chpst -u me rm x": true,
		"retry -t 3 -- rm x": true, "rlwrap -f w rm x": true, "proot -r / rm x": true, "lxc-attach -n c -- rm x": true, "ip netns exec n rm x": true, "ip link set rm x": false, "pixi run rm x": true, "capsh -- -c 'rm x'": true,
		"sem rm x": true, "parallel ::: 'rm x'": true, "echo 'rm x' | parallel": true, "parallel echo ::: 'rm x'": false,

		// Commands of their own.
		"sed '1e rm x' a": true, "sed -n '/y/e rm x' a": true, "sed 's/y/rm x/e' a": true, "sed 's/y/rm x/g' a": false, "sed 's/e /rm x/' a": false, "ed a <<< '!rm x'": true, "emacs --batch --eval '(shell-command \"rm x\")'": true,
		"split --filter='rm x' a": true, "sort --compress-program='rm x' a": true, "sort -- rm x": false, "zip a b -T -TT 'rm x'": true, "rg --pre 'rm x' a": true, "rg -- 'rm x' a": false, "cargo watch -s 'rm x'": true, "cargo run -- rm x": false,
		"socat - EXEC:'rm x'": true, "nc -l 1 -e 'rm x'": true, `mysql -e '\! rm x'`: true, "sqlite3 a '.shell rm x'": true, "less '+!rm x' a": true, "man -P 'rm x' a": true, "make --eval='a:; rm x' a": true,
		"git-rm x": false, "/usr/lib/git-core/git-push x": false,

		// Interpreters: other names for a function, pipes that are opened, cells of a notebook.
		`python3 -c "from os import system as s; s('rm x')"`: true, `python3 -c "import os; s = os.system; s('rm x')"`: true, `node -e 'const {execSync: s} = require("child_process"); s("rm x")'`: true,
		`perl -e 'open(F, "rm x|")'`: true, `perl -e 'open(my $f, "-|", "rm x")'`: true, `perl -e 'open(F, "<rm x")'`: false, "bun -e 'await Bun.$`rm x`'": true, "bun -e 'let a = `rm x`'": false, `Rscript -e 'system2("rm", c("x"))'`: true,
		`python3 -c "import subprocess; subprocess.run(['rm', *['x']])"`: true, `python3 -c "import subprocess; subprocess.run('rm x'.split(' '))"`: true, `python3 -c "import os; os.execlp('rm', 'rm', 'x')"`: true, `python3 -c "import os; os.spawnlp(os.P_WAIT, 'rm', 'rm', 'x')"`: true,
		`python3 -c "import os; os.system(' '.join(['rm', 'x']))"`: true, `node -e 'require("child_process").execSync(["rm", "x"].join(" "))'`: true, `node -e 'let a = ["x"]; require("child_process").spawnSync("rm", [...a])'`: true, `ruby -e 'c = %w[rm x]; system(*c)'`: true,
		`awk 'BEGIN { c = "rm x"; c | getline y }'`: true, `lua -e 'os.execute("rm " .. "x")'`: true, `perl -MIPC::Open3 -e 'open3(0, 0, 0, "rm x")'`: true, "su -c'rm x'": true, "vim -c ':silent !rm x'": true,
		"ipython -c '!rm x'": true, "ipython -c 'a = !rm x'": true, "ipython -c '%sx rm x'": true, "ipython <<'E'\n%%bash\nrm x\nE": true, `ipython -c 'print("a = !rm x")'`: false,

		// Values of PowerShell.
		"pwsh -c '$p = \"rm\"; & $p x; @{}'": true, "pwsh -c '$a = @(\"rm\", \"x\"); iex \"@a\"; @{}'": true,
	} {
		t.Run(fmt.Sprintf("%q", line), func(t *testing.T) {
			if d := Of(shellLine(line)); finds(d, "rm x") != want || d.UnreadCommands != "" {
				t.Errorf("%s: %s %q %q", line, told(d), d.Pieces, d.UnreadCommands)
			}
		})
	}
	for line, want := range map[string]string{"git-push -f": "git push -f", "/usr/lib/git-core/git-push -f": "git push -f", `"$(git --exec-path)/git-push" -f`: "git push -f"} {
		if d := Of(shellLine(line)); !finds(d, want) {
			t.Errorf("%s: %s", line, told(d))
		}
	}
}

// Files that programs write by an option or a command of their own.
func TestFilesThatProgramsWrite(t *testing.T) {
	for line, want := range map[string]string{
		"shuf -o a b": "/w/a", "gh release download -O a": "/w/a", "strace -o a ls": "/w/a", "strace ls -o a": "", "/usr/bin/time -o a ls": "/w/a", "tcpdump -w a": "/w/a", "gcloud secrets versions access 1 --out-file=a": "/w/a",
		"git bundle create a HEAD": "/w/a", "git bundle verify a": "", "git format-patch --output=a": "/w/a", "vim -c 'w! a' -R b": "/w/a", "sqlite3 b '.output a' 'select 1'": "/w/a", "dos2unix a": "/w/a", "rpl x y a": "/w/a",
		"dotenv -f a set K V": "/w/a", "dotenv list": "", "cpio -i a": "/w/a", "ar x b.a a": "/w/a", "convert b a": "/w/a", "mknod a p": "/w/a", "7z x b.7z a": "/w/a", "nu -c '\"x\" | save a'": "/w/a",
		`node -e "require('fs').openSync('a', 'w')"`: "/w/a", `python3 -c "import codecs; codecs.open('a', 'w')"`: "/w/a", `Rscript -e 'writeLines("x", "a")'`: "/w/a",
		`pwsh -c '[IO.File]::WriteAllText("a", "x")'`: "/w/a", `pwsh -c '[System.IO.File]::Move("b", "a")'`: "/w/b,/w/a", `pwsh -c '[IO.File]::ReadAllText("a")'`: "",
		`pwsh -c 'foreach ($f in @("a", "b")) { Remove-Item $f }'`: "/w/a,/w/b,/w/a", `pwsh -c '$f = "a"; ri $f'`: "/w/a", "pwsh -c 'gci a | ri -Force'": "/w/a", "pwsh -c 'gci a'": "",
		"rename .txt .env x.txt":                  "/w/x.txt,/w/x.env",
		"rename 's/x$//' d/.envx":                 "/w/d/.envx,/w/d/.env",
		`rename 's/\.bak$/.c/' a.bak b`:           "/w/a.bak,/w/a.c",
		"rename 'y/a-z/A-Z/' a":                   "/w/a",
		"rename 's/(a)/$1b/' a":                   "/w/a",
		"rename -n s/b/a/ b":                      "",
		"split -a1 -d b a --additional-suffix=.c": "/w/a0.c,/w/a1.c,/w/a2.c,/w/a3.c,/w/a4.c,/w/a5.c,/w/a6.c,/w/a7.c,/w/a8.c,/w/a9.c",
		"csplit -f .en -b v%.0d b 3":              "/w/.env,/w/.env0,/w/.env1,/w/.env2,/w/.env3,/w/.env4,/w/.env5,/w/.env6,/w/.env7,/w/.env8,/w/.env9",
		"csplit -n1 --prefix=c b 3":               "/w/c0,/w/c1,/w/c2,/w/c3,/w/c4,/w/c5,/w/c6,/w/c7,/w/c8,/w/c9",
	} {
		t.Run(line, func(t *testing.T) {
			got := namedBy(line)
			if want == "" && len(got) > 0 || !slices.Equal(sorts(got), sorts(strings.FieldsFunc(want, func(c rune) bool { return c == ',' }))) {
				t.Errorf("%s: %s, want %s", line, got, want)
			}
		})
	}
}

func sorts(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }

// What may get into a file by ways that are not plain is tried by guards on content.
func TestWhatMayBeWritten(t *testing.T) {
	for line, want := range map[string]bool{
		"exec > a; echo fish": true, "exec 3> a; echo fish >&3": true, "exec 3>&1; echo fish": false, "cp /dev/stdin a <<< fish": true, "cp b a <<< fish": false, "ssh h 'cat > a' <<< fish": true, "ssh h cat <<< fish": false,
		"git config -f a x.y fish": true, "dotenv set K fish": true, "sqlite3 a \"insert into t values('fish')\"": true, `echo -e '\0146ish' > a`: true,
		"pwsh -c '\"fish\" | Out-File a'": true, "pwsh -c '(Get-Content a) -replace \"x\", \"fish\" | Set-Content a'": true, "pwsh -c 'Write-Host \"fish\"'": false,
	} {
		t.Run(line, func(t *testing.T) {
			d := Of(shellLine(line))
			has := func(text string) bool { return strings.Contains(text, "fish") }
			got := slices.ContainsFunc(d.Texts, has) || slices.ContainsFunc(d.Changes, func(c protocol.Change) bool { return has(c.New) })
			if got != want {
				t.Errorf("%s: %q %v", line, d.Texts, d.Changes)
			}
		})
	}
}

// What is typed counts as the terminal takes it, and a tool that runs code or the words of a command
// is known by its name.
func TestWaysOfToolsToRun(t *testing.T) {
	for _, tt := range [][2]string{
		{"mcp__x__exec", `{"container": "c", "args": ["rm", "x"]}`}, {"mcp__x__write_to_process", `{"pid": 1, "content": "rm x\n"}`}, {"mcp__term__send", `{"keys": "rn\bm x"}`}, {"mcp__term__send", `{"keys": "ls\u0015rm x"}`},
		{"mcp__term__send", `{"keys": "rm yy\u0017x"}`}, {"mcp__x__run", `{"command": "{\"command\": \"rm x\"}"}`}, {"mcp__ide__executeCode", `{"code": "!rm x"}`}, {"mcp__ide__executeCode", `{"code": "import os\nos.system('rm x')"}`}, {"mcp__x__sh", `{"source": "rm x"}`},
	} {
		if d := Of(call(tt[0], tt[1])); !finds(d, "rm x") {
			t.Errorf("%s %s: %s", tt[0], tt[1], told(d))
		}
	}
	for _, tt := range [][2]string{
		{"mcp__x__exec", `{"args": ["--version"]}`}, {"mcp__x__list", `{"args": ["rm", "x"]}`}, {"mcp__x__save_code", `{"code": "!rm x"}`}, {"mcp__x__write_terminal_log", `{"path": "a", "content": "rm x"}`},
	} {
		if d := Of(call(tt[0], tt[1])); finds(d, "rm x") {
			t.Errorf("%s %s: %s", tt[0], tt[1], told(d))
		}
	}
}
