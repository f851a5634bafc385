package shell

import "os"

// Abs, Short, Shown and Relative are those of the host: a path from the command
// line, and one as a person writes it, types it, or opens it in an editor.
func (sh *Shell) Abs(path string) (string, error) { return sh.Host.Abs(path) }
func (sh *Shell) Short(path string) string        { return sh.Host.Short(path) }
func (sh *Shell) Shown(path string) string        { return sh.Host.Shown(path) }
func (sh *Shell) Relative(path string) string     { return sh.Host.Relative(path) }

// IsFolder reports whether a path is a folder.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
