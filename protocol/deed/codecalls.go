package deed

import (
	"path"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A does is what a function of a language's library does with its arguments.
type does uint8

const (
	runsLine  does = iota + 1 // a line for a shell, or the words of a command
	runsFile                  // a program, and a list of its words
	runsApart                 // a program, and its words one by one
	runsCode                  // a program in the same language
	opens                     // a file, to write if its mode says so
	writesTo                  // a file, with a text
	creates                   // a file or a folder
	removes                   // files
	copies                    // the first to the second
	moves                     // the first to the second
	goesTo                    // a folder
	namesPath                 // a path made of its arguments
	findsIn                   // what is in a folder, or has a name
	onPath                    // only as the method of a path
)

// doesOf is what a function does, by its name and that of the module before it. A name
// that others have too counts with its module alone.
func doesOf(from, name string) does {
	switch name {
	case "execl", "execlp", "execle", "execlpe", "spawnl", "spawnlp", "spawnle", "spawnlpe", "open3", "open2":
		return runsApart
	case "getoutput", "getstatusoutput", "execSync", "shell_exec", "passthru", "proc_open", "popen", "check_call", "check_output", "Popen", "spawnSync", "capture2", "capture2e", "capture3", "create_subprocess_shell", "create_subprocess_exec", "execaCommand", "execaCommandSync", "shell_script", "Command":
		return runsLine
	case "execFile", "execFileSync", "system2", "execvp", "execv", "execvpe", "execve", "posix_spawn", "posix_spawnp", "execa", "execaSync":
		return runsFile
	case "writeFileSync", "appendFileSync", "writeFile", "appendFile", "createWriteStream", "outputFile", "outputFileSync", "writeJsonSync", "file_put_contents", "writeTextFile", "writeTextFileSync", "binwrite":
		return writesTo
	case "truncateSync", "mkdirSync", "makedirs", "mkdir_p", "mkpath", "chmodSync", "chownSync", "utimesSync", "ensureDirSync":
		return creates
	case "rmtree", "removedirs", "unlinkSync", "rmSync", "rmdirSync", "removeSync", "rm_rf", "rm_r", "rm_f", "rmtree!", "remove_dir", "remove_entry", "remove_entry_secure", "remove_tree", "send2trash", "rimraf", "emptyDirSync":
		return removes
	case "copyfile", "copy2", "copytree", "copyFileSync", "copyFile", "cpSync", "copySync", "cp_r", "symlinkSync", "linkSync", "ln_s", "ln_sf", "copy_file", "urlretrieve":
		return copies
	case "renameSync", "moveSync":
		return moves
	case "chdir":
		return goesTo
	case "Path", "PurePath", "PosixPath", "Pathname", "File.join":
		return namesPath
	case "listdir", "scandir", "readdirSync", "walk", "iglob", "rglob", "iterdir", "globSync", "children":
		return findsIn
	case "writeLines", "saveRDS": // of R
		return copies
	case "write_text", "write_bytes", "symlink_to", "hardlink_to", "touch":
		return onPath
	}
	switch from {
	case "", "os", "shutil", "subprocess", "sp", "fs", "fsp", "promises", "fsPromises", "child_process", "cp", "FileUtils", "File", "IO", "Dir", "Kernel", "Deno", "Bun", "path", "glob", "asyncio", "Open3", "extra", "fs-extra", "Process", "pty", "io", "codecs", "file", "fileinput":
	default:
		return 0
	}
	switch name {
	case "system", "exec", "spawn", "execute":
		return runsLine
	case "input", "FileInput":
		if from == "fileinput" {
			return opens
		}
	case "run", "call":
		if from == "subprocess" || from == "sp" || from == "" {
			return runsLine
		}
	case "open", "fopen", "openSync", "createWriteStream":
		return opens
	case "write":
		if from == "File" || from == "IO" || from == "Bun" {
			return writesTo
		}
	case "mkdir", "mknod", "mkfifo", "truncate", "chmod", "chown", "utime":
		return creates
	case "unlink", "rmdir", "rm":
		return removes
	case "remove", "delete":
		if from != "" {
			return removes
		}
	case "symlink", "link", "cp":
		return copies
	case "copy":
		return copies
	case "rename", "move", "mv", "replace":
		if from != "" || name == "rename" {
			return moves
		}
	case "join", "resolve", "expanduser", "abspath", "realpath", "normpath", "expand_path":
		if from != "" {
			return namesPath
		}
	case "glob":
		return findsIn
	}
	return 0
}

// call is what a call gives, and tells what it does.
func (p *coded) call(from string, of value, name string, args []value) value {
	arg := func(n int) value {
		if n < len(args) {
			return args[n]
		}
		return value{}
	}
	if of.file {
		if v, ok := p.method(of, name, args, arg); ok {
			return v
		}
	}
	switch d := doesOf(from, name); d {
	case runsLine:
		if p.language == protocol.Python && name == "exec" && from == "" {
			p.nestedCode(arg(0))
			break
		}
		p.runs(args, name == "create_subprocess_exec")
	case runsFile:
		if words := arg(1).list; p.tells && arg(0).known && words != nil {
			if p.language == protocol.Python {
				words = words[min(1, len(words)):]
			}
			p.command(append([]string{arg(0).text}, words...), p.depth+1)
		} else {
			p.runs(args, false)
		}
	case runsApart:
		before := map[byte]int{'e': 0, 's': 1, 'o': 3}[name[0]] // how the program is waited for, or descriptors
		if name == "open2" {
			before = 2
		}
		if args = args[min(before, len(args)):]; name[0] != 'o' && len(args) > 1 {
			args = append(args[:1:1], args[2:]...) // its own name is repeated
		}
		p.runs(args, true)
	case opens:
		return p.opened(args)
	case writesTo:
		p.change(protocol.Create, arg(0), arg(1))
	case creates:
		p.change(protocol.Update, arg(0), value{})
	case removes:
		for _, a := range args {
			p.change(protocol.Delete, a, value{})
		}
	case copies:
		p.change(protocol.Create, arg(1), value{})
	case moves:
		p.moved(arg(0), arg(1))
	case goesTo:
		if p.tells && arg(0).known {
			p.changes.to(arg(0).text)
		}
	case namesPath:
		return joinedPath(args)
	case findsIn:
		return foundIn(name, args)
	case onPath:
		if name == "touch" && (from == "" || from == "FileUtils") {
			p.change(protocol.Update, arg(0), value{})
		}
	default:
		return p.plainCall(from, of, name, args)
	}
	return value{}
}

// plainCall is what functions give that change nothing.
func (p *coded) plainCall(from string, of value, name string, args []value) value {
	switch {
	case name == "c" && p.language == protocol.RLanguage:
		return listedValues(args)
	case name == "cwd" || name == "getcwd" || name == "pwd":
		return value{text: ".", file: true, known: true}
	case name == "homedir" || name == "home":
		return value{text: "~", file: true, known: true}
	case (name == "str" || name == "String" || name == "fspath" || name == "sorted" || name == "list") && len(args) == 1:
		v := args[0]
		v.file = false
		return v
	case (name == "array_map" || name == "array_walk") && len(args) > 1:
		return p.call("", value{}, args[0].text, args[1:])
	case name == "map" && from == "" && len(args) > 1 && args[0].means[1] != "":
		return p.call(args[0].means[0], value{}, args[0].means[1], args[1:])
	case (name == "map" || name == "forEach" || name == "each") && len(args) == 1 && args[0].means[1] != "":
		return p.call(args[0].means[0], value{}, args[0].means[1], []value{of})
	case name == "map" && of.known && len(args) == 1:
		return args[0]
	case (name == "filter" || name == "sort" || name == "reverse" || name == "slice" || name == "flat") && of.known:
		return of
	case (name == "append" || name == "push") && of.list != nil && len(args) == 1 && args[0].known:
		p.grow(from, value{list: []string{args[0].text}, known: true})
	case (name == "extend" || name == "concat") && of.list != nil && len(args) == 1:
		p.grow(from, args[0])
	case name == "require" || name == "eval" && p.language != protocol.Python:
	case name == "eval" && len(args) > 0:
		p.nestedCode(args[0])
	case name == "join" && of.list != nil && len(args) < 2:
		return joinedText(of, arg0(args))
	case name == "join" && of.known && len(args) == 1 && args[0].list != nil && p.language == protocol.Python:
		return joinedText(args[0], of.text)
	case name == "split" && of.known && (len(args) == 0 || arg0(args) == " ") || name == "split" && from == "shlex" && len(args) == 1:
		if from == "shlex" {
			of = args[0]
		}
		return value{list: strings.Fields(of.text), known: of.known}
	case name == "strip" || name == "trim" || name == "freeze" || name == "to_s" || name == "toString":
		return of
	}
	return value{}
}

// joinedText are the texts of a list as one, if that is not too long.
func joinedText(v value, by string) value {
	text := strings.Join(v.list, by)
	return value{text: text, known: v.known && len(text) <= maxFolder}
}

func arg0(args []value) string {
	if len(args) == 0 {
		return ""
	}
	return args[0].text
}

// nestedCode reads a program in a text of another.
func (p *coded) nestedCode(v value) {
	if p.tells && v.known {
		p.interpreted(p.language, v.text, p.depth+1)
	}
}

// member is a member of a value.
func (p *coded) member(of value, name string) value {
	switch {
	case name == "O_WRONLY" || name == "O_RDWR" || name == "O_CREAT" || name == "O_TRUNC" || name == "O_APPEND":
		return value{text: "w", known: true}
	case of.file && (name == "parent" || name == "dirname"):
		of.text = path.Dir(of.text)
		return of
	case name == "path" && of.file:
		return of
	}
	return value{}
}

// method is a method of a path.
func (p *coded) method(of value, name string, args []value, arg func(int) value) (value, bool) {
	switch name {
	case "write_text", "write_bytes":
		p.change(protocol.Create, of, arg(0))
	case "write", "puts", "print":
		p.change(protocol.Update, of, arg(0))
	case "unlink", "rmdir", "delete", "rmtree":
		p.change(protocol.Delete, of, value{})
	case "touch", "mkdir", "chmod", "lchmod", "symlink_to", "hardlink_to", "mkpath", "make_symlink", "truncate":
		p.change(protocol.Update, of, value{})
	case "rename", "replace", "move":
		if len(args) != 1 { // of a text
			return value{}, true
		}
		p.moved(of, arg(0))
	case "open":
		return p.opened([]value{of, arg(0)}), true
	case "joinpath", "join":
		return joinedPath([]value{of, arg(0)}), true
	case "glob", "rglob":
		return joinedPath([]value{of, arg(0)}), true
	case "iterdir", "children":
		return joinedPath([]value{of, {text: "*", known: true}}), true
	case "resolve", "absolute", "expanduser", "as_posix", "strip", "to_s", "expand_path":
		return of, true
	default:
		return value{}, false
	}
	return value{}, true
}

// opened is a file that is opened; it is changed if the mode says so: 'w', '>', 'r+'.
func (p *coded) opened(args []value) value {
	file, mode := value{}, ""
	for i, a := range args {
		switch text := strings.TrimSpace(a.text); {
		case !a.known:
		case (p.language == protocol.Perl || p.language == protocol.Ruby) && (text == "-|" || text == "|-"): // of Perl: to a program, or from it
			p.runs(args[i+1:], true)
			return value{}
		case (p.language == protocol.Perl || p.language == protocol.Ruby) && len(text) > 1 && (text[0] == '|' || text[len(text)-1] == '|'):
			p.runs([]value{{text: strings.Trim(text, "| "), known: true}}, true)
			return value{}
		case strings.HasPrefix(text, ">") || strings.HasPrefix(text, "+"): // of Perl, with the name or before it
			mode = "w"
			if name := strings.Trim(text, "+<> "); name != "" && !strings.HasPrefix(name, ":") {
				file = value{text: name, known: true}
			}
		case i > 0 && len(text) < 5 && strings.Trim(text, "rwaxbtU+c") == "" && file.known:
			mode = text
		case !file.known:
			file = a
		}
	}
	if strings.ContainsAny(mode, "wax+c") {
		p.change(protocol.Update, file, value{})
	}
	file.file = file.known
	return file
}

// moved adds a file that gets another name.
func (p *coded) moved(from, to value) {
	if !p.tells {
		return
	}
	switch old, now := from.known && p.changes.names(from.text), to.known && p.changes.names(to.text); {
	case old && now:
		p.changes.add(protocol.Change{Action: protocol.Move, Path: from.text, To: to.text})
	case old:
		p.changes.add(protocol.Change{Action: protocol.Delete, Path: from.text})
	case now:
		p.changes.add(protocol.Change{Action: protocol.Create, Path: to.text})
	}
}

// runs reads what a call runs: a line, a list of words, or several texts that are the
// words, in some languages only if they are apart; a list behind a program holds its
// arguments.
func (p *coded) runs(args []value, apart bool) {
	if !p.tells || len(args) == 0 || !args[0].known {
		return
	}
	words := args[0].list
	if words == nil {
		words = []string{args[0].text}
		for _, a := range args[1:] {
			if a.list != nil {
				words = append(words, a.list...)
				break
			}
			if !a.known || !apart && (p.language == protocol.JavaScript || p.language == protocol.Python) {
				break
			}
			words = append(words, a.text)
		}
	}
	switch {
	case len(words) == 1:
		p.line(words[0], p.depth+1)
	case words[0] != "":
		p.command(words, p.depth+1)
	}
}

// foundIn are the files that a call finds: by an expression, or all in a folder.
func foundIn(name string, args []value) value {
	if len(args) == 0 || !args[0].known {
		return value{}
	}
	v := args[0]
	v.file = true
	switch name {
	case "listdir", "readdirSync", "scandir", "children":
		v = value{text: "*", known: true}
	}
	return v
}
