// Package main plays sets of failures to the program as it was built, through its
// hooks, and prints what an agent would be told, so that somebody can judge it.
//
//	go run ./bench/told [-form FORM] [-json] [-bin DIR] FOLDER
//
// The form of the events is one of
//
//	claude  payloads of Claude Code, which says of each call whether it failed, and how
//	spec    the format's own, in which an agent says the same by the type of the event
//	bare    the format's own from an agent that sends post-tool-call for every call, with nothing
//	        but the output: whether it failed has to be read from that
//
// Figures are given for the first.
//
// The folder has any of four files of plain text. In each a block begins with a line
// "@@@ EXIT | COMMAND" (EXIT may be left out: 1), and goes on with the command's
// output.
//
//	failures.txt  each comes twice with an edit between: what is told the second time
//	harmless.txt  outputs of what went well (EXIT 0): which are taken for failures
//	exits.txt     codes that are answers: which are taken for failures
//	pairs.txt     groups, each begun by "=== WHAT WAS LEARNED"; its first block is the failure that
//	              was mended, followed by "@@@ same EXIT | COMMAND" for the same failure in other
//	              words, elsewhere, and "@@@ other EXIT | COMMAND" for another one
//
// A line "# …" before the first block of a file is a comment. Every failure has its own
// session in a home that knows nothing else; so does each group of pairs, where the
// first failure comes twice, is mended, and becomes a gene of that title. For failures
// it prints the gene, why it was found, and its steps; for pairs whether that gene is
// told.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/bench/person"
)

func main() {
	form := flag.String("form", "claude", "of the events: claude, spec, bare")
	asJSON := flag.Bool("json", false, "print one JSON object a line")
	bin := flag.String("bin", "", "folder with agents-hooks; else it is built")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "told: want one folder with failures.txt, harmless.txt, exits.txt or pairs.txt")
		os.Exit(2)
	}
	if err := play(context.Background(), os.Stdout, flag.Arg(0), *bin, *form, *asJSON); err != nil {
		fmt.Fprintln(os.Stderr, "told:", err)
		os.Exit(1)
	}
}

// A block is a call in a file.
type block struct {
	kind, command, text string
	exit                int
	head                string
}

// blocks reads the blocks of a text.
func blocks(name, text string) (list []block, err error) {
	for _, part := range strings.Split("\n"+text, "\n@@@ ")[1:] {
		head, output, _ := strings.Cut(part, "\n")
		b := block{text: output, exit: 1, head: head}
		words, command, ok := strings.Cut(head, "| ")
		if !ok {
			return nil, fmt.Errorf("%s: %q: want \"@@@ EXIT | COMMAND\"", name, head)
		}
		b.command = strings.TrimSpace(command)
		for _, w := range strings.Fields(words) {
			if n, err := strconv.Atoi(w); err == nil {
				b.exit = n
			} else {
				b.kind = w
			}
		}
		list = append(list, b)
	}
	return list, nil
}

// A row is the result of a block.
type row struct {
	Set     string   `json:"set"`
	Command string   `json:"command"`
	Exit    int      `json:"exit"`
	Failure bool     `json:"failure"`           // it was taken for one
	Kind    string   `json:"kind,omitempty"`    // of pairs: same, other
	Group   string   `json:"group,omitempty"`   // of pairs
	Learned bool     `json:"learned,omitempty"` // the group's gene is told
	Gene    string   `json:"gene,omitempty"`
	Title   string   `json:"title,omitempty"`
	Told    []string `json:"told,omitempty"` // what the gene is about, and its steps
}

// A player plays blocks in homes below a folder.
type player struct {
	ctx      context.Context
	out      io.Writer
	dir, bin string
	form     form
	homes, n int
	asJSON   bool
}

func play(ctx context.Context, out io.Writer, folder, bin, formName string, asJSON bool) error {
	f, ok := forms[formName]
	if !ok {
		return fmt.Errorf("form %q: want claude, spec or bare", formName)
	}
	dir, err := os.MkdirTemp("", "told-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if bin == "" {
		bin = dir
		if err := person.Build(ctx, dir); err != nil {
			return err
		}
	}
	p := &player{ctx: ctx, out: out, dir: dir, bin: bin, form: f, asJSON: asJSON}
	played := 0
	for _, set := range [...]struct {
		file string
		play func(name, text string) error
	}{{"failures.txt", p.failures}, {"harmless.txt", p.answers}, {"exits.txt", p.answers}, {"pairs.txt", p.pairs}} {
		b, err := os.ReadFile(filepath.Join(folder, set.file))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = set.play(set.file, string(bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))))
		}
		if err != nil {
			return err
		}
		played++
	}
	if played == 0 {
		return fmt.Errorf("%s has none of failures.txt, harmless.txt, exits.txt and pairs.txt", folder)
	}
	return nil
}

func (p *player) home() (*person.Person, error) {
	p.homes++
	return person.New(p.bin, filepath.Join(p.dir, "homes", strconv.Itoa(p.homes)))
}

// noted reports whether the journal of a session contains a failure.
func (p *player) noted(who *person.Person, session string) (bool, error) {
	file := filepath.Join(who.Home, ".local", "share", "agents-hooks", "evolution", "journal", session+".md")
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return bytes.Contains(b, []byte("\n  - failure: ")), err
}

