package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// measuredFile contains the last measurement for the pages, relative to the
// repository's root.
const measuredFile = "bench/measured.json"

//go:embed measured.json
var measuredText []byte

// A measurement contains the figures on the pages: -write measures them and rewrites
// the pages.
type measurement struct {
	Machine string     `json:"machine"`
	Date    string     `json:"date"`
	Goals   []measured `json:"goals"`
	Peers   []beside   `json:"peers"`
	// Times are medians of commands in milliseconds.
	Times map[string]float64 `json:"times"`
}

type measured struct {
	ID    string  `json:"id"`
	What  string  `json:"what"`
	Unit  string  `json:"unit"`
	Value float64 `json:"value"`
	Must  float64 `json:"must"`
}

type beside struct {
	What  string  `json:"what"`
	Takes float64 `json:"takes"` // milliseconds
	Ours  float64 `json:"ours"`  // of that
}

func lastMeasured() (m measurement, err error) {
	err = json.Unmarshal(measuredText, &m)
	return m, err
}

// keep stores the new figures, and keeps the earlier ones of what was not measured
// (memory has a run of its own).
func (m *measurement) keep(goals []goal, commands []*command) {
	m.Machine = fmt.Sprintf("%d cores, %s/%s, %s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	m.Date = time.Now().UTC().Format(time.DateOnly)
	before := m.Goals
	m.Goals, m.Times = nil, map[string]float64{}
	for _, g := range goals {
		if g.skipped == "" && !strings.HasPrefix(g.what, "against ") { // peers have their own table
			m.Goals = append(m.Goals, measured{g.id, g.what, g.unit, short(g.value), g.must})
		}
	}
	for _, g := range before {
		if !slices.ContainsFunc(m.Goals, func(now measured) bool { return now.What == g.What }) {
			m.Goals = append(m.Goals, g)
		}
	}
	for _, c := range commands {
		if len(c.times) > 0 {
			m.Times[c.name] = short(milliseconds(c))
		}
	}
}

// short is a figure with three significant digits.
func short(f float64) (g float64) {
	_, _ = fmt.Sscan(fmt.Sprintf("%.3g", f), &g)
	return g
}

// of is the value of a goal, by its description.
func (m *measurement) of(what string) float64 {
	i := slices.IndexFunc(m.Goals, func(g measured) bool { return g.What == what })
	if i < 0 {
		return 0
	}
	return m.Goals[i].Value
}

// A piece is the text between two marks of a page.
type piece struct {
	file, mark string
	text       func(m *measurement) string
}

var pieces = []piece{
	{"docs/performance.md", "goals", (*measurement).goalTable},
	{"docs/performance.md", "peers", (*measurement).peerTable},
	{"README.md", "costs", (*measurement).costs},
	{"README.zh.md", "costs", (*measurement).costsInChinese},
}

func (m *measurement) goalTable() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Figures of one machine (%s), %s:\n\n| what | measured | goal |\n|---|---|---|\n", m.Machine, m.Date)
	for _, g := range m.Goals {
		goal := "none, it is a floor"
		if g.Must > 0 {
			goal = fmt.Sprintf("≤ %g", g.Must)
		}
		fmt.Fprintf(&b, "| %s | %.3g %s | %s |\n", g.What, g.Value, g.Unit, goal)
	}
	return b.String()
}

func (m *measurement) peerTable() string {
	var b strings.Builder
	b.WriteString("| beside | takes | an event through us, 100 installed, 1 matches |\n|---|---|---|\n")
	for _, p := range m.Peers {
		fmt.Fprintf(&b, "| %s | %.0f ms | %.2g of it |\n", p.What, p.Takes, p.Ours)
	}
	return b.String()
}

const (
	noneOf10, noneOf100 = "none of 10 hooks matches", "none of 100 hooks matches"
	oneOf10, oneOf100   = "1 of 10 hooks matches", "1 of 100 hooks matches"
)

func (m *measurement) costs() string {
	return fmt.Sprintf(`| an event with | takes | compared with a program that does nothing (%.1f ms) |
|---|---|---|
| 10 hooks, none matches | %.1f ms | %.1f × |
| 100 hooks, none matches | %.1f ms | %.1f × |
| 10 hooks, 1 matches; the `+"`sh`"+` hook itself takes %.1f ms | %.1f ms | |
| 100 hooks, 1 matches | %.1f ms | |
| an async hook that matches | next to nothing | |

A regular expression that does not finish is stopped after 100 ms and counts as a match. Peak memory is %.1f MiB. The dispatcher has
%.1f MB, the program with all commands %.0f MB. Measured on %s; `+"`go run ./bench`"+` measures your machine, [all figures](docs/performance.md).
`, m.figures()...)
}

func (m *measurement) costsInChinese() string {
	return fmt.Sprintf(`| 一次事件 | 用时 | 相对一个什么都不做的程序（%.1f 毫秒） |
|---|---|---|
| 10 个 hook，没有一个匹配 | %.1f 毫秒 | %.1f × |
| 100 个 hook，没有一个匹配 | %.1f 毫秒 | %.1f × |
| 10 个 hook，1 个匹配；`+"`sh`"+` hook 自身要 %.1f 毫秒 | %.1f 毫秒 | |
| 100 个 hook，1 个匹配 | %.1f 毫秒 | |
| 一个匹配的异步 hook | 几乎为零 | |

永远算不完的表达式只花 100 毫秒，并按匹配处理；峰值内存 %.1f MiB，负责分发的程序 %.1f MB，含全部命令的程序 %.0f MB。%s；
`+"`go run ./bench`"+` 测你自己的机器，[全部数字](docs/performance.md)（英文）。
`, m.figures()...)
}

func (m *measurement) figures() []any {
	t := m.Times
	return []any{t["empty Go program"], t[noneOf10], m.of("none of 10 matches"), t[noneOf100], m.of("none of 100 matches"), t["the sh hook itself"], t[oneOf10], t[oneOf100],
		m.of("peak memory, 100 installed"), m.of("size of agents-hooks-run"), m.of("size of agents-hooks"), m.Date}
}

// write stores the measurement, and rewrites the pages.
func (m *measurement) write() error {
	root, err := ourRoot()
	if err != nil {
		return err
	}
	b, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(root, measuredFile), append(b, '\n'), 0o644); err != nil {
		return err
	}
	return m.show(root)
}

func (m *measurement) show(root string) error {
	for _, p := range pieces {
		file := filepath.Join(root, p.file)
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		head, _, tail, err := p.cut(string(b))
		if err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(head+p.text(m)+tail), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// cut splits a page into the text between the marks, and what is around it.
func (p piece) cut(page string) (head, text, tail string, err error) {
	begin, end := "<!-- "+p.mark+":begin -->\n", "<!-- "+p.mark+":end -->"
	i := strings.Index(page, begin)
	j := strings.Index(page, end)
	if i < 0 || j < i {
		return "", "", "", fmt.Errorf("%s has no %q with its end", p.file, strings.TrimSpace(begin))
	}
	i += len(begin)
	return page[:i], page[i:j], page[j:], nil
}
