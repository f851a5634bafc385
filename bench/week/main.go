// Week plays a week of a team that shares what it remembers through git, with real
// processes, and prints what became of each fact that a command said it had kept.
//
//	go run ./bench/week [-sessions 400]
//
// Five people, each with a home and a clone of one repository, work in sessions of four
// agents on three branches. A session is the captured payloads of its agent, with its
// own names put in, passed to the dispatcher as the agent's entry does: it begins, a
// prompt asks about something that was saved before, a command writes a file, it stops
// and ends. In it the agent saves what was found out with `agents-hooks memory save`,
// corrects what is no longer true, deletes, summarises and asks. Some saves and some
// events are killed (SIGKILL) while they run. Then the person commits, and pulls,
// merges and pushes. When the week is over all branches are merged and everybody pulls.
//
// It exits with 1 if it finds a fact that was acknowledged and is not in a clone, or
// that is told although it was deleted or replaced; a line that cannot be read; or an
// event that failed.
package main

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

func main() {
	sessions := flag.Int("sessions", 400, "how many sessions the week has")
	seed := flag.Uint64("seed", 1, "what is drawn by lot")
	keep := flag.Bool("keep", false, "keep the homes, the clones and the repository")
	flag.Parse()
	if err := run(*sessions, *seed, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "week:", err)
		os.Exit(1)
	}
}

func run(sessions int, seed uint64, keep bool) error {
	dir, err := os.MkdirTemp("", "week-")
	if err != nil {
		return err
	}
	defer func() {
		if keep {
			fmt.Fprintln(os.Stderr, "kept:", dir)
			return
		}
		_ = os.RemoveAll(dir)
	}()
	build := exec.Command("go", "build", "-o", dir, "github.com/agents-hooks/agents-hooks/cmd/agents-hooks", "github.com/agents-hooks/agents-hooks/cmd/agents-hooks-run")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building: %w\n%s", err, out)
	}
	began := time.Now()
	w := &week{dir: dir, bin: filepath.Join(dir, "agents-hooks"), lean: filepath.Join(dir, "agents-hooks-run"), agents: agents()}
	if err := w.hire(); err != nil {
		return err
	}
	var all sync.WaitGroup
	errs := make([]error, len(w.team))
	for i, p := range w.team {
		p.lot = rand.New(rand.NewPCG(seed, uint64(i)))
		all.Go(func() {
			for n := range sessions / len(w.team) {
				if err := p.session(n); err != nil {
					errs[i] = fmt.Errorf("%s, session %d: %w", p.name, n, err)
					return
				}
			}
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := w.mergeAll(); err != nil {
		return err
	}
	bad, err := w.judge()
	if err != nil {
		return err
	}
	w.print(sessions, time.Since(began))
	if bad > 0 {
		return fmt.Errorf("%d faults", bad)
	}
	return nil
}

// A week is everything that happens in it.
type week struct {
	dir, bin, lean string
	agents         []agent
	team           []*person

	mu     sync.Mutex
	facts  []*fact // that a command said it had kept
	counts map[string]int
	git    sync.Mutex // pushes, one at a time: this is a test of memory
}

// A fact is one that was acknowledged.
type fact struct {
	id, text, question string
	what               int // what it is about
	by                 *person
	branch             string
	gone               bool    // deleted, or replaced by a later one
	before             []*fact // those that it replaced, which apply again when it is deleted
}

func (w *week) count(what string, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.counts == nil {
		w.counts = map[string]int{}
	}
	w.counts[what] += n
}

// print prints the table.
func (w *week) print(sessions int, took time.Duration) {
	fmt.Printf("%d sessions of %d people and %d agents on %d branches, %d seconds\n\n", sessions, len(w.team), len(w.agents), len(branches), int(took.Seconds()))
	for _, row := range rows {
		fmt.Printf("%-58s %6d\n", row, w.counts[row])
	}
	for what := range w.counts {
		if !slices.Contains(rows, what) {
			panic("no row for " + what)
		}
	}
}

// rows are the counters, in the order of the table.
var rows = []string{events, blocked, saves, kills, killedKept, corrections, replaced, wrongly, deletions, summaries, merges, conflicts, asked, first, five,
	recalls, recalled, afterAll, inFive, lost, told, damaged}

const (
	events      = "events given to the dispatcher"
	blocked     = "events that failed"
	saves       = "facts saved and acknowledged"
	kills       = "saves and events killed while they ran"
	killedKept  = "  of them saves that are whole in the store"
	corrections = "corrections acknowledged"
	replaced    = "  of them that named what was before"
	wrongly     = "facts that took the place of one about another thing"
	deletions   = "deletions"
	summaries   = "summaries"
	merges      = "merges that had something to merge"
	conflicts   = "  of them with a conflict in memory"
	asked       = "questions asked in the week"
	first       = "  answered by the first line"
	five        = "  answered by one of the first five"
	recalls     = "prompts about something that was saved"
	recalled    = "  that were told it, or had been as the session began"
	afterAll    = "questions after all merges, of each living fact"
	inFive      = "  answered by one of the first five, in a clone by lot"
	lost        = "acknowledged facts that a clone lacks"
	told        = "deleted or replaced facts that are told"
	damaged     = "lines that cannot be read"
)
