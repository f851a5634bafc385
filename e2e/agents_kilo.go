//go:build e2e && unix

package e2e

import "strings"

// kilo is a fork of OpenCode: the same plugins and tools in other folders. It starts
// slowly, so not every capability is tested.
func kilo() *Agent {
	a := openCode()
	a.ID = "kilo"
	a.Package = "@kilocode/cli-linux-x64"
	a.Version = "7.7.9"
	a.Command = "kilo"
	a.Program = "@kilocode/cli-linux-x64/bin/kilo"
	a.Env = func(l *Lab) []string {
		return []string{
			"KILO_DISABLE_AUTOUPDATE=1", "KILO_DISABLE_SHARE=1", "KILO_DISABLE_LSP_DOWNLOAD=1", "KILO_DISABLE_MODELS_FETCH=1",
			"KILO_DISABLE_CODEBASE_INDEXING=1", "KILO_DISABLE_PRESENCE=1", "KILO_DISABLE_SESSION_INGEST=1",
			"KILO_NO_DAEMON=1", "KILO_TELEMETRY_LEVEL=off",
		}
	}
	a.Prepare = func(l *Lab) {
		l.WriteHome(".config/kilo/kilo.json", strings.Replace(openCodeConfig(l), "{\n", "{\n  \"permission\": {\"bash\": \"allow\"},\n", 1))
		l.WriteHome(".config/kilo/.bash-permission-migrated", "") // otherwise it rewrites its configuration
		l.pluginPackage(l.Home+"/.config/kilo", "@kilocode/plugin")
	}
	a.Config = []string{".config/kilo/kilo.json"}
	a.TrustProject = func(l *Lab) { l.pluginPackage(l.Project+"/.kilo", "@kilocode/plugin") }
	a.Proves = []string{
		"runs headless", "guard stops a command", "guard stops one of two parallel commands", "guard stops a file write", "guard stops a prompt",
		"guard stops a command of a subagent", "modified_input changes what runs", "feedback after a tool reaches the model",
		"guard of commands, as a shell reads them", "guard of paths: written, edited, moved", "guard of content: written, edited, patched",
		"context at session start", "context at prompt", "quality gate makes the agent go on", "loop guard ends a gate that never opens",
		"crashing hooks are survived", "a hanging hook is survived", "every event reaches hooks",
		"install twice changes nothing, uninstall leaves no trace",
		"ask does not run a command unasked", "project hooks run only once trusted",
	}
	a.Instead = "a run takes 10 s of a core; the plugin is that of OpenCode"
	return a
}
