//go:build e2e && unix

package e2e

// kilo is a fork of OpenCode: the same plugins and tools in folders of its own.
func kilo() *Agent {
	a := openCodeLike("kilo", "@kilocode/plugin")
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
	prepare := a.Prepare
	a.Prepare = func(l *Lab) {
		prepare(l)
		l.WriteHome(a.Config[0], openCodeConfig(l, `"permission": {"bash": "allow"},`))
		l.WriteHome(".config/kilo/.bash-permission-migrated", "") // otherwise it rewrites its configuration
	}
	return a
}
