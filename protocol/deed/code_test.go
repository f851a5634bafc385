package deed

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// HM-ACT-33: what a program in another language plainly runs, in the ways that such
// programs are given to an interpreter.
func TestWhatProgramsRun(t *testing.T) {
	for line, want := range map[string]bool{
		`python3 -c "import os; os.system('rm x')"`:                                                               true,
		`python -uc "import os; os.popen('rm x').read()"`:                                                         true,
		"python3 <<'E'\nfrom subprocess import check_output as co, run\nrun(['rm', 'x'], capture_output=True)\nE": true,
		"pypy3 - <<'E'\nargs = ['rm']\nargs.append('x')\nimport subprocess\nsubprocess.call(args)\nE":             true,
		"python3 - <<'E'\nimport subprocess\nname = 'x'\nsubprocess.run(f'rm {name}', shell=True)\nE":             true,
		"python3 - <<'E'\nimport subprocess\nsubprocess.run(f'rm {given}', shell=True)\nE":                        false,
		"cat > a.py <<'E'\nimport os\nos.system('rm x')\nE\npython3 a.py":                                         true,
		"cat > a <<'E'\n#!/usr/bin/env python3\nimport os\nos.system('rm x')\nE\nchmod +x a; ./a":                 true,
		"cat > a.py <<'E'\nimport os\nos.system('rm x')\nE\npython3 b.py":                                         false,
		`python3 -c "eval('__import__(\"os\").system(\"rm x\")')"`:                                                true,
		`python3 -c "print('''os.system('rm x')''')"`:                                                             false,
		"python3 -c '# os.system(\"rm x\")'":                                                                      false,
		`python3 -m os.system 'rm x'`:                                                                             false,
		"python3 - <<'E'\nimport asyncio\nasyncio.run(asyncio.create_subprocess_exec('rm', 'x'))\nE":              true,
		`python3 -c "import os; list(map(os.system, ['rm x']))"`:                                                  true,
		`env A=1 python3 -c "import os; os.system('rm x')"`:                                                       true,
		`docker exec c python3 -c "import os; os.system('rm x')"`:                                                 true,

		`node -e "require('node:child_process').execFileSync('rm', ['x'])"`:                              true,
		`node -pe "const c = require('child_process'); c.exec('rm x', () => {})"`:                        true,
		"node --input-type=module - <<'E'\nimport { execa } from 'execa';\nawait execa('rm', ['x']);\nE": true,
		"node -e '// execSync(\"rm x\")'":                                                                false,
		`node -e "/x/.exec('rm x')"`:                                                                     false,
		"echo \"require('child_process').execSync('rm x')\" | node":                                      true,
		"deno eval 'new Deno.Command(\"rm\", { args: [\"x\"] }).outputSync()'":                           true,

		`perl -e 'system "rm x"'`:                                             true,
		`perl -we 'my $o = qx{rm x}; print $o'`:                               true,
		`perl -e 'exec("rm", "x") or die'`:                                    true,
		`perl -e 'print "system rm x"'`:                                       false,
		`ruby -e 'IO.popen(["rm", "x"])'`:                                     true,
		`ruby -ropen3 -e 'Open3.capture2e("rm x")'`:                           true,
		`php -r '$f = "x"; shell_exec("rm $f");'`:                             true,
		`php -r 'echo "exec rm x";'`:                                          false,
		`lua -e 'local h = io.popen("rm x"); h:close()'`:                      true,
		`lua -e '-- os.execute("rm x")'`:                                      false,
		`Rscript -e 'system("rm x")'`:                                         true,
		`osascript -e 'do shell script "rm x" with administrator privileges'`: true,
		`awk 'BEGIN { system("rm x") }'`:                                      true,
		`gawk '{ print $1 | "rm x" }' a`:                                      true,
		`awk 'BEGIN { while (("rm x" | getline l) > 0) print l }'`:            true,
		`awk '{ print "rm x" }' a`:                                            false,

		"cat > Makefile <<'E'\nall: a\n\t@-rm x\na:\nE\nmake -s": true,
		"printf 'a:; rm x\\n' | make -f -":                       true,
		"printf 'a:; rm x\\n' > m; make -f n":                    false,
	} {
		t.Run(fmt.Sprintf("%q", line), func(t *testing.T) {
			if d := Of(shellLine(line)); finds(d, "rm x") != want || d.UnreadCommands != "" {
				t.Errorf("%s: %s %q %q", line, told(d), d.Pieces, d.UnreadCommands)
			}
		})
	}
}

