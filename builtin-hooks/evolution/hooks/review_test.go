package hooks

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
	"github.com/agents-hooks/agents-hooks/internal/modetest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// When there is no review. EV-TEL-14.
func TestNoReviewOfNothing(t *testing.T) {
	t.Parallel()
	failing := func(s *scene) { s.run("make", "make: *** [all] Error 2") }
	for _, c := range []struct {
		name string
		do   func(s *scene) protocol.HookAnswer
	}{
		{"empty", func(s *scene) protocol.HookAnswer { return s.stop(goingOn) }},
		{"only activity", func(s *scene) protocol.HookAnswer {
			for range 9 {
				s.run("make", "ok")
			}
			return s.stop(goingOn)
		}},
		{"only trivial", func(s *scene) protocol.HookAnswer { s.run("cat x", "Error: y"); return s.stop(goingOn) }},
		{"stop_active", func(s *scene) protocol.HookAnswer {
			failing(s)
			return s.event("evolution-review", goingOn, "status", `"completed"`, "stop_active", "true")
		}},
		{"aborted", func(s *scene) protocol.HookAnswer {
			failing(s)
			return s.event("evolution-review", goingOn, "status", `"aborted"`)
		}},
		{"off", func(s *scene) protocol.HookAnswer {
			failing(s)
			s.settings["review"] = "off"
			return s.stop(goingOn)
		}},
		{"no session", func(s *scene) protocol.HookAnswer { s.session = ""; return s.stop(goingOn) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			if a := c.do(s); a.FollowupMessage != "" || s.blocked != "" {
				t.Errorf("%s: %q %q", c.name, a.FollowupMessage, s.blocked)
			}
		})
	}
}

// Mark and cool-down first, per scope; nothing new is no reason
// to ask again, something new is once the cool-down is over. EV-TEL-14.
func TestAReviewCoolsDown(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	failing := func() { s.run("make", "make: *** [all] Error 2") }
	failing()
	if a := s.stop(goingOn); a.FollowupMessage == "" {
		t.Fatal("no review")
	}
	if j := s.journal(); j.Reviewed.IsZero() {
		t.Error("no mark")
	}
	failing()
	if a := s.stop(goingOn); a.FollowupMessage != "" {
		t.Error("again within the cool-down")
	}
	s.session = "another"
	failing()
	if a := s.stop(goingOn); a.FollowupMessage != "" {
		t.Error("another session of the scope within the cool-down")
	}
	s.env = []string{"PRISMER_SCOPE=elsewhere"}
	if a := s.stop(goingOn); a.FollowupMessage == "" {
		t.Error("another scope has a cool-down of its own")
	}
	s.env, s.session = nil, "conv-123"
	s.now = s.now.Add(time.Hour)
	if a := s.stop(goingOn); !strings.Contains(a.FollowupMessage, "Signals: error:build_failure(1x)") {
		t.Errorf("what came after the mark: %q", a.FollowupMessage)
	}
	s.now = s.now.Add(2 * time.Hour)
	if a := s.stop(goingOn); a.FollowupMessage != "" {
		t.Error("nothing new since")
	}
	t.Run("not asked where no mark can be kept, since it could be asked for ever", func(t *testing.T) {
		modetest.Held(t)
		s = newScene(t)
		failing()
		must.Do(t, os.WriteFile(filepath.Join(evolution.Dir(s.world.Data), "last-block-global.json.lock"), nil, 0o000))
		if a := s.stop(goingOn); a.FollowupMessage != "" {
			t.Error("asked without a cool-down")
		}
	})
}

// The elements of the text, in their order, for each suggestion
// that was made.
func TestReviewText(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.tool = func([]string) (string, error) { return geneAnswer, nil }
	for range 3 {
		s.run("npx tsc --noEmit", tscOutput)
	}
	s.run("npm start", "Error: listen EADDRINUSE: address already in use :::3000")
	s.run("npx tsc --noEmit", "")
	a := s.stop(goingOn)
	wants(t, a.FollowupMessage, "[Evolution]", "really follow it", `"Fix the first type error" (gene_repair_ts) auto-detected: success`,
		"/opt/agents-hooks evolution record --gene-id gene_repair_ts", "--outcome \"success\"", "--session conv-123", "followed=false",
		"Repeated signals: error:typescript(3x)", "evolution create --session", "--strategy", "memory save --content", "--type W",
		"no paths, no line numbers, no names of this project", "transferable × reliable × actionable", "3 calls")
	if strings.Contains(a.FollowupMessage, "port_in_use(1x)") {
		t.Error("a signal that came up once is not repeated")
	}
	s = newScene(t)
	s.run("make", "make: *** [all] Error 2")
	a = s.stop(goingOn)
	wants(t, a.FollowupMessage, "[Evolution]", "Something failed", "Signals: error:build_failure(1x)", "evolution create", "memory save", "3 calls")
}

// How it is asked follows from what the agent can carry, and from the
// setting.
func TestReviewModes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ review, followup, can, want string }{
		{"auto", "", goingOn, "feedback"},
		{"auto", "", "block continue", "deferred"}, // billed
		{"auto", "yes", "block continue", "feedback"},
		{"auto", "", "nothing", "deferred"},
		{"auto", "", "", "feedback"}, // the format's own form
		{"feedback", "", "block continue", "feedback"},
		{"feedback", "", "message", "deferred"},
		{"block", "", goingOn, "block"},
		{"block", "", "continue", "feedback"},
		{"deferred", "", goingOn, "deferred"},
	} {
		t.Run(fmt.Sprintf("%s, followup %q, can %q", c.review, c.followup, c.can), func(t *testing.T) {
			s := newScene(t)
			s.settings["review"], s.settings["review_followup"] = c.review, c.followup != ""
			s.run("make", "make: *** [all] Error 2")
			a := s.stop(c.can)
			kept, _ := filepath.Glob(filepath.Join(evolution.Dir(s.world.Data), "pending-review-*.json"))
			got := "silent"
			switch {
			case s.blocked != "":
				got = "block"
			case a.FollowupMessage != "":
				got = "feedback"
			case len(kept) == 1:
				got = "deferred"
			}
			if got != c.want {
				t.Errorf("%+v: %s", c, got)
			}
		})
	}
}

// A review that could not be asked for is said once, at the beginning of
// the next session of the scope; after seven days nobody remembers. EV-TEL-15.
func TestADeferredReview(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.settings["review"] = "deferred"
	s.run("make", "make: *** [all] Error 2")
	s.stop(goingOn)
	s.session = "next"
	a := s.begin(`"startup"`)
	wants(t, a.AdditionalContext, "<evolution-review>", "last session", "[Evolution]", "error:build_failure(1x)", "</evolution-review>")
	if a := s.begin(`"resume"`); a.AdditionalContext != "" {
		t.Errorf("said twice: %q", a.AdditionalContext)
	}
	s.now = s.now.Add(2 * time.Hour)
	s.run("make", "make: *** [all] Error 2")
	s.stop(goingOn)
	s.now = s.now.Add(8 * 24 * time.Hour)
	if a := s.begin(`"resume"`); a.AdditionalContext != "" {
		t.Errorf("after eight days: %q", a.AdditionalContext)
	}
}
