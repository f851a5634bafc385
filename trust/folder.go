package trust

import "context"

// Hash is the hash that an approval of a folder uses, wherever the folder is: of the
// path, the executable bit and the content of each file in it.
func Hash(ctx context.Context, dir string) (string, error) {
	files, err := (&treeWalk{}).read(ctx, dir)
	if err != nil {
		return "", err
	}
	return treeHash(files), nil
}

// DiffFolders is the difference between two folders in the form of [Item.Diff], and the
// files of the second that it does not show; before is "" for a new folder, now for a
// removed one.
func DiffFolders(ctx context.Context, before, now string) (diff string, unseen []Unseen, err error) {
	var trees [2][]treeFile
	for i, dir := range []string{before, now} {
		if dir == "" {
			continue
		}
		if trees[i], err = (&treeWalk{keep: true}).read(ctx, dir); err != nil {
			return "", nil, err
		}
	}
	return diffTrees(trees[0], trees[1]), unseenIn(trees[0], trees[1]), nil
}
