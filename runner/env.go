package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// maxEnvValue bounds, in bytes, what a payload may put into the environment of
// a hook.
const maxEnvValue = 4 << 10

// ours are the variables that are set for a hook. What the dispatcher inherited
// under these names, from the hook that runs it for instance, is left out.
var ours = [...]string{
	"AGENTS_HOOKS_EVENT", "AGENTS_HOOKS_AGENT", "AGENTS_HOOKS_SESSION_ID", "AGENTS_HOOKS_HOOK_NAME", "AGENTS_HOOKS_HOOK_DIR",
	"AGENTS_HOOKS_PROJECT_DIR", "AGENTS_HOOKS_STATE_DIR", "AGENTS_HOOKS_BIN", "AGENTS_HOOKS_DEPTH", "PYTHONPYCACHEPREFIX", "PWD",
}

// A scene is where the hooks of one event run: what all of them share.
type scene struct {
	env     []string // without what is of one hook
	dir     string
	project string // project root, to tell its hooks' state apart
	state   string
}

// newScene makes the environment and the working directory of an event.
func (r *Runner) newScene(ev *protocol.Event, project, root string) *scene {
	s := &scene{project: project, state: r.State}
	named := project
	for _, dir := range []string{root, ev.WorkDir} {
		if named == "" {
			named = dir
		}
	}
	s.dir = firstDir(ev.WorkDir, named, variable(r.Env, "HOME"), variable(r.Env, "USERPROFILE"))
	s.env = make([]string, 0, len(r.Env)+len(ours)+2)
	for _, kv := range r.Env {
		if !isOurs(kv) {
			s.env = append(s.env, kv)
		}
	}
	s.env = withPath(s.env)
	// Python reads and writes UTF-8 whatever the locale says.
	if variable(s.env, "PYTHONUTF8") == "" {
		s.env = append(s.env, "PYTHONUTF8=1")
	}
	depth, _ := strconv.Atoi(variable(r.Env, "AGENTS_HOOKS_DEPTH"))
	s.set("AGENTS_HOOKS_EVENT", string(ev.Type))
	s.set("AGENTS_HOOKS_AGENT", ev.Agent)
	s.set("AGENTS_HOOKS_SESSION_ID", ev.SessionID)
	s.set("AGENTS_HOOKS_PROJECT_DIR", named)
	s.set("AGENTS_HOOKS_BIN", r.Self)
	s.set("AGENTS_HOOKS_DEPTH", strconv.Itoa(max(depth, 0)+1))
	s.set("PWD", s.dir)
	return s
}

func (s *scene) set(name, value string) { s.env = append(s.env, name+"="+envValue(value)) }

// of is the environment of one hook. Its state directory is made on demand; that
// it cannot be made is a warning, and no reason not to run the hook.
func (s *scene) of(h *discovery.Hook) (env []string, err error) {
	env = append(s.env[:len(s.env):len(s.env)],
		"AGENTS_HOOKS_HOOK_NAME="+h.Name,
		"AGENTS_HOOKS_HOOK_DIR="+h.Dir,
	)
	if s.state == "" {
		return env, nil
	}
	dir := stateDir(s.state, h, s.project)
	// What Python compiles goes there too: running a hook must not change the
	// folder that was approved (RULINGS 2).
	env = append(env, "AGENTS_HOOKS_STATE_DIR="+dir, "PYTHONPYCACHEPREFIX="+filepath.Join(dir, "pycache"))
	return env, os.MkdirAll(dir, 0o700)
}

func isOurs(kv string) bool {
	name, _, _ := strings.Cut(kv, "=")
	for _, n := range ours {
		if sameName(name, n) {
			return true
		}
	}
	return false
}

// variable is the value of an environment variable in env, "" if there is none.
func variable(env []string, name string) string {
	for _, kv := range env {
		if n, v, ok := strings.Cut(kv, "="); ok && sameName(n, name) {
			return v
		}
	}
	return ""
}

