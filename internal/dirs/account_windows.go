package dirs

import "golang.org/x/sys/windows"

// Account is the profile folder that the system knows, for a process that
// was started without USERPROFILE.
func Account() string {
	dir, err := windows.KnownFolderPath(windows.FOLDERID_Profile, 0)
	if err != nil {
		return ""
	}
	return dir
}
