package purpose

import (
	"slices"
	"strings"
)

// lookers are programs that change nothing, whatever their arguments are. A file that a shell
// writes their output into is a change of its own.
const lookers = " ls ll dir cat bat head tail less more tac rev grep rg egrep fgrep zgrep ag ack find fd wc stat file tree exa eza pwd cd pushd popd echo printf which type whereis where env printenv date whoami id groups uname hostname uptime nproc getent locale du df ps top htop free lscpu lsblk vmstat iostat sort uniq cut awk gawk jq yq xq diff cmp comm join paste fold colordiff test [ [[ true false sleep wait xxd hexdump od strings nl tr column basename dirname realpath readlink man help info history jobs set unset export alias source . : read shift return exit local declare md5sum sha1sum sha256sum shasum cksum seq zcat tokei cloc scc ping dig nslookup host traceroute lsof ss netstat dmesg journalctl nvidia-smi pgrep apt-cache agents-hooks select-string test-path write-output write-host measure-object format-table format-list where-object select-object sort-object foreach-object gci gc sls "

// askers are the subcommands with which a program of many only answers.
func askers(name string) string {
	switch name {
	case "git":
		return " status log diff show blame annotate ls-files ls-tree ls-remote rev-parse rev-list name-rev merge-base grep describe reflog shortlog help version cat-file diff-tree for-each-ref show-ref show-branch check-ignore count-objects whatchanged range-diff var "
	case "docker":
		return " ps images logs inspect version info stats top port events search history diff "
	case "kubectl":
		return " get describe logs top explain version cluster-info api-resources api-versions diff events "
	case "helm":
		return " ls list status get history show search version template lint env "
	case "terraform":
		return " plan show output validate version providers graph "
	case "npm":
		return " ls list ll la view info show outdated why explain search root prefix bin whoami ping fund query docs help "
	case "pip":
		return " list show freeze check search index debug help "
	case "go":
		return " doc version list help "
	case "cargo":
		return " tree metadata search version pkgid help "
	case "systemctl":
		return " status is-active is-enabled is-failed show cat list-units list-unit-files list-timers list-sockets list-dependencies "
	case "brew":
		return " list ls info search outdated deps config doctor leaves desc "
	case "apt":
		return " list show search policy "
	case "gem":
		return " list info search outdated query contents "
	case "bundle":
		return " list info show outdated check "
	case "poetry":
		return " show check search version "
	case "composer":
		return " show outdated search why depends validate licenses "
	case "conda":
		return " list info search "
	case "rustup":
		return " show which "
	case "tmux":
		return " ls list-sessions list-windows list-panes capture-pane display-message "
	case "snap":
		return " list info find "
	case "redis-cli":
		return " get mget keys scan ttl type exists info hget hgetall lrange llen smembers zrange dbsize "
	case "gcloud":
		return " info version "
	case "svn":
		return " status st log diff info list ls cat blame "
	case "hg":
		return " status st log diff annotate cat summary "
	}
	return ""
}

// second are, for subcommands that have subcommands, those with which they only answer.
func second(name string) string {
	switch name {
	case "git":
		return " stash:list stash:show worktree:list submodule:status submodule:summary remote:show remote:get-url remote:-v notes:show notes:list bisect:log lfs:ls-files config:get config:list "
	case "docker":
		return " container:ls container:list container:inspect container:logs container:stats container:top image:ls image:list image:inspect image:history volume:ls volume:inspect network:ls network:inspect compose:ps compose:logs compose:config compose:ls compose:images compose:top compose:port compose:version system:df system:info context:ls context:show manifest:inspect buildx:ls service:ls service:ps service:logs stack:ls "
	case "kubectl":
		return " config:view config:get-contexts config:current-context rollout:history auth:can-i auth:whoami "
	case "terraform":
		return " state:list state:show workspace:list workspace:show "
	case "npm":
		return " config:get config:list config:ls pkg:get cache:ls cache:list audit: version: run: "
	case "pip":
		return " config:list config:get cache:list cache:info "
	case "go":
		return " mod:graph mod:why mod:verify tool: "
	case "uv":
		return " pip:list pip:show pip:freeze pip:check pip:tree tree: python:list "
	case "dotnet":
		return " list:package list:reference nuget:list tool:list "
	case "gh":
		return " auth:status repo:view search:code search:issues search:prs search:repos status: release:list release:view run:list run:view run:watch "
	case "gcloud":
		return " config:list config:get auth:list "
	}
	return ""
}

