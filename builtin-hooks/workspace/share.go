package workspace

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// What lets a folder of workspaces travel: git leaves its bytes alone, keeps the rows
// of both sides of a log, and ignores what belongs to this machine.
const (
	attributesFile = ".gitattributes"
	attributes     = "* -text\nLog.md merge=union\n"
	ignoreFile     = ".gitignore"
	ignored        = "*.lock\n*.tmp-*\n"
)

// shared reports whether somebody lets the workspaces of a folder travel.
func shared(in *beneath.Root, folder string) bool {
	return isFile(in, filepath.Join(folder, attributesFile))
}

// Share lets git see the folder of the workspaces of a project, or takes that back.
func Share(in *beneath.Root, project, folder string, on bool) error {
	if !on {
		for _, name := range []string{attributesFile, ignoreFile} {
			if err := in.Remove(filepath.Join(folder, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		Exclude(project, folder)
		return nil
	}
	for name, text := range map[string]string{attributesFile: attributes, ignoreFile: ignored} {
		if isFile(in, filepath.Join(folder, name)) {
			continue // somebody may have added to it
		}
		if err := statefile.In(in).ReplaceHeld(filepath.Join(folder, name), false, []byte(text)); err != nil {
			return err
		}
	}
	return include(project, folder)
}

// include removes the line that [Exclude] wrote.
func include(project, folder string) error {
	root, git := repository(project)
	rel, err := filepath.Rel(root, folder)
	if git == "" || err != nil || !filepath.IsLocal(rel) {
		return nil
	}
	in, path := beneath.At(git), filepath.Join(git, "info", "exclude")
	old, err := in.Read(path, 0)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	var kept strings.Builder
	for line := range strings.Lines(string(old)) {
		if strings.Trim(strings.TrimSpace(line), "/") != filepath.ToSlash(rel) {
			kept.WriteString(line)
		}
	}
	if kept.Len() == len(old) {
		return nil
	}
	return statefile.In(in).ReplaceHeld(path, false, []byte(kept.String()))
}
