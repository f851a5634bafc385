package gene

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// The genes that come with the program, in English and Chinese.
//
//go:embed seeds.yaml
var seedFile []byte

// SeedVersion changes with the seeds.
func SeedVersion() string {
	sum := sha256.Sum256(seedFile)
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
		Broad         bool     `yaml:"broad"`
		Platitude     bool     `yaml:"platitude"`
		Steps         []string `yaml:"steps"`
		StepsZH       []string `yaml:"steps_zh"`
	}
	if err := yaml.Unmarshal(seedFile, &list); err != nil {
		return nil, fmt.Errorf("reading the seeds: %w", err)
	}
	out := make([]Gene, len(list))
	for i, s := range list {
		category, _, _ := strings.Cut(s.ID, "_")
		g := Gene{
			ID: "seed_" + s.ID, Category: Category(category), Title: s.Title, Visibility: Seed, Preconditions: s.Preconditions,
			Strategy: s.Steps, Constraints: DefaultConstraints(), CreatedBy: "agents-hooks",
			Translations: map[string]Text{"zh": {s.TitleZH, s.StepsZH}}, When: When{s.When, s.On, s.Unless, s.Broad}, Platitude: s.Platitude,
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
