package patch

import "strings"

// Blocks reads SEARCH/REPLACE blocks: what all of them take out of a file, and
// what they put in. A block that has no end goes to the end of the text. ok is
// false for a text without one, and for one whose marks are out of order.
func Blocks(text string) (old, new string, ok bool) {
	const (
		outside = iota
		searching
		replacing
	)
	var taken, added []string
	state := outside
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		mark := markOf(line)
		switch {
		case mark == 'S' && state == outside:
			state, ok = searching, true
		case mark == '=' && state == searching:
			state = replacing
		case mark == 'R' && state == replacing:
			state = outside
		case mark == 'S' || mark == 'R':
			return "", "", false
		case state == searching:
			taken = append(taken, line)
		case state == replacing:
			added = append(added, line)
		}
	}
	return strings.Join(taken, "\n"), strings.Join(added, "\n"), ok && state != searching
}

// markOf tells the line that begins a search ('S'), the one between it and the
// replacement ('='), and the one at the end ('R'); 0 for any other.
func markOf(line string) byte {
	line = strings.TrimSpace(line)
	rest := strings.TrimLeft(line, line[:min(1, len(line))])
	if len(line)-len(rest) < 3 {
		return 0
	}
	word := strings.TrimRight(strings.TrimSpace(rest), "><")
	switch c := line[0]; {
	case (c == '<' || c == '-') && (word == "SEARCH" || word == "ORIGINAL" || word == "HEAD"):
		return 'S'
	case c == '=' && rest == "":
		return '='
	case (c == '>' || c == '+') && (word == "REPLACE" || word == "UPDATED"):
		return 'R'
	}
	return 0
}
