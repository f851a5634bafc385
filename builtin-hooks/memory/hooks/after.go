package hooks

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/purpose"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// stage saves what the session did since the last stage, without a model. over says how the
// session ended if it did.
func stage(c *behaviour.Call, over string) error {
	return stageFrom(c, over, 0, c.Session())
}

// stageFrom saves what was done since the last stage, and since a record, under a session's name.
func stageFrom(c *behaviour.Call, over string, from int, session string) error {
	records := c.State.Spooled(spoolName)
	var did memory.Fact
	before := 0
	err := c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		before = min(max(int(integer(o, "staged")), from), len(records))
		did = story(c, records[before:], over)
		o.Set("staged", strconv.AppendInt(nil, int64(len(records)), 10))
		return o
	})
	if err != nil || did.Content == "" || session == "" {
		return err
	}
	did.ID, did.Confidence, did.Time, did.Session = memory.NewID("log", c.Now, c.Runtime.Random()), 0.6, c.Now, session
	if err = storeOf(c).KeepStage(did); err != nil { // it is staged again
		err = errors.Join(err, c.State.Update(stateName, func(o protocol.Object) protocol.Object {
			o.Set("staged", strconv.AppendInt(nil, int64(before), 10))
			return o
		}))
	}
	return err
}

// story is what a session did, according to its events: what was asked, what was decided and left
// to do in any turn, the changed files, the commands that mattered, how it ended. All of it was
// redacted when it was recorded.
func story(c *behaviour.Call, records []protocol.Object, over string) (told memory.Fact) {
	var asked, files []string
	var ran []command
	in := locale.Of(c.Settings.Of("language").Text, c.Getenv)
	var said []string
	ended, stopped := "", false
	for _, o := range records {
		prompt := text.Clip(o.Text("prompt"), promptRoom)
		switch list := protocol.TextsOf(o.Get("decisions")); {
		case len(asked) == 0:
			again(&asked, prompt) // the first prompt says what it was for, whatever it decides
			list = slices.DeleteFunc(list, func(s string) bool { return s == prompt })
			again(&told.Decisions, list...)
		case len(list) > 0:
			again(&told.Decisions, list...)
		case o.Bool("decided"):
			again(&told.Decisions, prompt)
		case telling(prompt):
			again(&asked, prompt)
		}
		again(&told.Todos, protocol.TextsOf(o.Get("todos"))...)
		again(&files, protocol.TextsOf(o.Get("files"))...)
		if o.Has("prompt") {
			stopped = false
		}
		if o.Has("said") {
			ended, stopped = o.Text("said"), true
			if status := o.Text("status"); status != "" {
				ended = strings.TrimSpace(ended + " (" + status + ")")
			}
			again(&said, ended)
		}
		if line := text.Clip(o.Text("ran"), 80); line != "" {
			ran = then(ran, command{line: line, failed: o.Bool("failed"), what: purposeOf(o), why: o.Text("why")})
		}
	}
	if !stopped && over != "" || stopped && ended == "" {
		ended = in.Pick("no last message was seen", "没有看到最后的消息")
		if over != "" {
			ended += in.Pick(" ("+over+")", "（"+over+"）")
		}
	}
	var parts []string
	say := func(label string, list []string, first, most int) {
		if n := len(list); n > most {
			list = append(slices.Clone(list[:first]), list[n-most+first:]...)
		}
		if len(list) > 0 {
			parts = append(parts, label+strings.Join(list, " | "))
		}
	}
	say("", asked, 1, 3) // what it was for, and what came last
	shown := strings.Join(append(slices.Clone(asked), ended), "\n")
	say(in.Pick("decided: ", "决定："), without(told.Decisions, shown), 0, 3)
	say(in.Pick("to do: ", "待办："), without(told.Todos, shown), 0, 3)
	say(in.Pick("earlier: ", "之前："), outcomes(said, ended, told), 0, 3)
	if n := len(files); n > 8 {
		files = append(slices.Clone(files[:8]), "+"+strconv.Itoa(n-8))
	}
	say(in.Pick("changed: ", "改动："), files, 0, 9)
	say(in.Pick("ran: ", "运行："), mattered(ran, in), 0, mostCommands)
	if ended != "" && len(parts) > 0 {
		say(in.Pick("ended: ", "结果："), []string{ended}, 0, 1)
	}
	told.Content = clipped(redact.Memory.Text(strings.Join(parts, memory.StagePart)), memory.StageRoom)
	return told
}

