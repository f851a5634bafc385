package qoder

import (
	"cmp"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var config = &protocol.Config{
	Shape:   protocol.NestedJSON,
	Events:  "hooks",
	File:    file,
	Unit:    time.Second,
	Windows: protocol.QuoteNone, // with args it starts the program itself; a line would need Git Bash
	Direct:  true,
	Args:    true, // the whole line is put before each reason and fills the rows that the user sees (qoder/1)
	Label:   `{"statusMessage": "agents-hooks"}`,
	Off:     off,
}

// folderName is the name of its folders, the user's and a project's.
func folderName(s protocol.Site) string {
	return cmp.Or(s.Getenv("QODER_CONFIG_DIR_NAME"), ".qoder")
}

// folder is where Qoder CLI keeps a user's files.
func folder(s protocol.Site) string {
	return cmp.Or(s.Getenv("QODER_CONFIG_DIR"), s.Join(cmp.Or(s.Getenv("QODER_CLI_HOME"), s.Home), folderName(s)))
}

// file is the user's settings or, for a project, the personal ones.
func file(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, folderName(s), "settings.local.json"), s.Join(folder(s), "settings.json"))
}

func off(settings protocol.Object) string {
	switch {
	case settings.Bool("disableAllHooks"):
		return "disableAllHooks is set in its settings"
	case string(settings.Sub("hooksConfig").Get("enabled")) == "false":
		return "hooksConfig.enabled is false in its settings"
	}
	return ""
}
