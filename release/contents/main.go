// Command contents looks into each archive of a release, which lies in the folder dist of
// the clone that it was built in: all that belongs in is there and nothing else, with the
// mode it should have and the time of the commit; each program is of the archive's system,
// of this commit, stripped, and names no folder of the machine that built it.
//
//	go run ./contents CLONE
package main

import (
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/release/archive"
	"github.com/agents-hooks/agents-hooks/release/sums"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: contents CLONE")
		os.Exit(64)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "contents:", err)
		os.Exit(1)
	}
}

// A clone is what a release was built of.
type clone struct {
	dir, commit string
	at          time.Time
}

func run(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	said, err := git(dir, "log", "-1", "--format=%H %ct")
	if err != nil {
		return err
	}
	commit, seconds, _ := strings.Cut(said[0], " ")
	at, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return fmt.Errorf("the time of the commit: %w", err)
	}
	c := clone{dir, commit, time.Unix(at, 0)}
	for name, programs := range map[string][]string{"agents-hooks": {"agents-hooks", "agents-hooks-run"}, "agents-hooks-server": {"agents-hooks-server"}} {
		others := []string{"LICENSE", "serve.md"}
		if name == "agents-hooks" {
			if others, err = c.others(); err != nil {
				return err
			}
		}
		list, err := sums.Archives(filepath.Join(dir, "dist"), name)
		if err != nil {
			return err
		}
		for _, a := range list {
			if err := c.holds(a, programs, others); err != nil {
				return fmt.Errorf("%s: %w", a.Name, err)
			}
		}
	}
	return nil
}

// others are the files of the archive beside its programs: what git knows of the examples,
// and what was made of the programs.
func (c clone) others() ([]string, error) {
	list, err := git(c.dir, "ls-files", "LICENSE", "README.md", "CHANGELOG.md", "examples")
	if err != nil {
		return nil, err
	}
	for from, to := range map[string]string{"man": "man/man1", "completions": "completions"} {
		files, err := os.ReadDir(filepath.Join(c.dir, ".made", from))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			list = append(list, to+"/"+f.Name())
		}
	}
	if len(list) < 200 {
		return nil, fmt.Errorf("%s has only %d files for an archive", c.dir, len(list))
	}
	return list, nil
}

// holds reports what is wrong with an archive.
func (c clone) holds(a sums.Archive, programs, others []string) error {
	files, err := archive.Read(filepath.Join(c.dir, "dist", a.Name))
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, name := range others {
		wanted[name] = true
	}
	for _, name := range programs {
		if a.OS == "windows" {
			name += ".exe"
		}
		wanted[name] = true
	}
	for _, f := range files {
		if !wanted[f.Name] {
			return fmt.Errorf("%s is one too many", f.Name)
		}
		delete(wanted, f.Name)
		if !f.Time.Equal(c.at) {
			return fmt.Errorf("%s is of %s, the commit of %s", f.Name, f.Time, c.at)
		}
		program := slices.Contains(programs, strings.TrimSuffix(f.Name, ".exe"))
		mode := os.FileMode(0o644)
		if program || strings.Contains(f.Name, "/scripts/") {
			mode = 0o755
		}
		if f.Mode != mode {
			return fmt.Errorf("%s has the mode %v, want %v", f.Name, f.Mode, mode)
		}
		if program {
			if err := c.built(a, f.Data); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		}
	}
	if len(wanted) > 0 {
		return fmt.Errorf("it lacks %s", strings.Join(slices.Sorted(maps.Keys(wanted)), ", "))
	}
	return nil
}

// built reports what is wrong with a program: by what the toolchain says of it, and by what
// the system that starts it reads.
func (c clone) built(a sums.Archive, program []byte) error {
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return err
	}
	has := map[string]string{"version": info.Main.Version}
	for _, s := range info.Settings {
		has[s.Key] = s.Value
	}
	for key, want := range map[string]string{
		"version": "v" + a.Version, "GOOS": a.OS, "GOARCH": a.Arch, "CGO_ENABLED": "0", "-trimpath": "true",
		"vcs.revision": c.commit, "vcs.modified": "false", "vcs.time": c.at.UTC().Format(time.RFC3339),
	} {
		if has[key] != want {
			return fmt.Errorf("%s is %q, want %q", key, has[key], want)
		}
	}
	machine, stripped, err := header(a.OS, program)
	if err != nil {
		return err
	}
	if machine != a.Arch || !stripped {
		return fmt.Errorf("a program for %s, stripped: %v", machine, stripped)
	}
	home, _ := os.UserHomeDir()
	for _, folder := range []string{c.dir, filepath.Join(home, "go", "pkg")} {
		if bytes.Contains(program, []byte(folder)) {
			return fmt.Errorf("it names %s", folder)
		}
	}
	return nil
}

// header is the processor that a program is for, and whether debuggers would find nothing.
func header(goos string, program []byte) (arch string, stripped bool, err error) {
	r := bytes.NewReader(program)
	switch goos {
	case "linux":
		f, err := elf.NewFile(r)
		if err != nil {
			return "", false, err
		}
		return map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64"}[f.Machine], f.Section(".symtab") == nil && f.Section(".debug_info") == nil, nil
	case "darwin":
		f, err := macho.NewFile(r)
		if err != nil {
			return "", false, err
		}
		return map[macho.Cpu]string{macho.CpuAmd64: "amd64", macho.CpuArm64: "arm64"}[f.Cpu], f.Section("__debug_info") == nil && f.Section("__zdebug_info") == nil, nil
	}
	f, err := pe.NewFile(r)
	if err != nil {
		return "", false, err
	}
	return map[uint16]string{pe.IMAGE_FILE_MACHINE_AMD64: "amd64", pe.IMAGE_FILE_MACHINE_ARM64: "arm64"}[f.Machine], len(f.Symbols) == 0 && f.Section(".debug_info") == nil, nil
}

func git(dir string, args ...string) ([]string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n"), nil
}
