package failure

import (
	"slices"
	"strings"
)

// symbols are what a line is about in any project: a module, a program, a header or
// library that is missing, a port, whose host it is.
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
		if m.before {
			head := strings.Fields(line[:i])
			if len(head) > 0 {
				add(m.kind, head[len(head)-1])
			}
		} else if name := firstName(line[i+len(m.phrase):]); name != "" && (m.kind != "header" || strings.HasPrefix(kindOf(name), ".h")) {
			add(m.kind, module(m.kind, name))
		}
		break
	}
	if p := port(lower); p != "" {
		add("port", p)
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

// missing is what stands before the name, or behind it, of what is not there.
var missing = [...]struct {
	phrase, kind string
	before       bool
}{
	{": command not found", "command", true}, {": not found", "command", true}, {"command not found: ", "command", false},
	{"no module named ", "module", false}, {"cannot find module ", "module", false}, {"cannot find package ", "module", false}, {"module not found: error: can't resolve ", "module", false},
	{"could not resolve ", "module", false}, {"failed to resolve import ", "module", false}, {"no matching distribution found for ", "module", false}, {"unresolved import ", "module", false}, {"can't find crate for ", "module", false},
	{"no required module provides package ", "module", false}, {"cannot load such file -- ", "module", false}, {"can't locate ", "module", false}, {"no such module ", "module", false},
	{"there is no package called ", "module", false}, {"could not find module ", "module", false}, {"unable to resolve module ", "module", false}, {"cannot find -l", "library", false},
	{"error while loading shared libraries: ", "library", false}, {"fatal error: ", "header", false}, {"unable to locate package ", "package", false}, {"is not recognized as ", "command", true},
}

// firstName is the first word of a text without its quotes.
func firstName(s string) string {
	f := strings.Fields(s)
	if len(f) == 0 {
		return ""
	}
	return strings.Trim(f[0], edges)
}

// module is the name of a module as others would know it: one of the project's own
// has none.
func module(kind, name string) string {
	switch {
	case kind != "module":
		return name[strings.LastIndexByte(name, '/')+1:]
	case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "/") || strings.HasPrefix(name, "@/") || strings.HasPrefix(name, "~"):
		return "own"
	case strings.HasPrefix(name, "@"):
		return name
	}
	head, _, _ := strings.Cut(name, "/")
	if strings.Contains(head, ".") && strings.Contains(name, "/") {
		return name // a module of Go: the whole address
	}
	return head
}

// ports that mean the same everywhere.
var ports = []string{"22", "25", "53", "80", "443", "587", "1433", "1521", "2181", "2375", "2376", "3306", "5432", "5672", "6379", "6443", "8086", "9042", "9092", "9200", "11211", "27017"}

func port(s string) string {
	for _, p := range ports {
		for _, mark := range [...]string{":", "port ", "port: ", "port=", "):"} {
			for from := 0; ; {
				i := strings.Index(s[from:], mark+p)
				if i < 0 {
					break
				}
				end := from + i + len(mark) + len(p)
				if (end == len(s) || s[end] < '0' || s[end] > '9') && (mark != ":" || from+i > 0 && hostBefore(s[:from+i])) {
					return p
				}
				from = end
			}
		}
	}
	return ""
}

// hostBefore reports whether a text ends with a host, not with the name of a file or
// a time: example.com:443, localhost:5432, [::1]:5432, but not main.go:80.
func hostBefore(s string) bool {
	w := s[strings.LastIndexAny(s, " \t\"'(@/=[,")+1:]
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
