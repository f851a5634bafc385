package host

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

// machineEnv are the variables that say where Windows and its user's data are,
// according to the system and not to the environment: they decide how programs are
// loaded, found and started, and Python loads code from below AppData.
func machineEnv() map[string]string {
	env := map[string]string{"PATHEXT": ".COM;.EXE;.BAT;.CMD;.VBS;.VBE;.JS;.JSE;.WSF;.WSH;.MSC"}
	if root, err := windows.GetSystemWindowsDirectory(); err == nil {
		env["SYSTEMROOT"], env["WINDIR"], env["SYSTEMDRIVE"] = root, root, filepath.VolumeName(root)
	}
	if dir, err := windows.GetSystemDirectory(); err == nil {
		env["COMSPEC"] = filepath.Join(dir, "cmd.exe")
	}
	for name, id := range map[string]*windows.KNOWNFOLDERID{
		"APPDATA": windows.FOLDERID_RoamingAppData, "LOCALAPPDATA": windows.FOLDERID_LocalAppData,
		"PROGRAMDATA": windows.FOLDERID_ProgramData, "ALLUSERSPROFILE": windows.FOLDERID_ProgramData,
	} {
		if dir, err := windows.KnownFolderPath(id, 0); err == nil {
			env[name] = dir
		}
	}
	return env
}

// systemDir is the folder for all users.
func systemDir() string {
	dir, err := windows.KnownFolderPath(windows.FOLDERID_ProgramData, 0)
	if err != nil {
		return ""
	}
	return dir
}
