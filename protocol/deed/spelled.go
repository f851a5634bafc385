package deed

import (
	"slices"
	"strings"
)

// spelled is a command with its abbreviated long options in full, as git and the
// programs of GNU take them: git push --mirr; nil if it has none. An abbreviation that
// several options share is an error there, and stays as it is.
func spelled(argv []string) (whole []string) {
	if !slices.ContainsFunc(argv[1:], func(word string) bool { return strings.HasPrefix(word, "--") }) {
		return nil
	}
	options, from := longOptions(argv[0], ""), 1
	if argv[0] == "git" && len(argv) > 1 {
		options, from = longOptions("git", argv[1]), 2
	}
	if options == "" {
		return nil
	}
	for i := from; i < len(argv) && argv[i] != "--"; i++ {
		name, value, inline := strings.Cut(argv[i], "=")
		full := fullOption(options, name)
		if full == "" {
			continue
		}
		if inline {
			full += "=" + value
		}
		if whole == nil {
			whole = slices.Clone(argv)
		}
		whole[i] = full
	}
	return whole
}

// fullOption is the one long option of a list that begins like a word; "" if the word
// is that option, or none, or may be several.
func fullOption(options, word string) string {
	if len(word) < 3 || word[:2] != "--" || listed(options, word) {
		return ""
	}
	_, rest, found := strings.Cut(options, " "+word)
	if !found || strings.Contains(rest, " "+word) {
		return ""
	}
	rest, _, _ = strings.Cut(rest, " ")
	return word + rest
}

// longOptions are the long options of a program, or of a command of git, that deletes,
// overwrites or pushes: only the whole list shows what an abbreviation stands for.
func longOptions(name, verb string) string {
	switch name + " " + verb {
	case "git push":
		return " --all --branches --mirror --delete --tags --dry-run --porcelain --force --force-with-lease --force-if-includes --recurse-submodules --thin --receive-pack --exec --repo --set-upstream" +
			" --progress --prune --no-verify --follow-tags --signed --atomic --push-option --ipv4 --ipv6 --verbose --quiet "
	case "git clean":
		return " --quiet --dry-run --force --interactive --exclude "
	case "git reset":
		return " --quiet --mixed --soft --hard --merge --keep --recurse-submodules --patch --intent-to-add --pathspec-from-file --pathspec-file-nul --refresh "
	case "git branch":
		return " --verbose --quiet --track --set-upstream-to --unset-upstream --color --remotes --contains --no-contains --abbrev --all --delete --move --copy --list --show-current --create-reflog" +
			" --edit-description --force --merged --no-merged --column --sort --points-at --ignore-case --recurse-submodules --format "
	case "git checkout":
		return " --guess --overlay --quiet --recurse-submodules --progress --merge --conflict --detach --track --force --orphan --overwrite-ignore --ignore-other-worktrees --ours --theirs --patch" +
			" --ignore-skip-worktree-bits --pathspec-from-file --pathspec-file-nul "
	case "git restore":
		return " --source --staged --worktree --ignore-unmerged --overlay --quiet --recurse-submodules --progress --merge --conflict --ours --theirs --patch --ignore-skip-worktree-bits" +
			" --pathspec-from-file --pathspec-file-nul "
	case "git rm":
		return " --dry-run --quiet --cached --force --ignore-unmatch --sparse --pathspec-from-file --pathspec-file-nul "
	case "git rebase":
		return " --onto --keep-base --no-verify --quiet --verbose --no-stat --signoff --committer-date-is-author-date --reset-author-date --ignore-whitespace --whitespace --force-rebase --no-ff --continue" +
			" --skip --abort --quit --edit-todo --show-current-patch --apply --merge --interactive --rerere-autoupdate --empty --autosquash --update-refs --gpg-sign --autostash --exec --rebase-merges" +
			" --fork-point --strategy --strategy-option --root --reschedule-failed-exec --reapply-cherry-picks "
	case "git commit":
		return " --quiet --verbose --file --author --date --message --reedit-message --reuse-message --fixup --squash --reset-author --trailer --signoff --template --edit --cleanup --status --gpg-sign" +
			" --all --include --interactive --patch --only --no-verify --dry-run --short --branch --ahead-behind --porcelain --long --null --amend --no-post-rewrite --untracked-files" +
			" --pathspec-from-file --pathspec-file-nul --allow-empty --allow-empty-message "
	case "rm ":
		return " --force --interactive --one-file-system --no-preserve-root --preserve-root --recursive --dir --verbose --help --version --presume-input-tty "
	case "sed ", "gsed ":
		return " --quiet --silent --debug --expression --file --follow-symlinks --in-place --line-length --posix --regexp-extended --separate --sandbox --unbuffered --null-data --zero-terminated --help --version --binary "
	case "shred ":
		return " --force --iterations --random-source --size --remove --verbose --exact --zero --help --version "
	case "cp ", "mv ", "ln ", "install ":
		return " --archive --attributes-only --backup --copy-contents --force --interactive --link --dereference --logical --no-clobber --no-dereference --no-target-directory --one-file-system --parents --preserve" +
			" --recursive --reflink --remove-destination --sparse --strip-trailing-slashes --suffix --symbolic-link --symbolic --physical --relative --target-directory --update --verbose --directory" +
			" --compare --group --mode --owner --preserve-timestamps --strip --strip-program --debug --exchange --no-copy --help --version "
	case "sort ":
		return " --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --random-source --reverse --sort" +
			" --version-sort --batch-size --check --compress-program --debug --files0-from --key --merge --output --stable --buffer-size --field-separator --temporary-directory --parallel --unique --zero-terminated --help --version "
	}
	return ""
}
