// Package libhost is the host of the command line: the base directories are
// those that adrg/xdg finds, and the front matter of a HOOK.md is cut by
// adrg/frontmatter. What these two do is what the specifications of both say,
// by other people's hands; the tests hold it equal to what package host and
// package discovery compute themselves, and those stay what an event runs:
// docs/performance.md has what the two libraries would cost it.
//
// Where this program promises something else than the libraries, it stands:
//
//   - macOS has the directories of every Unix, and Windows its own, where no XDG
//     variable says otherwise.
//   - A variable that holds no absolute path counts as not set, as XDG asks; the
//     library reads ~ and $HOME in it.
//   - Without HOME, or with one that is not absolute, the account's home counts;
//     the library takes the root directory.
//   - The lines around the front matter begin with their hyphens (HM-FMT-08);
//     the library takes indented ones too, and blank lines before the first.
package libhost

import (
	"bytes"
	"path/filepath"
	"slices"

	"github.com/adrg/frontmatter"
	"github.com/adrg/xdg"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
)

// FromProcess reads the process. It is called once, by main.
func FromProcess() host.Host {
	h := host.FromProcess()
	h.Cut = cut
	return h.Below(base(h))
}

// base are the base directories of this process, as the library read them when it
// was initialised or reloaded.
func base(h host.Host) host.Base {
	b := h.Base()
	unix := h.GOOS != "darwin" && h.GOOS != "ios" && h.GOOS != "windows" && filepath.Clean(xdg.Home) == h.Home
	for _, dir := range []struct {
		name  string
		to    *string
		found string
	}{
		{"XDG_CONFIG_HOME", &b.Config, xdg.ConfigHome},
		{"XDG_STATE_HOME", &b.State, xdg.StateHome},
		{"XDG_CACHE_HOME", &b.Cache, xdg.CacheHome},
		{"XDG_DATA_HOME", &b.Data, xdg.DataHome},
	} {
		if v := h.Getenv(dir.name); filepath.IsAbs(v) || v == "" && unix {
			*dir.to = dir.found
		}
	}
	list := filepath.SplitList(h.Getenv("XDG_CONFIG_DIRS"))
	relative := slices.ContainsFunc(list, func(d string) bool { return !filepath.IsAbs(d) })
	if !relative && (len(list) > 0 || unix) {
		b.System = xdg.ConfigDirs
	}
	return b
}

const delimiter = "---"

// cut is a [discovery.Cut].
func cut(file []byte) (block []byte, ok bool) {
	text := bytes.TrimPrefix(file, []byte("\xef\xbb\xbf"))
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	if !isDelimiter(first) {
		return nil, false
	}
	size := 0
	format := frontmatter.NewFormat(delimiter, delimiter, func(data []byte, _ any) error {
		size = len(data)
		return nil
	})
	if _, err := frontmatter.MustParse(bytes.NewReader(onlyDelimiters(text)), nil, format); err != nil {
		return nil, false
	}
	return rest[:size], true
}

// onlyDelimiters is a text of the same length in which nothing but delimiters
// looks like one to the library, which trims all blanks around a line.
func onlyDelimiters(text []byte) []byte {
	out := bytes.Clone(text)
	for line := range bytes.Lines(out) {
		if word := bytes.TrimSpace(line); string(word) == delimiter && !isDelimiter(bytes.TrimSuffix(line, []byte("\n"))) {
			copy(word, "...")
		}
	}
	return out
}

// isDelimiter reports whether a line is three hyphens and nothing but blanks
// after them.
func isDelimiter(line []byte) bool {
	return bytes.HasPrefix(line, []byte(delimiter)) && len(bytes.TrimRight(line[len(delimiter):], " \t\r")) == 0
}
