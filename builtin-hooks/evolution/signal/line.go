package signal

import "strings"

// A line is one line of an output, without surrounding space.
type line struct {
	text   string // unchanged
	lower  string // in lower case, of the same length
	before string // the previous line that was not empty, in lower case
	grams  grams  // of lower
	ascii  bool   // plain ASCII
}

// A weight is the kind of a line.
type weight uint8

const (
	isDetail weight = iota
	isSoft
	isFirm
	isGood
)

// weigh says what kind a line is, and which signals it has.
func (l *line) weigh() (weight, set) {
	if l.passed() {
		return isDetail, 0
	}
	place := l.diagnostic()
	if place == 0 && l.note() {
		return isDetail, 0
	}
	w := isDetail
	switch {
	case place != 0 || l.firm():
		w = isFirm
	case l.good():
		return isGood, 0
	case l.soft():
		w = isSoft
	}
	if place == 0 && l.assertion() {
		if w == isDetail {
			return w, 0
		}
		return w, l.tests()
	}
	found := l.refine(place|l.phrases(w), w)
	if w == isDetail && found != 0 {
		w = isSoft
	}
	if w == isSoft && l.softened() {
		return isDetail, 0
	}
	return w, found
}

// passed reports whether a line marks a passed test or a successful step: its name may
// be about anything.
func (l *line) passed() bool {
	s := l.lower
	if anyPrefix(s, passMarks) {
		return true
	}
	if strings.HasPrefix(s, "[") {
		// The first line of what git commit prints: [branch 1a2b3c4] subject
		if inner, _, ok := strings.Cut(s[1:], "] "); ok {
			words := strings.Fields(inner)
			if n := len(words); n >= 2 && len(words[n-1]) >= 7 && isHex(words[n-1]) {
				return true
			}
		}
	}
	return strings.HasSuffix(s, " ... ok") || strings.HasSuffix(s, " ... skipped") || strings.HasSuffix(s, " … ok") || strings.Contains(l.text, " PASSED") && !strings.Contains(l.text, "FAILED") && !strings.Contains(s, " failed")
}

var passMarks = []string{
	"✓", "✔", "√", "☑", "✅", "ok ", "ok\t", "pass ", "pass\t", "pass:", "passed:", "(pass)", "--- pass", "--- skip", "=== run", "=== pause", "=== cont", "=== name", "[ ok", "[       ok", "[  passed", "[ run", "[----", "[====", "○", "↓", "~",
}

// note reports whether a line is detail: progress, warnings, code, a stack trace, or
// below the level of an error in a log.
func (l *line) note() bool {
	s := l.lower
	if l.why() || strings.HasPrefix(s, "| ") && l.anyIn(s, refusals) {
		return false // from a runner, after a line
	}
	if l.text[0] == '@' || isFrame(s) || anyPrefix(s, frames) && !strings.Contains(s, "error:") && !strings.HasPrefix(s, "--- fail") {
		return true
	}
	if anyPrefix(s, progress) && !l.anyIn(s, []string{"failed", "error:", "'error'", "err!", "failure", "失败", "错误"}) {
		return true
	}
	if strings.HasPrefix(s, "warning  ") {
		return !l.anyIn(s, []string{"failed", "backoff", "failedscheduling", "failedmount", "failedcreate", "unhealthy", "error:"}) // of a cluster's events
	}
	if anyPrefix(s, notes) || (strings.HasSuffix(s, ";") || strings.HasSuffix(s, "{")) && !strings.Contains(s, "error:") && !strings.Contains(s, "error)") {
		return true // a line of code
	}
	if level := l.level(); level != "" {
		return level != "error" && level != "fatal"
	}
	return (l.may("warning:") && in(s, "warning:") || l.may("deprecat") && strings.Contains(s, "deprecat")) && !in(s, "error:")
}

// why reports whether a line says why a task of Gradle failed, below the line saying
// that it did.
func (l *line) why() bool {
	rest, ok := strings.CutPrefix(l.lower, "> ")
	return ok && l.anyIn(rest, gradle)
}

// level is the log level of a line, "" if it has none.
func (l *line) level() string {
	head := l.lower
	if len(head) > 60 {
		head = head[:60]
	}
	for _, word := range [...]string{"info", "debug", "warning", "warn", "trace", "error", "fatal"} {
		if !l.may(word) {
			continue
		}
		if i := at(head, word, 0); i > 0 && l.levelAt(i, i+len(word)) {
			return word
		}
	}
	return ""
}

