package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/confine"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// systemPaths are the parts of the system that every program needs to start and to run.
// Of /proc they have only what belongs to no process: other processes are none of a
// hook's business, and a program can do without its own entries there.
var systemPaths = [...]string{
	"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/usr", "/opt", "/etc", "/nix/store", "/gnu/store", "/snap", "/home/linuxbrew/.linuxbrew",
	"/run/current-system", "/run/systemd/resolve", "/run/resolvconf", "/var/lib/ca-certificates",
	"/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/uptime", "/proc/loadavg", "/proc/version", "/proc/filesystems", "/proc/sys",
	"/sys/devices/system", "/sys/fs/cgroup", "/sys/kernel/mm/transparent_hugepage",
	"/dev/random", "/dev/urandom",
}

// devices are what a program may always write to, because they keep nothing.
var devices = [...]string{"/dev/null", "/dev/zero", "/dev/full"}

// runtimes are where programs that run other programs lie below a home directory:
// the folders of their managers, and what those read to know which one is meant.
var runtimes = [...]string{
	".local/bin", ".local/lib", ".nvm", ".fnm", ".local/share/fnm", ".volta", "n/bin", "n/lib", ".nodenv", ".bun/bin", ".deno/bin", ".local/share/pnpm",
	".pyenv", ".local/share/uv/python", ".local/share/uv/tools", ".local/share/pipx", ".local/pipx", ".rye/py", ".rye/shims", "miniconda3", "anaconda3", "miniforge3",
	".asdf", ".asdfrc", ".tool-versions", ".local/share/mise", ".config/mise/config.toml", ".proto",
	".rbenv", ".rvm", ".goenv", "go/bin", "sdk", ".cargo/bin", ".rustup", ".sdkman/candidates", ".jenv", ".nix-profile", ".local/state/nix/profiles", ".dotnet", ".linuxbrew",
}

// A looseError is why a command could not be held to its sandbox. It did not run.
type looseError struct{ err error }

func (e *looseError) Error() string { return "its sandbox cannot be made: " + e.err.Error() }

// confined runs a command in the sandbox of its hook, as far as this system can
// make one; what is left open is noted, or keeps it from running.
func (r *Runner) confined(ctx context.Context, c *command, h *discovery.Hook, s *hookEnv) exitState {
	can := confine.Supported()
	whole := len(can.Missing()) == 0
	if h.Sandbox.Required && !whole {
		return notStarted(launchErrorf("its sandbox is required, and %s", lacks(can)))
	}
	if can.Nothing() {
		return c.loose(ctx, lacks(can))
	}
	given := c.env
	var temp tempDir
	if !h.Sandbox.NoTemp {
		var err error
		if temp, err = takeTemp(r.State, variable(c.env, "AGENTS_HOOKS_STATE_DIR")); err != nil {
			return notStarted(launchErrorf("its temporary directory cannot be made: %v", cause(err)))
		}
		defer temp.release()
	}
	c.within = r.rules(h, s, variable(c.env, "AGENTS_HOOKS_STATE_DIR"), temp.path)
	c.env = confinedEnv(c.env, temp.path)
	e := c.started(ctx)
	if not, ok := errors.AsType[*looseError](e.err); ok {
		if h.Sandbox.Required {
			return notStarted(launchErrorf("its sandbox is required, and the system refused it: %v", not.err))
		}
		c.within, c.env = nil, given
		return c.loose(ctx, "the system refused it: "+not.err.Error())
	}
	if !whole {
		e.note = "sandboxes are not whole: " + lacks(can)
	}
	return e
}

// loose runs a command without its sandbox.
func (c *command) loose(ctx context.Context, why string) exitState {
	e := c.started(ctx)
	e.note = "hooks run without their sandbox: " + why
	return e
}

// SandboxLacks says what sandboxes do not enforce on this system, "" if nothing. none
// means that there are no sandboxes.
func SandboxLacks() (what string, none bool) {
	can := confine.Supported()
	if len(can.Missing()) == 0 {
		return "", false
	}
	return lacks(can), can.Nothing()
}

// lacks says what a system does not enforce.
func lacks(can confine.Support) string {
	switch {
	case !can.System:
		return "there is none on this system"
	case can.Nothing():
		return "this kernel has neither Landlock nor seccomp, or keeps them from us"
	case can.Landlock == 0:
		return "this kernel has no Landlock, or keeps it from us: files and signals are not kept back"
	}
	return fmt.Sprintf("this kernel has version %d of Landlock: %s are not kept back", can.Landlock, strings.Join(can.Missing(), ", "))
}

