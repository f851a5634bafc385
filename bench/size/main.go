// Command size shows what the bytes of the shipped programs are used for.
//
//	go run ./bench/size                                 # each program: its size, and its parts
//	go run ./bench/size -modules agents-hooks           # the size of each module and each of our command groups
//	go run ./bench/size -packages agents-hooks-run      # each package
//	go run ./bench/size -inlined agents-hooks-run       # what the compiler inlines
//	go run ./bench/size -without agents-hooks           # how much smaller it is without each feature
//
// A program is built for Linux on amd64 as it is shipped, for its size, and again with
// symbols, which attribute the bytes. A package's share is its machine code, the runtime's
// data about that (lines, names, stack maps), its variables and its embedded files. Type
// descriptors and strings, which no symbol attributes, are a separate row. A megabyte is
// 1,000,000 bytes.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const ours = "github.com/agents-hooks/agents-hooks/"

// programs are the shipped ones.
var programs = []string{"agents-hooks", "agents-hooks-run", "agents-hooks-server"}

func main() {
	modules := flag.Bool("modules", false, "the size of each module and each of our command groups")
	packages := flag.Bool("packages", false, "what each package takes")
	inlined := flag.Bool("inlined", false, "which functions of ours are copied into their callers, and how often")
	less := flag.Bool("without", false, "how much smaller it is without each command, or each behaviour")
	top := flag.Int("top", 40, "how many rows a table has")
	flag.Parse()
	names := flag.Args()
	if len(names) == 0 {
		names = programs
	}
	for _, name := range names {
		var err error
		if *less {
			err = showWithout(os.Stdout, name)
		} else {
			err = show(os.Stdout, name, *modules, *packages, *inlined, *top)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "size:", err)
			os.Exit(1)
		}
	}
}

// show prints what was requested about one program.
func show(w io.Writer, name string, modules, packages, inlined bool, top int) error {
	if inlined {
		return showInlined(w, name, top)
	}
	dir, err := os.MkdirTemp("", "agents-hooks-size")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	shipped, told := filepath.Join(dir, "shipped"), filepath.Join(dir, "told")
	if err := build(name, shipped, "-s -w"); err != nil {
		return err
	}
	if err := build(name, told, "-w"); err != nil {
		return err
	}
	info, err := os.Stat(shipped)
	if err != nil {
		return err
	}
	whole, err := read(told)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := embedded(name, &whole); err != nil {
		return err
	}
	whole.rest = int(info.Size()) - whole.sum()
	fmt.Fprintf(w, "%s: %.2f MB\n", name, float64(info.Size())/1e6)
	switch {
	case packages:
		whole.print(w, func(pkg string) string { return pkg }, top)
	case modules:
		whole.print(w, module, top)
	default:
		whole.print(w, owner, top)
	}
	fmt.Fprintln(w)
	return nil
}

// build builds a program for Linux on amd64, whatever this machine is.
func build(name, to, ldflags string, more ...string) error {
	cmd := exec.Command("go", append(append([]string{"build", "-tags", "nethttpomithttp2", "-trimpath", "-ldflags", ldflags, "-o", to}, more...), ours+"cmd/"+name)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", name, err, out)
	}
	return nil
}

// embedded attributes the embedded files, counted as texts, to their packages.
func embedded(name string, p *program) error {
	cmd := exec.Command("go", "list", "-deps", "-tags", "nethttpomithttp2", "-f",
		`{{$p := .}}{{range .EmbedFiles}}{{$p.ImportPath}}	{{$p.Dir}}/{{.}}{{"\n"}}{{end}}`, ours+"cmd/"+name)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("listing what %s embeds: %w", name, err)
	}
	for line := range strings.Lines(string(out)) {
		pkg, file, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		// One that is kept as bytes has a symbol, and is counted as data.
		part := p.of(pkg)
		if n := int(info.Size()); part.blobs[n] > 0 {
			part.blobs[n]--
			part.data -= n
			part.files += n
		} else {
			part.files += n
			p.texts -= n
		}
	}
	return nil
}

// A part is the share of one or several packages in a program.
type part struct {
	code, tables, data, files int
	blobs                     map[int]int // number of files by size among the data
}

func (p part) sum() int { return p.code + p.tables + p.data + p.files }

// A program is the content of an executable.
type program struct {
	parts map[string]*part
	types int // type descriptors and their names
	texts int // constant strings
	rest  int
}

func (p *program) of(pkg string) *part {
	if p.parts[pkg] == nil {
		p.parts[pkg] = &part{blobs: map[int]int{}}
	}
	return p.parts[pkg]
}

func (p *program) sum() int {
	n := p.types + p.texts + p.rest
	for _, one := range p.parts {
		n += one.sum()
	}
	return n
}

// print writes the table, largest first.
func (p *program) print(w io.Writer, by func(string) string, top int) {
	rows := map[string]part{}
	for pkg, one := range p.parts {
		row := rows[by(pkg)]
		row.code, row.tables, row.data, row.files = row.code+one.code, row.tables+one.tables, row.data+one.data, row.files+one.files
		rows[by(pkg)] = row
	}
	var names []string
	for name := range rows {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(rows[b].sum(), rows[a].sum()) })
	var other part
	for _, name := range names[min(top, len(names)):] {
		row := rows[name]
		other.code, other.tables, other.data, other.files = other.code+row.code, other.tables+row.tables, other.data+row.data, other.files+row.files
	}
	fmt.Fprintf(w, "%9s %9s %9s %9s %9s\n", "all", "code", "tables", "data", "files")
	line := func(name string, row part) {
		fmt.Fprintf(w, "%9d %9d %9d %9d %9d  %s\n", row.sum(), row.code, row.tables, row.data, row.files, name)
	}
	for _, name := range names[:min(top, len(names))] {
		line(name, rows[name])
	}
	if len(names) > top {
		line(fmt.Sprintf("(%d others)", len(names)-top), other)
	}
	fmt.Fprintf(w, "%9d %39s  (descriptions of types)\n%9d %39s  (texts)\n%9d %39s  (the rest: constants without a name, gaps between functions)\n", p.types, "", p.texts, "", p.rest, "")
}

// owner maps packages to a few rows.
func owner(pkg string) string {
	switch {
	case strings.HasPrefix(pkg, ours):
		return "this repository"
	case !strings.Contains(strings.Split(pkg, "/")[0], ".") || strings.HasPrefix(pkg, "vendor/"):
		return "Go"
	}
	return module(pkg)
}

// module is the module of a package, one of our command groups, or a part of Go's
// library.
func module(pkg string) string {
	words := strings.Split(pkg, "/")
	n := len(words)
	switch {
	case strings.HasPrefix(pkg, ours+"cmd/internal/"):
		return "our " + strings.Join(words[3:min(6, n)], "/")
	case strings.HasPrefix(pkg, ours):
		return "our " + words[3]
	case words[0] == "vendor":
		return "Go's " + strings.Join(words[:min(4, n)], "/")
	case !strings.Contains(words[0], "."):
		return "Go's " + words[0]
	case words[0] == "github.com":
		return strings.Join(words[:min(3, n)], "/")
	}
	return strings.Join(words[:min(2, n)], "/")
}
