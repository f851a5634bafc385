package keep

import (
	"debug/buildinfo"
	"runtime/debug"
)

// A Build tells two builds of this module apart, as far as the Go toolchain
// recorded it.
type Build struct{ version, revision string }

// String is the version, "devel" for a build from a working copy.
func (b Build) String() string {
	if b.version == "(devel)" || b.version == "" {
		return "devel"
	}
	return b.version
}

// OwnBuild is that of this program.
func OwnBuild() Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Build{}
	}
	return buildFrom(info)
}

// BuildOf reads the build out of another program, without starting it.
func BuildOf(path string) (Build, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return Build{}, err
	}
	return buildFrom(info), nil
}

func buildFrom(info *debug.BuildInfo) Build {
	b := Build{version: info.Main.Version}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" || s.Key == "vcs.time" || s.Key == "vcs.modified" {
			b.revision += s.Value + " "
		}
	}
	return b
}
