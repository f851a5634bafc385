package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// UnmarshalJSON accepts milliseconds, a date as JSON writers spell it, or nothing.
func (m *Moment) UnmarshalJSON(b []byte) error {
	b = bytes.TrimSpace(b)
	if len(b) == 0 || bytes.Equal(b, []byte("null")) || bytes.Equal(b, []byte(`""`)) {
		return nil
	}
	if b[0] == '"' {
		var text string
		if err := json.Unmarshal(b, &text); err != nil {
			return err
		}
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return fmt.Errorf("a time: %w", err)
		}
		*m = Moment(at.UnixMilli())
		return nil
	}
	n, err := strconv.ParseFloat(string(b), 64)
	*m = Moment(n)
	return err
}
