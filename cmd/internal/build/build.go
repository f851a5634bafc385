// Package build reads what the Go toolchain recorded in a program: the version of the
// module, the commit and its date, and the linked modules. No linker flags are needed,
// so a local build, go install and a release report it in the same way.
package build

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
)

// A Build distinguishes builds of this module, as far as that was recorded.
type Build struct {
	version  string
	Commit   string // "" if none was recorded: go install of a version, go run
	Date     string // of the commit, RFC 3339
	Modified bool   // files differed from the commit
}

// Version is the module's, "devel" for a build from a working copy without one.
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

// Of reads the build from another program, without starting it. Package
// debug/buildinfo does the same, but links readers for executables and debugging
// information of five systems, half a megabyte; the mark that it looks for is in the
// file unencoded.
func Of(path string) (Build, error) {
	f, err := os.Open(path)
	if err != nil {
		return Build{}, err
	}
	defer f.Close()
	const piece, most = 1 << 20, 1 << 16 // a record may begin in one chunk and end in the next
	b := make([]byte, piece+most)
	for at := int64(0); ; at += piece {
		n, err := f.ReadAt(b, at)
		if info := buildIn(b[:n]); info != nil {
			return from(info), nil
		}
		if errors.Is(err, io.EOF) {
			return Build{}, fmt.Errorf("reading the build of %s: it has none", path)
		}
		if err != nil {
			return Build{}, fmt.Errorf("reading the build of %s: %w", path, err)
		}
	}
}

// buildIn finds the linker's record of a build, nil if b has none: a mark at a
// multiple of 16, a byte with flags, and from the 32nd byte on two texts, each after
// its length. The second one, between two marks of 16 bytes, is the build.
func buildIn(b []byte) *debug.BuildInfo {
	mark := []byte("\xff Go buildinf:")
	const header, texts, edge = 32, 2, 16
	for at := 0; ; at++ {
		next := bytes.Index(b[at:], mark)
		if next < 0 {
			return nil
		}
		if at += next; at%16 != 0 || len(b) < at+header || b[at+len(mark)+1]&texts == 0 {
			continue
		}
		_, rest := cutText(b[at+header:])
		if build, _ := cutText(rest); len(build) > 2*edge {
			if info, err := debug.ParseBuildInfo(string(build[edge : len(build)-edge])); err == nil {
				return info
			}
		}
	}
}

// cutText cuts off a text that follows its length, nothing if it is incomplete.
func cutText(b []byte) (text, rest []byte) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)-size) {
		return nil, nil
	}
	return b[size:][:n], b[size:][n:]
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

// A Module is a third-party module in the program.
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
