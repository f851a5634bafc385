package runner

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// maxEnvValue bounds, in bytes, what a payload may put into the environment of
// a hook.
const maxEnvValue = 4 << 10

// ours are the variables that are set for a hook. What the dispatcher inherited
// under these names, from the hook that runs it for instance, is left out.
var ours = [...]string{
	"AGENTS_HOOKS_EVENT", "AGENTS_HOOKS_AGENT", "AGENTS_HOOKS_SESSION_ID", "AGENTS_HOOKS_HOOK_NAME", "AGENTS_HOOKS_HOOK_DIR", "AGENTS_HOOKS_SOURCE_DIR",
	"AGENTS_HOOKS_PROJECT_DIR", "AGENTS_HOOKS_STATE_DIR", "AGENTS_HOOKS_BIN", "AGENTS_HOOKS_DEPTH", ticketName, "PYTHONPYCACHEPREFIX", "PWD",
}

// A hookEnv is where the hooks of one event run: what all of them share.
type hookEnv struct {
	env     []string // of the person's hooks, without what is of one hook
	theirs  []string // the same of the project's own
	dir     string
	project string // where the event is, "" if that is in no project
	root    string // of the repository
	named   string // what a hook that comes with no project is told
	state   string
	ticket  func() string // made for the first hook that is a process
}

// newHookEnv makes the environment and the working directory of an event.
func (r *Runner) newHookEnv(ev *protocol.Event, project, root string) *hookEnv {
	s := &hookEnv{project: project, root: root, named: cmp.Or(project, root, ev.WorkDir), state: r.State, ticket: sync.OnceValue(r.ticket)}
	s.dir = firstDir(ev.WorkDir, s.named, variable(r.Env, "HOME"), variable(r.Env, "USERPROFILE"))
	s.inherit(r.Env)
	// Python reads and writes UTF-8 whatever the locale says.
	if variable(s.env, "PYTHONUTF8") == "" {
		s.set("PYTHONUTF8", "1")
	}
	// It imports nothing from the directory that the agent works in.
	if variable(s.env, "PYTHONSAFEPATH") == "" {
		s.set("PYTHONSAFEPATH", "1")
	}
	depth, _ := strconv.Atoi(variable(r.Env, "AGENTS_HOOKS_DEPTH"))
	s.set("AGENTS_HOOKS_EVENT", string(ev.Type))
	s.set("AGENTS_HOOKS_AGENT", ev.Agent)
	s.set("AGENTS_HOOKS_SESSION_ID", ev.SessionID)
	s.set("AGENTS_HOOKS_BIN", r.Self)
	s.set("AGENTS_HOOKS_DEPTH", strconv.Itoa(max(depth, 0)+1))
	s.set("PWD", s.dir)
	return s
}

func (s *hookEnv) set(name, value string) {
	kv := name + "=" + envValue(value)
	s.env, s.theirs = append(s.env, kv), append(s.theirs, kv)
}

// of is the environment of one hook. Its state directory is made on demand; if that
// fails, it is a warning and no reason not to run the hook.
func (s *hookEnv) of(h *discovery.Hook) (env []string, err error) {
	of := s.env
	if h.Layer == discovery.ProjectLayer {
		of = s.theirs
	}
	env = append(of[:len(of):len(of)], // a copy
		"AGENTS_HOOKS_HOOK_NAME="+h.Name,
		"AGENTS_HOOKS_HOOK_DIR="+h.Home(),
		"AGENTS_HOOKS_SOURCE_DIR="+h.Dir,
		"AGENTS_HOOKS_PROJECT_DIR="+envValue(cmp.Or(h.Project, s.named)),
	)
	if !h.Entry.Builtin {
		if ticket := s.ticket(); ticket != "" {
			env = append(env, ticketName+"="+ticket)
		}
	}
	if s.state == "" {
		return env, nil
	}
	dir := stateDir(s.state, h)
	// What Python compiles goes there too: running a hook must not change the
	// folder that was approved.
	env = append(env, "AGENTS_HOOKS_STATE_DIR="+dir, "PYTHONPYCACHEPREFIX="+filepath.Join(dir, "pycache"))
	return env, os.MkdirAll(dir, 0o700)
}

