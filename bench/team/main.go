// Team measures the service of a team with few genes and with many: how long an answer
// takes, one by one and with many clients at once, and what the service's machine
// spends on it.
//
//	go run ./bench/team [-genes 20000] [-clients 50] [-store postgres://… -postmaster PID]
//
// The service is the built program, with a database of its own: a file, or the empty
// one named by -store. It is asked as clients ask: first with the genes that come with
// it, then with those that twenty persons made, each with outcomes. Then new machines
// pull all of them, and every client reports outcomes and pulls at once.
//
// The load of the machine is printed, because waiting for others is not a cost of the
// service: on a busy machine, compare the CPU time of a request. It is only read on
// Linux; -postmaster adds the database's. It exits with 1 if the cost is more than
// three times that with few genes, for any status other than success, and, on an
// otherwise idle machine, if 95 of 100 answers take more than 300 ms.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

type options struct {
	genes, clients, postmaster int
	store                      string
}

func main() {
	var o options
	flag.IntVar(&o.genes, "genes", 20_000, "how many genes are many")
	flag.IntVar(&o.clients, "clients", 50, "how many ask at once")
	flag.StringVar(&o.store, "store", "", "the empty database; default a file")
	flag.IntVar(&o.postmaster, "postmaster", 0, "process of the database, whose time counts too")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "team:", err)
		os.Exit(1)
	}
}

// The goals.
const (
	mostTimes = 3
	mostTail  = 300 * time.Millisecond
	alone     = 200 // requests one by one
	each      = 20  // requests per client
)

func run(o options) (err error) {
	dir, err := os.MkdirTemp("", "team-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	build := exec.Command("go", "build", "-o", dir, "github.com/agents-hooks/agents-hooks/cmd/agents-hooks-server")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building: %w\n%s", err, out)
	}
	if o.store == "" {
		o.store = filepath.Join(dir, "team.sqlite")
	}
	s, err := begin(filepath.Join(dir, "agents-hooks-server"), o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.end()) }()
	fmt.Printf("%-44s %9s %9s %9s %11s %8s\n", "", "median", "95 of 100", "a second", "CPU each", "load")
	few, err := s.show("analyze, seeds, one by one", 1, alone, s.analyze)
	if err != nil {
		return err
	}
	if _, err := s.show(fmt.Sprintf("analyze, seeds, %d clients", o.clients), o.clients, each, s.analyze); err != nil {
		return err
	}
	if _, err := s.show(fmt.Sprintf("%d genes made", o.genes), 8, o.genes/8, s.make); err != nil {
		return err
	}
	if _, err := s.show("outcomes of them told, one by one", 4, o.genes/40, s.record); err != nil {
		return err
	}
	many, err := s.show(fmt.Sprintf("analyze, %d genes, one by one", o.genes), 1, alone, s.analyze)
	if err != nil {
		return err
	}
	crowd, err := s.show(fmt.Sprintf("analyze, %d genes, %d clients", o.genes, o.clients), o.clients, each, s.analyze)
	if err != nil {
		return err
	}
	if _, err := s.show("sync, a new machine, a page", 1, o.genes/500+2, s.pull()); err != nil {
		return err
	}
	sync, err := s.show(fmt.Sprintf("sync, tells 5 and pulls, %d clients", o.clients), o.clients, each, s.sync)
	if err != nil {
		return err
	}
	return judge(few, many, crowd, sync)
}

// judge says what misses its goal: only the costs, if something else uses the machine.
func judge(few, many, crowd, sync figures) error {
	var list []error
	if few.spent > 0 && many.spent > mostTimes*few.spent {
		list = append(list, fmt.Errorf("an answer costs %s, %.1f times of what it does with few genes", many.spent, float64(many.spent)/float64(few.spent)))
	}
	for _, f := range []figures{crowd, sync} {
		if f.tail > mostTail && !f.busy {
			list = append(list, fmt.Errorf("95 of 100 answers take %s", f.tail))
		}
	}
	return errors.Join(list...)
}
