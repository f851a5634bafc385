package server

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// crew is a server with the room "app" and a client for each "name role"; of one
// without a role, the person is in no room.
func crew(t *testing.T, place string, names ...string) (s *Store, out []peer) {
	t.Helper()
	s = opened(t, place)
	var who []string
	for _, n := range names {
		name, _, _ := strings.Cut(n, " ")
		who = append(who, name)
	}
	out = team(t, s, DefaultLimits(), io.Discard, who...)
	must.Do(t, s.NewRoom(t.Context(), "app"))
	for _, n := range names {
		if name, role, ok := strings.Cut(n, " "); ok {
			must.Do(t, s.Admit(t.Context(), "app", name, role))
		}
	}
	return s, out
}

// push shares items in the room, and returns what became of them.
func (c peer) push(items ...room.Item) []room.Result {
	c.t.Helper()
	return c.room(room.Request{Protocol: 1, Room: "app", Push: items}).Results
}

func (c peer) pull(since int64) room.Answer {
	c.t.Helper()
	return c.room(room.Request{Protocol: 1, Room: "app", Pull: &room.Pull{Since: since}})
}

func (c peer) room(in room.Request) (a room.Answer) {
	c.t.Helper()
	b, _ := json.Marshal(in)
	data, _ := json.Marshal(c.want(200, "POST", room.SyncPath, string(b)))
	must.Do(c.t, json.Unmarshal(data, &a))
	return a
}

func fact(id string, version int, content string) room.Item {
	return room.Item{ID: id, Version: version, Fact: &room.Fact{Type: "W", Content: content, Confidence: 0.9, Time: "2026-01-02T03:04:05Z"}}
}

// says is what a pull holds, in its order: who says what, and what is gone.
func says(a room.Answer) string {
	var out []string
	for _, c := range a.Changes {
		if c.Deleted {
			out = append(out, c.Author+" -"+c.By)
		} else {
			out = append(out, c.Author+": "+c.Fact.Content)
		}
	}
	return strings.Join(out, " | ")
}

func statuses(list []room.Result) string {
	var out []string
	for _, r := range list {
		out = append(out, r.Status)
	}
	return strings.Join(out, " ")
}

// A room is seen by those who are in it, and each does what the role lets them: who
// is not in it cannot tell it from one that there is not.
// BM-SHR-15.
func TestRoomRoles(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s, c := crew(t, place, "ada member", "bob member", "eve reviewer", "ron reader", "mal")
		ada, bob, eve, ron, mal := c[0], c[1], c[2], c[3], c[4]
		if got := statuses(ada.push(fact("log-1", 1, "The port is 8080"), fact("log-2", 1, "The mill turns"))); got != "ok ok" {
			t.Fatal(got)
		}
		if got := says(ron.pull(0)); got != "ada: The port is 8080 | ada: The mill turns" {
			t.Errorf("a reader sees %q", got)
		}
		if got := ron.push(fact("log-9", 1, "I write too")); got[0].Status != room.Refused || !strings.Contains(got[0].Reason, "reader") {
			t.Errorf("a reader writes: %+v", got)
		}
		first := ron.pull(0).Changes[0].Name
		if got := bob.push(room.Item{Name: first, Deleted: true}); got[0].Status != room.Refused {
			t.Errorf("a member deletes another's: %+v", got)
		}
		if got := bob.push(fact("log-1", 9, "The port is evil")); got[0].Status != room.OK || got[0].Name == first {
			t.Errorf("an id of another's machine is another fact: %+v", got)
		}
		if got := bob.push(room.Item{Name: first, Version: 9, Fact: fact("", 1, "taken over").Fact}); got[0].Status != room.Refused {
			t.Errorf("a fact is changed by its name: %+v", got)
		}
		if got := eve.push(room.Item{Name: first, Deleted: true}); got[0].Status != room.OK {
			t.Errorf("a reviewer deletes: %+v", got)
		}
		if got := says(ada.pull(0)); got != "ada: The mill turns | bob: The port is evil | ada -eve" {
			t.Errorf("%q", got)
		}
		if got := ada.push(fact("log-1", 2, "The port is 8080")); got[0].Status != room.Gone {
			t.Errorf("what a reviewer deleted came back: %+v", got)
		}
		for _, name := range []string{"app", "none", "../app", ""} {
			t.Run(fmt.Sprintf("%q", name), func(t *testing.T) {
				if e := mal.want(404, "POST", room.SyncPath, fmt.Sprintf(`{"protocol": 1, "room": %q, "pull": {"since": 0}, "push": [{"id": "x", "version": 1, "fact": {"type": "W", "content": "in"}}]}`, name)); at(e, "code") != room.NoRoom {
					t.Errorf("%q: %v", name, e)
				}
			})
		}
		if got := mal.want(200, "GET", room.RoomsPath, ""); len(at(got, "rooms").([]any)) != 0 {
			t.Errorf("somebody in no room sees %v", got)
		}
		if got := eve.want(200, "GET", room.RoomsPath, ""); at(got, "rooms", 0, "role") != "reviewer" || at(got, "rooms", 0, "facts") != 2.0 {
			t.Errorf("%v", got)
		}
		must.Do(t, s.Dismiss(t.Context(), "app", "bob", true))
		bob.want(404, "POST", room.SyncPath, `{"protocol": 1, "room": "app", "pull": {"since": 0}}`)
		if got := says(ada.pull(0)); got != "ada: The mill turns | ada -eve | bob -bob" {
			t.Errorf("after bob left: %q", got)
		}
		must.Do(t, s.DropRoom(t.Context(), "app"))
		ada.want(404, "POST", room.SyncPath, `{"protocol": 1, "room": "app"}`)
	})
}

