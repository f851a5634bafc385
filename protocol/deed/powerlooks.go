package deed

import "strings"

// lookedUp is a line of PowerShell with the names of programs in place of what looks them
// up: & (Get-Command git).Source push is & 'git' push.
func lookedUp(line string) string {
	var b strings.Builder
	from := 0
	for at := 0; at < len(line); at++ {
		n := looksUp(line[at:])
		if n == 0 || at > 0 && line[at-1] != '(' && line[at-1] != ' ' && line[at-1] != '=' {
			continue
		}
		end := at + n
		for end < len(line) && strings.IndexByte(");|\n}", line[end]) < 0 {
			end++
		}
		name := sought(strings.Fields(line[at+n : end]))
		before := strings.TrimRight(line[:at], " ")
		switch {
		case name == "" || before == "" || len(before) < from:
			continue
		case before[len(before)-1] == '(' && end < len(line) && line[end] == ')':
			before = before[:len(before)-1]
			if k := len(before); k > from && (before[k-1] == '$' || before[k-1] == '@') {
				before = before[:k-1]
			}
			end++
			for end < len(line) && (line[end] == '.' || isLetter(line[end])) { // .Source
				end++
			}
		case before[len(before)-1] != '=':
			continue
		}
		if len(before) < from {
			continue
		}
		b.WriteString(line[from:len(before)] + " '" + name + "' ")
		from, at = end, end-1
	}
	if from == 0 {
		return line
	}
	return b.String() + line[from:]
}

// looksUp is how long the name of a cmdlet is, with which s begins, that looks up a program.
func looksUp(s string) int {
	for _, name := range [...]string{"get-command ", "gcm ", "where.exe ", "which "} {
		if len(s) > len(name) && strings.EqualFold(s[:len(name)], name) {
			return len(name)
		}
	}
	return 0
}

// sought is the program that is looked up by these words.
func sought(words []string) string {
	for i := 0; i < len(words); i++ {
		switch option := strings.ToLower(words[i]); {
		case listed(" -name -all -listimported ", option):
		case strings.HasPrefix(option, "-"):
			i++
		default:
			return program(strings.Trim(words[i], `"'`))
		}
	}
	return ""
}