// rules are what a hook may do.
func (r *Runner) rules(h *discovery.Hook, s *hookEnv, state, temp string) *confine.Rules {
	box := h.Sandbox
	w := &confine.Rules{Network: box.Network, Read: systemOf(os.Geteuid()), Write: devices[:], Root: r.project(s, h)}
	if r.Home != "" {
		for _, dir := range runtimes {
			w.Read = append(w.Read, filepath.Join(r.Home, dir))
		}
	}
	w.Read = append(w.Read, h.Home(), h.Entry.Path, r.Self)
	switch {
	case w.Root == "":
	case box.Only == nil:
		w.Read = append(append(w.Read, w.Root), gitDir(w.Root)...)
	default:
		w.ReadBelow = box.Only
	}
	if box.NoState {
		w.Read = append(w.Read, state)
	} else {
		w.Write = append(w.Write, state)
	}
	w.Write = append(w.Write, temp)
	for _, more := range []struct {
		given       []string
		at, belowAt *[]string
	}{{box.Read, &w.Read, &w.ReadBelow}, {box.Write, &w.Write, &w.WriteBelow}} {
		for _, path := range more.given {
			if filepath.IsAbs(path) {
				*more.at = append(*more.at, path)
			} else if w.Root != "" {
				*more.belowAt = append(*more.belowAt, path)
			}
		}
	}
	return w
}

// project is the folder that counts as the project: the repository of the event, or
// else where the agent works. A folder that contains the user's home directory does not
// count, nor does a hidden one in it, unless its hooks were approved there: an agent
// may change into ~/.ssh.
func (r *Runner) project(s *hookEnv, h *discovery.Hook) string {
	own := cmp.Or(h.Project, s.project)
	dir := own
	if s.root != "" && (dir == "" || safefile.Inside(dir, s.root)) {
		dir = s.root
	}
	for _, home := range []string{r.Home, real(r.Home)} {
		if dir == "" || home != "" && safefile.Inside(home, dir) {
			return own
		}
		rel, err := filepath.Rel(home, dir)
		if home != "" && err == nil && filepath.IsLocal(rel) && rel[0] == '.' {
			return own
		}
	}
	if dir == string(filepath.Separator) {
		return ""
	}
	return dir
}

func real(path string) string {
	if path, err := filepath.EvalSymlinks(path); err == nil {
		return path
	}
	return path
}

// gitDir is where git keeps what belongs to a working tree, if that is outside of it,
// as it is for additional worktrees and for submodules. The repository writes the file
// that says so, so it counts only if the other side agrees: a worktree has to be
// registered there, and a submodule has to lie in its project.
func gitDir(tree string) []string {
	file := filepath.Join(tree, ".git")
	said := pathIn(file, "gitdir: ", tree)
	if said == "" {
		return nil
	}
	at := filepath.Dir(said)
	if common := filepath.Dir(at); filepath.Base(at) == "worktrees" && isFile(filepath.Join(common, "HEAD")) && isDir(filepath.Join(common, "objects")) {
		if back := pathIn(filepath.Join(said, "gitdir"), "", said); back != "" && real(back) == real(file) {
			return []string{common}
		}
	}
	for dir := filepath.Dir(tree); ; dir = filepath.Dir(dir) {
		if modules := filepath.Join(dir, ".git", "modules"); said != modules && safefile.Inside(said, modules) && real(said) == said {
			return []string{said}
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

func isFile(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

func isDir(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// pathIn is the path that a file of one line holds, "" if it holds none.
func pathIn(file, prefix, base string) string {
	b, err := safefile.Read(file, 4<<10)
	if err != nil {
		return ""
	}
	path, ok := strings.CutPrefix(strings.TrimRight(string(b), "\r\n"), prefix)
	if !ok || path == "" || strings.ContainsAny(path, "\n\x00") {
		return ""
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(base, path)
	}
	return filepath.Clean(path)
}

// confinedEnv is the environment of a confined hook. Git would not start if the user's
// configuration were there and could not be read.
func confinedEnv(env []string, temp string) []string {
	set := []string{"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_OPTIONAL_LOCKS=0"}
	if temp != "" {
		set = append(set, "TMPDIR="+temp)
	}
	if state := variable(env, "AGENTS_HOOKS_STATE_DIR"); state != "" {
		set = append(set, "XDG_CACHE_HOME="+filepath.Join(state, "cache"))
	}
	env = slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return name == "TMPDIR" || slices.ContainsFunc(set, func(s string) bool { return strings.HasPrefix(s, name+"=") })
	})
	return append(env, set...)
}

// unreachable says that a confined program could not be started because of what it
// may not read, if that is why.
func (c *command) unreachable(err error) error {
	if c.within == nil || !errors.Is(err, fs.ErrPermission) || !mayExecute(c.argv[0]) {
		return nil
	}
	path := c.argv[0]
	if interpreter, _ := shebang(path); interpreter != "" {
		path = interpreter
	}
	return outOfSight(path)
}

// hidden says that the interpreter that a confined script asks env for lies where
// it may not be read, if that is why env failed.
func (c *command) hidden() error {
	path := lookPath(askedOfEnv(c.argv[0]), c.env)
	if path == "" {
		return nil
	}
	path = real(path)
	for _, given := range slices.Concat(c.within.Read, c.within.Write) {
		if given != "" && safefile.Inside(path, real(given)) {
			return nil
		}
	}
	return outOfSight(path)
}

func outOfSight(path string) error {
	return launchErrorf("%q lies where its sandbox does not let it read; add its folder to sandbox_read in [trust] of your hooks.toml", real(path))
}
