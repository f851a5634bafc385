//go:build e2e && unix

package e2e

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/terminal"
)

// A Screen says how a user uses an agent in its terminal interface.
type Screen struct {
	// Prepare writes what a user chooses at the first starts: the colours, that the
	// folder is trusted, that the key may be used.
	Prepare func(l *Lab)
	Args    []string
	Env     []string
	Asks    []Asked // what it asks at its first start
	Ready   string  // is on the screen once it takes a prompt
	Head    string  // an expression for the last line above the conversation
	Foot    string  // an expression for the first line below it
	Running string  // is there while a hook runs, "" if nothing shows that
	Sent    string  // the event that shows that a prompt was sent, "" for pre-agent-turn; asked, the model's request
	// Varies is what changes from run to run, as expressions, with replacements for a
	// golden screen.
	Varies []Varying
	// Next are the scenes whose user sees what they should only with the next prompt,
	// which they give once the first one is answered.
	Next []string
	// Also is what else is on the screen at the end of a scene.
	Also map[string]string
	// Never names scenes that cannot happen, with the reason.
	Never map[string]string
	// Cannot names scenes in which the user does not see what they should, with the
	// reason.
	Cannot map[string]string
	// But names scenes that are seen in the agent's own way, and how.
	But map[string]string
}

// An Asked is a question on a screen, and the keys that answer it.
type Asked struct{ Text, Keys string }

// A Varying is a text that differs between screens.
type Varying struct{ Expr, As string }

// The size of the terminals.
const (
	columns = 100
	rows    = 44
)

// readyLimit bounds the wait for the first prompt; the slowest start takes ten
// seconds of a core, which it may have to share with many.
const readyLimit = runLimit

// asked stands for an event where no event tells of a prompt, but the first request to
// the model.
const asked = "a request to the model"

// onlyThatItRuns is what is seen of a hook that hangs.
const onlyThatItRuns = "that hooks run; the name of the one that hangs comes once its time limit has ended it"

// onlyACommand is the same if nothing shows that hooks run.
const onlyACommand = "as a command that runs; no hook is named"

// withNextPrompt is how something is seen that only a prompt can carry.
const withNextPrompt = "with the next prompt, to which it is added"

// nextPrompt is the prompt that the user then gives.
const nextPrompt = "what else is there"

// messages are the scenes in which the user is told something besides a verdict.
func messages(how string) map[string]string {
	return map[string]string{"crashed": how, "timed out": how, "message": how, "untrusted": how}
}

// varying is what varies in every agent: the lab's folder, times and spinners.
var varying = []Varying{
	{`agents-hooks-[0-9a-f]{8}`, "agents-hooks-00000000"},
	{`[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏⠁⠂⠄⡀⢀⠠⠐⠈⣾⣽⣻⢿⡿⣟⣯⣷]`, "*"},
	{`\b127\.0\.0\.1:\d+`, "127.0.0.1:0"},
}

// blanks are the empty rows of a screen with little text.
var blanks = regexp.MustCompile(`\n{3,}`)

// masked is the conversation on a screen, with what varies replaced.
func (s *Screen) masked(screen string) string {
	lines := strings.Split(screen, "\n")
	if s.Head != "" {
		head := regexp.MustCompile(s.Head)
		for at, line := range slices.Backward(lines) {
			if head.MatchString(line) {
				lines = lines[at+1:]
				break
			}
		}
	}
	if s.Foot != "" {
		foot := regexp.MustCompile(s.Foot)
		if at := slices.IndexFunc(lines, foot.MatchString); at >= 0 {
			lines = lines[:at]
		}
	}
	screen = strings.Join(lines, "\n")
	for _, list := range [][]Varying{varying, s.Varies} {
		for _, v := range list {
			screen = regexp.MustCompile(v.Expr).ReplaceAllString(screen, v.As)
		}
	}
	lines = strings.Split(screen, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return blanks.ReplaceAllString(strings.Trim(strings.Join(lines, "\n"), "\n"), "\n\n")
}

// read is the text of a screen: broken lines are joined, and the lines of boxes are
// left out. The text of a box at the right is read separately, since it lies over the
// lines of the conversation.
func read(screen string) string {
	var over, all strings.Builder
	for _, line := range strings.Split(screen, "\n") {
		if m := atRight.FindStringSubmatch(line); m != nil {
			line = m[1]
			over.WriteString(m[2] + "\n")
		}
		all.WriteString(line + "\n")
	}
	words := strings.Map(func(r rune) rune {
		if r >= '─' && r <= '▟' {
			return ' '
		}
		return r
	}, all.String()+over.String())
	return hyphen.ReplaceAllString(strings.Join(strings.Fields(words), " "), "$1-$2")
}

var (
	// hyphen is one at the end of a line.
	hyphen = regexp.MustCompile(`(\pL)- (\pL)`)
	// atRight is a line with a box at its end.
	atRight = regexp.MustCompile(`^(.{20,})┃(.+)┃$`)
)

// folder makes a folder for one lab, with a name as long as any other's, so that its
// effect on the lines of a screen is always the same.
func folder() (string, error) {
	b := make([]byte, 4)
	_, _ = rand.Read(b)
	root, err := filepath.EvalSymlinks(os.TempDir())
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, fmt.Sprintf("agents-hooks-%x", b))
	return dir, os.Mkdir(dir, 0o755)
}

// sit starts the agent as a user does, and waits until it takes a prompt.
func (l *Lab) sit() *terminal.Terminal {
	l.t.Helper()
	s := l.Agent.Screen
	cmd := l.command(filepath.Join(l.bin(), l.Agent.Command), s.Args...)
	cmd.Env = append(cmd.Env, l.Agent.Env(l)...)
	cmd.Env = append(cmd.Env, "TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=")
	cmd.Env = append(cmd.Env, s.Env...)
	t, err := terminal.Start(cmd, columns, rows)
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(t.Close)
	for _, q := range s.Asks {
		if !t.Until(readyLimit, func(screen string) bool { return strings.Contains(read(screen), q.Text) }) {
			l.t.Fatalf("it does not ask %q:\n%s", q.Text, t.Screen())
		}
		t.Type(q.Keys)
	}
	if !t.Until(readyLimit, func(screen string) bool { return strings.Contains(read(screen), s.Ready) }) {
		l.t.Fatalf("it never takes a prompt (%q):\n%s", s.Ready, t.Screen())
	}
	return t
}
