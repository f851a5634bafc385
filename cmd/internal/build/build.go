// Package build is what the Go toolchain wrote into a program of how it was made: the
// version of the module, the commit and its date, and the modules that are linked. No
// flag of a linker puts them there, so that a build by hand, one by go install and a
// release say it in the same way.
package build

import (
	"debug/buildinfo"
	"runtime/debug"
)

// A Build tells two builds of this module apart, as far as it was recorded.
type Build struct {
	version  string
	Commit   string // "" where none was recorded: go install of a version, go run
	Date     string // of the commit, RFC 3339
	Modified bool   // files differed from the commit
}

// Version is that of the module, "devel" for a build from a working copy that has none.
func (b Build) Version() string {
	if b.version == "(devel)" || b.version == "" {
		return "devel"
	}
	return b.version
}

// Own is the build of this program.
func Own() Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Build{}
	}
	return from(info)
}

// Of reads the build out of another program, without starting it.
func Of(path string) (Build, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return Build{}, err
	}
	return from(info), nil
}

func from(info *debug.BuildInfo) Build {
	b := Build{version: info.Main.Version}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// A Module is one of other people's that is part of the program.
type Module struct {
	Path    string `json:"path"`
	Version string `json:"version"`
}

// Linked are the modules that this program was linked with.
func Linked() []Module {
	list := []Module{}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return list
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		list = append(list, Module{m.Path, m.Version})
	}
	return list
}
