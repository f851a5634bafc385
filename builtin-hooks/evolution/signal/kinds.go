package signal

import "strings"

// diagnostic are the signals of a line in which a compiler gives the place of an error;
// 0 if it is not one.
func (l *line) diagnostic() set {
	s := l.lower
	found := set(0)
	if (l.may("error") && in(s, "error") || l.may(": ts") && strings.Contains(s, ": ts")) && tsCode(l.text) {
		found = typeScript
	} else if l.compiler() {
		found = build
	}
	switch {
	case found == 0:
	case l.anyIn(s, modulePhrases):
		found |= moduleGone
	case strings.Contains(s, "xctassert"):
		return test
	}
	return found
}

// tsCode reports whether a text has one of TypeScript's codes: TS and four or five
// digits.
func tsCode(s string) bool {
	for from := 0; ; {
		i := strings.Index(s[from:], "TS")
		if i < 0 {
			return false
		}
		i += from
		from = i + 2
		n, size := number(s[from:])
		if n > 0 && (size == 4 || size == 5) && (i == 0 || !inWord(s[i-1])) && (from+size == len(s) || !inWord(s[from+size])) {
			return true
		}
	}
}

// compiler reports whether a line is a compiler error with a place: a file, a line, and
// then "error" or an error code.
func (l *line) compiler() bool {
	s := l.lower
	if l.may("error") && in(s, "error") {
		if strings.HasPrefix(s, "error[e0") || anyCode(s) {
			return true
		}
		if i := strings.Index(s, "error:"); i > 0 && placed(s[:i]) && !sourceOfTests(s[:i]) {
			return true
		}
	}
	// Go does not say "error": ./main.go:12:3: undefined: x
	if !l.may(".go:") {
		return false
	}
	if i := strings.Index(s, ".go:"); i > 0 && strings.IndexByte(s[:i], ' ') < 0 || strings.HasPrefix(s, "vet: ") && i > 0 {
		_, size := number(s[i+4:])
		rest := s[i+4+size:]
		if size > 0 && strings.HasPrefix(rest, ":") {
			if _, col := number(rest[1:]); col > 0 && strings.HasPrefix(rest[1+col:], ": ") {
				return strings.HasPrefix(l.before, "# ") || strings.Contains(l.before, ".go:") || l.anyIn(rest, goErrors)
			}
		}
	}
	return false
}

var goErrors = []string{"undefined:", "cannot use", "declared and not used", "imported and not used", "syntax error", "missing return", "not enough arguments", "too many", "no new variables", "no required module", "is not in std", "could not import", "cannot find", "does not implement", "invalid operation", "redeclared", "unknown field", "assignment mismatch", "expected"}

// anyCode finds the codes of Microsoft's tools and of some other compilers after the
// word: error CS0103, error C2065, error LNK2019.
func anyCode(s string) bool {
	for _, code := range [...]string{"error cs", "error c", "error lnk", "error fs", "error bc", "error msb", "error netsdk", "error nu"} {
		if i := at2(s, code); i >= 0 {
			if _, size := number(s[i:]); size == 4 {
				return true
			}
		}
	}
	return false
}

// at2 is where a text ends within a line, -1 if it is not there.
func at2(s, text string) int {
	if i := strings.Index(s, text); i >= 0 {
		return i + len(text)
	}
	return -1
}

// placed reports whether a text ends with the place of a diagnostic: a number after a
// colon, or in brackets after a file with an extension.
func placed(head string) bool {
	head = strings.TrimRight(head, " :")
	head = strings.TrimSuffix(head, "fatal")
	head = strings.TrimRight(head, " :)")
	if head == "" || !digit(head[len(head)-1]) {
		return false
	}
	name := strings.TrimRight(head, "0123456789:,(")
	i := strings.LastIndexByte(name, '.')
	return i > 0 && len(name)-i <= 8 && letter(name[len(name)-1]) && strings.IndexByte(name[i:], ' ') < 0
}

// sourceOfTests reports whether a place comes from an interpreter, not a compiler.
func sourceOfTests(head string) bool {
	return strings.Contains(head, ".py") || strings.Contains(head, ".rb:") || strings.Contains(head, ".sh:") || strings.Contains(head, "_test.go:")
}

