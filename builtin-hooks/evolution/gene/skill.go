package gene

import (
	"cmp"
	"fmt"
	"strings"
)

// Skill is a gene as a skill: the name of its folder, and the content of its SKILL.md.
// Somebody has to put the text where an agent reads it; nothing here does.
func Skill(g *Gene, language string) (name, content string) {
	text := g.In(language)
	name = skillName(g)
	head := func(en, zh string) string {
		if language == "zh" {
			return zh
		}
		return en
	}
	var b strings.Builder
	about := cmp.Or(g.Description, text.Title)
	fmt.Fprintf(&b, "---\nname: %s\ndescription: %s\n---\n\n# %s\n\n", name, yamlText(about+" ("+strings.Join(Types(g.SignalsMatch), ", ")+")"), text.Title)
	fmt.Fprintf(&b, "## %s\n\n", head("When", "何时使用"))
	for _, s := range Types(g.SignalsMatch) {
		fmt.Fprintf(&b, "- `%s`\n", s)
	}
	if len(g.Preconditions) > 0 {
		fmt.Fprintf(&b, "\n## %s\n\n", head("What has to hold first", "前提"))
		for _, p := range g.Preconditions {
			fmt.Fprintf(&b, "- %s\n", p)
		}
	}
	fmt.Fprintf(&b, "\n## %s\n\n", head("Steps", "步骤"))
	for i, s := range text.Strategy {
		fmt.Fprintf(&b, "%d. %s\n", i+1, s)
	}
	if n := g.Successes + g.Failures; n > 0 {
		fmt.Fprintf(&b, "\n%s\n", fmt.Sprintf(head("It helped %d times of %d (gene %s).", "%[2]d 次中有 %[1]d 次有效（gene %[3]s）。"), g.Successes, n, g.ID))
	}
	return name, b.String()
}

// skillName is the gene's title as the name of a folder, or its id if the title has no
// ASCII letters.
func skillName(g *Gene) string {
	for _, from := range []string{g.Title, g.ID} {
		var b strings.Builder
		for _, r := range strings.ToLower(from) {
			switch {
			case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
				b.WriteRune(r)
			case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
				b.WriteByte('-')
			}
		}
		if name := strings.Trim(b.String()[:min(b.Len(), 64)], "-"); len(name) >= 3 {
			return name
		}
	}
	return "gene"
}

// yamlText is a text as a double-quoted scalar on one line.
func yamlText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
