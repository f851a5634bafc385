//go:build linux && (amd64 || arm64)

package confine

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// An attempt is something that a process tries; nil means that it worked.
type attempt struct {
	name   string
	may    bool // a confined process must be able to
	deadly bool // it may end the process
	fatal  bool // it may end another one, which is all that counts
	try    func(w world) error
}

// attack tries all of them, or one, and tells of each.
func attack() {
	w, only := worldOf(os.Getenv("CONFINE_TEST_WORLD")), os.Getenv("CONFINE_TEST_ONLY")
	for _, a := range attempts() {
		if only == "" && (a.deadly || a.fatal) || only != "" && only != a.name {
			continue
		}
		text := ""
		if err := a.try(w); err != nil {
			text = strings.ReplaceAll(err.Error(), "\n", " ")
		}
		fmt.Printf("%s\t%s\n", a.name, text)
	}
}

func attempts() []attempt {
	var all []attempt
	add := func(kind string, may bool, list map[string]func(w world) error) {
		for name, try := range list {
			all = append(all, attempt{kind + "/" + name, may, kind == "deadly", kind == "fatal", try})
		}
	}
	add("read", false, reading())
	add("write", false, writing())
	add("attribute", false, attributes())
	add("socket", false, sockets())
	add("process", false, processes())
	add("system", false, system())
	add("deadly", false, otherCalls())
	add("second", false, secondLook())
	add("fatal", false, fatal())
	add("may", true, mayDo())
	return all
}

func sh(script string, args ...string) error {
	out, err := exec.Command("/bin/sh", append([]string{"-c", script, "sh"}, args...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %.200s", err, out)
	}
	return nil
}

func mayDo() map[string]func(w world) error {
	return map[string]func(w world) error{
		"read the project": func(w world) error { return read1(filepath.Join(w.project, "file")) },
		"list the project": func(w world) error { _, err := os.ReadDir(w.project); return err },
		"write its state": func(w world) error {
			return sh(`cd "$1" && echo a >a && echo b >>a && mkdir d && mv a d && cat d/a && rm -r d`, w.state)
		},
		"touch":          func(w world) error { return sh(`touch "$1/t" && touch "$1/t"`, w.state) },
		"temporary file": func(w world) error { return sh(`f=$(mktemp) && echo x >"$f" && test -s "$f"`) },
		"move between": func(w world) error {
			return sh(`echo x >"$1/m" && mv "$1/m" "$2/m" && ln "$2/m" "$1/n"`, w.state, w.temp)
		},
		"links and fifos": func(w world) error { return sh(`ln -s x "$1/sym" && mkfifo "$1/ff"`, w.state) },
		"null":            func(w world) error { return write1("/dev/null", os.O_WRONLY) },
		"pipes":           func(w world) error { return sh(`test "$(echo a | cat /dev/stdin | tr a b)" = b`) },
		"children":        func(w world) error { return sh(`sleep 9 & kill $! && ! wait $!`) },
		"session":         func(w world) error { return sh(`setsid true`) },
		"own priority":    func(w world) error { return unix.Setpriority(unix.PRIO_PROCESS, 0, 19) },
		"limits":          func(w world) error { return sh(`ulimit -c 0; nice -n 1 true`) },
		"pairs": func(w world) error {
			pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
			if err != nil {
				return err
			}
			_, err = unix.Write(pair[0], []byte("x"))
			return err
		},
		"program of its own": func(w world) error { return sh(`cp /bin/true "$1/true" && "$1/true"`, w.state) },
	}
}
