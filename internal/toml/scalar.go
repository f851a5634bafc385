package toml

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"
)

// scalar is the value of a node that is no table and no array, or a message that
// says what is wrong with it.
func scalar(n *unstable.Node) (v any, message string) {
	text := string(n.Data)
	switch n.Kind {
	case unstable.String:
		return text, ""
	case unstable.Bool:
		return text == "true", ""
	case unstable.Integer:
		// Base 10 unless there is a prefix; the parser has seen to the rest.
		i, err := strconv.ParseInt(text, 0, 64)
		if errors.Is(err, strconv.ErrRange) {
			return nil, text + " is out of range for int64"
		} else if err != nil {
			return nil, fmt.Sprintf("Invalid integer %q", text)
		}
		return i, ""
	case unstable.Float:
		plain := strings.ReplaceAll(text, "_", "")
		if strings.HasSuffix(plain, "nan") {
			plain = "nan" // ParseFloat knows it without a sign only
		}
		f, err := strconv.ParseFloat(plain, 64)
		if errors.Is(err, strconv.ErrRange) {
			return nil, text + " is out of range for float64"
		} else if err != nil {
			return nil, fmt.Sprintf("Invalid float value: %q", text)
		}
		return f, ""
	}
	if t, ok := moment(text); ok {
		return t, ""
	}
	return nil, fmt.Sprintf("invalid datetime: %q", text)
}

// moment reads a date, a time of day, or both.
func moment(text string) (time.Time, bool) {
	text = strings.NewReplacer("z", "Z", "t", "T", " ", "T").Replace(text)
	for _, layout := range [...]string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02", "15:04:05.999999999",
		"2006-01-02T15:04Z07:00", "2006-01-02T15:04", "15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, padded(text, layout)
		}
	}
	return time.Time{}, false
}

// padded reports whether the digits of a time stand where its layout has them:
// package time reads an hour of one digit too.
func padded(text, layout string) bool {
	for i := range min(len(layout), len(text)) {
		switch c := layout[i]; {
		case c == '.' || c == 'Z':
			return true
		case (c < '0' || c > '9') && text[i] != c:
			return false
		}
	}
	return true
}
