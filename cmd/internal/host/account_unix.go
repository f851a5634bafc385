//go:build unix

package host

// systemDir is where Windows keeps what is of all its users.
func systemDir() string { return "" }

// machineEnv is nothing: no variable says where a Unix is.
func machineEnv() map[string]string { return nil }