// levelAt reports whether a word stands where a log has its level: level=word,
// "level":"word", [word], |word|, between blanks before a bracket or another blank, or
// in capitals in a line that begins with a time.
func (l *line) levelAt(from, to int) bool {
	head, tail := l.lower[:from], l.lower[to:]
	switch head[from-1] {
	case '=':
		return strings.HasSuffix(head, "level=")
	case '"':
		return strings.HasSuffix(head, `"level":"`)
	case '[':
		return strings.HasPrefix(tail, "]")
	case '|':
		return strings.HasPrefix(tail, "|")
	case ' ':
		if strings.HasPrefix(tail, " [") || strings.HasPrefix(tail, "  ") {
			return true
		}
	}
	return digit(l.text[0]) && l.text[from] >= 'A' && l.text[from] <= 'Z'
}

var (
	refusals = []string{": permission denied", ": command not found", ": no such file or directory"}
	gradle   = []string{"could not", "cannot", "not found", "duplicate", "conflict", "unsupported", "incompatible", "exception", "no matching", "requires", "more than one", "files found with path", "unresolved", "not specified", "failed to", "unable to", "is missing", "already defined", "not supported"}
	notes    = []string{
		"warning", "warn ", "warn:", "warn\t", "[warn", "npm warn", "(!)", "w:", "note:", "= note", "= help", "help:", "info ", "info:", "[info", "debug", "[debug", "hint:", "notice", "trace:", "[notice]", "verbose", "npm notice", "npm info", "info\t", "usage:", "options:", "use ", "did you mean", "tip:", "see ", "run `", "提示", "警告", "注意", "usage ", "for more information", "modified:", "new file:", "deleted:", "renamed:", "rename ", "create mode", "delete mode", "commit ", "author:", "subject:", "merge:", "#",
	}
	progress = []string{
		"compiling ", "downloading ", "downloaded ", "installing ", "building ", "collecting ", "checking ", "fetching ", "unpacking ", "get:", "hit:", "adding ", "created ", "create ", "removing ", "fresh ", "linking ", "using cached", "requirement already", "running ", "setting up ", "preparing ", "selecting ", "processing ", "resolving ", "generating ", "looking ", "cloning ", "pulling ", "step ", "copying ", "updated ", "updating ", "locking ", "added ", "reading ", "> ", "$ ", "+ ", "go: downloading", "正在", "dist/", "build/", "src/", "modified ", "testing ", "test ", "started ", "starting ",
	}
	frames = []string{
		"at ", "file \"", "from /", "...", "│", "╷", "╵", "|", "+ ", "- ", "-->", "goroutine ", "caused by: at", "raise ", "throw ", "return ", "if ", "def ", "func ", "import ", "const ", "await ", "self.", "==>", "//", "/*", "* ", "--",
	}
)

// isFrame reports whether a line is part of a listing: "12 | code", "> 12 | code".
func isFrame(s string) bool {
	s = strings.TrimLeft(s, "> ")
	_, size := number(s)
	rest := strings.TrimLeft(s[size:], " ")
	return size > 0 && (strings.HasPrefix(rest, "|") || strings.HasPrefix(rest, "│") || strings.HasPrefix(rest, "┃"))
}

// assertion reports whether a line compares expected with actual: its words are data.
func (l *line) assertion() bool {
	s := l.lower
	if l.anyIn(s, assertions) || anyPrefix(s, []string{"expected", "received", "actual", "期望", "预期"}) {
		return true
	}
	return l.anyIn(s, []string{"expected", "want", "wanted"}) && l.anyIn(s, []string{"got", "received", "actual", "but was", "was", "found", "have", "to be"}) && !strings.Contains(s, "error:")
}

var assertions = []string{"to equal", "assert", "assertionerror", "assertionfailederror", "asserted", "tobe", "toequal", "asserting"}

// softened reports whether a line itself says that its trouble does not matter.
func (l *line) softened() bool { return l.anyIn(l.lower, softeners) }

var softeners = []string{
	"skipping", "skipped", "skip", "ignoring", "ignored", "ignore", "using default", "using defaults", "falling back", "fallback", "retrying", "will retry", "retry in", "trying another", "optional", "not required", "continuing", "as expected", "recovered", "handled", "creating it", "will be created", "creating new", "cache miss", "跳过", "忽略", "重试", "使用默认",
}

func isHex(s string) bool {
	for i := range len(s) {
		if !digit(s[i]) && (s[i] < 'a' || s[i] > 'f') {
			return false
		}
	}
	return s != ""
}
