package shell

import (
	"fmt"
	"io"
	"os"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
)

// FileOrStdin reads the file that is the only argument, or stdin.
func (sh *Shell) FileOrStdin(c *cli.Context, behaviour string, most int64) ([]byte, error) {
	words, err := Args(c, 0, 1, "a file, or nothing for stdin")
	if err != nil {
		return nil, err
	}
	if len(words) == 0 || words[0] == "-" {
		if IsTerminal(sh.In) {
			sh.Say("%s %s: reading what you type, up to Ctrl-D; or give it a file", behaviour, c.Command.Name)
		}
		b, err := ReadAll(sh.In, most)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", behaviour, c.Command.Name, err)
		}
		return b, nil
	}
	path, err := sh.Abs(words[0])
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", behaviour, c.Command.Name, err)
	}
	defer f.Close()
	b, err := ReadAll(f, most)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", behaviour, c.Command.Name, err)
	}
	return b, nil
}

// ReadAll reads to the end, and rejects input longer than most bytes.
func ReadAll(r io.Reader, most int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("the input is larger than %d bytes", most)
	}
	return b, err
}