// take reads a suggestion.
func (r *row) take(said string) {
	if !strings.Contains(said, "[Evolution]") || !strings.Contains(said, "\n1. ") {
		return
	}
	for l := range strings.Lines(said) {
		l = strings.TrimSpace(l)
		switch open, end := strings.LastIndex(l, "\" ("), strings.HasSuffix(l, ")"); {
		case strings.HasPrefix(l, "What ") && open > 0 && end:
			r.Gene = l[open+3 : len(l)-1]
			r.Title = l[strings.Index(l, "\"")+1 : open]
		case strings.HasPrefix(l, "Here: "), l != "" && l[0] >= '1' && l[0] <= '9' && strings.Contains(l[:min(len(l), 4)], ". "):
			r.Told = append(r.Told, l)
		}
	}
}

func (p *player) failures(name, text string) error {
	list, err := blocks(name, text)
	if err != nil {
		return err
	}
	seen, told := 0, 0
	for i, b := range list {
		who, err := p.home()
		if err != nil {
			return err
		}
		r, err := p.twice(who, fmt.Sprint("s", i), name, b)
		if err != nil {
			return err
		}
		if r.Failure {
			seen++
		}
		if r.Gene != "" {
			told++
		}
		p.print(i+1, r)
	}
	p.sum("%s: %d failures, %d noted, %d told something", name, len(list), seen, told)
	return nil
}

func (p *player) answers(name, text string) error {
	list, err := blocks(name, text)
	if err != nil {
		return err
	}
	who, err := p.home()
	if err != nil {
		return err
	}
	wrong := 0
	for i, b := range list {
		session := fmt.Sprint("s", i)
		if _, err := p.call(who, session, b); err != nil {
			return err
		}
		failed, err := p.noted(who, session)
		if err != nil {
			return err
		}
		if failed {
			wrong++
			p.print(i+1, row{Set: name, Command: b.command, Exit: b.exit, Failure: true})
		}
	}
	p.sum("%s: %d calls, %d taken for failures", name, len(list), wrong)
	return nil
}

func (p *player) pairs(name, text string) error {
	same, found, other, wrong := 0, 0, 0, 0
	for _, group := range strings.Split("\n"+text, "\n=== ")[1:] {
		title, rest, _ := strings.Cut(group, "\n")
		list, err := blocks(name, rest)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return fmt.Errorf("%s: %q has no failure", name, title)
		}
		who, err := p.home()
		if err != nil {
			return err
		}
		id, err := p.learn(who, title, list[0])
		if err != nil {
			return err
		}
		for i, b := range list[1:] {
			r, err := p.twice(who, fmt.Sprint("later", i), name, b)
			if err != nil {
				return err
			}
			r.Kind, r.Group, r.Learned = b.kind, title, id != "" && r.Gene == id
			switch {
			case b.kind == "same":
				same++
				if r.Learned {
					found++
				}
			case b.kind == "other":
				other++
				if r.Learned {
					wrong++
				}
			default:
				return fmt.Errorf("%s: %q: want same or other before the code", name, b.head)
			}
			p.print(i+1, r)
		}
	}
	p.sum("%s: %d of %d of the same failure found, %d of %d of others wrongly", name, found, same, wrong, other)
	return nil
}

// learn plays a failure that is mended, and makes a gene from it; id is "" if the
// failure left nothing to learn from.
func (p *player) learn(who *person.Person, title string, b block) (id string, err error) {
	if _, err := p.twice(who, "first", "", b); err != nil {
		return "", err
	}
	b.exit, b.text = 0, "done\n"
	if _, err := p.call(who, "first", b); err != nil {
		return "", err
	}
	noted, err := p.noted(who, "first")
	if err != nil || !noted {
		return "", err
	}
	out, err := who.Call(p.ctx, "agents-hooks", "", "evolution", "create", "--json", "--scope", "shop", "--session", "first", "--title", title, "--strategy", "Do what this is about: "+title+".", "--force")
	if err != nil {
		return "", err
	}
	var made struct {
		GeneID string `json:"gene_id"`
	}
	if err := json.Unmarshal([]byte(out), &made); err != nil || made.GeneID == "" {
		return "", fmt.Errorf("%q: no gene was made: %s", title, out)
	}
	return made.GeneID, nil
}

func (p *player) print(n int, r row) {
	if p.asJSON {
		b, err := json.Marshal(r)
		if err == nil {
			fmt.Fprintln(p.out, string(b))
		}
		return
	}
	fmt.Fprintf(p.out, "%s %d | exit %d | %s\n", strings.TrimSpace(r.Set+" "+r.Kind), n, r.Exit, r.Command)
	switch {
	case r.Kind != "":
		fmt.Fprintf(p.out, "    learned %q: %t\n", r.Group, r.Learned)
	case r.Set != "failures.txt":
	case !r.Failure:
		fmt.Fprintln(p.out, "    not taken for a failure")
	case r.Gene == "":
		fmt.Fprintln(p.out, "    nothing is told")
	default:
		fmt.Fprintf(p.out, "    %s: %s\n", r.Gene, r.Title)
		for _, l := range r.Told {
			fmt.Fprintln(p.out, "      "+l)
		}
	}
}

func (p *player) sum(format string, args ...any) {
	if p.asJSON {
		fmt.Fprintf(os.Stderr, format+"\n", args...)
		return
	}
	fmt.Fprintf(p.out, format+"\n\n", args...)
}
