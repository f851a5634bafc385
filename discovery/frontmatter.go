package discovery

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

const (
	// firstRead is how much of a HOOK.md is read at first: nearly always enough for the
	// front matter, and as cheap as reading less (performance.md 3).
	firstRead = 8 << 10
	// maxFrontMatter is how far the end of the front matter is searched for. A HOOK.md
	// may be larger; nothing here reads the rest.
	maxFrontMatter = 64 << 10
)

// A key is one of the known keys of the front matter.
type key uint8

const (
	keyName key = iota
	keyDescription
	keyTrigger
	keyMatcher
	keyTool
	keyPattern
	keyCommand
	keyPath
	keyContent
	keyTimeout
	keyAsync
	keyPriority
	keyMetadata
	keyOnError
	keyLoopLimit
	keyMayAllow
	keySandbox
	keyOnUnsupported
	keyDialect
	keyRun
	keyPluginRoot
	keyEvent
	keyCount
)

// keyNames are the names of the keys in problems.
var keyNames = [keyCount]string{"name", "description", "trigger", "matcher", "matcher.tool", "matcher.pattern",
	"matcher.command", "matcher.path", "matcher.content", "timeout", "async", "priority", "metadata", "metadata.on_error", "metadata.loop_limit", "metadata.may_allow", "metadata.sandbox", "metadata.on_unsupported",
	"metadata.dialect", "metadata.command", "metadata.plugin_root", "metadata.event"}

// A kind is the YAML type of a value.
type kind uint8

const (
	absent kind = iota
	null
	text
	integer
	boolean
	other // a scalar of another type: a float, a date
	list
	mapping
)

func (k kind) String() string {
	return [...]string{"nothing", "empty", "text", "a number", "a boolean", "no text", "a list", "a mapping"}[k]
}

// A field is one value of the front matter: its kind, its text if it is a scalar, and
// its place in the file.
type field struct {
	kind      kind
	text      string
	line, col int
}

// A front is a front matter as written in the file, not yet checked.
type front struct {
	block    string // the whole text
	fields   [keyCount]field
	sandbox  *sandboxFront
	words    []field   // of metadata.command, if it is a list
	foreign  bool      // metadata names another program as the owner
	problems []Problem // with the YAML itself, and unknown keys; without File
}

// noFront says why a file has no front matter.
func noFront(b []byte) *Problem {
	at := field{line: 1, col: 1}
	first, _, _ := strings.Cut(string(b), "\n")
	at.text = strings.TrimRight(first, " \t\r")
	if !utf8.ValidString(at.text) {
		at.text = ""
	}
	p := fatal(at, "", `begin the file with a line "---", then name, description and trigger, then "---"`, "the file has no front matter")
	trimmed := bytes.TrimLeft(b, " \t\r\n")
	if line, _, _ := bytes.Cut(trimmed, []byte("\n")); delimiter(line) {
		before := b[:len(b)-len(trimmed)]
		p.Line = 1 + bytes.Count(before, []byte("\n"))
		p.Column = len(before) - bytes.LastIndexByte(before, '\n')
		p.Message = `the front matter does not begin on the first line with an unindented "---"`
		p.Fix = "remove the blanks before it"
	} else if len(bytes.TrimSpace(b)) == 0 {
		p.Message = "the file is empty"
	}
	return &p
}