// HM-ACT-33: the files that such a program plainly changes, and no others.
func TestWhatProgramsChange(t *testing.T) {
	for line, want := range map[string]string{
		`python3 -c "open('a', 'w').write('x')"`:                                                                            "/w/a",
		`python3 -c "open('a').read()"`:                                                                                     "",
		`python3 -c "open('a', encoding='utf-8')"`:                                                                          "",
		"python3 - <<'E'\np = 'a'\nt = open(p).read().replace('x', 'y')\nopen(p, 'w').write(t)\nE":                          "/w/a",
		"python3 - <<'E'\nfrom pathlib import Path\nd = Path('b') / 'c'\n(d / 'a').write_text('x')\nE":                      "/w/b/c/a",
		"python3 - <<'E'\nfrom pathlib import Path\nPath('a').read_text().replace('x', 'y')\nE":                             "",
		"python3 - <<'E'\nimport pathlib as pl\nfor q in pl.Path('b').glob('*.o'):\n    q.unlink()\nE":                      "/w/b/*.o",
		"python3 - <<'E'\nimport os\nfor n in ['a', 'b']:\n    os.remove(n)\nE":                                             "/w/a /w/b",
		"python3 - <<'E'\nimport os, sys\nos.remove(sys.argv[1])\nE":                                                        "",
		`python3 -c "import os; os.replace('a', 'b')"`:                                                                      "/w/a /w/b",
		`python3 -c "import shutil as s; s.copytree('a', 'b')"`:                                                             "/w/b",
		`python3 -c "l = ['a']; l.remove('a')"`:                                                                             "",
		`cd b && python3 -c "open('a', 'x')"`:                                                                               "/w/b/a",
		`python3 -c "import os; os.chdir('b'); open('a', 'a')"; touch c`:                                                    "/w/b/a /w/c",
		`node -e "const {join} = require('path'); require('fs').writeFileSync(path.join('b', 'a'), '')"`:                    "/w/b/a",
		"node <<'E'\nconst fs = require('fs');\nfor (const f of ['a', 'b']) {\n  fs.rmSync(f);\n}\nfs.mkdirSync('c');\nE":   "/w/a /w/b /w/c",
		"node -e 'const n = \"a\"; require(\"fs\").unlinkSync(`b/${n}`)'":                                                   "/w/b/a",
		`node -e "const fs = require('fs'); ['a', 'b'].map(n => 'c/' + n).forEach(fs.unlinkSync)"`:                          "/w/c/a /w/c/b",
		`node -e "['a'].forEach(n => require('fs').rmSync(n))"`:                                                             "/w/a",
		`python3 -c "import os, glob; list(map(os.remove, glob.glob('*.o')))"`:                                              "/w/*.o",
		"python3 - <<'E'\nimport os\nfor n in ['a', 'b']:\n    os.remove(os.path.join('c', n))\n    open(f'd/{n}', 'w')\nE": "/w/c/a /w/c/b /w/d/a /w/d/b",
		"python3 -c \"from pathlib import Path; [(Path('c') / n).unlink() for n in ('a', 'b')]\"":                           "/w/c/a /w/c/b",
		`node -e "new Map().delete('a')"`:                                                                                   "",
		`node -e "require('fs').readFile('a', 'w', x)"`:                                                                     "",
		`perl -e 'unlink "a", "b"'`:                                                                                         "/w/a /w/b",
		`perl -e 'foreach my $f (qw(a b)) { unlink $f; } rename "c", "d";'`:                                                 "/w/a /w/b /w/c /w/d",
		`perl -e 'open(F, "<a"); open(G, ">", "b");'`:                                                                       "/w/b",
		`ruby -e '%w[a b].each { |f| File.unlink f }'`:                                                                      "/w/a /w/b",
		`ruby -e '{a: 1}.delete("a")'`:                                                                                      "",
		`php -r 'array_map("unlink", ["a", "b"]);'`:                                                                         "/w/a /w/b",
		`php -r '$d = "b"; unlink($d . "/a");'`:                                                                             "/w/b/a",
		`lua -e 'os.remove("a")'`:                                                                                           "/w/a",
		`awk '{ print > "a" }' b`:                                                                                           "/w/a",
		`awk '$1 > "a" { print }' b`:                                                                                        "",
	} {
		t.Run(fmt.Sprintf("%q", line), func(t *testing.T) {
			got := slices.DeleteFunc(namedBy(line), func(p string) bool { return strings.HasSuffix(p, ".py") })
			slices.Sort(got)
			if strings.Join(slices.Compact(got), " ") != want {
				t.Errorf("%s: %q, want %q", line, got, want)
			}
		})
	}
	d := Of(shellLine("python3 - <<'E'\np = 'a'\nkey = 'fish'\nwith open(p, 'w') as f:\n    f.write(key)\nE"))
	if !slices.Contains(d.Texts, "fish") {
		t.Errorf("what may be written: %q", d.Texts)
	}
	for tool, input := range map[string]string{
		"mcp__x__run_python": `{"code": "open('a', 'w')"}`, "execute": `{"language": "javascript", "code": "require('fs').rmSync('a')"}`, "run": `{"runtime": "python3.12", "source": "import os\nos.remove('a')"}`,
	} {
		if d := Of(call(tool, input)); len(d.Changes) != 1 || d.Changes[0].Path != "/p/a" {
			t.Errorf("%s %s: %v", tool, input, d.Changes)
		}
	}
	for tool, input := range map[string]string{"read_python_docs": `{"code": "open('a', 'w')"}`, "note": `{"code": "open('a', 'w')"}`, "run": `{"language": "cobol", "code": "open('a', 'w')"}`} {
		if d := Of(call(tool, input)); len(d.Changes) > 0 {
			t.Errorf("%s %s: %v", tool, input, d.Changes)
		}
	}
}

