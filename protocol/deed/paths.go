package deed

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// cd notes the folder that cd changes to, if that is plain to see.
func (s *script) cd(args []*syntax.Word) {
	to, ok := "~", true
	if len(args) > 1 {
		to, ok = s.sure(args[len(args)-1])
	}
	if ok && !strings.HasPrefix(to, "-") && !strings.ContainsAny(to, "$`") && (to[0] != '~' || to == "~" || to[1] == '/') {
		s.changes.to(to)
	}
}

// to changes to a folder.
func (w *writer) to(dir string) {
	dir = absolute(w.dir, dir)
	if len(dir) > maxFolder {
		w.deed.UnreadChanges = "a folder whose path has over 4 KiB"
		return
	}
	w.dir = dir
}

// absolute is a path resolved in a working directory: absolute and clean, in its
// system's spelling. A path that begins with ~, and an address other than a file's,
// are kept.
func absolute(dir, p string) string {
	if strings.HasPrefix(p, "file://") {
		p = fromURI(p)
	}
	switch {
	case p == "":
		return ""
	case strings.Contains(p, "://"):
		return p
	case isWindows(p):
		return cleanWindows(p)
	case strings.HasPrefix(p, "/"):
		return path.Clean(p)
	case p == "~" || strings.HasPrefix(p, "~/"):
		return path.Clean(p)
	case isWindows(dir) && strings.HasPrefix(p, `\`):
		return cleanWindows(dir[:2] + p)
	case isWindows(dir):
		return cleanWindows(dir + `\` + p)
	case dir == "":
		return path.Clean(p)
	}
	return path.Join(dir, p)
}

// isWindows reports whether a path is an absolute one on Windows: with a drive, or a
// share.
func isWindows(p string) bool {
	if strings.HasPrefix(p, `\\`) {
		return true
	}
	return len(p) > 2 && p[1] == ':' && (p[2] == '\\' || p[2] == '/') && (p[0] >= 'a' && p[0] <= 'z' || p[0] >= 'A' && p[0] <= 'Z')
}

// cleanWindows cleans a Windows path, on every system.
func cleanWindows(p string) string {
	share := strings.HasPrefix(p, `\\`)
	parts := strings.Split(strings.ReplaceAll(p, `\`, "/"), "/")
	for i, part := range parts { // ".env." and ".env::$DATA" are .env there
		part, _, _ = strings.Cut(part, "::$")
		if short := strings.TrimRight(part, ". "); short != "" {
			part = short
		}
		parts[i] = part
	}
	p = strings.Join(parts, "/")
	if share {
		return `\\` + strings.ReplaceAll(strings.TrimPrefix(path.Clean("/"+strings.TrimLeft(p, "/")), "/"), "/", `\`)
	}
	return p[:2] + strings.ReplaceAll(path.Clean("/"+p[3:]), "/", `\`)
}

// fromURI is the path in a file's address.
func fromURI(s string) string {
	s = unpercent(strings.TrimPrefix(s, "file://"))
	host, rest, ok := strings.Cut(s, "/")
	switch {
	case host != "" && host != "localhost" && ok:
		return `\\` + host + `\` + strings.ReplaceAll(rest, "/", `\`)
	case isWindows(rest):
		return rest
	}
	return "/" + rest
}

// unpercent decodes the escapes of an address.
func unpercent(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && digits(s[min(i+1, len(s)):], 2, 16) == 2 {
			b = append(b, byte(number(s[i+1:i+3], 16)))
			i += 2
			continue
		}
		b = append(b, s[i])
	}
	return string(b)
}
