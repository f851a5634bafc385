package failure

import (
	"slices"
	"strings"
)

// symbols are what a line is about in any project: a missing module, program, header or
// library, a port, whose host it is.
func symbols(line string) (out []string) {
	lower := strings.ToLower(line)
	add := func(kind, name string) {
		if name = strings.Trim(name, edges); name != "" && len(name) < 80 {
			out = append(out, kind+":"+name)
		}
	}
	for _, m := range missing {
		i := strings.Index(lower, m.phrase)
		if i < 0 || len(lower) != len(line) {
			continue
		}
		if m.phrase == ": not found" && strings.Trim(line[i+len(m.phrase):], edges) != "" {
			continue // server response: not found: name: why
		}
		if m.before {
			head := strings.Fields(line[:i])
			if len(head) > 0 {
				add(m.kind, module(m.kind, head[len(head)-1]))
			}
		} else if rest := line[i+len(m.phrase):]; m.quoted && (rest == "" || !strings.Contains(quotes, rest[:1])) {
			continue // could not resolve dependencies
		} else if name := firstName(rest); name != "" && (m.kind != "header" || strings.HasPrefix(kindOf(name), ".h")) {
			add(m.kind, module(m.kind, name))
		}
		break
	}
	if p := port(lower); p != "" {
		add("port", p)
	}
	if d := device(line); d != "" {
		add("device", d)
	}
	if strings.Contains(line, "^M") || strings.Contains(line, `\r'`) || strings.Contains(line, `\r’`) {
		out = []string{"ending:crlf"} // of Windows, and no part of the name that the program shows
	}
	before := ""
	for w := range strings.FieldsSeq(line) {
		if p := versioned(strings.Trim(w, edges)); p != "" {
			add("package", p)
		} else if v := strings.Trim(w, edges); len(v) > 3 && v[0] == 'v' && strings.Trim(v[1:], "0123456789.") == "" && strings.Contains(v, ".") && strings.HasPrefix(before, "`") {
			add("package", before) // by Cargo: `openssl-sys v0.9.102`
		}
		before = w
	}
	if h := host(lower); h != "" {
		add("host", h)
	}
	if strings.Contains(lower, "no such file") || strings.Contains(lower, "file not found") || strings.Contains(lower, "enoent") || strings.Contains(lower, "shared object") {
		for _, w := range strings.Fields(line) {
			if k := kindOf(strings.Trim(w, edges)); k != "" && slices.Contains([]string{".h", ".hpp", ".so", ".dll", ".dylib", ".json", ".env", ".toml", ".yaml", ".yml", ".lock"}, k) {
				out = append(out, "file:"+k)
				break
			}
		}
	}
	return out
}

// missing are phrases before or after the name of something that does not exist.
var missing = [...]struct {
	phrase, kind string
	before       bool
	quoted       bool // it is a name only if it is in quotes
}{
	{phrase: ": command not found", kind: "command", before: true}, {phrase: ": not found", kind: "command", before: true}, {phrase: "command not found: ", kind: "command"},
	{phrase: "no module named ", kind: "module"}, {phrase: "cannot find module ", kind: "module"}, {phrase: "cannot find package ", kind: "module"}, {phrase: "module not found: error: can't resolve ", kind: "module"},
	{phrase: "could not resolve ", kind: "module", quoted: true}, {phrase: "failed to resolve import ", kind: "module"}, {phrase: "no matching distribution found for ", kind: "module"}, {phrase: "unresolved import ", kind: "module"}, {phrase: "can't find crate for ", kind: "module"},
	{phrase: "no required module provides package ", kind: "module"}, {phrase: "cannot load such file -- ", kind: "module"}, {phrase: "can't locate ", kind: "module"}, {phrase: "no such module ", kind: "module"},
	{phrase: "there is no package called ", kind: "module"}, {phrase: "could not find module ", kind: "module"}, {phrase: "unable to resolve module ", kind: "module"}, {phrase: "cannot find -l", kind: "library"},
	{phrase: "error while loading shared libraries: ", kind: "library"}, {phrase: "fatal error: ", kind: "header"}, {phrase: "the system library ", kind: "library", quoted: true}, {phrase: "could not find system library ", kind: "library"}, {phrase: "no package '", kind: "library"}, {phrase: " was not found in the pkg-config search path", kind: "library", before: true}, {phrase: "unable to locate package ", kind: "package"}, {phrase: "is not recognized as ", kind: "command", before: true},
}

// firstName is the first word of a text, without quotes.
func firstName(s string) string {
	f := strings.Fields(s)
	if len(f) == 0 {
		return ""
	}
	return strings.Trim(f[0], edges)
}