// again adds texts to a list as its last ones.
func again(list *[]string, items ...string) {
	for _, item := range items {
		if item != "" {
			*list = append(slices.DeleteFunc(*list, func(s string) bool { return s == item }), item)
		}
	}
}

// outcomeRoom is how much of what an earlier turn came to is told.
const outcomeRoom = 140

// outcomes are how the turns before the last one ended, without the decisions and todos, which
// are told by themselves.
func outcomes(said []string, ended string, told memory.Fact) (list []string) {
	for _, text := range said {
		if text == ended {
			continue
		}
		text, _, _ = strings.Cut(text, " … ")
		for _, item := range slices.Concat(told.Decisions, told.Todos) {
			text = strings.ReplaceAll(text, item, "")
		}
		if text = clipped(text, outcomeRoom); telling(text) {
			list = append(list, text)
		}
	}
	return list
}

// without leaves out what a text says.
func without(list []string, said string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(item string) bool { return strings.Contains(said, item) })
}

// A command is one that had an effect, as it ended last.
type command struct {
	line   string
	failed bool
	what   purpose.Purpose
	why    string // it failed
	mended bool   // it failed, and such a check passed later
}

// then adds a command as the last one, in place of what it did before. A check that passes tells
// of the same program's failed ones that they are mended.
func then(ran []command, next command) []command {
	ran = slices.DeleteFunc(ran, func(c command) bool { return c.line == next.line })
	if program := programOf(next.line); !next.failed && next.what == purpose.Checks {
		for i := range ran {
			ran[i].mended = ran[i].mended || programOf(ran[i].line) == program
		}
	}
	return append(ran, next)
}

func programOf(line string) string {
	program, _, _ := strings.Cut(line, " ")
	return program
}

func purposeOf(record protocol.Object) purpose.Purpose {
	if !record.Has("purpose") {
		return purpose.Acts
	}
	return purpose.Purpose(integer(record, "purpose"))
}

// fewCommands is how many commands are told, and mostCommands if none of them is ordinary.
const fewCommands, mostCommands = 4, 6

// mattered are the commands that will be asked about later, in their order: what failed and what
// others notice before what only had an effect, and that before checks that passed. Of those that
// matter alike the last ones stay.
func mattered(ran []command, in locale.Language) (lines []string) {
	kept := slices.Clone(ran)
	for len(kept) > fewCommands {
		least := 0
		for i, c := range kept {
			if c.weight() < kept[least].weight() {
				least = i
			}
		}
		if len(kept) <= mostCommands && kept[least].weight() >= purpose.Delivers {
			break
		}
		kept = slices.Delete(kept, least, least+1)
	}
	for _, c := range kept {
		lines = append(lines, c.say(in))
	}
	return lines
}

// say is a command, with why it failed.
func (c command) say(in locale.Language) string {
	switch {
	case !c.failed:
		return c.line
	case c.why == "":
		return c.line + in.Pick(" (failed)", "（失败）")
	}
	return c.line + in.Pick(" (failed: "+c.why+")", "（失败："+c.why+"）")
}

func (c command) weight() purpose.Purpose {
	if c.failed && !c.mended {
		return purpose.Delivers // it does not work yet
	}
	return c.what
}