// phrases are the signals that the words of a line name. w is what the line is known to
// be.
func (l *line) phrases(w weight) set {
	s := l.lower
	if l.noCommand() {
		return notFound
	}
	var found set
	for i := range table {
		row := &table[i]
		if w == isDetail && row.needs {
			continue
		}
		if l.anyWord(s, row.phrases) {
			found |= row.key
		}
	}
	return found | l.together(w)
}

// together are the signals that take two words in one line: what was done, and that it
// failed.
func (l *line) together(w weight) (found set) {
	s := l.lower
	for _, c := range [...]struct {
		code string
		key  set
	}{{"403", permission}, {"401", permission}, {"404", notFound}, {"504", timeout}, {"408", timeout}} {
		if l.may(c.code) && strings.Contains(s, c.code) && l.code(c.code, w != isDetail) {
			found |= c.key
		}
	}
	if l.may("in use") && in(s, "port") && in(s, "in use") || l.may("端口") && strings.Contains(s, "端口") && strings.Contains(s, "占用") {
		found |= portInUse
	}
	if l.moduleGone() {
		found |= moduleGone
	}
	if l.may("refused") && in(s, "connection") && in(s, "refused") {
		found |= refused
	}
	if w == isDetail {
		return found
	}
	if l.noneFound() {
		found |= notFound
	}
	body := message(s)
	if l.anyPlainly(body, prismaWords) || strings.Contains(s, "prismaclient") || strings.Contains(s, "迁移") || l.prismaCode() {
		found |= prisma
	}
	if plainly(body, "typescript") || strings.HasPrefix(s, "type error:") {
		found |= typeScript
	}
	if l.anyIn(body, failing) || w == isFirm && !strings.HasPrefix(s, "npm err") {
		if l.anyPlainly(body, buildWords) || strings.HasPrefix(s, "make[") || strings.Contains(s, "构建") || strings.Contains(s, "编译") {
			found |= build
		}
		if l.anyPlainly(body, deployWords) || strings.Contains(s, "部署") || plainly(body, "docker") && !l.anyIn(s, []string{"docker daemon", "docker socket", "docker.sock", "docker 套接字"}) {
			found |= deploy
		}
	}
	if w == isFirm {
		found |= l.tests()
	}
	return found
}

var (
	prismaWords = []string{"prisma", "migration", "migrations", "migrate", "schema push", "db push"}
	buildWords  = []string{"build", "building", "compile", "compiling", "compilation", "compiler", "webpack", "rollup", "esbuild", "vite", "linker", "ninja", "make", "gmake", "cmake", "bundling"}
	deployWords = []string{"deploy", "deployment", "deploying", "deployments.apps", "kubectl", "helm", "rollout", "terraform", "error from server", "error response from daemon", "upgrade failed", "pods"}
	failing     = []string{"fail", "failed", "fails", "failure", "failing", "error", "errors", "errored", "unable", "could not", "cannot", "can't", "invalid", "exited", "aborted", "stopped", "失败", "错误"}
)

// noneFound reports whether a line says "no … found", or has the name of an exception
// that does.
func (l *line) noneFound() bool {
	if strings.Contains(l.text, "NotFound") {
		return true
	}
	i := at(l.lower, "no", 0)
	return i >= 0 && l.anyIn(l.lower[i:], []string{"found", "available", "exists"})
}

// message is the rest of a line after the name of its program, for programs that put
// "error" before everything.
func message(s string) string {
	for _, head := range [...]string{"npm err!", "npm error"} {
		if rest, ok := strings.CutPrefix(s, head); ok {
			return rest
		}
	}
	return s
}

// moduleGone reports whether a line says that a named module, or a file of one, does
// not exist.
func (l *line) moduleGone() bool {
	if !l.may("module") {
		return false
	}
	s := l.lower
	if strings.Contains(s, "node_modules") && (in(s, "enoent") || in(s, "no such file or directory")) {
		return true
	}
	for from := 0; ; {
		i := at(s, "module ", from)
		if i < 0 {
			return false
		}
		from = i + len("module ")
		if rest := s[from:]; rest != "" && (rest[0] == '\'' || rest[0] == '"' || rest[0] == '`') {
			if end := strings.IndexByte(rest[1:], rest[0]); end > 0 && strings.HasPrefix(rest[end+2:], " not found") {
				return true
			}
		}
	}
}

