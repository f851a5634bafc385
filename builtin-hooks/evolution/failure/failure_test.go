package failure

import (
	"fmt"
	"strings"
	"testing"
)

// The same again is the same ID, whatever numbers, times and lines say; another
// name, another error, another test is another one. EV-FAI-01, EV-FAI-02.
func TestSameAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"another line of a file", "src/cart.ts(14,7): error TS2322: Type 'string' is not assignable to type 'number'.", "src/cart.ts(15,7): error TS2322: Type 'string' is not assignable to type 'number'.", true},
		{"another code", "src/cart.ts(14,7): error TS2322: Type 'string' is not assignable to type 'number'.", "src/cart.ts(14,7): error TS2304: Cannot find name 'total'.", false},
		{"another name", "./main.go:9:2: undefined: total", "./main.go:9:2: undefined: price", false},
		{"another folder", "/home/a/shop/main.go:9:2: undefined: total", "/srv/b/shop/main.go:9:2: undefined: total", true},
		{"times and hashes", "2026-11-23T10:00:01Z error: blob 4f5a6b7c8d is missing after 2.31s", "2026-11-23T10:09:41Z error: blob 99aabbccd1 is missing after 0.4s", true},
		{"another test", "--- FAIL: TestAdd (0.00s)\n    add_test.go:9: got 3, want 4", "--- FAIL: TestSub (0.00s)\n    sub_test.go:9: got 3, want 4", false},
		{"the same test with other numbers", "--- FAIL: TestAdd (0.00s)\n    add_test.go:9: got 3, want 4", "--- FAIL: TestAdd (0.02s)\n    add_test.go:9: got 5, want 4", true},
		{"another part of a test", "--- FAIL: TestAdd (0.00s)\n    --- FAIL: TestAdd/big (0.00s)\n        add_test.go:9: got 3, want 4", "--- FAIL: TestAdd (0.00s)\n    --- FAIL: TestAdd/small (0.00s)\n        add_test.go:9: got 3, want 4", false},
		{"another test of cargo", "test cart::adds ... FAILED\n\nassertion failed: left == right", "test cart::removes ... FAILED\n\nassertion failed: left == right", false},
		{"fewer tests", "FAILED tests/test_a.py::test_x - assert 1 == 2\nFAILED tests/test_a.py::test_y - assert 1 == 2\n2 failed", "FAILED tests/test_a.py::test_x - assert 1 == 2\n1 failed, 1 passed", false},
		{"another module", "ModuleNotFoundError: No module named 'numpy'", "ModuleNotFoundError: No module named 'yaml'", false},
		{"another host", "error: cannot fetch https://a.example/x.tgz", "error: cannot fetch https://b.example/x.tgz", false},
		{"another file of a host", "error: cannot fetch https://a.example/x.tgz", "error: cannot fetch https://a.example/y.tgz", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := Of("make check", c.a, 1), Of("make check", c.b, 1)
			if a.Same(&b) != c.same {
				t.Errorf("the same: %v\n%+v\n%+v", !c.same, a, b)
			}
		})
	}
}

// Elsewhere the kind is the same: names of a project are no part of it, what is
// missing in both is. EV-FAI-03.
func TestSameElsewhere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"other names", "/home/a/shop/cart.go:9:2: undefined: totalPrice", "/srv/crm/lead.go:70:12: undefined: leadOwner", true},
		{"another type", "src/cart.ts(14,7): error TS2322: Type 'string' is not assignable to type 'number'.", "lib/x.ts(1,2): error TS2322: Type 'Foo' is not assignable to type 'Bar'.", true},
		{"the same module", "ModuleNotFoundError: No module named 'numpy'", "Traceback (most recent call last):\n  File \"/srv/x.py\", line 1, in <module>\nModuleNotFoundError: No module named 'numpy.linalg'", false},
		{"the same port", "Error: connect ECONNREFUSED 127.0.0.1:5432", "Error: connect ECONNREFUSED 127.0.0.1:6379", false},
		{"another file of that kind", "error: cannot read src/cart.go", "error: cannot read lib/lead.go", true},
		{"a file of another kind", "error: cannot read src/cart.go", "error: cannot read src/cart.py", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := Of("x", c.a, 1), Of("x", c.b, 1)
			if (a.Kind == b.Kind) != c.same {
				t.Errorf("the same: %v\n%+v\n%+v", !c.same, a, b)
			}
		})
	}
}

