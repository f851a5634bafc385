package spec

import "strings"

// A Setting is one row of the table in SETTINGS.md.
type Setting struct {
	Key         string `json:"key"`         // dotted: "hooks.override[].timeout"
	Type        string `json:"type"`        // in words, or the values it may have
	Default     string `json:"default"`     // "" if there is none
	Who         string `json:"who"`         // "s u p": which files may set it
	Environment string `json:"environment"` // "" if it has no variable
	Meaning     string `json:"meaning"`
}

// Settings returns the rows of the table in SETTINGS.md.
func Settings() []Setting {
	text, _ := Page("settings")
	var out []Setting
	for _, line := range strings.Split(text, "\n") {
		cells := row(line)
		if len(cells) != 6 || !strings.HasPrefix(cells[0], "`") {
			continue
		}
		for i := range cells[:5] {
			cells[i] = strings.ReplaceAll(cells[i], "`", "")
		}
		out = append(out, Setting{cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]})
	}
	return out
}

// row returns the cells of a Markdown table row, nil for any other line.
func row(line string) []string {
	if !strings.HasPrefix(line, "| ") || !strings.HasSuffix(line, "|") {
		return nil
	}
	cells := strings.Split(strings.Trim(line, "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}
