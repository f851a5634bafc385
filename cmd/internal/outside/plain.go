package outside

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// A look is one form in which a language takes something from elsewhere.
type look struct {
	languages string
	form      string // a regular expression; its group is a path, if it has one
	why       string
	unless    string // words that place it in the hook's own folder
}

// ownFolder are the ways in which scripts name their own folder.
const ownFolder = `__file__|__dirname|__FILE__|__DIR__|import\.meta|FindBin|AGENTS_HOOKS_HOOK_DIR`

var looks = []look{
	{"python", `\bsys\.path\b\s*(?:\.(?:insert|append|extend)\(|[\[+=])`, "imports from elsewhere", ownFolder},
	{"python", `\b(?:exec|eval)\(\s*(?:open|compile)\(|\bexecfile\(|\brunpy\.run_path\(|\bspec_from_file_location\(|\bSourceFileLoader\(`, "runs a file", ownFolder},
	{"python js ruby perl", `(?:PYTHONPATH|NODE_PATH|RUBYLIB|PERL5LIB|LD_PRELOAD|NODE_OPTIONS|PYTHONSAFEPATH)\b`, "changes where code is loaded from", ""},
	{"python", `(?:subprocess|os\.(?:system|popen|exec\w*|spawn\w*|posix_spawn)|Popen|check_output|check_call)\b.*?['"](\.{1,2}/[^'"]*)`, "runs a program of the working directory", ""},
	{"js", `(?:exec|execFile|spawn|fork)(?:Sync)?\s*\(.*?['"\x60](\.{1,2}/[^'"\x60]*)`, "runs a program of the working directory", ""},
	{"ruby perl", "(?:system|exec|`|%x|IO\\.popen|spawn)\\b?[ (]*['\"]?(\\.{1,2}/[^'\"` ]*)", "runs a program of the working directory", ""},
	{"python", `(?:subprocess|os\.(?:system|popen|exec\w*|spawn\w*)|Popen|check_output|check_call|\brun\().*?['"](make|npm|npx|pnpm|yarn|just|pytest|tox|cargo|gradle|mvn|bundle|rake)\b`, "does what files of the project say", ""},
	{"js", `(?:exec|execFile|spawn)(?:Sync)?\s*\(.*?['"\x60](make|npm|npx|pnpm|yarn|just|cargo|gradle)\b`, "does what files of the project say", ""},
	{"ruby perl", `(?:system|exec|%x|spawn)\b.*?['"](make|npm|npx|bundle|rake|yarn)\b`, "does what files of the project say", ""},
	{"js", `(?:require|import)\b.*process\.cwd\(\)|process\.cwd\(\).*(?:require|import|fork)\b|createRequire\(`, "loads a file of the working directory", `import\.meta`},
	{"ruby perl", `\b(?:require|load|do)\s*\(?\s*['"](\.{1,2}/[^'"]*)|\b(?:load|do)\s*\(?\s*['"]([^/'"][^'"]*\.\w+)['"]`, "loads a file of the working directory", ""},
	{"awk", `^\s*@(?:include|load)\b`, "loads from elsewhere", ""},
	{"awk", `(?:\bsystem\s*\(|\|).*?"(\.{1,2}/[^"]*)|"(\.{1,2}/[^"]*)"\s*\|`, "runs a program of the working directory", ""},
	{"awk", `(?:\bsystem\s*\(|\|).*?"(make|npm|npx|just|cargo)\b`, "does what files of the project say", ""},
	{"php", `\b(?:include|require)(?:_once)?\b\s*\(?\s*['"]([^/'"][^'"]*)`, "loads a file of the working directory", ownFolder},
	{"php", "(?:exec|system|passthru|popen|proc_open|`).*?['\"`](\\.{1,2}/[^'\"`]*)", "runs a program of the working directory", ""},
	{"lua", `\b(?:dofile|loadfile|require)\b\s*\(?\s*['"]([^/'"][^'"]*)`, "loads a file of the working directory", ""},
	{"lua", `\b(?:execute|popen)\b.*?['"](\.{1,2}/[^'"]*)`, "runs a program of the working directory", ""},
	{"perl", `\buse\s+lib\s+['"]([^'"]*)`, "loads from elsewhere", ""},
	{"python js ruby perl", `(?:\w+_PROJECT_DIR|AGENTS_HOOKS_SOURCE_DIR)\b.*(?:\.(?:sh|py|js|rb|pl)\b|exec|spawn|system|run|import|require|path\.insert)|(?:exec|spawn|system|Popen|run|import|require)\w*\(.*(?:\w+_PROJECT_DIR|AGENTS_HOOKS_SOURCE_DIR)\b`, "runs or loads a file of the project", ""},
}

// jsImport is a file or package that a JavaScript script loads.
const jsImport = `(?:\brequire\s*\(|\bimport\s*\(|\bfrom\s|\bimport\s)\s*['"]([^'"]+)['"]`

// rubyBeside is a file that a Ruby script loads from its own folder.
const rubyBeside = `\brequire_relative\s*\(?\s*['"]([^'"]+)['"]`

// plainRefs examines a script line by line.
func plainRefs(file, content, lang string) (refs []Ref) {
	type compiled struct {
		look
		re, unless *regexp.Regexp
	}
	var all []compiled
	for _, l := range looks {
		if slices.Contains(strings.Fields(l.languages), lang) {
			c := compiled{look: l, re: regexp.MustCompile(l.form)}
			if l.unless != "" {
				c.unless = regexp.MustCompile(l.unless)
			}
			all = append(all, c)
		}
	}
	beside := map[string]*regexp.Regexp{"js": regexp.MustCompile(jsImport), "ruby": regexp.MustCompile(rubyBeside)}[lang]
	n := 0
	for line := range strings.Lines(content) {
		n++
		text := strings.TrimSpace(line)
		if strings.HasPrefix(text, "#") || strings.HasPrefix(text, "//") {
			continue
		}
		for _, c := range all {
			if !c.re.MatchString(text) || c.unless != nil && c.unless.MatchString(text) && !strings.Contains(text, "..") && strings.Count(text, "parent") < 2 {
				continue
			}
			refs = append(refs, Ref{file, n, shown(text), c.why})
			break
		}
		if beside == nil {
			continue
		}
		for _, m := range beside.FindAllStringSubmatch(text, -1) {
			if why := loaded(file, m[1], lang); why != "" {
				refs = append(refs, Ref{file, n, shown(text), why})
			}
		}
	}
	return refs
}

// loaded says where a script loads a name from.
func loaded(file, name, lang string) string {
	if lang == "ruby" || strings.HasPrefix(name, ".") {
		if file == "" {
			return working.why("loads a file") // node -e
		}
		if p := path.Join("x", path.Dir(file), name); p != "x" && !strings.HasPrefix(p, "x/") {
			return leaving.why("loads a file")
		}
		return ""
	}
	if strings.HasPrefix(name, "/") || strings.HasPrefix(name, "node:") || strings.Contains(name, ":") || slices.Contains(nodeOwn, strings.SplitN(name, "/", 2)[0]) {
		return ""
	}
	return "loads a package, which no approval covers"
}

// nodeOwn are the modules that come with Node.
var nodeOwn = strings.Fields(`assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs
	http http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder sys timers tls trace_events
	tty url util v8 vm wasi worker_threads zlib`)
