package gene

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

// The genes that come with the program, in English and Chinese: in seeds.yaml those of a
// kind of failure, and below seeds, a file for each area, those of one cause.
//
//go:embed seeds.yaml seeds/*.yaml
var seedFiles embed.FS

// seedFile is all of them, one after the other: each is a list.
var seedFile = sync.OnceValue(func() (all []byte) {
	names, err := fs.Glob(seedFiles, "seeds/*.yaml")
	if err != nil {
		panic(err) // the pattern is ours
	}
	for _, name := range append([]string{"seeds.yaml"}, names...) {
		b, err := seedFiles.ReadFile(name)
		if err != nil {
			panic(err) // it is embedded
		}
		all = append(append(all, b...), '\n')
	}
	return all
})

// SeedVersion changes with the seeds.
func SeedVersion() string {
	sum := sha256.Sum256(seedFile())
	return hex.EncodeToString(sum[:8])
}

// Seeds are the genes that come with the program: what people who know an
// ecosystem do first. They are read only when a store lacks them.
func Seeds() ([]Gene, error) {
	var list []struct {
		ID            string   `yaml:"id"`
		Title         string   `yaml:"title"`
		TitleZH       string   `yaml:"title_zh"`
		Signals       []string `yaml:"signals"` // type, or "type stack", or "type stack stage"
		Preconditions []string `yaml:"preconditions"`
		When          []string `yaml:"when"`
		On            []string `yaml:"on"`
		Unless        []string `yaml:"unless"`
		Of            []string `yaml:"of"`
		Only          bool     `yaml:"only"`
		Broad         bool     `yaml:"broad"`
		Platitude     bool     `yaml:"platitude"`
		Steps         []string `yaml:"steps"`
		StepsZH       []string `yaml:"steps_zh"`
	}
	if err := yaml.Unmarshal(seedFile(), &list); err != nil {
		return nil, fmt.Errorf("reading the seeds: %w", err)
	}
	out := make([]Gene, len(list))
	for i, s := range list {
		category, _, _ := strings.Cut(s.ID, "_")
		g := Gene{
			ID: "seed_" + s.ID, Category: Category(category), Title: s.Title, Visibility: Seed, Preconditions: s.Preconditions,
			Strategy: s.Steps, Constraints: DefaultConstraints(), CreatedBy: "agents-hooks",
			Translations: map[string]Text{"zh": {s.TitleZH, s.StepsZH}}, When: When{Says: s.When, On: s.On, Of: s.Of, Unless: s.Unless, Only: s.Only, Broad: s.Broad}, Platitude: s.Platitude,
		}
		for _, sig := range s.Signals {
			kind, rest, _ := strings.Cut(sig, " ")
			stack, stage, _ := strings.Cut(rest, " ")
			g.SignalsMatch = append(g.SignalsMatch, Signal{Type: kind, TechStack: stack, Stage: stage})
		}
		g.Clean()
		out[i] = g
	}
	return out, nil
}
