package protocol

import "strings"

// Managed is how the administrator of a machine rules an agent's hooks: settings that
// stand above the person's. Paths are absolute, and differ by system.
type Managed struct {
	Linux, Mac, Windows []string // files; one that ends with /* is each *.json of a folder
	TOML                bool     // instead of JSON, with or without comments
	// Off says why no entry of the user runs, "" if they do. nil: no such setting is
	// known.
	Off func(settings Object) string
	// Only is the setting among these that still lets the administrator's hooks run, ""
	// if there is none.
	Only string
	// Entries is the index of the file that takes the administrator's hooks, in the
	// form of the user's own; -1 if none does.
	Entries int
}

// Files are the files of a system.
func (m *Managed) Files(goos string) []string {
	switch goos {
	case "windows":
		return m.Windows
	case "darwin":
		return m.Mac
	}
	return m.Linux
}

// Entry is the file of an administrator's hooks, "" if there is none.
func (m *Managed) Entry(goos string) string {
	if files := m.Files(goos); m.Entries >= 0 && m.Entries < len(files) {
		return strings.Replace(files[m.Entries], "*", "agents-hooks.json", 1)
	}
	return ""
}