// kin are programs that take the subcommands of another one.
func kin(name string) string {
	switch name {
	case "podman", "nerdctl":
		return "docker"
	case "docker-compose":
		return "docker compose"
	case "oc", "k":
		return "kubectl"
	case "tofu":
		return "terraform"
	case "pnpm", "yarn", "bun":
		return "npm"
	case "pip3":
		return "pip"
	case "mamba":
		return "conda"
	case "apt-get", "yum", "dnf":
		return "apt"
	case "glab":
		return "gh"
	}
	return ""
}

func looks(name string, args []string) bool {
	if in(lookers, name) || strings.HasPrefix(name, "get-") && len(name) > len("get-") {
		return true
	}
	if len(args) == 1 && in(" --version --help -version -V ", args[0]) || len(args) > 0 && args[len(args)-1] == "--help" {
		return true
	}
	words := bare(name, args)
	if k := kin(name); k != "" {
		var more string
		if name, more, _ = strings.Cut(k, " "); more != "" {
			words = append([]string{more}, words...)
		}
	}
	switch name {
	case "sed":
		return !inPlace(args)
	case "make", "gmake", "just", "ninja":
		return has(args, "-n", "--dry-run", "--just-print", "--list", "-q")
	case "node", "python", "python3", "py", "ruby", "perl", "php", "java", "deno":
		return code(name, args)
	case "psql", "mysql", "mariadb", "sqlite3", "clickhouse-client", "duckdb":
		return queries(args)
	case "curl", "wget", "http", "https", "httpie", "invoke-webrequest", "invoke-restmethod", "iwr", "irm":
		return fetches(name, args)
	case "aws", "gcloud", "az":
		return cloud(words)
	case "crontab", "dpkg", "rpm":
		return len(args) > 0 && (in(" -l -s -L -S -q ", args[0]) || strings.HasPrefix(args[0], "-q"))
	case "ip", "ifconfig":
		return !hasWord(words, " add del delete set up down flush ")
	case "tar":
		return len(args) > 0 && strings.Contains(strings.TrimLeft(args[0], "-"), "t") && !strings.HasPrefix(args[0], "--")
	case "unzip":
		return has(args, "-l", "-t", "-v")
	case "mvn", "gradle", "gradlew":
		return hasWord(words, " dependency:tree dependencies tasks projects properties ")
	}
	return answers(name, words, args)
}

// inPlace reports the option of sed by which it changes files.
func inPlace(args []string) bool {
	for _, a := range args {
		if strings.HasPrefix(a, "--in-place") || strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && !strings.HasPrefix(a, "-e") && strings.Contains(a, "i") {
			return true
		}
	}
	return false
}

// answers reports a subcommand that only answers.
func answers(name string, words, args []string) bool {
	if len(words) == 0 {
		return name == "git"
	}
	sub, next := words[0], ""
	if len(words) > 1 {
		next = words[1]
	}
	if in(askers(name), sub) || in(second(name), sub+":"+next) && next != "" {
		return true
	}
	if next == "" && strings.Contains(second(name), " "+sub+": ") && !has(args, "-w", "--write", "--fix") {
		return true // without more it lists
	}
	switch name {
	case "go":
		return sub == "env" && !has(args, "-w", "-u")
	case "gh":
		if sub == "api" {
			return !has(args, "-X", "--method", "-f", "-F", "--field", "--raw-field", "--input")
		}
		return in(" view list ls diff status checks ", next)
	case "git":
		return gitAnswers(sub, words[1:], args)
	}
	return false
}

// gitAnswers reports commands of git that list or show without further arguments.
func gitAnswers(sub string, words, args []string) bool {
	switch sub {
	case "branch":
		return !has(args, "-d", "-D", "-m", "-M", "-c", "-C", "-f", "-u", "--delete", "--move", "--copy", "--set-upstream-to", "--unset-upstream", "--edit-description") &&
			(len(words) == 0 || has(args, "--list", "-l", "--contains", "--merged", "--no-merged", "--points-at"))
	case "tag":
		return len(words) == 0 && !has(args, "-d", "-a", "-s") || has(args, "-l", "--list", "-n", "--contains", "--points-at")
	case "remote":
		return len(words) == 0
	case "config":
		return has(args, "--get", "--get-all", "--get-regexp", "--list", "-l", "--show-origin") || len(words) == 1 && !has(args, "--unset", "--unset-all", "-e", "--edit")
	}
	return false
}

