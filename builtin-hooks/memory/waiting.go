package memory

import (
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// TrustName is what the memory of a repository is called among what needs an
// approval.
const TrustName = "memory"

// Unapproved are the files of the folder that hold what this machine did not write
// and nobody has looked at. Of a person's own folder there are none.
func (p Place) Unapproved() (files []ledger.File, err error) {
	if p.Ledger == nil {
		return nil, nil
	}
	for _, name := range []string{coreFile, notesFile} {
		b, err := p.Read(name)
		if err != nil {
			return files, err
		}
		if f, ok := p.Ledger.PageFile(name, string(b), Template); ok {
			files = append(files, f)
		}
	}
	for _, name := range append(p.FactFiles(), sessionsFile) {
		b, err := p.Read(name)
		if err != nil {
			return files, err
		}
		if f, ok := p.Ledger.LinesFile(name, string(b), tells); ok {
			files = append(files, f)
		}
	}
	return files, nil
}

// tells reports whether a line of a file is a fact or a summary that holds.
func tells(line string) bool {
	o, err := protocol.ParseObject([]byte(line))
	if err != nil {
		return false
	}
	if o.Text("deleted_at") != "" {
		return false
	}
	_, fact := parseFact(o)
	return fact || o.Text("summary") != "" || o.Text("topic") != ""
}
