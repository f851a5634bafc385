// Package tides is a fifth behaviour, for tests: one hook, one setting, one
// operation, one guide. It is known to a program whose list of behaviours has a
// line for it, and to no other.
package tides

import (
	"context"
	"embed"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/protocol"
)

//go:embed hooks guide
var files embed.FS

// Behaviour is the tides.
func Behaviour() behaviour.Behaviour {
	return behaviour.Behaviour{
		Name: "tides", Purpose: "tells the agent how the tides are", Settings: settings, Files: files, Ops: ops,
		Markers: []string{".agents/.tides-disable"},
		Hooks: []behaviour.Hook{
			{Name: "tides-report", Trigger: protocol.PreSession, Timeout: time.Second, Priority: 50, Run: report,
				Description: "Tells the agent how the tides are as a session begins."},
		},
	}
}

func settings() []setting.Setting {
	return []setting.Setting{
		{Key: "sea", Kind: setting.Choice, Words: []string{"low", "high"}, Default: "low", Env: "TIDES_SEA", Meaning: "how it looks"},
	}
}

func report(c *behaviour.Call) error {
	c.Say("The sea is "+c.Settings.Of("sea").Text+".", "agents-hooks tides forecast")
	return nil
}

func ops(w *behaviour.Runtime) []op.Op {
	forecast := op.Op{
		Name: "tides_forecast", Command: "forecast", ReadOnly: true, Core: true, Words: []string{"city"},
		People: op.Text{English: "how it will be", Chinese: "潮汐预报"},
		Model:  op.Text{English: "How the tides will be in a city.", Chinese: "某个城市的潮汐预报。"},
		Args: []op.Arg{
			{Name: "city", Required: true, From: "cities", Model: op.Text{English: "where", Chinese: "城市"}},
			{Name: "daysAhead", Kind: op.Count, Model: op.Text{English: "when", Chinese: "几天之后"}},
			{Name: "unit", Words: []string{"m", "ft"}, Model: op.Text{English: "of heights", Chinese: "高度单位"}},
		},
		Needs: op.Project,
		Offer: func(string, op.Call) []op.Word { return []op.Word{{Word: "Bergen", Text: "it rains"}, {Word: "Lima"}} },
	}
	forecast.Do = func(_ context.Context, c op.Call) (any, error) {
		if c.Args.Text("city") == "Atlantis" {
			return nil, op.Fail("NO_CITY", "agents-hooks tides forecast Bergen", "nobody lives in %s", c.Args.Text("city"))
		}
		b := Behaviour()
		var answer op.Object
		answer.SetText("city", c.Args.Text("city"))
		answer.SetText("sea", b.Reader(w).For(c.Dir, c.Env).Of("sea").Text)
		if days := c.Args.Get("daysAhead"); days != nil {
			answer.Set("daysAhead", days)
		}
		return answer, nil
	}
	return []op.Op{forecast}
}
