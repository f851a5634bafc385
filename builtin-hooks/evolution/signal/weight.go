package signal

import "strings"

// firm reports whether a line shows a failure whatever follows.
func (l *line) firm() bool {
	s := l.lower
	if code := l.exitCode(s); code > 0 {
		return true
	}
	if s == "killed" || l.count() > 0 || l.capitals() || anyPrefix(s, firmPrefixes) {
		return true
	}
	if strings.Contains(s, "*** ") && strings.HasSuffix(s, "stop.") {
		return true // by make
	}
	return l.noCommand() || l.anyIn(s, firmPhrases) && !l.zero(s)
}

// noCommand reports whether a shell says that there is no such program.
func (l *line) noCommand() bool {
	return strings.HasSuffix(l.lower, ": not found") && anyPrefix(l.lower, []string{"sh: ", "/bin/sh: ", "bash: ", "dash: ", "ash: ", "ksh: "})
}

var firmPrefixes = []string{
	"npm err!", "npm error", "err_pnpm", "error command failed", "panic:", "fatal:", "fatal error:", "make: ***", "make[", "ninja: build stopped", "conflict (", "! [rejected]", "! [remote rejected]", "not ok ", "e: ", "error in ./", "err!", "elifecycle", "(fail)", "cmake error", "* what went wrong",
}

var firmPhrases = []string{
	"command not found", "could not compile", "compilation failed", "build failed", "failed to compile", "linker command failed", "ld returned", "undefined reference to", "segmentation fault", "core dumped", "panicked at", "tests failed", "test failed", "test run failed", "is not recognized as", "build stopped", "errors were found", "err_pnpm", "elifecycle", "oomkilled", "deployment failed", "deploy failed",
	"is not a git command", "no rule to make target", "error: addresssanitizer", "data race detected", "race detected during", "double free detected", "corrupted size vs", "stack smashing detected", "aborted due to compilation errors", "compilation aborted", "author identity unknown", "构建失败", "编译失败", "测试失败", "部署失败", "未找到命令", "不是内部或外部命令",
}

// exitCode is the exit code that a line reports; -1 if none.
func (l *line) exitCode(s string) int {
	for _, phrase := range exitPhrases {
		if !l.may(phrase) {
			continue
		}
		for from := 0; ; {
			i := at(s, phrase, from)
			if i < 0 {
				break
			}
			from = i + len(phrase)
			if n, size := number(strings.TrimLeft(s[from:], " :=(")); size > 0 {
				return n
			}
		}
	}
	if in(s, "non-zero exit") || in(s, "nonzero exit") || in(s, "returned a non-zero code") {
		return 1
	}
	return -1
}

var exitPhrases = []string{"exit code", "exit status", "exited with code", "exited with", "exit value", "return code", "exited", "exit-code", "exited with exit code", "with code", "returned status", "退出码", "退出代码", "退出状态"}

// count is how many failures a line counts, -1 if it does not count.
func (l *line) count() int {
	s, most := l.lower, -1
	for _, word := range counted {
		if !l.may(word) || word == "problems" && in(s, "0 errors") {
			continue
		}
		for from := 0; ; {
			i := at(s, word, from)
			if i < 0 {
				break
			}
			from = i + len(word)
			if n := numberBefore(s[:i]); n >= 0 && !anyPrefix(strings.TrimLeft(s[from:], " "), []string{"attempt", "login", "retr", "warning", "code", "handl"}) {
				most = max(most, n)
			}
			rest := strings.TrimPrefix(strings.TrimPrefix(s[from:], "(s)"), "\"")
			if !strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "：") {
				continue
			}
			rest = strings.TrimLeft(rest, ":：= ")
			if n, size := number(rest); size > 0 && (size == len(rest) || strings.IndexByte(",; .)/|", rest[size]) >= 0) && !(size < len(rest) && rest[size] == '.') {
				most = max(most, n)
			}
		}
	}
	for _, word := range [...]string{"个失败", "项失败", "个错误", "处错误", "个测试失败", "个用例失败"} {
		if i := strings.Index(s, word); i > 0 {
			most = max(most, numberBefore(s[:i]))
		}
	}
	return most
}