// A code is what a failure is looked up by, in brackets or not, and its place is that of
// the first message, the first line too.
func TestCodeAndPlace(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]Failure{
		"error[E0308]: mismatched types":                                    {Code: "E0308"},
		"Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'":             {Code: "ERR_MODULE_NOT_FOUND"},
		"Error: listen EADDRINUSE: address already in use :::3000":          {Code: "EADDRINUSE"},
		"error[shop]: it failed":                                            {},
		"x.c:1:5: error: unknown type name 'foo'":                           {Place: 1},
		"x.c:3:1: error: unknown type 'foo'\nx.c:9:1: error: no type 'bar'": {Place: 3},
	} {
		t.Run(line, func(t *testing.T) {
			if f := Of("make", line, 1); f.Code != want.Code || f.Place != want.Place {
				t.Errorf("code %q, place %d; want %q, %d", f.Code, f.Place, want.Code, want.Place)
			}
		})
	}
}

// A message says the names of files that many projects have, and of others the kind.
func TestFilesInMessages(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{"src/package.json": "package.json", "/usr/bin/tool": "tool", "src/cart.go": "file.go", "./src/cart.go": "file.go", "../../src/cart.go": "file.go"} {
		t.Run(file, func(t *testing.T) {
			if f := Of("x", "error: cannot read "+file, 1); f.Text != "error: cannot read "+want {
				t.Errorf("%s: %q", file, f.Text)
			}
		})
	}
}

// Fewer failures, or one further on, is getting better. EV-FAI-04.
func TestBetter(t *testing.T) {
	t.Parallel()
	three := Of("cc x.c", "x.c:3:1: error: unknown type name 'foo'\nx.c:9:1: error: unknown type name 'bar'\n2 errors generated.", 1)
	one := Of("cc x.c", "x.c:3:1: error: unknown type name 'foo'\n1 error generated.", 1)
	if !one.Better(&three) || three.Better(&one) {
		t.Errorf("%+v %+v", one, three)
	}
	early, late := Of("node x", "x.js:3: SyntaxError: Unexpected token ')'", 1), Of("node x", "x.js:80: SyntaxError: Unexpected token ')'", 1)
	if !early.Same(&late) || !late.Better(&early) {
		t.Errorf("%+v %+v", early, late)
	}
}

// EV-FAI-05.
func TestSymbols(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"psql: error: connection to server at \"localhost\" (127.0.0.1), port 5432 failed: Connection refused": "port:5432 host:local",
		"Error: Cannot find module '@scope/thing/sub'":                                                         "module:@scope/thing/sub",
		"Error: Cannot find module '../lib/thing'":                                                             "module:own",
		"ModuleNotFoundError: No module named 'yaml.loader'":                                                   "module:yaml.loader",
		"fatal error: openssl/ssl.h: No such file or directory":                                                "header:openssl/ssl.h file:.h",
		"bash: jq: command not found":                                                                          "command:jq",
		"/usr/bin/ld: cannot find -lpq: No such file or directory":                                             "library:pq",
		"Can't locate Text/Diff/Table.pm in @INC (you may need to install the Text::Diff::Table module)":       "module:Text::Diff::Table",
		"ERROR: No matching distribution found for requests[socks]==999":                                       "module:requests",
		"Could not resolve dependencies for project com.acme:shop":                                             "",
		"npm error peer react@\"^18\" from react-dnd@16.0.1":                                                   "package:react package:react-dnd",
		"bash: ./a.sh: /bin/bash^M: bad interpreter: No such file or directory":                                "ending:crlf",
		"avrdude: ser_open(): can't open device \"/dev/ttyACM3\": Permission denied":                           "device:serial",
		"main.go:80: undefined: x":                                                                             "",
		"bash: " + strings.Repeat("long", 20) + ": command not found":                                          "",
		"bash: " + strings.Repeat("long", 19) + ": command not found":                                          "command:" + strings.Repeat("long", 19),
	} {
		t.Run(fmt.Sprintf("%.80q", line), func(t *testing.T) {
			if got := strings.Join(symbols(line), " "); got != want {
				t.Errorf("%q: %q, want %q", line, got, want)
			}
		})
	}
}

