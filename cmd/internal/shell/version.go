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

// Version prints what program this is.
func (sh *Shell) Version(asJSON bool) error {
	v := ProgramVersion()
	if asJSON {
		return sh.JSON(map[string]any{"schema": 1, "version": v, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH})
	}
	sh.Printf("%s %s (%s, %s/%s)\n", sh.Name, v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}
