package failure

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
)

// unsure are the signals of a call of which nobody says how it ended: only its output
// is known.
func unsure(command string, c signal.Command, text string) []signal.Key {
	text = passedOver(text)
	own := speakers(command, c)
	switch {
	case c.Trivial:
		// After its first line, the output may be full of errors that are not its own.
		first := firstLine(text)
		if signal.Complains(first, own) && !absent(strings.ToLower(first)) || asks(c) && signal.BeginsBadly(text, own) {
			return signal.Of(command, text)
		}
		return nil
	case inline(command):
		if !signal.Firm(text) && !strings.Contains(text, "Traceback (most recent") && !strings.Contains(text, "\n    at ") {
			return nil
		}
	case shows(command):
		if !signal.BeginsBadly(text, own) && !signal.Complains(text, own) {
			return nil
		}
		return signal.Of(command, text)
	}
	keys := signal.Detect(command, text)
	if keys == nil && (signal.Complains(text, own) || (c.Is(signal.Compile) || c.Is(signal.TypeCheck) || c.Is(signal.Lint)) && signal.Places(text)) {
		return signal.Of(command, text)
	}
	return keys
}

// passedOver is a text without the complaints that its program says it ignores.
func passedOver(text string) string {
	if !strings.Contains(text, "...ignoring") && !strings.Contains(text, "debconf: delaying") {
		return text
	}
	var out []string
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "...ignoring"): // in Ansible, the failed task is above
			for len(out) > 0 {
				last := out[len(out)-1]
				out = out[:len(out)-1]
				if strings.HasPrefix(last, "fatal: ") || strings.HasPrefix(last, "failed: ") {
					break
				}
			}
		case !strings.HasPrefix(line, "debconf: delaying package configuration"):
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

// speakers are the programs in a command line, by the names that their messages begin
// with.
func speakers(command string, c signal.Command) []string {
	list := programs(command)
	for _, w := range strings.Fields(command) {
		if slices.Contains([]string{"sudo", "env", "xargs", "timeout", "nice"}, w) {
			list = append(list, w)
		}
	}
	if !c.Trivial {
		list = append(list, "ld", "collect2", "cc1", "as", "cgo", "xcrun")
	}
	return list
}

// asks reports whether a command that only looks asks a service or repository that may
// be missing.
func asks(c signal.Command) bool {
	return slices.ContainsFunc(c.Looks, func(l string) bool {
		program, sub, _ := strings.Cut(l, " ")
		return sub != "logs" && !slices.Contains(readers, program)
	})
}

// inline reports whether a command is an inline program, whose words are its author's.
func inline(command string) bool {
	parts := signal.Parts(command)
	if len(parts) == 0 {
		return false
	}
	last := parts[len(parts)-1]
	return slices.Contains([]string{"node", "python", "python3", "ruby", "perl", "php", "deno", "bun", "lua"}, last[0]) && slices.ContainsFunc(last[1:], func(w string) bool {
		return slices.Contains([]string{"-e", "-c", "-p", "-r", "eval", "--eval"}, w)
	})
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// shows reports whether the output of a command is data, in which an error message says
// nothing about the command: the answer of a server or a database, a list, a help page.
func shows(command string) bool {
	parts := signal.Parts(command)
	if len(parts) == 0 {
		return false
	}
	last := parts[len(parts)-1]
	has := func(words ...string) bool {
		return slices.ContainsFunc(last[1:], func(w string) bool { return slices.Contains(words, w) })
	}
	switch last[0] {
	case "curl", "http", "https", "xh", "wget", "psql", "mysql", "mariadb", "sqlite3", "redis-cli", "mongosh", "duckdb", "clickhouse-client", "cqlsh", "dmesg", "journalctl", "man", "info", "ps", "ss", "lsof":
		return true
	case "docker", "podman", "kubectl", "oc", "helm", "gh", "glab", "aws", "gcloud", "az", "systemctl", "git", "npm", "argocd", "flux", "nomad", "vault", "consul":
		return has("ls", "list", "logs", "inspect", "history", "view", "describe", "get", "show", "status", "events", "api", "log", "diff", "help", "search")
	}
	return has("help", "--help", "-h", "--explain", "explain", "doc")
}