// No part of a secret is kept, with its numbers or without.
func TestNoSecretIsKept(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{"ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2", "AKIAIOSFODNN7EXAMPLE", "sk-ant-api03-Zx9Zx9Zx9Zx9Zx9Zx9Zx9Zx9Zx9Zx9Zx9Zx9Zx9Zx9", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcDEF123456"} {
		t.Run(secret, func(t *testing.T) {
			f := Of("npm run build", "Error: cannot log in with Bearer "+secret+" at the registry", 1)
			bare := strings.Map(func(r rune) rune {
				if r >= '0' && r <= '9' {
					return -1
				}
				return r
			}, secret)
			for _, kept := range append([]string{f.Text, f.Said, f.Around, f.Code}, f.Symbols...) {
				if strings.Contains(kept, secret[:12]) || strings.Contains(kept, bare[:12]) {
					t.Errorf("%s: %q", secret, kept)
				}
			}
		})
	}
}

// The code of what failed is that of what ran inside, where its shell or make tells it.
// EV-FAI-08.
func TestInnerCode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		command, text string
		exit, want    int
		symbol        string
	}{
		{"make", "make: tool: No such file or directory\nmake: *** [Makefile:2: all] Error 127", 2, 127, "command:tool"},
		{"npm run build", "sh: 1: tscc: not found", 1, 127, "command:tscc"},
		{"make", "make: *** [Makefile:2: all] Error 137", 2, 137, ""},
		{"make", "a.c:3:1: error: expected ';'\nmake: *** [Makefile:2: all] Error 1", 2, 2, ""},
		{"xargs tool < list", "xargs: tool: No such file or directory", 127, 127, "command:tool"},
	} {
		t.Run(fmt.Sprintf("%q", c.text), func(t *testing.T) {
			f := Of(c.command, c.text, c.exit)
			if f.Exit != c.want || strings.Join(f.Symbols, " ") != c.symbol {
				t.Errorf("%s: %d %v, want %d %q", c.text, f.Exit, f.Symbols, c.want, c.symbol)
			}
		})
	}
}

