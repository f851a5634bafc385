//go:build unix

package host

// systemDir is the folder for all users on Windows.
func systemDir() string { return "" }

// machineEnv is empty: no variable says where a Unix system is.
func machineEnv() map[string]string { return nil }
