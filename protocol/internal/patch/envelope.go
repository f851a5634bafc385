package patch

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// headers are the possible lines of an envelope, beside the lines of files.
var headers = [...]struct {
	text   string
	action protocol.Action
}{
	{"Add File:", protocol.Create},
	{"Update File:", protocol.Update},
	{"Delete File:", protocol.Delete},
	{"Move to:", protocol.Move},
	{"Move File:", protocol.Move},
}

// Envelope reads a patch of apply_patch: what happens to each file that it names, in
// order. It accepts whatever any of the programs that apply such patches accepts:
// white space around markers, a here-document or a fence around the whole, a missing
// end marker, several patches in a row, lines without a sign. ok is false for a text
// that none of them would accept.
func Envelope(text string) (files []protocol.Change, ok bool) {
	var f *protocol.Change
	begun := false
	var old, added []string
	done := func() {
		if f == nil {
			return
		}
		if f.Action != protocol.Delete {
			f.Old, f.New = strings.Join(old, "\n"), strings.Join(added, "\n")
			f.HasOld = f.Action != protocol.Create && len(old) > 0
			f.HasNew = f.Action == protocol.Create || len(added) > 0
			if f.Action == protocol.Create && len(added) > 0 {
				f.New += "\n"
			}
		}
		files = append(files, *f)
		f, old, added = nil, nil, nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimSpace(line)
		marker, isMarker := strings.CutPrefix(trimmed, "***")
		if isMarker && f != nil && f.Action != protocol.Create && line[0] == ' ' && !known(marker) {
			isMarker = false // a line of the file that looks like a header
		}
		if !isMarker {
			if f != nil && line != "" {
				switch line[0] {
				case '+':
					added = append(added, line[1:])
				case '-':
					old = append(old, line[1:])
				}
			}
			continue
		}
		marker = strings.TrimSpace(marker)
		switch {
		case marker == "Begin Patch":
			done()
			begun = true
			continue
		case marker == "End Patch":
			done()
			continue
		case marker == "End of File" || strings.HasPrefix(marker, "Environment"):
			continue
		}
		h := -1
		for i := range headers {
			if strings.HasPrefix(marker, headers[i].text) {
				h = i
			}
		}
		if h < 0 {
			return nil, false
		}
		path := strings.TrimSpace(marker[len(headers[h].text):])
		if path == "" {
			return nil, false
		}
		if headers[h].text == "Move to:" {
			if f == nil {
				return nil, false
			}
			f.Action, f.To = protocol.Move, path
			continue
		}
		done()
		f = &protocol.Change{Action: headers[h].action, Path: path}
		if from, to, cut := strings.Cut(path, " -> "); headers[h].text == "Move File:" && cut {
			f.Path, f.To = strings.TrimSpace(from), strings.TrimSpace(to)
		}
	}
	done()
	return files, len(files) > 0 && (begun || len(files) > 0)
}

func known(marker string) bool {
	marker = strings.TrimSpace(marker)
	if marker == "Begin Patch" || marker == "End Patch" {
		return true
	}
	for _, h := range headers {
		if strings.HasPrefix(marker, h.text) {
			return true
		}
	}
	return false
}