// Work is what the worker does after a session. sync updates the index; nil if there is none.
func Work(c *behaviour.Call, end memory.End, sync func(memory.Place) error) error {
	errs := []error{home(c)}
	place := storeOf(c)
	if sync == nil {
		sync = func(memory.Place) error { return nil }
	}
	errs = append(errs, sync(place))
	made, err := compile(c, place, end)
	if err != nil { // the next session tries again (BM-FBK-15)
		return errors.Join(append(errs, err, retry(c, place, end.Reason))...)
	}
	if made {
		errs = append(errs, sync(place))
	}
	errs = append(errs, place.Ended(memory.NewID("log", c.Now, c.Runtime.Random()), end, c.Now))
	if reasons := c.Settings.Of("cleanup_reasons").List; slices.Contains(reasons, end.Reason) || slices.Contains(reasons, "*") {
		errs = append(errs, place.CleanLogs(c.Settings.Of("log_retain_days").Int, c.Now), place.CleanStates(c.Now))
	}
	return errors.Join(append(errs, forget(c, place), delist(c, place))...)
}

// compile makes the summary of a session from its records, if nobody wrote one.
func compile(c *behaviour.Call, place memory.Place, end memory.End) (made bool, err error) {
	session := end.Session
	if at := place.Summarised(session); !at.IsZero() {
		session = memory.Later(session)
		err = stageLater(c, end, at)
	} else if saved, _ := place.Saved(session); !saved {
		err = stageOnce(c, end)
	}
	if err != nil {
		return false, err
	}
	return place.Aggregate(session, memory.NewID("sum", c.Now, c.Runtime.Random()), c.Now)
}

// forget removes the records of a session, which are no longer needed: the summary has them. If the
// session is resumed, it is counted from the beginning.
func forget(c *behaviour.Call, place memory.Place) error {
	return c.State.Drain(spoolName, func(records []protocol.Object) error {
		if err := errors.Join(place.Used(recalled(records), c.Now), keepTold(c, records)); err != nil {
			return err
		}
		return c.State.Update(stateName, func(o protocol.Object) protocol.Object {
			o.Delete("staged")
			o.Delete("turn_asked")
			o.Delete("told_from")
			return o
		})
	})
}

// recalled are the memories that prompts of the session were given.
func recalled(records []protocol.Object) (ids []string) {
	for _, o := range records {
		if !o.Has("prompt") {
			continue // what was told at the beginning was not searched for
		}
		for _, raw := range protocol.ElementsOf(o.Get("recalled")) {
			if id := protocol.TextOf(raw); !slices.Contains(ids, id) && strings.HasPrefix(id, "log-") {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// stageLater saves what was done since the first prompt after an agent's summary, if that is worth
// it (BM-FBK-13).
func stageLater(c *behaviour.Call, end memory.End, at time.Time) error {
	records := c.State.Spooled(spoolName)
	from := slices.IndexFunc(records, func(o protocol.Object) bool {
		nano, err := strconv.ParseInt(o.Text("id"), 36, 64) // of a prompt it is the time
		return err == nil && o.Has("prompt") && time.Unix(0, nano).After(at)
	})
	if from < 0 {
		return nil
	}
	if _, facts := savedBy(c); !worked(records[from:]).beside(facts).worth() {
		return nil
	}
	return stageFrom(c, over(end), from, memory.Later(c.Session()))
}

// over says how a session ended.
func over(end memory.End) string { return cmp.Or(end.Error, end.Reason, "?") }

// stageOnce saves what the session did if there is something to say of it and nobody did: otherwise
// that would be lost.
func stageOnce(c *behaviour.Call, end memory.End) error {
	_, facts := savedBy(c)
	w := workOf(c).beside(facts)
	if w.writes == 0 && w.ran > 0 && !end.Unseen {
		if err := lookAtTree(c); err != nil {
			return err
		}
		w = workOf(c).beside(facts)
	}
	if !w.worth() && w.ran == 0 && !c.State.Read(stateName).Bool("decided") {
		return nil
	}
	return stage(c, over(end))
}
