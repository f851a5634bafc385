package hooks

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// sayAround reports on stderr what is not a hook but belongs to the answer.
func sayAround(sh *shell.Shell, l listing) {
	for _, p := range l.problems {
		sh.Problem(p)
	}
	if l.recorded != "" {
		sh.Say("note: what agents send in %s is being recorded", sh.Short(l.recorded))
		sh.Hints([]string{"agents-hooks record status"})
	}
}

// printList shows hooks by event, in the order in which they run. chosen says that they are
// those of a given folder.
func printList(sh *shell.Shell, l listing, chosen bool) {
	if len(l.rows) == 0 {
		sh.Printf("no hooks\n")
		if !chosen {
			for _, layer := range l.layers {
				sh.Printf("  looked in %s (%s)\n", sh.Short(layer.Dir), layer.Name)
			}
			sh.Hints([]string{"agents-hooks new NAME writes one"})
		}
		return
	}
	width := nameWidth(l.rows)
	between := ""
	for _, e := range append(protocol.EventTypes(), "") {
		rows := waitingFor(l.rows, e)
		if len(rows) == 0 {
			continue
		}
		heading := string(e)
		if e == "" {
			heading = "no event"
		}
		sh.Printf("%s%s\n", between, sh.Paint(shell.Bold, heading))
		between = "\n"
		position := 0
		for _, r := range rows {
			place := "-"
			if r.Status == discovery.Ready {
				position++
				place = strconv.Itoa(position)
			}
			printRow(sh, r, place, width)
		}
	}
	printSum(sh, l.rows)
}

// waitingFor are the rows of an event; "" means all that do not have a known one.
func waitingFor(rows []hookset.Row, e protocol.EventType) (list []hookset.Row) {
	for _, r := range rows {
		if r.Trigger == e || e == "" && !r.Trigger.Known() {
			list = append(list, r)
		}
	}
	return list
}

func nameWidth(rows []hookset.Row) int {
	width := 8
	for _, r := range rows {
		width = max(width, min(28, text.Width(shell.Plain(r.Name))))
	}
	return width
}

// printRow shows one hook: position, name, layer, priority, status, and what it matches; below
// that why it does not run, and its problems.
func printRow(sh *shell.Shell, r hookset.Row, place string, width int) {
	name, wide := shell.Plain(r.Name), sh.Columns() >= 60
	line := fmt.Sprintf("%4s %s  %-7s  ", place, text.Pad(name, width), r.Layer)
	if wide {
		line += fmt.Sprintf("%4d  ", r.Priority)
	}
	line += fmt.Sprintf("%-10s  ", r.Status)
	has, rest := traits(r), sh.Columns()-text.Width(line)
	if wide {
		line += text.Clip(has, max(0, min(rest, 79-text.Width(line))))
	}
	sh.Printf("%s\n", strings.TrimRight(line, " "))
	below := func(why string) { sh.Printf("       %s\n", text.Wrap(why, sh.Columns()-7, "       ")) }
	if has != "" && !wide {
		below(has)
	}
	switch r.Status {
	case discovery.Overridden:
		below("overridden by " + sh.Tidy(r.OverriddenBy))
	case discovery.Disabled:
		if r.DisabledBy != "" {
			below("disabled by " + sh.Tidy(r.DisabledBy))
		}
	case discovery.Untrusted:
		if r.Refused != "" {
			below("refused as it is on " + shell.Plain(r.Refused))
		} else if r.Changed {
			below("changed since you approved it")
		}
	}
	for _, o := range r.LeftOut {
		below(sh.Tidy(o.Text()))
	}
	if r.Held != nil {
		below(sh.Tidy(r.Held.Text()))
	}
	if r.Disguised != "" {
		below(r.Disguised)
	}
	for _, p := range r.Problems {
		below(sh.ProblemText(p))
	}
}

// traits are a hook's properties besides its event.
func traits(r hookset.Row) string {
	var words []string
	if r.Dialect != "" {
		words = append(words, shell.Plain(r.Dialect))
	}
	if r.Async {
		words = append(words, "async")
	}
	if r.Sandbox != nil {
		words = append(words, "sandbox")
	}
	if r.MayAllow {
		words = append(words, "may-allow")
	}
	if r.Matcher.Tool != "" {
		words = append(words, shell.Plain(r.Matcher.Tool))
	}
	if r.Matcher.Pattern != "" {
		words = append(words, "/"+shell.Plain(r.Matcher.Pattern)+"/")
	}
	for _, key := range [...]struct{ name, expression string }{{"command", r.Matcher.Command}, {"path", r.Matcher.Path}, {"content", r.Matcher.Content}} {
		if key.expression != "" {
			words = append(words, key.name+" /"+shell.Plain(key.expression)+"/")
		}
	}
	return strings.Join(words, " ")
}

// printSum prints the number of hooks by status, and what to do about those that do not run.
func printSum(sh *shell.Shell, rows []hookset.Row) {
	count, waiting := map[discovery.Status]int{}, 0
	for _, r := range rows {
		count[r.Status]++
		if r.Status == discovery.Untrusted && r.Refused == "" {
			waiting++
		}
	}
	var parts []string
	for _, s := range []discovery.Status{discovery.Ready, discovery.Untrusted, discovery.Disabled, discovery.Overridden, discovery.Broken, discovery.Foreign} {
		if n := count[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	sh.Printf("\n%s\n", strings.Join(parts, ", "))
	var hints []string
	if waiting > 0 {
		hints = append(hints, "agents-hooks trust shows what is not trusted yet, and asks")
	}
	if count[discovery.Broken] > 0 {
		hints = append(hints, "agents-hooks validate names every problem and its fix")
	}
	sh.Hints(hints)
}