// The same again changes nothing; an older version changes nothing; what its author
// deleted comes back only as a later version, and loses what it said meanwhile.
// BM-SHR-16.
func TestRoomTakesAFactOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s, c := crew(t, place, "ada member", "bob member")
		ada := c[0]
		one, two := fact("log-1", 1, "The port is 8080"), fact("log-1", 2, "The port is 8081")
		step := func(want string, items ...room.Item) {
			t.Helper()
			if got := statuses(ada.push(items...)); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
		step("ok", one)
		cursor := c[1].pull(0).Cursor
		step("duplicate", one)
		if got := c[1].pull(cursor); len(got.Changes) != 0 || got.Cursor != cursor || got.More {
			t.Errorf("%+v", got)
		}
		step("ok", two)
		step("duplicate", two)
		step("stale", one)
		step("ok", room.Item{ID: "log-1", Deleted: true})
		step("duplicate", room.Item{ID: "log-1", Deleted: true})
		var left string
		if err := s.db.QueryRowContext(t.Context(), `SELECT document FROM facts WHERE own = 'log-1'`).Scan(&left); err != nil || left != "" {
			t.Errorf("%q is left of what was deleted, %v", left, err)
		}
		step("stale stale", one, two) // a replay of what went before
		step("ok", fact("log-1", 4, "The port is 8082"))
		if got := says(c[1].pull(cursor)); got != "ada: The port is 8082" {
			t.Errorf("%q", got)
		}
		step("duplicate", room.Item{ID: "never-there", Deleted: true})
	})
}

// A page of changes after another misses nothing and repeats nothing, whatever the
// clocks of machines say.
// BM-SHR-17.
func TestRoomPagesInTheOrderOfTheService(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s, c := crew(t, place, "ada member")
		now := time.Now()
		s.now = func() time.Time { now = now.Add(-time.Hour); return now } // a clock that runs backwards
		const most = 450
		for i := 0; i < most; i += 90 {
			var items []room.Item
			for k := i; k < i+90; k++ {
				items = append(items, fact(fmt.Sprint("log-", k), 1, fmt.Sprint("Mill number ", k, " turns")))
			}
			c[0].push(items...)
		}
		seen, since, pages := map[string]bool{}, int64(0), 0
		for more := true; more; pages++ {
			a := c[0].pull(since)
			for _, x := range a.Changes {
				if seen[x.Name] || x.Seq <= since {
					t.Errorf("%+v again", x)
				}
				seen[x.Name], since = true, x.Seq
			}
			more = a.More
		}
		if len(seen) != most || pages != 3 {
			t.Errorf("%d facts in %d pages", len(seen), pages)
		}
	})
}

