package internal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol/internal/patch"
)

func TestFilesOfAPatch(t *testing.T) {
	for text, want := range map[string]string{
		"": "",
		"*** Begin Patch\n*** Add File: a b.txt\n+x\n*** Update File: c\n*** Move to: d\n@@\n-*** Add File: no\n*** Delete File: e\n*** End Patch": "a b.txt|c|d|e",
		"  *** Update File:x  \r\n*** Update File: x\n*** Add File:\n*** Other File: y":                                                            "x",
	} {
		t.Run(fmt.Sprintf("%.80q", text), func(t *testing.T) {
			if got := strings.Join(patch.Files(text), "|"); got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		})
	}
}

// Marks of a block have three signs or more and one of the words, whichever program writes them.
func TestMarksOfBlocks(t *testing.T) {
	for text, want := range map[string]string{
		"<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n":                       "a → b",
		"------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n":                       "a → b",
		"<<< ORIGINAL\na\n===\nb\n>>> UPDATED\n":                                 "a → b",
		"<<<<<<< HEAD\na\n=======\nb\n++++ UPDATED\n":                            "a → b",
		"<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> other\n+++ x\n>>>>>>> REPLACE\n": "a → b\n>>>>>>> other\n+++ x",
		"<<<<<<< SEARCH\na\n=======\nb\n":                                        "a → b",
		"-=-=-=- SEARCH\na\n=======\nb\n+++++++ REPLACE\n":                       "none",
		"<<<<<<< SEARCH\na\n":                                                    "none",
		"<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n":                                   "none",
		"<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n":                            "none",
		"REPLACE\nUPDATED\n":                                                     "none",
	} {
		got := "none"
		if old, new, ok := patch.Blocks(text); ok {
			got = old + " → " + new
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What a diff of git does with a file is said by its headers alone.
func TestHeadersOfADiff(t *testing.T) {
	for text, want := range map[string]string{
		"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n":                "update x",
		"diff --git a/x b/x\nold mode 100644\nnew mode 100755\n":                     "update x",
		"diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n":    "move x y",
		"diff --git a/x b/y\nsimilarity index 100%\n":                                "move x y",
		"diff --git a/x b/x\nnew file mode 100644\nindex 0..1\n":                     "create x",
		"diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n":     "delete x",
		"diff --git \"a/x y\" \"b/z\"\nrename from \"x y\"\nrename to z\n":           "move x y z",
		"diff --git a/x b/x\nnew mode 100755\ndiff --git a/y b/y\nnew mode 100755\n": "update x; update y",
		"--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n":                                "create x",
		"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n":                                    "update x",
		"@@ -1 +1 @@\n-a\n+b\n":                                                          "update given",
		"--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- a/y\n+++ b/y\n":                              "none",
		"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n": "update x; update y",
		"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-a\n+b\n":                   "update x",
	} {
		got := "none"
		if files, ok := patch.Unified(text, "given"); ok {
			var all []string
			for _, f := range files {
				all = append(all, strings.TrimSpace(fmt.Sprint(f.Action)+" "+f.Path+" "+f.To))
			}
			got = strings.Join(all, "; ")
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Of a hunk what it takes out and what it puts in are kept, without their signs.
func TestLinesOfAHunk(t *testing.T) {
	files, ok := patch.Unified("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n same\n-old\n-older\n+new\n+newer\n", "")
	if !ok || len(files) != 1 || strings.TrimSpace(files[0].Old) != "old\nolder" || strings.TrimSpace(files[0].New) != "new\nnewer" {
		t.Errorf("%t %+v", ok, files)
	}
}
