package shell

import (
	"runtime"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/build"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// ProgramVersion is the version that the module system stamped into the
// program, "devel" for a build from a working copy.
func ProgramVersion() string { return build.Own().Version() }

// A CopyOf is the copy of the program that agents start.
type CopyOf struct {
	Version string `json:"version"`
	Path    string `json:"path"`
	From    string `json:"from"`
}

// A version describes this program, as printed with --json.
type version struct {
	Schema   int            `json:"schema"`
	Version  string         `json:"version"`
	Commit   string         `json:"commit"`
	Date     string         `json:"date"`
	Modified bool           `json:"modified"`
	Format   string         `json:"format"`
	Go       string         `json:"go"`
	OS       string         `json:"os"`
	Arch     string         `json:"arch"`
	Linked   []build.Module `json:"linked"`
	Copy     *CopyOf        `json:"copy"`
}

// Version prints which program this is, the version of the format that it implements,
// "" if none, what it was built from, and the copy that agents start, nil if there is
// none.
func (sh *Shell) Version(asJSON bool, format string, kept *CopyOf) error {
	b := build.Own()
	v := version{1, b.Version(), b.Commit, b.Date, b.Modified, format, runtime.Version(), runtime.GOOS, runtime.GOARCH, build.Linked(), kept}
	if asJSON {
		return sh.JSON(v)
	}
	sh.Printf("%s %s (%s, %s/%s)\n", sh.Name, v.Version, v.Go, v.OS, v.Arch)
	if v.Commit != "" {
		changed := ""
		if v.Modified {
			changed = ", and files that differ from it"
		}
		day, _, _ := strings.Cut(v.Date, "T")
		sh.Printf("commit %s of %s%s\n", v.Commit[:min(12, len(v.Commit))], day, changed)
	}
	if format != "" {
		sh.Printf("format %s\n", format)
	}
	if kept != nil {
		sh.Printf("agents start %s, in %s\n", kept.Version, sh.Short(kept.Path))
	}
	var linked []string
	for _, m := range v.Linked {
		linked = append(linked, m.Path+" "+m.Version)
	}
	if len(linked) > 0 {
		sh.Printf("linked: %s\n", text.Wrap(strings.Join(linked, ", "), sh.Columns()-2, "  "))
	}
	return nil
}
