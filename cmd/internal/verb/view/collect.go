package view

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"time"

	memoryview "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/view"
	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/page"
)

var (
	//go:embed activity.css
	activityStyle string
	//go:embed activity.js
	activityScript string
	//go:embed hooks.css
	hooksStyle string
	//go:embed hooks.js
	hooksScript string
	//go:embed approvals.css
	approvalsStyle string
	//go:embed approvals.js
	approvalsScript string
	//go:embed live.js
	liveScript string
)

// lookOptions say what to collect.
type lookOptions struct {
	dir    string // the folder whose hooks apply, as for an event there
	filter runlog.Filter
	last   int // at most so many events, the newest; 0: all
	may    permission

	examine Examiner
}

// A permission says whether a page may decide about approvals.
type permission struct {
	live bool   // the page is served
	why  string // why it may not even so; "": it may

	kept *keep // memory pages, if the page is served
}

// A look is the data at one moment.
type look struct {
	made     time.Time
	activity activity
	parts    []page.Part // the activity first
	place    runlog.Place
}

// see collects everything. What cannot be read is reported on stderr, and left out.
func see(ctx context.Context, sh *shell.Shell, l lookOptions) look {
	// The position to continue from is determined before the log is read, so that no event is
	// missed; the few that come twice are recognised by their ids.
	k := look{made: sh.Host.Now(), place: runlog.End(sh.Host.State)}
	k.activity = seeActivity(sh, l)
	k.parts = append([]page.Part{k.activity.part()}, parts(ctx, sh, l)...)
	return k
}

// parts are the parts besides the activity: small enough to be read again whenever something
// may have changed.
func parts(ctx context.Context, sh *shell.Shell, l lookOptions) []page.Part {
	list := []page.Part{seeHooks(sh, l)}
	for _, part := range []func(context.Context, *shell.Shell, lookOptions) (page.Part, error){seeHealth, seeApprovals, seeMemory, seeWorkspaces, seeEvolution} {
		p, err := part(ctx, sh, l)
		if err != nil {
			sh.Say("view: %v", err)
		}
		list = append(list, p)
	}
	return list
}

// document is the page with the data.
func (k look) document(sh *shell.Shell, l lookOptions) page.Document {
	d := page.Document{
		Language: memoryview.Language("auto", sh.Host.Getenv), Name: "agents-hooks", Kind: "overview",
		Dir: sh.Short(l.dir), Made: k.made.UTC().Format(time.RFC3339), Parts: k.parts,
	}
	if l.may.live {
		d.Live, d.After = liveScript, spell(k.place)
	}
	return d
}

// spell encodes a position of the log for a URL; placed decodes it.
func spell(at runlog.Place) (text string) {
	for i, day := range slices.Sorted(maps.Keys(at)) {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf("%s:%d", day, at[day])
	}
	return text
}
