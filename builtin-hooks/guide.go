package builtinhooks

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
)

// The guides tell an agent how to get along with a behaviour: when to save, when
// to ask, when to leave its person in peace. Each is a skill, a SKILL.md with a
// name and a description in its front matter, in English and in Chinese.

// GuideName is what the guide of a behaviour is called among an agent's skills.
func GuideName(behaviour string) string { return "agents-hooks-" + behaviour }

// Guide is the guide of a behaviour as install writes it, in the language that
// its settings or the locale ask for; nil if it has none.
func Guide(b *Behaviour, getenv func(string) string, files map[string]any) []byte {
	values := setting.Resolve(b.Settings(), setting.Sources{Env: getenv, Files: files})
	language := "auto"
	for _, s := range b.Settings() {
		if s.Key == "language" {
			language = values.Of(s.Key).Text
		}
	}
	text, err := read(b, path.Join("guide", string(locale.Of(language, getenv))+".md"))
	if err != nil {
		return nil
	}
	return append(text, guideEnd(text)...)
}

// The last line of a guide says whose it is, and what it was when it was written.
const (
	guideMark  = "\n<!-- written by agents-hooks, which takes it away again unless it was edited: "
	guideClose = " -->\n"
)

func guideEnd(text []byte) string {
	sum := sha256.Sum256(text)
	return guideMark + hex.EncodeToString(sum[:8]) + guideClose
}

// IsGuide tells of a file whether it is a guide that install wrote, and whether
// it still says what it said then.
func IsGuide(file []byte) (ours, untouched bool) {
	i := bytes.LastIndex(file, []byte(guideMark))
	if i < 0 {
		return false, false
	}
	return true, string(file[i:]) == guideEnd(file[:i])
}
