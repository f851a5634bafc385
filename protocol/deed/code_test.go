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
}

// HM-ACT-33: so are the texts that it may write.
func TestWhatProgramsMayWrite(t *testing.T) {
	d := Of(shellLine("python3 - <<'E'\np = 'a'\nkey = 'fish'\nwith open(p, 'w') as f:\n    f.write(key)\nE"))
	if !slices.Contains(d.Texts, "fish") {
		t.Errorf("what may be written: %q", d.Texts)
	}
}

// A tool runs the program that it is given if its name or a member of the input says
// so, in a language that is read.
func TestWhichToolsRunPrograms(t *testing.T) {
	for _, c := range []struct {
		name, tool, input string
		runs              bool
	}{
		{"the tool is named for its language", "mcp__x__run_python", `{"code": "open('a', 'w')"}`, true},
		{"a member names the language", "execute", `{"language": "javascript", "code": "require('fs').rmSync('a')"}`, true},
		{"a member names the version that runs it", "run", `{"runtime": "python3.12", "source": "import os\nos.remove('a')"}`, true},
		{"a tool that reads about a language", "read_python_docs", `{"code": "open('a', 'w')"}`, false},
		{"nothing names a language", "note", `{"code": "open('a', 'w')"}`, false},
		{"a language that is not read", "run", `{"language": "cobol", "code": "open('a', 'w')"}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Of(call(c.tool, c.input))
			if runs := len(d.Changes) == 1 && d.Changes[0].Path == "/p/a"; runs != c.runs || !c.runs && len(d.Changes) > 0 {
				t.Errorf("%s %s: %v", c.tool, c.input, d.Changes)
			}
		})
	}
}

func python(code string) *protocol.Deed { return Of(shellLine("python3 - <<'E'\n" + code + "\nE")) }

// A crafted program is read in bounds: what is over them counts as a match.
func TestCraftedProgramsAreBounded(t *testing.T) {
	for name, code := range map[string]string{
		"many values":        "a = '" + strings.Repeat("b", 4000) + "'\n" + strings.Repeat("c = a + 'd'\n", 1000),
		"calls in calls":     strings.Repeat("f(", 5000),
		"lists in lists":     strings.Repeat("[", 5000),
		"blocks in blocks":   strings.Repeat("{", 5000),
		"programs in a text": `eval('eval("` + strings.Repeat("eval(", 3000),
	} {
		t.Run(name, func(t *testing.T) {
			if d := python(code); d.UnreadCommands == "" {
				t.Error("it is read whole")
			}
		})
	}
}

// Values that double stay unknown, and hide no other.
func TestDoubledValuesStayUnknown(t *testing.T) {
	for name, code := range map[string]string{
		"a text": "a = 'b'\n" + strings.Repeat("a = a + a\n", 60),
		"a list": "a = ['b']\n" + strings.Repeat("a += a\n", 60),
		"a path": "import os\na = 'b'\n" + strings.Repeat("a = os.path.join(a, a)\n", 60),
	} {
		t.Run(name, func(t *testing.T) {
			if d := python(code + "\nopen(a, 'w'); open('c', 'w')"); len(d.Changes) != 1 || d.Changes[0].Path != "/p/c" {
				t.Errorf("%d changes", len(d.Changes))
			}
		})
	}
}

// A line that is none of the language hides nothing that follows.
func TestBrokenLinesHideNothing(t *testing.T) {
	for _, line := range []string{")]}", "'", "x = (", "for (", "for", "a..b ? : ::", "\x00\xff"} {
		t.Run(fmt.Sprintf("%q", line), func(t *testing.T) {
			if d := python(line + "\nopen('c', 'w')"); len(d.Changes) != 1 {
				t.Errorf("it hides what follows: %v", d.Changes)
			}
		})
	}
}
