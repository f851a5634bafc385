package requirements

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// Decides reports whether somebody waits for what a hook says before something
// happens, and it does not say of itself that it only looks on.
func Decides(h *discovery.Hook) bool {
	return h.Trigger.Prevents() && !h.Async && hookset.Metadata(h).Text("role") != "observer"
}

// MayBlock says why the exit code of a hook could block, "" if it cannot. It cannot
// where its event prevents nothing, where nobody waits for it, where its HOOK.md says
// metadata: {role: observer}, and where its entry is a text in which nothing could
// end it with 2, unless any failure of it blocks: a text does not tell how a script may
// fail. What cannot be told counts as could: a guard must not pass for proven because
// nobody understood it.
func MayBlock(h *discovery.Hook) string {
	failing, _ := h.FailureBlocks(h.Trigger, discovery.OnErrorDefault)
	switch {
	case !Decides(h):
		return ""
	case h.OnError == discovery.OnErrorBlock:
		return "metadata.on_error is block"
	case failing != "":
		return "its failure blocks (" + failing + ")"
	case h.Entry.Builtin:
		return ""
	case h.Command.Given():
		return "metadata.command has no text to tell by"
	}
	name := filepath.Base(h.Entry.Path)
	text, ok := textOf(h)
	if !ok {
		return name + " has no text to tell by"
	}
	if found := regexp.MustCompile(exitTwo).FindString(text); found != "" {
		return fmt.Sprintf("%q stands in %s", strings.TrimSpace(found), name)
	}
	if found := regexp.MustCompile(refusal).FindString(text); found != "" && h.Dialect != "" {
		return fmt.Sprintf("%q in %s is a block in its protocol", strings.TrimSpace(found), name)
	}
	for _, how := range [...]string{unknownExit, computedExit} {
		if how == computedExit && !regexp.MustCompile(two).MatchString(text) {
			continue
		}
		if found := regexp.MustCompile(how).FindString(text); found != "" {
			return fmt.Sprintf("%q in %s may be 2", strings.TrimSpace(found), name)
		}
	}
	return ""
}

const (
	// refusal is a word by which hooks of other programs refuse in JSON.
	refusal = `["'\\]*\b(?:permissionDecision|decision|permission)["'\\]*\s*[:=]\s*["'\\]*(?:deny|block|ask)\b|["'\\]*\bcontinue["'\\]*\s*:\s*[fF]alse\b`
	// unknownExit is an end with the code of another program.
	unknownExit = `\bexit\s+["']?\$\S*|(?m)^\s*exec\s+[^<>\d\s&]\S*|\bhalt_error\b|\bos\.execv\w*|exit\([^)]*returncode`
	// computedExit is an exit with what a function returned, or with a variable: that
	// can be 2 if there is a 2 somewhere.
	computedExit = `\b_?exit\s*\(\s*[A-Za-z_][\w.]*|\bexitCode\s*=\s*[A-Za-z_]\w*|\bSystemExit\(\s*[A-Za-z_]\w*`
	// two is a 2 that is not a file descriptor.
	two = `(^|[^\w&>.$])2([^\w>.]|$)`
)
