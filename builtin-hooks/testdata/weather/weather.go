// Package weather is a fifth behaviour, for tests: one hook, one setting, one
// operation, one guide. It is known to a program whose list of behaviours has a
// line for it, and to no other.
package weather

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

// Behaviour is the weather.
func Behaviour() behaviour.Behaviour {
	return behaviour.Behaviour{
		Name: "weather", Purpose: "tells the agent how the weather is", Settings: settings, Files: files, Ops: ops,
		Markers: []string{".agents/.weather-disable"},
		Hooks: []behaviour.Hook{
			{Name: "weather-report", Trigger: protocol.PreSession, Timeout: time.Second, Priority: 50, Run: report,
				Description: "Tells the agent how the weather is as a session begins."},
		},
	}
}

func settings() []setting.Setting {
	return []setting.Setting{
		{Key: "sky", Kind: setting.Choice, Words: []string{"blue", "grey"}, Default: "blue", Env: "WEATHER_SKY", Meaning: "how it looks"},
	}
}

func report(c *behaviour.Call) error {
	c.Say("The sky is "+c.Settings.Of("sky").Text+".", "agents-hooks weather forecast")
	return nil
}

func ops(w *behaviour.World) []op.Op {
	forecast := op.Op{
		Name: "weather_forecast", Command: "forecast", ReadOnly: true, Core: true, Words: []string{"city"},
		People: op.Text{English: "how it will be", Chinese: "天气预报"},
		Model:  op.Text{English: "How the weather will be in a city.", Chinese: "某个城市的天气预报。"},
		Args: []op.Arg{
			{Name: "city", Required: true, Known: []string{"Bergen", "Lima"}, Model: op.Text{English: "where", Chinese: "城市"}},
			{Name: "daysAhead", Kind: op.Count, Model: op.Text{English: "when", Chinese: "几天之后"}},
			{Name: "unit", Words: []string{"c", "f"}, Model: op.Text{English: "of temperatures", Chinese: "温度单位"}},
		},
		Needs: op.Project,
	}
	forecast.Do = func(_ context.Context, c op.Call) (any, error) {
		args, err := forecast.Take(c.Args)
		if err != nil {
			return nil, err
		}
		if args.Text("city") == "Atlantis" {
			return nil, op.Fail("NO_CITY", "agents-hooks weather forecast Bergen", "nobody lives in %s", args.Text("city"))
		}
		b := Behaviour()
		var answer op.Object
		answer.SetText("city", args.Text("city"))
		answer.SetText("sky", b.Reader(w).For(c.Dir, c.Env).Of("sky").Text)
		if days := args.Get("daysAhead"); days != nil {
			answer.Set("daysAhead", days)
		}
		return answer, nil
	}
	return []op.Op{forecast}
}