// Nobody is believed: secrets are taken out, also when a client leaves them in; texts are
// bounded and lose controls; a time is not later than now, an author is who has the key.
// BM-SHR-18.
func TestRoomScreensWhatComes(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		_, c := crew(t, place, "ada member")
		bad := func(change func(*room.Item)) room.Item {
			x := fact("log-x", 1, "The mill turns")
			change(&x)
			return x
		}
		for name, item := range map[string]room.Item{
			"a giant":         bad(func(x *room.Item) { x.Fact.Content = strings.Repeat("m", 801) }),
			"nothing":         bad(func(x *room.Item) { x.Fact.Content = " \x1b[2J … " }),
			"a prompt's type": bad(func(x *room.Item) { x.Fact.Type = "S" }),
			"two types":       bad(func(x *room.Item) { x.Fact.Type = "WB" }),
			"too sure":        bad(func(x *room.Item) { x.Fact.Confidence = 7 }),
			"a path":          bad(func(x *room.Item) { x.ID = "../../etc/passwd" }),
			"a hidden file":   bad(func(x *room.Item) { x.ID = ".x" }),
			"a long id":       bad(func(x *room.Item) { x.ID = strings.Repeat("i", 81) }),
			"no version":      bad(func(x *room.Item) { x.Version = 0 }),
			"a huge version":  bad(func(x *room.Item) { x.Version = 1 << 40 }),
			"no fact":         bad(func(x *room.Item) { x.Fact = nil }),
			"updates mine":    bad(func(x *room.Item) { x.Fact.Updates = []string{"log-1"} }),
			"many entities":   bad(func(x *room.Item) { x.Fact.Entities = make([]string, 21) }),
			"no time":         bad(func(x *room.Item) { x.Fact.Until = "tomorrow" }),
		} {
			t.Run(name, func(t *testing.T) {
				if got := c[0].push(item)[0]; got.Status != room.Refused || got.Reason == "" || len(got.Reason) > 300 {
					t.Errorf("%+v", got)
				}
			})
		}
		good := fact("log-y", 1, "The token is ghp_abcdefghijklmnopqrstuvwxyz0123456789 \x1b]0;x\x07and \u202ehidden<private>secret</private>")
		good.Fact.Time, good.Fact.At, good.Fact.Entities = "2999-01-01T00:00:00Z", "/home/ada/x.go:3", []string{"a\x00b", strings.Repeat("e", 500)}
		if got := c[0].push(good)[0]; got.Status != room.OK {
			t.Fatal(got)
		}
		x := c[0].pull(0).Changes[0]
		when, err := time.Parse(time.RFC3339, x.Fact.Time)
		if strings.Contains(x.Fact.Content, "ghp_") || strings.Contains(x.Fact.Content, "secret") || strings.ContainsAny(x.Fact.Content, "\x1b\x07\u202e") || err != nil || when.After(time.Now()) || x.Fact.At != "" || x.Author != "ada" || len(x.Fact.Entities[1]) > 90 {
			t.Errorf("%+v %+v", x, x.Fact)
		}
		var many []room.Item
		for i := range room.PushMost + 1 {
			many = append(many, fact(fmt.Sprint("log-", i), 1, "x y"))
		}
		b, _ := json.Marshal(room.Request{Protocol: 1, Room: "app", Push: many})
		c[0].want(400, "POST", room.SyncPath, string(b))
		for body, code := range map[string]string{`{"protocol": 2, "room": "app"}`: room.NewProtocol, `{"room": "app"}`: "INVALID_INPUT", `[]`: "INVALID_INPUT", `{"protocol": 1, "room": "app", "push": 7}`: "INVALID_INPUT"} {
			t.Run(body, func(t *testing.T) {
				if e := c[0].want(400, "POST", room.SyncPath, body); at(e, "code") != code {
					t.Error(e)
				}
			})
		}
		key := c[0].key
		c[0].key = "sk-prismer-stolen"
		c[0].want(401, "POST", room.SyncPath, `{}`)
		c[0].key = key
		c[0].more = http.Header{"X-Im-Agent": {"x"}}
		c[0].pull(0)
	})
}

// A key that was revoked sees and changes nothing, at once.
// BM-SHR-19.
func TestRoomOfARevokedKey(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s, c := crew(t, place, "ada member")
		c[0].push(fact("log-1", 1, "The mill turns"))
		keys, err := s.Keys(t.Context())
		must.Do(t, err)
		must.Do(t, s.Revoke(t.Context(), keys[0].ID))
		c[0].want(401, "POST", room.SyncPath, `{"protocol": 1, "room": "app", "pull": {"since": 0}}`)
		c[0].want(401, "GET", room.RoomsPath, "")
	})
}

// What a room is called, and who may be in it.
func TestRoomsAreMadeOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		again, _ := crew(t, place, "ada member")
		for _, bad := range []error{again.NewRoom(t.Context(), "app"), again.NewRoom(t.Context(), "a/b"), again.Admit(t.Context(), "app", "nobody", room.Member), again.Admit(t.Context(), "app", "ada", "king"), again.Admit(t.Context(), "none", "ada", room.Member)} {
			if bad == nil {
				t.Error("taken")
			}
		}
	})
}
