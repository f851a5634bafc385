package match

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/tongue"
)

// meaning is what messages mean that give a code, in the words of most programs.
var meaning = [...]struct{ said, means string }{
	{"econnrefused", "connection refused"}, {"econnreset", "connection reset by peer"}, {"etimedout", "connection timed out"}, {"enotfound", "could not resolve host"}, {"eai_again", "could not resolve host"},
	{"eaddrinuse", "address already in use"}, {"eacces", "permission denied"}, {"eperm", "operation not permitted"}, {"enoent", "no such file or directory"},
	{"emfile", "too many open files"}, {"eexist", "file exists"}, {"enotdir", "not a directory"}, {"eisdir", "is a directory"}, {"enomem", "cannot allocate memory"}, {"erofs", "read-only file system"}, {"ebusy", "device or resource busy"},
}

// meantBy is a text in the words of most programs. Codes stay in place.
func meantBy(text string) string {
	if set := tongue.Script(text); set != 0 {
		text = tongue.English(text, set) // for what was learned before messages were kept like that
	}
	lower := strings.ToLower(text)
	for _, m := range meaning {
		if index(lower, m.said, false, false) >= 0 {
			text += " / " + m.means
		}
	}
	return text
}