// Sets reports whether a variable ("NAME=value") is one that is set for every hook.
func Sets(kv string) bool {
	name, _, _ := strings.Cut(kv, "=")
	return slices.ContainsFunc(ours[:], func(n string) bool { return sameName(name, n) })
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

// folderLists are variables that list folders, or name one, from which programs take
// code, certificates, or where they write.
var folderLists = [...]string{
	"PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "PYTHONPATH", "NODE_PATH", "PERL5LIB", "RUBYLIB", "GEM_PATH", "GEM_HOME", "CLASSPATH",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "TMPDIR", "TMP", "TEMP",
}

// inherit takes over the dispatcher's environment. From lists of folders it drops the
// relative and empty ones: what they mean depends on the repository that the agent
// works in. Folders inside that repository are only for its own hooks, which were
// approved: the user's hooks must not start a program there by its name, or load
// anything from it. PATH has the standard directories at its end.
func (s *hookEnv) inherit(given []string) {
	root := s.root
	if s.state == "" || within(s.state, root) {
		root = "" // the person's home, or above it
	}
	s.env, s.theirs = make([]string, 0, len(given)+len(ours)+3), make([]string, 0, len(given)+len(ours)+3)
	path, ways := false, straight{}
	for _, kv := range given {
		if Sets(kv) {
			continue
		}
		name, value, _ := strings.Cut(kv, "=")
		if !slices.ContainsFunc(folderLists[:], func(n string) bool { return sameName(n, name) }) {
			s.env, s.theirs = append(s.env, kv), append(s.theirs, kv)
			continue
		}
		theirs := slices.DeleteFunc(filepath.SplitList(value), func(d string) bool { return !filepath.IsAbs(d) })
		mine := slices.DeleteFunc(slices.Clone(theirs), func(d string) bool { return ways.ofRepository(d, s.project, root) })
		if sameName(name, "PATH") {
			path = true
			s.env, s.theirs = append(s.env, joinPath(mine)), append(s.theirs, joinPath(theirs))
			continue
		}
		s.env, s.theirs = addList(s.env, name, mine), addList(s.theirs, name, theirs)
	}
	if !path {
		s.env, s.theirs = append(s.env, joinPath(nil)), append(s.theirs, joinPath(nil))
	}
}

// addList adds a variable of folders, unless none is left.
func addList(env []string, name string, dirs []string) []string {
	if len(dirs) == 0 {
		return env
	}
	return append(env, name+"="+joined(dirs))
}

// joined is a list of folders as a variable has it: Windows takes one with a separator
// in its name in quotes, which [filepath.SplitList] took away.
func joined(dirs []string) string {
	if runtime.GOOS == "windows" {
		dirs = slices.Clone(dirs)
		for i, d := range dirs {
			if strings.ContainsRune(d, filepath.ListSeparator) {
				dirs[i] = `"` + d + `"`
			}
		}
	}
	return strings.Join(dirs, string(filepath.ListSeparator))
}

// joinPath is the variable of some directories and the standard ones.
func joinPath(dirs []string) string {
	value := joined(dirs)
	for _, dir := range standardPath {
		if !slices.ContainsFunc(dirs, func(d string) bool { return sameName(strings.TrimRight(d, separators), dir) }) {
			value += string(filepath.ListSeparator) + dir
		}
	}
	return "PATH=" + strings.TrimPrefix(value, string(filepath.ListSeparator))
}

// straight remembers of folders whether no link is on the way to them. The folders of a
// PATH have most of their way in common, and each step is looked at only once.
type straight map[string]bool

func (w straight) to(dir string) bool {
	is, known := w[dir]
	if !known {
		up := filepath.Dir(dir)
		is = up == dir || w.to(up) && !isLink(dir)
		w[dir] = is
	}
	return is
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0
}

// ofRepository reports whether a directory of a PATH lies in a repository, by its
// own name or by what that leads to; or depends on who looks, as /proc/self/cwd
// does.
func (w straight) ofRepository(dir, project, root string) bool {
	dir = filepath.Clean(dir)
	switch {
	case slices.Contains(standardPath, dir):
		return false
	case strings.HasPrefix(dir, "/proc/") || strings.HasPrefix(dir, "/dev/"):
		return true
	}
	inside := func(d string) bool {
		return within(d, project) || within(d, root)
	}
	if inside(dir) {
		return true
	}
	if project == "" && root == "" || w.to(dir) {
		return false
	}
	real, err := filepath.EvalSymlinks(dir)
	return err == nil && inside(real)
}

// within reports whether a clean path is a folder or lies in it; in no folder, "",
// nothing does.
func within(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && dir != "" && (rest == "" || os.IsPathSeparator(rest[0]) || os.IsPathSeparator(dir[len(dir)-1]))
}

// envValue makes a value from a payload fit for an environment: no NUL, which
// would keep the process from starting, valid UTF-8, and short.
func envValue(v string) string {
	return bounded(strings.ToValidUTF8(strings.ReplaceAll(v, "\x00", ""), "\uFFFD"))
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
//	sessions/ID/roots               where the session was, its first project first
//	dedup/                          answers given in the last two seconds
//	hooks/LAYER/NAME/               of one hook
//	hooks/project-HASH/NAME/        of one hook of one project
//	plugins/LAYER/NAME/             of the hooks of one plugin, which share it
//	ticket.key                      what tickets of nested dispatchers are signed by
//	async/                          a place for each async hook that is alive
//	tmp/                            $TMPDIR of confined hooks
//
// What lies there besides is of others: trust.json and trust/ of discovery,
// record/ of the recordings, receipts of install.
//
// Directories are 0700, files 0600.

// stateDir is the state directory of one hook.
func stateDir(state string, h *discovery.Hook) string {
	layer := string(h.Layer)
	if h.Layer == discovery.ProjectLayer {
		layer += "-" + shortHash(h.Project)
	}
	if h.Plugin != "" {
		return filepath.Join(state, "plugins", layer, safeName(h.Plugin))
	}
	return filepath.Join(state, "hooks", layer, safeName(h.Name))
}

// A ticket tells a dispatcher that it runs inside another one, because a hook of that
// one started it. A number in the environment would do, if a repository could not set
// an agent's environment and switch every guard off with it. So a ticket is
//
//	DEPTH-PID-MAC
//
// by the key in the state directory, and it counts only while that process is one of
// our ancestors: one that was forged, or written down somewhere, does not. Where
// nothing is nested, nothing is looked up. A hook that removes the variable, or leaves
// its process tree, is not counted: what it starts ends with the time limit of the
// outermost hook.
const ticketName = "AGENTS_HOOKS_TICKET"

// maxAncestors is how far up a process tree is looked.
const maxAncestors = 256

// Nested returns how many running dispatchers this process is nested in, according to
// the ticket that it was given.
func Nested(state, ticket string) int {
	if ticket == "" || len(ticket) > 200 || state == "" {
		return 0
	}
	parts := strings.SplitN(ticket, "-", 3)
	if len(parts) < 3 {
		return 0
	}
	n, err := strconv.Atoi(parts[0])
	p, err2 := strconv.Atoi(parts[1])
	if err != nil || err2 != nil || n < 1 || p < 1 {
		return 0
	}
	key, err := readKey(keyFile(state))
	if err != nil || ticket != newTicket(key, n, p) {
		return 0
	}
	at := os.Getppid()
	for range maxAncestors {
		if at == p {
			return n
		}
		if at <= 1 {
			return 0
		}
		at = parentOf(at)
	}
	return 0
}

// Ancestors are the processes that this one descends from, the nearest first, as many as matter to
// find the agent among them.
func Ancestors() (pids []int) {
	for at := os.Getppid(); at > 1 && len(pids) < 8; at = parentOf(at) {
		pids = append(pids, at)
	}
	return pids
}

const keySize = 32

func keyFile(state string) string { return filepath.Join(state, "ticket.key") }

func readKey(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|atOnce, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	key := make([]byte, keySize)
	_, err = io.ReadFull(f, key)
	return key, err
}

func newTicket(key []byte, depth, pid int) string {
	signed := strconv.Itoa(depth) + "-" + strconv.Itoa(pid)
	// The key comes before and after the text, so that nobody can extend a sum that is
	// known.
	sum := sha256.Sum256(slices.Concat(key, []byte(signed), key))
	return signed + "-" + hex.EncodeToString(sum[:16])
}

// ticket is the one for the hooks of this process, "" where none can be kept.
func (r *Runner) ticket() string {
	if r.State == "" {
		return ""
	}
	path := keyFile(r.State)
	key, err := readKey(path)
	if err != nil {
		if key, err = newKey(path); err != nil {
			return ""
		}
	}
	return newTicket(key, r.Nested+1, os.Getpid())
}

// newKey makes the key. If two dispatchers make one at the same time, the later one
// stays, and the tickets of the other do not count.
func newKey(path string) (key []byte, err error) {
	for len(key) < keySize {
		key = binary.LittleEndian.AppendUint64(key, rand.Uint64())
	}
	temp := path + ".tmp-" + strconv.Itoa(os.Getpid())
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if err = os.WriteFile(temp, key, 0o600); err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp) // of a full disk, one for each event
	}
	return key, err
}
