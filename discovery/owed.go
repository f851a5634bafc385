package discovery

import (
	"context"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/processor"
)

// approvedFirst reads the approved hooks of a project, whatever else lies beside them
// and however late it is: the event may be owed them. folders are theirs, in order.
func (l *loader) approvedFirst(d *beneath.Folder, place int) (folders []string) {
	folders = l.record().Folders(l.projects[place].dir, "")
	l.owing, l.lacking = true, nil
	l.children(d, folders, ProjectLayer, place)
	l.owing = false
	if len(l.lacking) > 0 {
		l.tellGone(l.projects[place].dir, l.lacking...)
	}
	return folders
}

// tellGone reports approved hooks of a project that no longer exist: a guard does not
// leave in silence. absent are the missing folders; none means all.
func (l *loader) tellGone(project string, absent ...string) {
	if l.event == "" || l.always {
		return
	}
	if gone := l.record().Gone(project, absent); len(gone) > 0 {
		l.problem(Problem{File: hooksFolder(project), Severity: Error, Message: "has no " + strings.Join(gone, ", ") + " any more, which was approved: what is gone does not run",
			Fix: "put it back, or take the approval back with `agents-hooks untrust`"})
	}
}

// share is the time that the project's folder may take: a quarter of what is left, so
// that the guards of the event have the rest.
func (l *loader) share() context.CancelFunc {
	end, ok := l.src.ctx().Deadline()
	if !ok {
		return func() {}
	}
	var cancel context.CancelFunc
	if part := time.Until(end) / 4; part > leastTime {
		l.until, cancel = context.WithTimeout(l.src.Ctx, part)
	} else {
		l.until, cancel = l.owed(), func() {}
	}
	return cancel
}

// leastTime is for approved hooks when the event's time is over: only after reading a
// hook is it known that it must not be skipped. It is measured in processor time, since
// a clock goes on while other processes have all processors; a disk that does not
// answer gets ten times as much by the clock.
const leastTime = 100 * time.Millisecond

// strangersTime is for the hooks that nobody approved: none of them runs, so all that is lost is that
// an event says how many wait. A thousand ordinary ones take a tenth of it, and a project can have
// ten thousand whose YAML takes a fifth of a second each.
const strangersTime = 500 * time.Millisecond

// ofClock is how many times as much the clock may go on.
const ofClock = 10

// owed is the time of the event, or the least time if it is over.
func (l *loader) owed() context.Context {
	ctx := l.src.ctx()
	if end, ok := ctx.Deadline(); !ok || time.Until(end) > 4*leastTime {
		return ctx
	}
	if l.grace == nil {
		l.grace = grace{context.WithoutCancel(ctx), time.Now(), processor.Time(), leastTime}
	}
	return l.grace
}

// A grace is a context that lasts for some processor time. Readers poll it and do not wait
// for it.
type grace struct {
	context.Context
	begun time.Time
	had   time.Duration // processor time
	gives time.Duration // of it
}

func (g grace) Err() error {
	took := time.Since(g.begun)
	if took < g.gives || took < ofClock*g.gives && processor.Time()-g.had < g.gives {
		return nil
	}
	return context.DeadlineExceeded
}
