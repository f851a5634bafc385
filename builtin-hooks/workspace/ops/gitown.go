package ops

import (
	"slices"
	"strings"
)

// signers are the settings whose programs git runs while it signs, and what it takes without them.
var signers = map[string]string{
	"gpg.program": "gpg", "gpg.x509.program": "gpgsm", "gpg.ssh.program": "ssh-keygen", "gpg.ssh.defaultkeycommand": "false",
}

// mergesText is git's own merge of a text, as a driver; what does not fit is a conflict.
const mergesText = "git merge-file %A %O %B || exit 1"

// people are the words after git by which it signs and merges with the programs that the person's own
// settings name, and with none that only the repository's name. What people sign with is theirs
// alone: a repository that comes as a folder brings its .git/config along. Filters stay: without
// those of git-lfs, which people do switch on for one repository, files would be committed wrong.
func (r repo) people(dir string) (words []string, err error) {
	out, err := r.gitRaw(dir, "config", "-z", "--show-scope", "--list")
	if err != nil {
		return nil, err
	}
	theirs, its := map[string]string{}, []string(nil)
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		key, value, _ := strings.Cut(fields[i+1], "\n")
		if key == "gpg.openpgp.program" {
			key = "gpg.program" // by another name
		}
		_, signs := signers[key]
		switch {
		case !signs && !(strings.HasPrefix(key, "merge.") && strings.HasSuffix(key, ".driver")):
		case fields[i] != "local" && fields[i] != "worktree":
			theirs[key] = value
		case strings.Contains(key, "="): // git would take it for another key
			return nil, refusal("GIT_FAILED", r.sayf("the repository's settings name a merge driver that cannot be set aside: %q", "仓库的 git 配置中有无法停用的合并驱动：%q", key), r.say("rename it in .git/config", "请在 .git/config 中改名"))
		case !slices.Contains(its, key):
			its = append(its, key)
		}
	}
	for _, key := range its {
		value, set := theirs[key]
		if !set {
			if value = signers[key]; value == "" {
				value = mergesText
			}
		}
		words = append(words, "-c", key+"="+value)
	}
	return words, nil
}
