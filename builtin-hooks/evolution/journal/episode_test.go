package journal

import (
	"reflect"
	"testing"
)

const stuckTwice = "# Session Journal\n\n" +
	"- bash: `go test ./...` (10:00) [FAILED]\n  - signal:error:test_failure (count: 1, at: 10:00)\n  - failure: aaaa kind=k1 exit=1 count=2 text=total is wrong\n" +
	"- edit: `total.go` (10:01)\n" +
	"- bash: `go test ./...` (10:02) [FAILED]\n  - signal:error:test_failure (count: 2, at: 10:02)\n  - failure: aaaa kind=k1 exit=1 count=2 text=total is wrong\n"

// EV-JRN-22: what was different when a command succeeded is facts, and no contents.
func TestWhatChangedIsToldAsFacts(t *testing.T) {
	t.Parallel()
	j := Parse(stuckTwice +
		"- edit: `sum/sum.go` (10:03)\n- edit: `sum/sum.go` (10:03)\n- bash: `go get example.com/x@v1.2.3 && go mod tidy` (10:04)\n- write: `.env` (10:05)\n" +
		"- bash: `API_TOKEN=verysecret CGO_ENABLED=0 go test ./... -run Total` (10:06)\n- bash: `ls` (10:07)\n")
	list := j.Episodes()
	if len(list) != 1 {
		t.Fatalf("%+v", list)
	}
	ep := list[0]
	want := Diff{Files: []string{"sum/sum.go", ".env"}, Commands: []string{"go get", "go mod"}, Environment: []string{"API_TOKEN", "CGO_ENABLED"}, Proof: "go test"}
	if !reflect.DeepEqual(ep.Diff, want) {
		t.Errorf("%+v\nwant %+v", ep.Diff, want)
	}
	if !ep.Over || !ep.Again || ep.Worse || ep.Times != 2 || ep.Steps != 5 {
		t.Errorf("%+v", ep)
	}
}

// EV-JRN-23: the success of the command that failed ends a failure, however long it took,
// and nothing else does.
func TestOnlyTheFailedCommandEndsAFailure(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, then               string
		over, again, worse, many bool
		steps                    int
	}{
		{"nothing more was done", "", false, false, false, false, 0},
		{"another command succeeded", "- bash: `curl example.com` (10:05)\n- edit: `x.go` (10:05)\n", false, false, false, false, 2},
		{"hours later", "- edit: `x.go` (10:05)\n- bash: `go test ./...` (18:44)\n", true, true, false, false, 2},
		{"it failed again", "- bash: `go test ./...` (10:05) [FAILED]\n  - signal:error:test_failure (count: 3, at: 10:05)\n  - failure: aaaa kind=k1 exit=1 count=2 text=total is wrong\n", false, true, false, false, 1},
		{"it got worse", "- bash: `go test ./...` (10:05) [FAILED]\n  - signal:error:test_failure (count: 3, at: 10:05)\n  - failure: bbbb kind=k2 exit=1 count=9 text=all is wrong\n", false, true, true, true, 1},
		{"worse, then well", "- bash: `go test ./...` (10:05) [FAILED]\n  - signal:error:test_failure (count: 3, at: 10:05)\n  - failure: bbbb kind=k2 exit=1 count=9 text=all is wrong\n- bash: `go test ./...` (10:06)\n", true, true, true, true, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := Parse(stuckTwice + c.then)
			list := j.Episodes()
			if len(list) == 0 || (len(list) > 1) != c.many {
				t.Errorf("%+v", list)
				return
			}
			if ep := list[0]; ep.Over != c.over || ep.Again != c.again || ep.Worse != c.worse || ep.Steps != c.steps {
				t.Errorf("%+v", ep)
			}
		})
	}
}
