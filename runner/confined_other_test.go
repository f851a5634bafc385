//go:build unix && !linux

package runner

// Nothing is confined here.
func confinedFiles() map[string]string { return nil }

func confinedRoles() map[string]func() int { return nil }
