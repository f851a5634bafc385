package signal

import (
	"slices"
	"strings"
)

// trivial reports whether a program only looks: its output may be full of errors that
// are not its own.
func trivial(name string, args []string) bool {
	if slices.Contains(looking, name) {
		return true
	}
	sub := first(args)
	switch name {
	case "git":
		return slices.Contains(gitLooking, sub)
	case "sed", "perl":
		return len(args) > 0 && !strings.HasPrefix(args[0], "-i") && name == "sed"
	case "docker", "podman", "kubectl", "nerdctl":
		return slices.Contains([]string{"ps", "images", "logs", "get", "describe", "top", "events", "explain"}, sub) && !(name != "kubectl" && sub == "get")
	case "gh", "glab":
		return len(args) > 1 && slices.Contains([]string{"view", "list", "diff", "status", "checks"}, args[1])
	case "npm", "pnpm", "yarn":
		return slices.Contains([]string{"ls", "list", "view", "outdated", "why", "config"}, sub)
	case "systemctl":
		return sub == "status"
	case "node", "python", "python3", "go", "cargo", "rustc", "java", "ruby", "php", "deno", "bun", "dotnet":
		return len(args) == 1 && (args[0] == "--version" || args[0] == "-v" || args[0] == "-V" || args[0] == "version" || args[0] == "-version")
	}
	return false
}

var looking = []string{
	"ls", "pwd", "echo", "cat", "head", "tail", "wc", "which", "whoami", "date", "env", "printenv", "cd",
	"printf", "true", "false", ":", "test", "[", "[[", "type", "file", "stat", "tree", "less", "more", "bat", "nl", "tac",
	"grep", "egrep", "fgrep", "rg", "ag", "ack", "find", "fd", "awk", "sort", "uniq", "cut", "tr", "column", "jq", "yq", "xxd", "hexdump", "strings",
	"diff", "cmp", "basename", "dirname", "realpath", "readlink", "du", "df", "ps", "top", "free", "uname", "hostname", "id", "groups", "uptime", "history",
	"man", "help", "info", "sleep", "wait", "export", "set", "unset", "alias", "pushd", "popd", "clear", "exit", "return", "for", "case", "select", "function", "journalctl", "dmesg", "lsof", "ss", "netstat",
	"agents-hooks", "agents-hooks-run", "md5sum", "sha1sum", "sha256sum", "shasum", "seq", "tee", "xargs", "dir", "where",
}

var gitLooking = []string{"status", "log", "diff", "branch", "show", "remote", "tag", "blame", "grep", "rev-parse", "ls-files", "config", "describe", "reflog", "shortlog", "cat-file", "rev-list", "stash"}

// family is a name for what a program does with its arguments, and its class.
func family(name string, args []string) (string, Class) {
	sub := first(args)
	switch name {
	case "python", "python3", "python2", "py", "pypy3":
		for i, a := range args {
			if a == "-m" && i+1 < len(args) {
				return family(args[i+1], args[i+2:])
			}
			if !strings.HasPrefix(a, "-") {
				break
			}
		}
		if program(sub) == "manage.py" && len(args) > 1 {
			return family("manage.py", args[1:])
		}
		return join(name, program(sub)), Other
	case "sh", "bash", "zsh", "dash", "ash", "ksh", "fish":
		if sub != "" {
			return family(program(sub), after(args, sub)) // as if called by itself
		}
	case "tsx", "ts-node", "lua", "luajit":
		if sub != "" {
			return join(name, program(sub)), Other
		}
	case "npm", "pnpm", "yarn", "bun", "deno":
		return ofScripts(name, sub, args)
	case "make", "gmake", "just", "task", "rake", "mage", "nox", "tox", "invoke":
		class := named(sub)
		if class == Other && (name == "make" || name == "gmake") {
			class = Compile
		}
		if name == "tox" || name == "nox" {
			class = Tests
		}
		return join(name, sub), class
	case "docker", "podman", "nerdctl":
		if sub == "compose" {
			sub = "compose " + first(after(args, "compose"))
		}
		class := Other
		switch {
		case strings.HasSuffix(sub, "build") || sub == "buildx":
			class = Compile
		case sub == "push" || strings.HasSuffix(sub, "up") || sub == "run":
			class = Deployment
		}
		return join(name, sub), class
	}
	if class, ok := ofProgram(name); ok && class == Deployment && slices.Contains([]string{"fmt", "validate", "lint", "template", "version", "init", "login", "config"}, sub) {
		return join(name, sub), Lint
	} else if ok {
		if class == Other {
			return join(name, sub), named(sub)
		}
		return name, class
	}
	if class, ok := ofSubcommand(join(name, sub)); ok {
		return join(name, sub), class
	}
	if isBox(name) {
		return join(name, sub), Other
	}
	if class := named(strings.TrimSuffix(strings.TrimSuffix(name, ".sh"), ".py")); class != Other {
		return name, class
	}
	return name, Other
}

// ofScripts is the family of a package manager that also runs scripts.
func ofScripts(name, sub string, args []string) (string, Class) {
	switch sub {
	case "run", "run-script", "task", "workspace", "-w":
		script := first(after(args, sub))
		if class := named(script); class != Other || sub == "run" {
			return join(name+" run", script), class
		}
		return join(name, sub), Other
	case "t", "tst":
		return name + " test", Tests
	case "", "i", "install", "ci", "add", "update", "upgrade", "remove", "uninstall", "dedupe", "audit", "link":
		return name + " install", Packages
	case "test", "build", "start", "dev", "lint", "typecheck", "publish", "check", "compile":
		return join(name+" run", sub), named(sub)
	}
	return join(name, sub), named(sub)
}

