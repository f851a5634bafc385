package workspace

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
)

// A Row is a line of Log.md.
type Row struct {
	Time     time.Time // zero if the cell holds none that can be read
	Stamp    string    // the cell
	Operator string    // AI or Human
	Event    string
}

// Operators of a row.
const (
	AI    = "AI"
	Human = "Human"
)

const logHead = "## " + secLog + "\n\n| 时间 | 操作者 | 事件 |\n|------|--------|------|\n"

// logTime is the form of the times in Log.md, which are local ones.
const logTime = "2006-01-02 15:04:05"

// logTail is how much of a Log.md an event reads.
const logTail = 16 << 10

// line is the row as a line of the table.
func (r Row) line() string {
	return "| " + r.Stamp + " | " + r.Operator + " | " + cell(r.Event) + " |"
}

// cell spells a text for a table.
func cell(s string) string {
	return strings.NewReplacer("\r\n", "<br>", "\r", "<br>", "\n", "<br>", "|", "｜").Replace(strings.TrimSpace(s))
}

func uncell(s string) string {
	return strings.NewReplacer("<br>", "\n", "｜", "|").Replace(s)
}

// parseRow reads a line of Log.md; ok is false for everything but rows.
func parseRow(line string, zone *time.Location) (r Row, ok bool) {
	line = strings.TrimRight(line, " \t\r\n")
	if !strings.HasPrefix(line, "|") || strings.Trim(line, "|-: \t") == "" {
		return r, false
	}
	parts := strings.Split(strings.TrimSuffix(line[1:], "|"), "|")
	if len(parts) < 3 {
		return r, false
	}
	r = Row{Stamp: strings.TrimSpace(parts[0]), Operator: strings.TrimSpace(parts[1]), Event: uncell(strings.TrimSpace(strings.Join(parts[2:], "|")))}
	if r.Stamp == "时间" || strings.EqualFold(r.Stamp, "time") {
		return r, false
	}
	if t, err := time.ParseInLocation(logTime, r.Stamp, zone); err == nil {
		r.Time = t
	} else {
		r.Time = ParseStamp(r.Stamp)
	}
	return r, true
}

// ParseLog reads the rows of a Log.md.
func ParseLog(b []byte, zone *time.Location) []Row {
	var out []Row
	for line := range strings.Lines(string(b)) {
		if r, ok := parseRow(line, zone); ok {
			out = append(out, r)
		}
	}
	return out
}

// lastRows are the rows at the end of a Log.md.
func lastRows(in *beneath.Root, path string, zone *time.Location) []Row {
	f, err := in.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	from := max(0, info.Size()-logTail)
	b := make([]byte, info.Size()-from)
	n, err := f.ReadAt(b, from)
	if err != nil && err != io.EOF {
		return nil
	}
	b = b[:n]
	if from > 0 {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			return nil
		}
		b = b[i+1:]
	}
	return ParseLog(b, zone)
}

// appendRow adds a row to a Log.md, whose workspace the caller has locked. A last line
// that somebody left without an end stays.
func appendRow(in *beneath.Root, path string, r Row) (err error) {
	f, err := in.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	text := r.line() + "\n"
	if size := info.Size(); size == 0 {
		text = logHead + text
	} else {
		var last [1]byte
		if _, err := f.ReadAt(last[:], size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			text = "\n" + text
		}
	}
	_, err = f.WriteString(text)
	return err
}

// transition reports whether a row was written by a change of state.
func (r Row) transition() bool {
	_, rest, ok := strings.Cut(r.Event, ": ")
	if !ok {
		rest = r.Event
	}
	from, to, ok := strings.Cut(rest, " → ")
	to, _, _ = strings.Cut(to, " ")
	return ok && isStatus(from) && isStatus(to)
}