var counted = []string{"fail", "failed", "failing", "failures", "failure", "errors", "error", "error(s)", "tests failed", "test failed", "failed tests", "problems", "compile errors", "fatal errors", "type errors", "tests failing", "suites failed", "失败", "错误"}

// capitals reports whether a line has FAIL or FAILED as a word, as test runners and
// build tools shout it.
func (l *line) capitals() bool {
	if !l.may("fail") {
		return false
	}
	for _, word := range [...]string{"FAIL", "FAILED", "FAILURE", "FAILURES!"} {
		if i := at(l.text, word, 0); i >= 0 && l.count() != 0 && !negated(l.lower, i) {
			rest := strings.TrimLeft(l.text[i+len(word):], " ")
			if !strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, ": 0") {
				return true
			}
		}
	}
	return false
}

// good reports whether a line reports success.
func (l *line) good() bool {
	s := l.lower
	if l.exitCode(s) == 0 || s == "ok" || s == "pass" || s == "success" || s == "done" || l.count() == 0 {
		return true
	}
	if anyPrefix(s, goodPrefixes) || l.anyIn(s, goodPhrases) {
		return true
	}
	for _, word := range [...]string{"passed", "passing", "tests passed", "test passed", "个通过", "项通过"} {
		if i := at(s, word, 0); i > 0 && numberBefore(s[:i]) > 0 && l.count() <= 0 {
			return true
		}
	}
	return false
}

var goodPrefixes = []string{"success:", "successfully ", "ok (", "✨", "🎉", "done in ", "compiled successfully", "build completed"}

var goodPhrases = []string{
	"build successful", "build succeeded", "build success", "compiled successfully", "test result: ok", "all tests passed", "all checks passed", "all tests pass", "tests passed", "test succeeded", "completed successfully", "no issues found", "no problems found", "no errors", "no error", "without errors", "without error", "finished successfully", "up to date", "successfully rolled out", "built in", "apply complete!", "succeeded", "finished `", "构建成功", "编译成功", "测试通过", "全部通过", "部署成功", "执行成功", "没有错误", "无错误", "未发现错误",
}

// soft reports whether a word of failure stands where messages have it.
func (l *line) soft() bool {
	s := l.lower
	level := l.level()
	return level == "error" || level == "fatal" || l.why() || l.errorWord() || l.exception() || l.dotted() || l.anyWord(s, softPhrases) || strings.HasPrefix(s, "✗") || strings.HasPrefix(s, "✘") || strings.HasPrefix(s, "✖") || strings.HasPrefix(s, "✕") || strings.HasPrefix(s, "×") || strings.HasPrefix(s, "❌") || strings.HasPrefix(l.text, "E   ") || strings.HasPrefix(s, "[-]")
}

// anyWord is anyIn for phrases that a "no" in front cancels.
func (l *line) anyWord(s string, phrases []string) bool {
	for _, p := range phrases {
		if !l.may(p) {
			continue
		}
		if i := at(s, p, 0); i >= 0 && !negated(s, i) && (strings.IndexByte(p, ' ') >= 0 || p[0] >= 0x80 || plainly(s, p)) {
			return true
		}
	}
	return false
}

var softPhrases = []string{
	"failed to", "failed:", "failed with", "failed", "failure", "could not", "couldn't", "unable to", "cannot", "can't", "unknown option", "unknown command", "unknown flag", "unrecognized", "invalid option", "invalid argument", "no such", "does not exist", "doesn't exist", "not permitted", "traceback (most recent call last)", "unhandled", "uncaught", "aborting", "abort trap", "missing script", "not installed", "stack overflow", "not a directory", "is a directory", "no space left", "file exists", "directory not empty", "not in gzip format", "too many arguments", "broken pipe", "not recoverable", "unbound variable", "not allowed", "unsupported", "verification failed", "bad substitution", "unexpected token", "syntax error", "conflicting", "rejected", "is missing from", "binary is missing", "is not available", "no matching files found", "not met:", "was not created", "no usable", "unknown encoder", "toomanyrequests", "unbound identifier", "checksum mismatch", "multiple definition of", "is not executable", "no listener", "not compatible with", "detected errors", "are too open", "bad permissions", "unsatisfied", "unmet", "错误：", "错误:", "失败", "无法", "异常：", "异常:", "出错",
}