// named is the class of a script or target, by its name.
func named(script string) Class {
	s := asciiLower(script)
	for _, n := range names {
		if strings.Contains(s, n.part) {
			return n.class
		}
	}
	return Other
}

var names = [...]struct {
	part  string
	class Class
}{
	{"typecheck", TypeCheck}, {"type-check", TypeCheck}, {"tsc", TypeCheck}, {"types", TypeCheck},
	{"deploy", Deployment}, {"release", Deployment}, {"publish", Deployment}, {"rollout", Deployment},
	{"migrat", Migration}, {"db:", Migration}, {"prisma", Migration},
	{"test", Tests}, {"spec", Tests}, {"e2e", Tests}, {"coverage", Tests}, {"pytest", Tests}, {"jest", Tests},
	{"lint", Lint}, {"format", Lint}, {"fmt", Lint},
	{"build", Compile}, {"compile", Compile}, {"bundle", Compile}, {"assemble", Compile}, {"package", Compile},
	{"install", Packages}, {"setup", Packages}, {"bootstrap", Packages},
	{"serve", Service}, {"start", Service}, {"dev", Service}, {"watch", Service}, {"preview", Service},
}

// ofProgram is the class of a program with a single purpose. It is Other for one whose
// subcommands show theirs.
func ofProgram(name string) (Class, bool) {
	switch name {
	case "tsc", "vue-tsc", "mypy", "pyright", "pyre", "flow":
		return TypeCheck, true
	case "gcc", "g++", "cc", "c++", "clang", "clang++", "javac", "kotlinc", "rustc",
		"ghc", "ninja", "cmake", "meson", "webpack", "rollup", "esbuild", "tsup", "swiftc", "elm",
		"scalac", "msbuild", "xcodebuild", "ocamlfind", "nasm", "latexmk", "pdflatex", "hugo":
		return Compile, true
	case "bazel", "buck2", "cabal", "gradle", "gradlew", "mvn", "mvnw", "sbt", "mix",
		"rebar3", "stack", "nx", "turbo", "rails", "next", "nuxt", "vite", "ng",
		"astro", "manage.py", "artisan", "lein", "composer-script":
		return Other, true
	case "jest", "vitest", "mocha", "ava", "pytest", "py.test", "unittest", "rspec", "phpunit",
		"prove", "robot", "newman", "cucumber", "cucumber-js", "karma", "testcafe", "detox", "nose2",
		"ctest", "cypress", "playwright", "gotestsum", "busted", "bats", "behave":
		return Tests, true
	case "eslint", "prettier", "ruff", "flake8", "pylint", "black", "golangci-lint", "staticcheck", "shellcheck",
		"rubocop", "stylelint", "biome", "clippy":
		return Lint, true
	case "apt", "apt-get", "apk", "yum", "dnf", "pacman", "brew", "pip", "pip3",
		"conda", "mamba", "gem", "bundle", "composer", "choco", "winget", "opam", "luarocks":
		return Packages, true
	case "kubectl", "helm", "terraform", "tofu", "pulumi", "ansible-playbook", "serverless", "sls", "vercel",
		"netlify", "fly", "flyctl", "wrangler", "cdk", "sam", "gcloud", "heroku", "argocd",
		"skaffold":
		return Deployment, true
	case "prisma", "alembic", "knex", "sequelize", "flyway", "liquibase", "atlas", "sqlx",
		"dbmate", "typeorm", "drizzle-kit":
		return Migration, true
	case "curl", "wget", "ping", "ssh", "scp", "rsync", "nc", "dig", "nslookup",
		"telnet", "psql", "mysql", "redis-cli", "mongosh", "http":
		return Network, true
	case "uvicorn", "gunicorn", "flask", "nodemon", "pm2", "nginx", "http-server":
		return Service, true
	}
	return Other, false
}

// ofSubcommand is the class of a subcommand, for programs that do many things.
func ofSubcommand(name string) (Class, bool) {
	switch name {
	case "go build", "go run", "go install", "go generate", "cargo build", "cargo check", "cargo run", "dotnet build", "dotnet publish",
		"dotnet run", "swift build", "zig build", "flutter build":
		return Compile, true
	case "go test", "cargo test", "cargo nextest", "dotnet test", "swift test", "zig test", "flutter test", "dart test", "composer test",
		"node --test":
		return Tests, true
	case "go vet", "dart analyze":
		return TypeCheck, true
	case "go mod", "go get", "cargo add", "cargo update", "cargo install", "dotnet restore", "dotnet add", "flutter pub", "dart pub",
		"uv sync", "uv pip", "uv add", "uv lock", "poetry install", "poetry add", "poetry lock", "pdm install":
		return Packages, true
	case "cargo clippy", "cargo fmt":
		return Lint, true
	}
	return Other, false
}

// isBox reports whether only the subcommand tells what a program does.
func isBox(name string) bool {
	switch name {
	case "git", "go", "cargo", "dotnet", "swift", "zig", "flutter", "dart", "uv",
		"poetry", "aws", "az", "gh", "systemctl", "service", "openssl", "hg", "svn",
		"rustup", "nvm", "pyenv", "asdf", "mise", "vagrant", "node", "ruby", "php",
		"perl", "Rscript", "java":
		return true
	}
	return false
}

// first is the first argument that is not an option.
func first(args []string) string {
	for _, a := range args {
		if !strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "+") && !strings.HasPrefix(a, ">") {
			return a
		}
	}
	return ""
}

func after(args []string, word string) []string {
	for i, a := range args {
		if a == word {
			return args[i+1:]
		}
	}
	return nil
}

func join(name, sub string) string {
	if sub == "" {
		return name
	}
	return name + " " + sub
}
