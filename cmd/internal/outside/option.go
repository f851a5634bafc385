package outside

import (
	"slices"
	"strings"
)

// A source is options of a program that name what it runs or loads. A bare name means
// either a file in the working directory or (byName) a module that may come with the
// program.
type source struct {
	programs, options string
	bare              place
}

var sources = []source{
	{"awk gawk mawk nawk goawk", "-f --file -E --exec -i --include -l --load", working},
	{"sed gsed ssed", "-f --file", working},
	{"jq gojq jaq yq", "-f --from-file -L --library-path", working},
	{"sh bash dash zsh ksh ash", "--rcfile --init-file", working},
	{"node nodejs bun tsx ts-node", "-r --require --import --loader --experimental-loader", unknown},
	{"node nodejs bun", "--env-file --snapshot-blob --experimental-config-file", working},
	{"ruby", "-I -C -X", working}, {"ruby", "-r", byName},
	{"perl", "-I", working},
	{"php php-cgi", "-f --file -F --process-file -c --php-ini -z --zend-extension -t --docroot", working},
	{"lua luajit texlua", "-l", working},
	{"osascript", "-l", byName},
	{"tclsh wish expect", "-f", working},
	{"deno", "-c --config --import-map --preload", working},
	{"vim vi nvim ex view", "-S -u -s -U", working}, {"emacs", "-l --load --script -L --directory --init-directory", working},
	{"gdb", "-x --command -ix --init-command", working}, {"lldb", "-s --source -S --source-before-file", working},
	{"psql", "-f --file", working}, {"sqlite3", "-init", working}, {"dc bc", "-f --file", working}, {"m4", "-I -R --reload-state", working},
	{"make gmake", "-f --file --makefile -I --include-dir", working},
	{"curl", "-K --config", working}, {"wget", "--config", working}, {"ssh scp sftp", "-F", working}, {"openssl", "-config", working},
	{"git", "--exec-path", working}, {"tmux", "-f", working}, {"screen", "-c", working}, {"parallel", "--profile -J", working},
	{"R Rscript", "-f --file", working}, {"java", "-jar -cp -classpath --class-path -p --module-path -javaagent", working}, {"at batch", "-f", working},
	{"pylint flake8 mypy", "--rcfile --config --config-file --load-plugins", working},
}

// optioned reports what a program is told to run or load by its options.
func (s *script) optioned(name string, args []string) string {
	name = strings.TrimRight(name, "0123456789.")
	if name == "php" && s.set(args, "-d") != "" {
		return s.set(args, "-d")
	}
	for _, src := range sources {
		if !slices.Contains(strings.Fields(src.programs), name) {
			continue
		}
		options := strings.Fields(src.options)
		for i, a := range args {
			if a == "--" {
				break
			}
			value, ok := valueOf(options, a, args[i+1:])
			if !ok || value == "" {
				continue
			}
			p := placeOf(value, s.dir)
			switch {
			case p == byName && src.bare == unknown:
				return "loads what lies elsewhere"
			case p == byName:
				p = src.bare
			}
			if why := p.why("runs or loads a file"); why != "" {
				return why
			}
		}
	}
	return ""
}

// set reports what a program takes from elsewhere by settings on its command line,
// NAME=VALUE after an option: git -c alias.x='!./x', php -d auto_prepend_file=./x.
func (s *script) set(args []string, option string) string {
	for i, a := range args {
		if a != option || i+1 == len(args) {
			continue
		}
		_, value, _ := strings.Cut(args[i+1], "=")
		program, _, _ := strings.Cut(strings.TrimPrefix(value, "!"), " ")
		if p := placeOf(program, s.dir); program != "" && p != byName {
			if why := p.why("runs or loads a file"); why != "" {
				return why
			}
		}
	}
	return ""
}

// valueOf is the value of one of some options, if a word is one: in the next word, or
// in the same one (-fFILE, -nf FILE, --file=FILE).
func valueOf(options []string, word string, rest []string) (value string, ok bool) {
	if !strings.HasPrefix(word, "-") || word == "-" {
		return "", false
	}
	next := ""
	for _, w := range rest {
		if !strings.HasPrefix(w, "-") { // jq -f -r FILE
			next = w
			break
		}
	}
	for _, o := range options {
		switch long := len(o) > 2; {
		case word == o:
			return next, true
		case long && strings.HasPrefix(word, o+"="), long && strings.HasPrefix(word, o+":"):
			return word[len(o)+1:], true
		case long || strings.HasPrefix(word, "--"):
		case strings.HasPrefix(word, o):
			return word[len(o):], true
		case len(word) <= 4 && word[len(word)-1] == o[1] && letters(word[1:]):
			return next, true
		}
	}
	return "", false
}

// letters reports whether a word contains single-letter options.
func letters(word string) bool {
	return strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
