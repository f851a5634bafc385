package patch

import "strings"

// Blocks reads SEARCH/REPLACE blocks: the text that all of them remove from a file,
// and the text that they insert. A block without an end goes to the end of the text.
// ok is false for a text without blocks, and for one whose marks are out of order.
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

// markOf tells which mark a line is: the start of a search ('S'), the divider ('='),
// or the end ('R'); 0 for any other line.
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
