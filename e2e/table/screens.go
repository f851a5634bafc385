package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// screens is the folder of golden screens of terminal interfaces.
const screens = "e2e/testdata/screens"

// A screen is one of them: what a user saw of one scene in one agent.
type screen struct {
	agent, version string
	scene          string
	seen           bool
	note           string // why it is not seen, or how
	text           string
}

// readScreens returns the golden screens in a folder, in the order of the table's
// agents, and within each by the number of the scene.
func readScreens(root string, agents []string) ([]screen, error) {
	names, err := filepath.Glob(filepath.Join(root, screens, "*", "*.txt"))
	if err != nil {
		return nil, err
	}
	var list []screen
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		parts := strings.SplitN(string(b), "\n", 5)
		if len(parts) < 5 {
			return nil, fmt.Errorf("%s: want the agent, the scene, whether it is seen, a blank line and the screen", name)
		}
		agent, version, _ := strings.Cut(parts[0], " ")
		seen, note, _ := strings.Cut(parts[2], ": ")
		list = append(list, screen{agent, version, parts[1], seen == "seen", note, strings.TrimRight(parts[4], "\n")})
	}
	place := func(s screen) int { return slices.Index(agents, s.agent) }
	slices.SortStableFunc(list, func(a, b screen) int { return cmp.Compare(place(a), place(b)) })
	return list, nil
}

// writeScreens writes what is seen in terminals: a table, the reasons and the screens.
func writeScreens(b *bytes.Buffer, list []screen) {
	if len(list) == 0 {
		return
	}
	var agents, scenes []string
	cells := map[[2]string]screen{}
	for _, s := range list {
		if !slices.Contains(agents, s.agent) {
			agents = append(agents, s.agent)
		}
		if !slices.Contains(scenes, s.scene) {
			scenes = append(scenes, s.scene)
		}
		cells[[2]string{s.agent, s.scene}] = s
	}
	b.WriteString("\n## What a person sees in the terminal\n\n" +
		"The table above is of runs without a person. Here the terminal interfaces themselves are driven, in a\n" +
		"pseudo-terminal with a keyboard, and their screens read: the name of the hook, what it says and, where\n" +
		"something is to be done, the command have to stand there.\n\n" +
		"● it stands there · ◐ in a way of its own, see below · – it does not, see below · nothing: the agent has no such thing\n\n| |")
	for _, a := range agents {
		fmt.Fprintf(b, " %s %s |", a, cells[[2]string{a, scenes[0]}].version)
	}
	fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat(":-:|", len(agents)))
	for _, scene := range scenes {
		fmt.Fprintf(b, "| %s |", scene)
		for _, a := range agents {
			fmt.Fprintf(b, " %s |", cells[[2]string{a, scene}].sign())
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	for _, s := range list {
		if s.note != "" {
			fmt.Fprintf(b, "- %s: %s: %s\n", s.agent, s.scene, s.note)
		}
	}
	b.WriteString("\n### The screens\n\nOf each conversation, with times, folders and what spins masked.\n")
	for _, a := range agents {
		fmt.Fprintf(b, "\n<details><summary>%s</summary>\n", a)
		for _, scene := range scenes {
			if s, ok := cells[[2]string{a, scene}]; ok {
				fmt.Fprintf(b, "\n%s:\n\n```text\n%s\n```\n", scene, s.text)
			}
		}
		b.WriteString("\n</details>\n")
	}
}

// sign is the result as one letter.
func (s screen) sign() string {
	switch {
	case s.agent == "":
		return ""
	case !s.seen:
		return "–"
	case s.note != "":
		return "◐"
	}
	return "●"
}
