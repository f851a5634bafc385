package main

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// readings writes how the characters of the Chinese standard list are read, without tones:
// a line for each syllable. A character that is read in several ways is in several lines.
func readings(packages, to string) error {
	debs, err := filepath.Glob(filepath.Join(packages, "unicode-data_*.deb"))
	if err != nil || len(debs) != 1 {
		return fmt.Errorf("looking for the package unicode-data in %q: %d found, %v", packages, len(debs), err)
	}
	files, err := unpack(debs[0])
	if err != nil {
		return err
	}
	of := map[string][]string{}
	for name, b := range files {
		if kindOf(name) != "characters" {
			continue
		}
		for lines := bufio.NewScanner(bzip2.NewReader(bytes.NewReader(b))); lines.Scan(); {
			f := strings.Split(lines.Text(), "\t")
			if len(f) != 3 || f[1] != "kTGHZ2013" {
				continue
			}
			code, err := strconv.ParseInt(strings.TrimPrefix(f[0], "U+"), 16, 32)
			if err != nil {
				return err
			}
			for _, r := range strings.Fields(f[2]) {
				_, syllable, _ := strings.Cut(r, ":")
				for _, s := range spellings(toneless.Replace(syllable)) {
					if !slices.Contains(of[s], string(rune(code))) {
						of[s] = append(of[s], string(rune(code)))
					}
				}
			}
		}
	}
	var out strings.Builder
	for _, syllable := range slices.Sorted(maps.Keys(of)) {
		fmt.Fprintf(&out, "%s %s\n", syllable, strings.Join(of[syllable], ""))
	}
	return os.WriteFile(to, []byte(out.String()), 0o644)
}

// spellings are the ways to write a syllable with ASCII letters.
func spellings(syllable string) []string {
	if !strings.Contains(syllable, "ü") {
		return []string{syllable}
	}
	var out []string
	for _, u := range []string{"v", "u", "yu"} {
		out = append(out, strings.ReplaceAll(syllable, "ü", u))
	}
	return out
}

var toneless = strings.NewReplacer("ā", "a", "á", "a", "ǎ", "a", "à", "a", "ē", "e", "é", "e", "ě", "e", "è", "e", "ê", "e",
	"ế", "e", "ề", "e", "ī", "i", "í", "i", "ǐ", "i", "ì", "i", "ō", "o", "ó", "o", "ǒ", "o", "ò", "o", "ū", "u", "ú", "u", "ǔ", "u", "ù", "u",
	"ǖ", "ü", "ǘ", "ü", "ǚ", "ü", "ǜ", "ü", "ń", "n", "ň", "n", "ǹ", "n", "ḿ", "m", "\u0300", "", "\u0301", "", "\u0304", "", "\u030c", "")
