package runner

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// keepSecrets are folders of /etc that anybody may look into and that hold files for
// root alone: keys of the host, of services and of networks, old passwords.
var keepSecrets = [...]string{
	"NetworkManager", "apt", "bind", "cups", "docker", "dovecot", "exim4", "ipsec.d", "kubernetes", "letsencrypt", "mysql", "openldap", "openvpn", "pki", "postfix", "postgresql",
	"ppp", "rancher", "redis", "samba", "security", "ssh", "ssl", "tor", "wpa_supplicant",
}

// systemOf are the system's paths for a user. The modes of files keep the private parts
// of /etc from everybody but root, so that Landlock need not. From root they keep
// nothing, so a hook of root's is given only what everybody may read of /etc.
func systemOf(uid int) []string {
	if uid != 0 {
		return systemPaths[:]
	}
	paths := slices.DeleteFunc(slices.Clone(systemPaths[:]), func(p string) bool { return p == "/etc" })
	return append(paths, openToAll("/etc")...)
}

// openToAll are the entries of a folder that everybody may read; of the folders that
// keep secrets, the entries inside. Links are left out: what they lead to has an entry
// of its own, or is another of the system's paths.
func openToAll(dir string) (paths []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		info, err := e.Info()
		path := filepath.Join(dir, e.Name())
		switch {
		case err != nil || info.Mode()&fs.ModeSymlink != 0 || info.Mode().Perm()&0o004 == 0:
		case info.IsDir() && e.Name() != "certs" && (dir != "/etc" || slices.Contains(keepSecrets[:], e.Name())):
			paths = append(paths, openToAll(path)...)
		default:
			paths = append(paths, path)
		}
	}
	return paths
}