// A crafted program is read in bounds: what is over them counts as a match, and values
// that double stay unknown.
func TestCraftedProgramsAreBounded(t *testing.T) {
	python := func(code string) *protocol.Deed { return Of(shellLine("python3 - <<'E'\n" + code + "\nE")) }
	for name, code := range map[string]string{
		"values": "a = '" + strings.Repeat("b", 4000) + "'\n" + strings.Repeat("c = a + 'd'\n", 1000),
		"nested": strings.Repeat("f(", 5000), "lists": strings.Repeat("[", 5000), "blocks": strings.Repeat("{", 5000),
		"within": "eval(" + strings.Repeat(`'eval("`, 1) + strings.Repeat("eval(", 3000),
	} {
		if d := python(code); d.UnreadCommands == "" {
			t.Errorf("%s: is read whole", name)
		}
	}
	for _, code := range []string{strings.Repeat("a = 'b'\n", 1) + strings.Repeat("a = a + a\n", 60), "a = ['b']\n" + strings.Repeat("a += a\n", 60), "import os\na = 'b'\n" + strings.Repeat("a = os.path.join(a, a)\n", 60)} {
		if d := python(code + "\nopen(a, 'w'); open('c', 'w')"); len(d.Changes) != 1 || d.Changes[0].Path != "/p/c" {
			t.Errorf("%.40q: %d changes", code, len(d.Changes))
		}
	}
	for _, code := range []string{")]}\nopen('c', 'w')", "'\nopen('c', 'w')", "x = (\nopen('c', 'w')", "for (\nopen('c', 'w')", "for\nopen('c', 'w')", "a..b ? : ::\nopen('c', 'w')", "\x00\xff\nopen('c', 'w')"} {
		if d := python(code); len(d.Changes) != 1 {
			t.Errorf("%q hides what follows: %v", code, d.Changes)
		}
	}
}