// What succeeded is no failure, whatever it prints; an answer is none either.
// EV-FAI-06, EV-FAI-07, EV-FAI-08, EV-FAI-09.
func TestEnded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		command, text string
		exit          int
		failed        bool
		want          string
	}{
		{"npm run build", "Error: this is only printed\nFAILED", 0, false, ""},
		{"grep -rn TODO src", "", 1, false, ""},
		{"diff a b", "< x\n> y", 1, false, ""},
		{"git diff --quiet", "", 1, false, ""},
		{"ls dist", "ls: cannot access 'dist': No such file or directory", 2, true, ""},
		{"systemctl is-active nginx", "inactive", 3, true, ""},
		{"npm test", "^C", 130, true, ""},
		{"timeout 5 npm run dev", "ready on http://localhost:3000", 124, true, ""},
		{"make 2>&1 | grep -i error", "", 1, true, ""},
		{"docker ps", "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?", 1, true, "error:connection_refused"},
		{"kubectl get pods", "Unable to connect to the server: dial tcp: lookup k8s.example on 10.0.0.2:53: no such host", 1, true, "error:connection_refused"},
		{"curl -s http://localhost:8080/x", "", 7, false, "error:connection_refused"},
		{"curl -s http://localhost:8080/x", "", 28, true, "error:timeout"},
		{"timeout 60 pytest", "collected 3 items", 124, true, "error:timeout error:test_failure"},
		{"./tool", "", 126, true, "error:permission_error"},
		{"frob x", "", 127, true, "error:not_found"},
		{"make", "cc1plus", 137, true, "error:oom error:build_failure"},
		{"npx tsc | tail -5", "src/a.ts(1,2): error TS2322: Type 'a' is not assignable to type 'b'.", 0, false, "error:typescript"},
		{"set -o pipefail; yes x | head -1", "x", 141, true, ""},
		{"rsync -a a/ b/", "file has vanished: \"/a/x\"\nrsync warning: some files vanished before they could be transferred (code 24)", 24, true, ""},
		{"terraform plan -detailed-exitcode -no-color | tee plan.txt; exit ${PIPESTATUS[0]}", "Plan: 1 to add, 0 to change, 0 to destroy.", 2, true, ""},
		{"cat log | tail -5", "ERROR: all is lost", 0, false, ""},
		{"npm test", "Error: connect ECONNREFUSED 127.0.0.1:5432", 1, true, "error:connection_refused"},
		{"sudo apt-get install -y jq", "debconf: delaying package configuration, since apt-utils is not installed\nSetting up jq (1.6-2.1) ...", -1, false, ""},
		{"ansible-playbook site.yml", "TASK [stop the old unit] ****\nfatal: [web1]: FAILED! => {\"changed\": false, \"msg\": \"Could not find the requested service old: host\"}\n...ignoring\n\nTASK [copy] ****\nok: [web1]\n", -1, false, ""},
		{"ansible-playbook site.yml", "TASK [stop the old unit] ****\nfatal: [web1]: FAILED! => {\"msg\": \"Could not find old\"}\n...ignoring\n\nTASK [copy] ****\nfatal: [web1]: UNREACHABLE! => {\"msg\": \"Failed to connect to the host via ssh: ssh: connect to host web1 port 22: Connection refused\"}\n", -1, false, "error:connection_refused"},
		{"! npm test", "Error: connect ECONNREFUSED 127.0.0.1:5432", 1, true, ""},
		{"npm run build && ! npm test", "Error: connect ECONNREFUSED 127.0.0.1:5432", 1, true, ""},
	} {
		t.Run(c.command, func(t *testing.T) {
			var got []string
			for _, k := range Ended(c.command, End{Text: c.text, Exit: c.exit, Failed: c.failed}) {
				got = append(got, string(k))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%s, %d: %q, want %q", c.command, c.exit, got, c.want)
			}
		})
	}
}

func BenchmarkOf(b *testing.B) {
	text := strings.Repeat("  at Object.<anonymous> (/srv/app/node_modules/jest/build/index.js:12:3)\n", 500) + "Error: connect ECONNREFUSED 127.0.0.1:5432\n"
	for b.Loop() {
		Of("npm test", text, 1)
	}
}

// A failure is about a port where the message has one: not where a time or the server of names has
// such a number.
func TestPortsAreThoseOfHosts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, port string }{
		{`{"@timestamp":"2026-02-02T10:22:18.331Z","log.level":"ERROR","message":"node validation exception"}`, ""},
		{"2026-02-02 10:22 error: it failed", ""},
		{"error: dial tcp: lookup git.example.com on 8.8.8.8:53: no such host", ""},
		{"error: dial tcp 10.96.113.20:443: connect: connection refused", "443"},
		{"error: connect ECONNREFUSED 127.0.0.1:5432", "5432"},
		{"error: connect ECONNREFUSED ::1:5432", "5432"},
		{`error: Post "https://db.example.com:6443/api": connection refused`, "6443"},
		{"error: connect to host web port 22: Connection refused", "22"},
		{"error: failed to bind host port for 0.0.0.0:5432:172.19.0.2:5432/tcp: address already in use", "5432"},
	} {
		t.Run(c.line, func(t *testing.T) {
			f := Of("run", c.line, 1)
			if got := f.Named("port"); got != c.port {
				t.Errorf("%s: port %q, want %q", c.line, got, c.port)
			}
		})
	}
}