// errorWord reports whether "error" stands where messages have it: before a colon or
// bracket, at the beginning, as a log level, or in capitals.
func (l *line) errorWord() bool {
	s := l.lower
	if !l.may("err") {
		return false
	}
	for from := 0; ; {
		i := at(s, "error", from)
		if i < 0 {
			return strings.Contains(s, "err!") || strings.Contains(s, "err_")
		}
		from = i + 5
		rest := s[from:]
		if negated(s, i) || strings.HasPrefix(rest, " code 0") || anyPrefix(strings.TrimLeft(rest, ": ="), []string{"0 ", "0,", "none", "nil", "null", "(none)"}) || rest == ": 0" || rest == ":" && s == "error:" {
			continue
		}
		switch {
		case rest != "" && strings.IndexByte(":[(!", rest[0]) >= 0, strings.HasPrefix(rest, " -"), strings.HasPrefix(rest, "："):
			return true
		case i == 0 && rest != "" && rest[0] == ' ' && !anyPrefix(rest, []string{" handl", " report", " messages", " page", " bound", " log", " rate", " count", " code", " codes"}):
			return true
		case i > 0 && (s[i-1] == '[' || s[i-1] == '=' && strings.HasSuffix(s[:i], "level=")):
			return true
		case strings.HasPrefix(l.text[i:], "ERROR"):
			return true
		case anyPrefix(rest, []string{" occurred", " while ", " during ", " in ", " is not", " loading", " running", " parsing", " ts", " cs", " c2", " response from", " from server"}):
			return true
		}
	}
}

// exception reports whether a line has the name of an exception: a word in camel case
// with that ending, before a colon or at the end.
func (l *line) exception() bool {
	if !l.may("error") && !l.may("exception") {
		return false
	}
	for _, word := range [...]string{"Error", "Exception"} {
		for from := 0; ; {
			i := strings.Index(l.text[from:], word)
			if i < 0 {
				break
			}
			i += from
			from = i + len(word)
			if i == 0 || !letter(l.text[i-1]) {
				continue
			}
			if rest := l.text[from:]; rest == "" && !strings.Contains(l.text, " ") || strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, " [") || strings.HasPrefix(rest, ")") && strings.Contains(l.text[:i], "(") || strings.HasPrefix(rest, " (") && strings.IndexByte(l.text[:i], ' ') < 0 || strings.HasPrefix(l.lower, "exception in thread") {
				return true
			}
		}
	}
	return false
}

// dotted reports whether a line begins with the full name of a class and a colon, as
// Python prints uncaught exceptions: package.module.Name: message.
func (l *line) dotted() bool {
	name, _, ok := strings.Cut(l.text, ": ")
	i := strings.LastIndexByte(name, '.')
	if !ok || i <= 0 || i+2 >= len(name) || name[i+1] < 'A' || name[i+1] > 'Z' {
		return false
	}
	for k := range len(name) {
		if !inWord(name[k]) && name[k] != '.' {
			return false
		}
	}
	return name[0] >= 'a' && name[0] <= 'z'
}

// negated reports whether the word at an offset is cancelled by a "no", "0" or
// "without".
func negated(s string, i int) bool {
	head := strings.TrimRight(s[:i], " ")
	for _, no := range [...]string{"no", "without", "zero", "any", "never", "not", "non", "if", "on", "when", "没有", "无", "0 个", "0个"} {
		if strings.HasSuffix(head, no) && (len(head) == len(no) || !letter(head[len(head)-len(no)-1])) {
			return true
		}
	}
	return numberBefore(head) == 0
}

// zero reports whether a line says that none failed.
func (l *line) zero(s string) bool {
	return l.anyIn(s, []string{"0 tests failed", "0 test failed", "no tests failed", "0 failed"})
}
