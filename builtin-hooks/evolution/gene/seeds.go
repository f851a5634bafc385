package gene

import (
	"embed"
	"fmt"
	"hash/crc32"
	"io/fs"
	"strings"
	"sync"
)

// The genes that come with the program, in English and Chinese, a file for each area. Each
// begins with "== ID"; then stand lines with a name: signals (without "error:"), says, on,
// of, unless and given as lists with " | " between, flags, title; and its steps, "- " before
// each. English and Chinese are told apart by " || ". Those below causes are of one cause
// each, and so are their phrases ([When.Literal]). It is a form of our own because every failure
// that comes again reads it: it is cut, not copied, and takes a hundredth of the time of YAML.
//
//go:embed seeds/*.txt seeds/causes/*.txt
var seedFiles embed.FS

// A seedText is one of the files.
type seedText struct {
	text    string
	literal bool
}

// seedTexts are the files, in order.
var seedTexts = sync.OnceValue(func() (list []seedText) {
	for _, pattern := range [...]string{"seeds/*.txt", "seeds/causes/*.txt"} {
		names, err := fs.Glob(seedFiles, pattern)
		if err != nil {
			panic(err) // the pattern is ours
		}
		for _, name := range names {
			b, err := seedFiles.ReadFile(name)
			if err != nil {
				panic(err) // it is embedded
			}
			list = append(list, seedText{string(b), strings.Contains(name, "/causes/")})
		}
	}
	return list
})

// SeedVersion changes with the seeds.
var SeedVersion = sync.OnceValue(func() string {
	sum, size := uint32(0), 0
	for _, s := range seedTexts() {
		sum, size = crc32.Update(sum, crc32.IEEETable, []byte(s.text)), size+len(s.text)
	}
	return fmt.Sprintf("%08x%x", sum, size)
})

// Seeds are the genes that come with the program: what people who know an ecosystem do
// first. Each call returns a new list, with shared texts.
func Seeds() ([]Gene, error) {
	out := make([]Gene, 0, 1024)
	for _, file := range seedTexts() {
		text := file.text
		for n, line := 1, ""; text != ""; n++ {
			line, text, _ = strings.Cut(text, "\n")
			if id, ok := strings.CutPrefix(line, "== "); ok {
				out = append(out, newSeed(id))
				out[len(out)-1].When.Literal = file.literal
				continue
			}
			if line == "" || strings.HasPrefix(line, "//") {
				continue
			}
			if len(out) == 0 || !out[len(out)-1].seedLine(line) {
				return nil, fmt.Errorf("reading the seeds: line %d: %q", n, line)
			}
		}
	}
	return out, nil
}

func newSeed(id string) Gene {
	category, _, _ := strings.Cut(id, "_")
	return Gene{
		ID: "seed_" + id, Category: Category(category), Visibility: Seed, CreatedBy: "agents-hooks", Constraints: DefaultConstraints(),
		Translations: map[string]Text{}, When: When{Only: true},
	}
}

// seedLine reads a line about a seed, and reports whether it is valid.
func (g *Gene) seedLine(line string) bool {
	if step, ok := strings.CutPrefix(line, "- "); ok {
		english, chinese, ok := strings.Cut(step, " || ")
		g.step(english, chinese)
		return ok
	}
	name, rest, ok := strings.Cut(line, ": ")
	switch name {
	case "signals":
		for _, s := range strings.Split(rest, " | ") {
			g.SignalsMatch = append(g.SignalsMatch, seedSignal(s))
		}
	case "says":
		g.When.Says = strings.Split(rest, " | ")
	case "on":
		g.When.On = strings.Split(rest, " | ")
	case "of":
		g.When.Of = strings.Split(rest, " | ")
	case "unless":
		g.When.Unless = strings.Split(rest, " | ")
	case "given":
		g.Preconditions = strings.Split(rest, " | ")
	case "flags":
		for _, f := range strings.Fields(rest) {
			switch f {
			case "class":
				g.When.Only = false
			case "broad":
				g.When.Broad = true
			case "platitude":
				g.When.Only, g.Platitude = false, true
			default:
				return false
			}
		}
	case "title":
		english, chinese, found := strings.Cut(rest, " || ")
		g.Title, g.Translations["zh"] = english, Text{Title: chinese}
		return found
	default:
		return false
	}
	return ok
}

// seedSignal reads "timeout", "timeout go" and "timeout go test".
func seedSignal(s string) Signal {
	kind, rest, _ := strings.Cut(s, " ")
	stack, stage, _ := strings.Cut(rest, " ")
	if !strings.Contains(kind, ":") {
		kind = "error:" + kind
	}
	return Signal{Type: kind, TechStack: stack, Stage: stage}
}