// What a person reads first is why it failed, with the names that its cure asks for.
func TestTheDecisiveLineIsKept(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ output, want, not string }{
		{"[ERROR] Failed to execute goal org.apache:maven-compiler-plugin:3.11.0:compile on project core: Fatal error compiling: error: invalid target release: 21 -> [Help 1]\n[ERROR] \n[ERROR] [Help 1] http://cwiki.example/X\n", "invalid target release", "[ERROR] /"},
		{"* What went wrong:\nCould not determine the dependencies of task ':app:compile'.\n> SDK location not found. Define a valid SDK location.\n", "SDK location not found", ""},
		{"* What went wrong:\nA problem occurred configuring project ':a'.\n> Could not create an instance of type X.\n   > Namespace not specified. Specify a namespace in build.gradle.\n", "Namespace not specified", ""},
		{"Exit code 2\nmake: *** No rule to make target 'deploi'.  Stop.\n", "No rule to make target 'deploi'", "Exit code"},
		{"W: GPG error: https://a.example jammy InRelease: the public key is not available: NO_PUBKEY 7EA0A9C3F273FCD8\n", "NO_PUBKEY 7EA0A9C3F273FCD8", "REDACTED"},
		{"The following signatures couldn't be verified because the public key is not available: NO_PUBKEY A4B469963BF863CC648ACFD622F3D138A4B46996 NO_PUBKEY 871920D1991BC93C\n", "NO_PUBKEY A4B469963BF863CC648ACFD622F3D138A4B46996 NO_PUBKEY 871920D1991BC93C", "REDACTED"},
		{"A fatal error occurred: Failed to connect to ESP32: Wrong boot mode detected (0x13)!\n", "ESP32", ""},
		{"cp: 写入 '/mnt/a.bin' 时出错: 设备上没有空间\n", "No space left on device", ""},
	} {
		t.Run(fmt.Sprintf("%.80q", c.output), func(t *testing.T) {
			f := Of("run", c.output, 1)
			if !strings.Contains(f.Text, c.want) || c.not != "" && strings.Contains(f.Text, c.not) {
				t.Errorf("%q: %q, want %q and not %q", c.output, f.Text, c.want, c.not)
			}
		})
	}
}

// A program is missing in whatever language make says so. EV-FAI-16.
func TestProgramsAreMissedInAnyLanguage(t *testing.T) {
	t.Parallel()
	for _, output := range []string{
		"make: protoc: No such file or directory\nmake: *** [Makefile:12: gen] Error 127\n",
		"make: protoc：没有那个文件或目录\nmake: *** [Makefile:12：gen] 错误 127\n",
		"make: protoc: Datei oder Verzeichnis nicht gefunden\nmake: *** [Makefile:12: gen] Fehler 127\n",
		"make: protoc: Aucun fichier ou dossier de ce type\nmake: *** [Makefile:12: gen] Erreur 127\n",
		"make: protoc: Нет такого файла или каталога\nmake: *** [Makefile:12: gen] Ошибка 127\n",
	} {
		t.Run(fmt.Sprintf("%q", output), func(t *testing.T) {
			f := Of("make gen", output, 2)
			if got := f.Named("command"); got != "protoc" {
				t.Errorf("%q: command %q", output, got)
			}
		})
	}
}

