package main

// most is how far an object of a program is read: this is not a JavaScript parser, and
// may get lost.
const most = 64 << 10

// keysOf are the keys of the object literal at the beginning of data: plain and quoted
// ones, methods and shorthands, at the outermost level only.
func keysOf(data []byte) (names []string) {
	data = data[:min(len(data), most)]
	depth, fresh := 0, false // fresh: a key may begin here
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '{' || c == '[' || c == '(':
			depth++
			fresh = depth == 1
		case c == '}' || c == ']' || c == ')':
			if depth--; depth == 0 {
				return names
			}
		case c == ',':
			fresh = depth == 1
		case c == ' ' || c == '\n' || c == '\r' || c == '\t':
		case c == '/' && i+1 < len(data) && (data[i+1] == '/' || data[i+1] == '*'):
			i = comment(data, i)
		case c == '"' || c == '\'' || c == '`':
			end := quoted(data, i)
			if next := skipBlanks(data, end+1); fresh && next < len(data) && data[next] == ':' {
				names = append(names, string(data[i+1:end]))
			}
			i, fresh = end, false
		case fresh && isWord(c):
			end := i
			for end < len(data) && isWord(data[end]) {
				end++
			}
			if next := skipBlanks(data, end); next < len(data) {
				switch data[next] {
				case ':', ',', '}', '(':
					names = append(names, string(data[i:end]))
				}
			}
			i, fresh = end-1, false
		default:
			fresh = false
		}
	}
	return nil // no end was found: it is not an object
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// quoted is the end of the string that begins at i.
func quoted(data []byte, i int) int {
	for q := data[i]; i+1 < len(data); {
		if i++; data[i] == '\\' {
			i++
		} else if data[i] == q {
			return i
		}
	}
	return len(data)
}

// comment is the last byte of the comment that begins at i.
func comment(data []byte, i int) int {
	block := data[i+1] == '*'
	for i += 2; i < len(data); i++ {
		if !block && data[i] == '\n' || block && data[i] == '/' && data[i-1] == '*' {
			return i
		}
	}
	return i
}

func skipBlanks(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\n' || data[i] == '\r' || data[i] == '\t') {
		i++
	}
	return i
}
