package memory

import "bytes"

// Both is a text that git could not merge, without the conflict markers: first one side's text,
// then the other's. Any other text stays as it is.
func Both(text []byte) []byte {
	if !bytes.Contains(text, []byte("<<<<<<< ")) {
		return text
	}
	out := make([]byte, 0, len(text))
	inside, base := false, false
	for line := range bytes.Lines(text) {
		switch {
		case bytes.HasPrefix(line, []byte("<<<<<<< ")):
			inside = true
		case inside && bytes.HasPrefix(line, []byte("||||||| ")):
			base = true
		case inside && string(bytes.TrimRight(line, "\r\n")) == "=======":
			base = false
		case inside && bytes.HasPrefix(line, []byte(">>>>>>> ")):
			inside, base = false, false
		case !base:
			out = append(out, line...)
		}
	}
	return out
}
