package memory

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// TestNoLineWithTheIdIsPassedOver writes objects in every way that JSON allows, and compares what
// the bytes tell with what the parser reads.
func TestNoLineWithTheIdIsPassedOver(t *testing.T) {
	ids := map[string]bool{"log-1": true, `a "b"\c`: true, "日志": true}
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	escaped := func(text string) string {
		var b strings.Builder
		for _, c := range text {
			if c < 0x10000 && r.IntN(3) == 0 {
				fmt.Fprintf(&b, `\u%04x`, c)
				continue
			}
			one, _ := json.Marshal(string(c))
			b.Write(one[1 : len(one)-1])
		}
		return `"` + b.String() + `"`
	}
	named, passed := 0, 0
	for range 20_000 {
		key := escaped(pick("id", "id", "ID", "idea", `"id"`))
		if r.IntN(2) == 0 {
			key = pick(`"id"`, `"id2"`)
		}
		value := escaped(pick("log-1", "log-12", `a "b"\c`, "日志", "log"))
		if r.IntN(2) == 0 {
			value = pick(`"log-1"`, `"log-2"`, `"日志"`, "1", `{"id":"log-1"}`, `["log-1"]`, "null")
		}
		space := func() string { return pick("", "", " ", "\t", " \r") }
		member := space() + key + space() + ":" + space() + value + space()
		other := pick(`"type": "fact"`, `"content": "\"id\": \"log-1\""`, `"source":{"id" :"log-1"}`, `"id":"other"`)
		line := pick("{"+member+","+other+"}", "{"+other+","+member+"}", "{"+member+"}", "["+member+"]", member)
		o, err := protocol.ParseObject([]byte(line))
		is := err == nil && ids[o.Text("id")]
		may := mayName([]byte(line), ids)
		if is && !may {
			t.Fatalf("%s has the id %q, and is passed over", line, o.Text("id"))
		}
		if is {
			named++
		}
		if !may {
			passed++
		}
	}
	if named < 1_000 || passed < 1_000 {
		t.Errorf("%d lines have one of the ids and %d are passed over: want a thousand of each", named, passed)
	}
	if !mayName([]byte(`{"type":"fact"}`), map[string]bool{"": true}) {
		t.Error("an object without an id is passed over when one without is asked for")
	}
}
