package install

import (
	"bytes"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// WrapperNote is the line by which a wrapper is known as ours.
const WrapperNote = "# agents-hooks: install wrote this file, uninstall removes it"

// What a wrapper consists of, beside its command and the note.
const (
	shBang = "#!/bin/sh"
	shExec = "exec "

	// What a wrapper of PowerShell begins and ends with, beside its command: text is
	// handed on in a character set of its own, unless told not to.
	psCharset = "$OutputEncoding = [Console]::InputEncoding = [Console]::OutputEncoding = New-Object System.Text.UTF8Encoding $false"
	psPipe    = "$input | "
	psExit    = "exit $LASTEXITCODE"
	psGone    = "if ( -not ( Test-Path -LiteralPath " // the program, and what to answer without it
)

// wrappers is a folder with an executable file for each event.
type wrappers struct {
	d     *protocol.Dialect
	site  protocol.Site
	files []*wrapper
}

// A wrapper is the file of one event.
type wrapper struct {
	native protocol.Native
	path   string
	before []byte
	after  []byte
}

func openWrappers(d *protocol.Dialect, s protocol.Site, dir string) (*wrappers, error) {
	w := &wrappers{d: d, site: s}
	for _, n := range d.NativeEvents {
		name := n.Key()
		if s.GOOS == "windows" {
			name += ".ps1"
		}
		path := s.Join(dir, name)
		b, err := read(s, path)
		if err != nil {
			return nil, err
		}
		w.files = append(w.files, &wrapper{n, path, b, b})
	}
	return w, nil
}

func (w *wrappers) off() string     { return "" }
func (w *wrappers) notes() []string { return nil }

// language is what a wrapper is written in.
func (w *wrappers) language() protocol.Quoting {
	if w.site.GOOS == "windows" {
		return protocol.QuotePowerShell
	}
	return protocol.QuoteSh
}

// command is what a line of a wrapper runs, nil if that is not ours. The line of an
// older install does not check whether the program is there.
func (w *wrappers) command(line string) (string, []string) {
	command := strings.TrimSpace(line)
	if w.language() == protocol.QuotePowerShell {
		rest, ok := strings.CutPrefix(command, psPipe)
		if !ok {
			return "", nil
		}
		command = rest
	} else if rest, ok := strings.CutPrefix(command, shExec); ok {
		command = rest
	}
	argv, err := Words(command, w.language())
	if err != nil || !Ours(argv, w.d) {
		return "", nil
	}
	return command, argv
}

// lines are those of a wrapper that run the dispatcher.
func (w *wrappers) lines(e protocol.Entry, n protocol.Native) string {
	if w.language() == protocol.QuoteSh {
		if e.Gone == "" {
			return shExec + commandFor(w.d, w.site, e, n)
		}
		return commandFor(w.d, w.site, e, n)
	}
	argv := argvFor(e, n)
	run := psPipe + Quote(argv, protocol.QuotePowerShell)
	if e.Gone == "" {
		return run
	}
	answer := quoteWord(answerFor(w.d, n, e.Gone), protocol.QuotePowerShell)
	return psGone + quoteWord(argv[0], protocol.QuotePowerShell) + " ) ) { " + answer + " ; exit 0 }\n" + run
}

// in is our command in a wrapper, and its line; 0 if the file is not ours.
func (w *wrappers) in(f *wrapper) (command string, argv []string, line int) {
	for i, text := range strings.Split(string(f.after), "\n") {
		if command, argv = w.command(text); argv != nil {
			return command, argv, i + 1
		}
	}
	return "", nil, 0
}

func (w *wrappers) ours() ([]found, error) {
	var out []found
	for _, f := range w.files {
		command, argv, line := w.in(f)
		if line == 0 {
			continue
		}
		h := found{file: f.path, line: line, command: command, argv: argv}
		h.Event = f.native.Name
		out = append(out, h)
	}
	return out, nil
}

func (w *wrappers) register(e protocol.Entry) error {
	wanted := wanted(w.d, e)
	for _, f := range w.files {
		_, _, line := w.in(f)
		if _, ok := protocol.FindNative(wanted, f.native.Name); !ok {
			f.after = w.without(f)
			continue
		}
		text := w.lines(e, f.native)
		switch {
		case line == 0 && len(bytes.TrimSpace(f.before)) > 0:
			return at(f.path, f.before, 0, "a hook that is not ours stands where ours has to, and the agent runs one only; let it be a hook of agents-hooks instead")
		case line > 0:
			f.after = w.renewed(f, text) // what its user added to it stays
		default:
			f.after = []byte(w.text(text))
		}
	}
	return nil
}

// renewed is a wrapper with these lines in place of ours.
func (w *wrappers) renewed(f *wrapper, text string) []byte {
	var out strings.Builder
	for _, line := range strings.SplitAfter(string(f.after), "\n") {
		bare := strings.TrimSpace(line)
		if strings.HasPrefix(bare, psGone) {
			continue
		}
		if _, argv := w.command(line); argv != nil {
			line = strings.Replace(line, bare, text, 1)
		}
		out.WriteString(line)
	}
	return []byte(out.String())
}

// text is a new wrapper.
func (w *wrappers) text(run string) string {
	lines := []string{shBang, WrapperNote, run}
	if w.language() == protocol.QuotePowerShell {
		lines = []string{WrapperNote, psCharset, run, psExit}
	}
	return strings.Join(lines, "\n") + "\n"
}

func (w *wrappers) clear() error {
	for _, f := range w.files {
		f.after = w.without(f)
	}
	return nil
}

// without is a wrapper without our lines; nil if nothing is left that does anything.
func (w *wrappers) without(f *wrapper) []byte {
	if _, _, line := w.in(f); line == 0 {
		return f.before
	}
	var rest []string
	speaks := false
	for _, line := range strings.SplitAfter(string(f.after), "\n") {
		switch text := strings.TrimSpace(line); {
		case text == WrapperNote, text == psCharset, text == psExit, strings.HasPrefix(text, psGone):
			continue
		case text != "" && text != shBang:
			if _, argv := w.command(line); argv != nil {
				continue
			}
			speaks = true
		}
		rest = append(rest, line)
	}
	if !speaks {
		return nil
	}
	return []byte(strings.Join(rest, ""))
}

func (w *wrappers) edits() ([]protocol.Edit, error) {
	var out []protocol.Edit
	for _, f := range w.files {
		for _, e := range change(f.path, f.before, f.after) {
			e.Exec = e.After != nil
			out = append(out, e)
		}
	}
	return out, nil
}
