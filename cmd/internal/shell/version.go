package shell

import (
	"runtime"
	"runtime/debug"
)

// ProgramVersion is the version that the module system stamped into the
// program, "devel" for a build from a working copy.
func ProgramVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

// A CopyOf is the copy of the program that agents start.
type CopyOf struct {
	Version string `json:"version"`
	Path    string `json:"path"`
	From    string `json:"from"`
}

// Version prints what program this is, and the copy that agents start, nil if there
// is none.
func (sh *Shell) Version(asJSON bool, kept *CopyOf) error {
	v := ProgramVersion()
	if asJSON {
		return sh.JSON(map[string]any{"schema": 1, "version": v, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH, "copy": kept})
	}
	sh.Printf("%s %s (%s, %s/%s)\n", sh.Name, v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if kept != nil {
		sh.Printf("agents start %s, in %s\n", kept.Version, sh.Short(kept.Path))
	}
	return nil
}
