package protocol

import "testing"

// A member is a command if its name says so; other names say nothing.
func TestIsCommand(t *testing.T) {
	for name, want := range map[string]bool{
		"command": true, "cmd": true, "script": true, "keys": true, "cmdline": true, "command_line": true, "commandLine": true, "CommandLine": true,
		"shellCommand": true, "bash_command": true, "SHELL_COMMAND": true, "cmds": true, "command-line": true, "cmd_to_run": true,
		"command_id": false, "commandName": false, "command_timeout": false, "recommend": false, "md": false, "line": false, "shell": false, "": false, "comment": false, "admin": false,
	} {
		t.Run(name, func(t *testing.T) {
			if got := IsCommand(name); got != want {
				t.Errorf("%q: %t", name, got)
			}
		})
	}
}