// A missing module that a folder of the project is called after is the project's own, however the project is
// called, and so is a header that is included by its name in quotes; one that lies where packages are installed
// is none. EV-FAI-03, EV-FAI-05.
func TestTheProjectsOwn(t *testing.T) {
	for _, c := range []struct{ name, output, symbol string }{
		{"own", "ImportError while loading conftest '/builds/lab/sonar-tools/tests/conftest.py'.\nE   ModuleNotFoundError: No module named 'sonar_tools'", "module:own"},
		{"own, of its package", "  File \"/home/a/billr/tests/test_x.py\", line 3, in <module>\nModuleNotFoundError: No module named 'billr.invoice'", "module:own"},
		{"another one's", "  File \"/home/a/billr/tests/test_x.py\", line 3, in <module>\nModuleNotFoundError: No module named 'yaml'", "module:yaml"},
		{"a header", "q.c:1:10: fatal error: orbit_data.h: No such file or directory\n    1 | #include \"orbit_data.h\"\n      |          ^~~~~~~", "header:own"},
		{"a header of a library", "q.c:1:10: fatal error: zlib.h: No such file or directory\n    1 | #include <zlib.h>\n      |          ^~~~~~~", "header:zlib.h"},
		{"installed", "  File \"/usr/lib/python3/site-packages/numpy/core.py\", line 3, in <module>\nModuleNotFoundError: No module named 'numpy'", "module:numpy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := Of("pytest", c.output, 1)
			if len(f.Symbols) == 0 || f.Symbols[0] != c.symbol {
				t.Errorf("%s: %v", c.name, f.Symbols)
			}
		})
	}
}

// What words are by their form.
func TestForms(t *testing.T) {
	t.Parallel()
	for form, c := range map[string]struct {
		is       func(string) bool
		are, not []string
	}{
		"codes":    {isCode, []string{"AError", "java.io.IOException", "TS2322", "ORA-01017", "ENOENT"}, []string{"xError", "Error", "TS99", "a.1Error"}},
		"products": {isProduct, []string{"AB12", "ESP32", "STM512"}, []string{"A12", "ESP", "ESP3266", "Esp32"}},
		"paths into what was installed": {installed, []string{"in /usr/lib/python3/dist-packages/a", "/srv/node_modules/b", "/usr/lib/c", "/home/a/go/pkg/mod/d", "https://e.example/f"},
			[]string{"/srv/app/a", "lib/b", "pkg/c", "see /usr/lib/x and src/d"}},
	} {
		t.Run(form, func(t *testing.T) {
			for _, w := range c.are {
				if !c.is(w) {
					t.Errorf("%q is none", w)
				}
			}
			for _, w := range c.not {
				if c.is(w) {
					t.Errorf("%q is one", w)
				}
			}
		})
	}
	for command, want := range map[string]string{"diff <(sort a) <(sort b) -q": "diff file file -q", "cat <(f $(g)) x": "cat file x", "cat <(f": "cat file"} {
		t.Run(command, func(t *testing.T) {
			if got := plain(command); got != want {
				t.Errorf("%q becomes %q, want %q", command, got, want)
			}
		})
	}
}

// What only asks a service has a family too: by its tool a trouble is told. EV-FND-18.
func TestFamilyOfWhatOnlyLooks(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{"kubectl get pods": "kubectl get", "docker ps": "docker ps", "cat a.txt": "", "cd x && go test ./...": "go test"} {
		t.Run(command, func(t *testing.T) {
			if got := Of(command, "error: it failed", 1).Family; got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// A word of a command that is a secret is none of its family's.
func TestFamilyHasNoSecret(t *testing.T) {
	token := "glpat-" + strings.Repeat("aB3kZ9qLm2", 2)
	if got := Of(token+" x", "error: it failed", 1).Family; strings.Contains(got, token) {
		t.Errorf("family %q", got)
	}
}

// A line that is too long leaves room for the other lines of the original message.
func TestEachLineOfAMessageIsSaid(t *testing.T) {
	t.Parallel()
	f := Of("make", "x.c:3:1: error: cannot convert "+strings.Repeat("vector of ", 100)+"int\nx.c:9:1: error: no type named bar", 1)
	if !strings.HasSuffix(f.Said, " / x.c:9:1: error: no type named bar") {
		t.Error(f.Said)
	}
}