// module is the name of a module as others know it; "own" if it belongs to the project.
func module(kind, name string) string {
	switch {
	case kind == "library" && !strings.Contains(name, ".so"):
		return strings.TrimRight(name[strings.LastIndexByte(name, '/')+1:], "-.0123456789") // by pkg-config, with its version
	case kind == "header" && !strings.HasPrefix(name, "/"):
		return name // with the folder of a package's headers
	case strings.HasSuffix(name, ".pm"):
		return strings.ReplaceAll(strings.TrimSuffix(name, ".pm"), "/", "::") // Perl's spelling
	case kind != "module":
		return name[strings.LastIndexByte(name, '/')+1:]
	case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "/") || strings.HasPrefix(name, "@/") || strings.HasPrefix(name, "~"):
		return "own"
	case strings.HasPrefix(name, "@"):
		return name
	}
	if strings.Contains(name, "/internal/") || strings.HasPrefix(name, "internal/") {
		return "own" // nobody else can use it
	}
	if i := strings.IndexAny(name, "=<>~!;["); i > 0 {
		name = name[:i] // as requested from pip, with a version
	}
	head, _, _ := strings.Cut(name, "/")
	if strings.Contains(head, ".") && strings.Contains(name, "/") {
		return name // a Go module: the whole path
	}
	return head
}

// device is the device below /dev that a line names, without its number: a serial port
// is the same wherever it is plugged in.
func device(line string) string {
	_, rest, ok := strings.Cut(line, "/dev/")
	if !ok {
		return ""
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
	if end >= 0 {
		rest = rest[:end]
	}
	switch rest {
	case "null", "stdin", "stdout", "stderr", "fd", "tty", "zero", "urandom", "random", "shm":
		return ""
	case "ttyUSB", "ttyACM", "ttyS", "ttyAMA", "cu", "serial":
		return "serial"
	}
	return rest
}

// versioned is the package in a word with a version: react@18.2.0, numpy==1.26.
func versioned(w string) string {
	name, version, ok := strings.Cut(w, "==")
	if !ok {
		i := strings.LastIndexByte(w, '@')
		if i <= 0 {
			return ""
		}
		name, version = w[:i], w[i+1:]
	}
	version = strings.TrimLeft(version, "\"'^~<>=v")
	if version == "" || version != "*" && version != "latest" && (version[0] < '0' || version[0] > '9') || strings.Count(version, ".") > 2 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789@/._-") != "" {
		return ""
	}
	return name
}

// ports mean the same everywhere.
var ports = []string{"22", "25", "53", "80", "443", "587", "1433", "1521", "2181", "2375", "2376", "3306", "5432", "5672", "6379", "6443", "8086", "9042", "9092", "9200", "11211", "27017"}

func port(s string) string {
	asks := strings.Contains(s, "lookup ") // the server asked for a name is not what fails
	for _, p := range ports {
		if asks && p == "53" {
			continue
		}
		for _, mark := range [...]string{":", "port ", "port: ", "port=", "):"} {
			for from := 0; ; {
				i := strings.Index(s[from:], mark+p)
				if i < 0 {
					break
				}
				end := from + i + len(mark) + len(p)
				if !digitAt(s, end) && !(end < len(s) && (s[end] == ':' || s[end] == '.') && digitAt(s, end+1)) && (mark != ":" || from+i > 0 && hostBefore(s[:from+i])) {
					return p
				}
				from = end
			}
		}
	}
	return ""
}

func digitAt(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }

// hostBefore reports whether a text ends with a host rather than with the name of a
// file or a time: example.com:443, localhost:5432, [::1]:5432, but not main.go:80.
func hostBefore(s string) bool {
	w := s[strings.LastIndexAny(s, " \t\"'(@/=[,")+1:]
	if strings.Trim(w, "0123456789-:.tz") == "" && strings.Count(w[strings.LastIndexByte(w, ':')+1:], ".") != 3 {
		return strings.HasSuffix(s, "]") || strings.Contains(w, "::") // otherwise it is a time
	}
	return kindOf(w) == "" && w != "" && (strings.ContainsAny(w, ".") || strings.Trim(w, "0123456789") != "" || strings.HasSuffix(s, "]"))
}

func host(s string) string {
	for _, h := range [...]string{"localhost", "127.0.0.1", "::1", "0.0.0.0"} {
		if strings.Contains(s, h) {
			return "local"
		}
	}
	return ""
}

// own marks a missing module or header as the project's own: if the output has files in
// a folder named like the module (/src/sonar-tools/tests/conftest.py, No module named
// 'sonar_tools'), or if the header is included by its name in quotes, without a folder.
func (f *Failure) own(output string) {
	for i, s := range f.Symbols {
		if name, ok := strings.CutPrefix(s, "header:"); ok && !strings.Contains(name, "/") && (strings.Contains(output, `#include "`+name+`"`) || strings.Contains(output, `#include "./`+name+`"`)) {
			f.Symbols[i] = "header:own"
			continue
		}
		name, ok := strings.CutPrefix(s, "module:")
		if !ok || len(name) < 3 {
			continue
		}
		name, _, _ = strings.Cut(name, ".")
		for _, spelled := range [...]string{name, strings.ReplaceAll(name, "_", "-")} {
			if at := strings.Index(output, "/"+spelled+"/"); at >= 0 && !installed(output[:at]) {
				f.Symbols[i] = "module:own"
			}
		}
	}
}

// installed reports whether a path leads through a folder of installed packages.
func installed(before string) bool {
	path := before[strings.LastIndexAny(before, " \t\n'\"(")+1:]
	return strings.Contains(path, "-packages") || strings.Contains(path, "node_modules") || strings.Contains(path, "/lib/") || strings.Contains(path, "/pkg/mod") || strings.Contains(path, "://")
}
