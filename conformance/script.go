package conformance

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

// The script library: what the hooks of the cases do, in POSIX sh. A case names
// one of them in the first line of a script and gives its arguments as words of
// the shell:
//
//	-- user/guard/scripts/run --
//	#use block 'no force push'
//
// or writes a script of its own below the line "#sh". Both begin with the
// prelude, which knows how to sign. A script with any other first line is
// written as it stands.

//go:embed scripts/*.sh
var scripts embed.FS

// script makes what is written to disk of a script in a case. name is the hook
// as LAYER/FOLDER.
func script(data []byte, name string) ([]byte, error) {
	first, rest, _ := strings.Cut(string(data), "\n")
	switch directive, args, _ := strings.Cut(strings.TrimRight(first, "\r"), " "); directive {
	case "#sh":
		return []byte(prelude(name) + rest), nil
	case "#use":
		what, args, _ := strings.Cut(args, " ")
		body, err := scripts.ReadFile("scripts/" + what + ".sh")
		if err != nil {
			return nil, fmt.Errorf("the library has no script %q", what)
		}
		if strings.TrimSpace(rest) != "" {
			return nil, fmt.Errorf("#use %s: nothing may follow that line", what)
		}
		set := ""
		if strings.TrimSpace(args) != "" {
			set = "set -- " + args + "\n"
		}
		return []byte(prelude(name) + set + string(body)), nil
	}
	return data, nil
}

func prelude(name string) string {
	body, err := scripts.ReadFile("scripts/prelude.sh")
	if err != nil {
		panic(err) // embedded
	}
	return "#!/bin/sh\nOUT=@OUT@ ME=" + shellWord(name) + " FLAT=" + shellWord(flat(name)) + "\n" + string(body)
}

// flat is a hook as part of a file name: "user.guard".
func flat(name string) string { return strings.ReplaceAll(name, "/", ".") }

// hookOf is the hook that a file in the tree belongs to, as LAYER/FOLDER; ""
// for any other file.
func hookOf(p string) string {
	for _, layer := range []string{"user", "system", "project"} {
		if rest, ok := strings.CutPrefix(p, layers[layer]+"/"); ok {
			folder, _, _ := strings.Cut(rest, "/")
			return layer + "/" + folder
		}
	}
	return path.Dir(path.Dir(p))
}