func hasWord(words []string, list string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return in(list, w) })
}

// code reports an inline program that only prints, and a question for the version.
func code(name string, args []string) bool {
	if len(args) == 1 && in(" -v -V version ", args[0]) {
		return name != "php" || args[0] != "-V"
	}
	if len(args) > 2 && args[0] == "-m" {
		return looks(Program(args[1]), args[2:])
	}
	for i, a := range args {
		if !in(" -c -e -p -pe -r --eval --print ", a) || i+1 >= len(args) {
			continue
		}
		said := a == "-p" || a == "--print"
		for _, line := range strings.FieldsFunc(args[i+1], func(r rune) bool { return r == ';' || r == '\n' }) {
			line = strings.TrimSpace(line)
			switch {
			case line == "", strings.HasPrefix(line, "import "), strings.HasPrefix(line, "from "), strings.HasPrefix(line, "#"):
			case prints(line):
				said = true
			default:
				if !said {
					return false
				}
			}
		}
		return said
	}
	return false
}

func prints(line string) bool {
	return slices.ContainsFunc([]string{"print(", "print ", "pprint(", "console.log(", "puts ", "p ", "echo ", "var_dump("}, func(p string) bool { return strings.HasPrefix(line, p) })
}

// queries reports a database's tool that is given questions only.
func queries(args []string) bool {
	for _, a := range args {
		statement := strings.ToLower(strings.TrimSpace(strings.Trim(a, `'"`)))
		for _, p := range [...]string{"select ", "show ", "explain ", "describe ", "desc ", "pragma ", `\d`, `\l`, ".schema", ".tables", ".dump", ".databases", ".indexes"} {
			if strings.HasPrefix(statement, p) {
				return !strings.Contains(statement, " into ") && !writes(statement)
			}
		}
	}
	return len(args) == 1 && (args[0] == "-l" || args[0] == "--list")
}

// writes reports a statement after the first one that is not a question.
func writes(statements string) bool {
	return slices.ContainsFunc(strings.Split(statements, ";")[1:], func(s string) bool {
		return hasWord(strings.Fields(s), " insert update delete drop alter create truncate replace merge grant ")
	})
}

// fetches reports a request that only gets, and stores nothing.
func fetches(name string, args []string) bool {
	for i, a := range args {
		switch {
		case a == "-X" || a == "--request" || a == "-Method":
			return i+1 < len(args) && (strings.EqualFold(args[i+1], "GET") || strings.EqualFold(args[i+1], "HEAD"))
		case strings.HasPrefix(a, "-X") && len(a) > 2 && name == "curl":
			return a == "-XGET" || a == "-XHEAD"
		case in(" POST PUT PATCH DELETE ", a):
			return false
		}
	}
	if has(args, "-d", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--json", "-F", "--form", "-T", "--upload-file", "--post-data", "--post-file", "-Body") {
		return false
	}
	if name == "wget" {
		joined := " " + strings.Join(args, " ") + " "
		return has(args, "--spider") || strings.Contains(joined, "O- ") || strings.Contains(joined, "O - ")
	}
	for i, a := range args {
		short := strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && name == "curl"
		if out := in(" -o --output -OutFile ", a) || short && strings.HasSuffix(a, "o"); out {
			return i+1 < len(args) && (args[i+1] == "/dev/null" || args[i+1] == "-")
		}
		if short && strings.Contains(a, "O") || a == "--remote-name" || a == "--download" {
			return false
		}
	}
	return true
}

// cloud reports a command of a cloud's tool whose verb only asks.
func cloud(words []string) bool {
	for _, w := range words[:min(len(words), 5)] {
		if in(" ls list describe show get tail wait ", w) || strings.HasPrefix(w, "describe-") || strings.HasPrefix(w, "list-") || strings.HasPrefix(w, "get-") {
			return true
		}
	}
	return false
}
