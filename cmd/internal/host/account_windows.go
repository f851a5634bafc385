package host

import "golang.org/x/sys/windows"

// AccountHome is the profile folder that the system knows, for a process that
// was started without USERPROFILE.
func (Host) AccountHome() string {
	dir, err := windows.KnownFolderPath(windows.FOLDERID_Profile, 0)
	if err != nil {
		return ""
	}
	return dir
}

// systemDir is the folder of what is of all users.
func systemDir() string {
	dir, err := windows.KnownFolderPath(windows.FOLDERID_ProgramData, 0)
	if err != nil {
		return ""
	}
	return dir
}