func sameName(a, b string) bool {
	if runtime.GOOS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// withPath appends the standard directories to a PATH that lacks them.
func withPath(env []string) []string {
	at := -1
	for i, kv := range env {
		if name, _, _ := strings.Cut(kv, "="); sameName(name, "PATH") {
			at = i
			break
		}
	}
	if at < 0 {
		return append(env, "PATH="+strings.Join(standardPath, string(filepath.ListSeparator)))
	}
	_, value, _ := strings.Cut(env[at], "=")
	have := filepath.SplitList(value)
	for _, dir := range standardPath {
		if !holds(have, dir) {
			value += string(filepath.ListSeparator) + dir
		}
	}
	env[at] = "PATH=" + strings.TrimPrefix(value, string(filepath.ListSeparator))
	return env
}

func holds(list []string, dir string) bool {
	for _, d := range list {
		if sameName(strings.TrimRight(d, separators), dir) {
			return true
		}
	}
	return false
}

// envValue makes a value from a payload fit for an environment: no NUL, which
// would keep the process from starting, valid UTF-8, and short.
func envValue(v string) string {
	v = strings.ToValidUTF8(strings.ReplaceAll(v, "\x00", ""), "\uFFFD")
	if len(v) <= maxEnvValue {
		return v
	}
	cut := maxEnvValue
	for cut > 0 && !utf8.RuneStart(v[cut]) {
		cut--
	}
	return v[:cut]
}

// firstDir is the first of some directories that is there and may be entered:
// the working directory of an event may be gone by the time of its hook.
func firstDir(dirs ...string) string {
	for _, dir := range dirs {
		if !filepath.IsAbs(dir) {
			continue
		}
		if info, err := os.Stat(dir); err == nil && info.IsDir() && mayExecute(dir) {
			return dir
		}
	}
	return string(filepath.Separator)
}

// The state directory, as far as this package writes it:
//
//	log/YYYY-MM-DD.jsonl            the run log
//	sessions/ID/AGENT.json          what one agent session remembers
//	dedup/                          answers given in the last two seconds
//	hooks/LAYER/NAME/               of one hook
//	hooks/project-HASH/NAME/        of one hook of one project
//	async/                          a place for each async hook that is alive
//
// What lies there besides is of others: trust.json and trust/ of discovery,
// record/ of the recordings, receipts of install.
//
// Directories are 0700, files 0600.

// stateDir is the state directory of one hook.
func stateDir(state string, h *discovery.Hook, project string) string {
	layer := string(h.Layer)
	if h.Layer == discovery.ProjectLayer {
		layer += "-" + shortHash(project)
	}
	return filepath.Join(state, "hooks", layer, safeName(h.Name))
}

// SessionDir is the directory of an agent session in the state directory. An id
// that is no plain file name on every system becomes a hash.
func SessionDir(stateDir, id string) string {
	return filepath.Join(stateDir, "sessions", safeName(id))
}

// safeName is s if it can be the name of a file anywhere, else a hash of it.
// The two cannot be mistaken for each other: no plain name begins with "x-".
func safeName(s string) string {
	if plainName(s) {
		return s
	}
	return "x-" + shortHash(s)
}

func plainName(s string) bool {
	if s == "" || len(s) > 80 || len(s) >= 2 && s[:2] == "x-" {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-' && i > 0, c == '_':
		default:
			// Upper case too: two ids must not meet on a file system that folds case.
			return false
		}
	}
	return !deviceName(s)
}

// deviceName reports whether Windows takes a name for a device.
func deviceName(s string) bool {
	switch s {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(s) == 4 && (s[:3] == "com" || s[:3] == "lpt") && s[3] >= '0' && s[3] <= '9'
}

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

// longHash tells any two lists of texts apart, whoever made them up.
func longHash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		io.WriteString(h, strconv.Itoa(len(p))+":"+p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