// tests is test_failure if a line that shows a failure is about tests.
func (l *line) tests() set {
	s := l.lower
	if anyPrefix(s, testPrefixes) || strings.Contains(s, "assertionerror") || strings.Contains(s, "assertionfailed") || strings.Contains(s, "assertion failed") || l.anyIn(s, testWords) && !l.anyIn(s, []string{"latest", "testing connection"}) {
		return test
	}
	// N failed next to M passed, whatever was tested.
	if l.count() > 0 && l.anyIn(s, []string{"failing", "examples", "scenarios", "assertions"}) {
		return test
	}
	if _, rest, ok := strings.Cut(s, " in "); ok && (digit(s[0]) || s[0] == '=') && l.count() > 0 {
		// pytest's last line: 1 error in 0.12s
		if _, size := number(rest); size > 0 && strings.HasSuffix(strings.TrimRight(rest, " =-"), "s") {
			return test
		}
	}
	if words := strings.Fields(s); len(words) == 2 && digit(words[0][0]) && strings.HasPrefix(words[1], "fail") && l.count() > 0 {
		return test // "1 failed" alone on the line
	}
	if i := at(s, "failed", 0); i > 0 && numberBefore(s[:i]) > 0 && l.anyIn(s, []string{"in", "passed"}) {
		return test
	}
	return 0
}

var testPrefixes = []string{"--- fail", "fail\t", "not ok ", "[  failed", "failures!", "failures (", "failed (", "fail  ", "×", "(fail)"}

var testWords = []string{"test", "tests", "test suites", "test files", "spec", "specs", "suite", "suites", "passed", "jest", "pytest", "mocha", "vitest", "test run", "doctest", "examples", "failing", "测试", "用例"}

// code reports whether a line has a number as the status of an answer: followed by its
// words or, in a line that shows a failure, in the usual place.
func (l *line) code(n string, failure bool) bool {
	s := l.lower
	for from := 0; ; {
		i := at(s, n, from)
		if i < 0 {
			return false
		}
		from = i + len(n)
		if strings.HasPrefix(s, "http/") && i < 10 {
			return true
		}
		if i > 0 && strings.IndexByte(".:,$#/", s[i-1]) >= 0 && !strings.HasSuffix(s[:i], "::") {
			continue
		}
		if from < len(s) && strings.IndexByte(".,%", s[from]) >= 0 && from+1 < len(s) && digit(s[from+1]) {
			continue
		}
		if anyPrefix(strings.TrimLeft(s[from:], " :-"), []string{"not found", "forbidden", "unauthorized", "gateway time", "request timeout"}) {
			return true
		}
		head := strings.TrimRight(s[:i], " (:='\"")
		if strings.HasSuffix(head, "(http") {
			return true
		}
		if !failure {
			continue
		}
		for _, word := range [...]string{"http", "status", "code", "error", "response", "returned", "http/1.1", "http/2", "http/1.0", "failed with", "server replied", "responded with", "错误", "状态码", "返回", "unexpected"} {
			if strings.HasSuffix(head, word) {
				return true
			}
		}
	}
}

// prismaCode reports whether a line has one of Prisma's codes: P and four digits.
func (l *line) prismaCode() bool {
	for i := strings.Index(l.text, "P"); i >= 0 && i+5 <= len(l.text); {
		n, size := number(l.text[i+1:])
		if size == 4 && n >= 1000 && n < 7000 && (i == 0 || !inWord(l.text[i-1])) {
			return true
		}
		next := strings.Index(l.text[i+1:], "P")
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

// refine removes signals that another signal of the same line states better.
func (l *line) refine(found set, w weight) set {
	if found&moduleGone != 0 {
		found &^= notFound
	}
	if found&refused != 0 && found&timeout != 0 && !l.anyIn(l.lower, []string{"refused", "econnrefused", "拒绝"}) {
		found &^= refused // no answer is something else
	}
	if found&(refused|portInUse) != 0 {
		found &^= notFound | deploy | build
	}
	if found&(build|typeScript) != 0 && l.diagnostic() != 0 && !in(l.lower, "no such file or directory") {
		found &^= notFound // a name in the program was not found
	}
	if found&permission != 0 && found&notFound != 0 && !l.code("404", true) {
		found &^= notFound
	}
	if w == isFirm && found&test != 0 {
		// "Test Suites: 1 failed" is about tests, whatever built them.
		found &^= build
	}
	return found
}
