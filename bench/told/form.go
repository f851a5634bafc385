package main

import (
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/agents-hooks/agents-hooks/bench/person"
)

// A form is how an agent reports what it does.
type form struct {
	claude bool
	// bare means that all calls are reported alike.
	bare bool
}

var forms = map[string]form{"claude": {claude: true}, "spec": {}, "bare": {bare: true}}

// start begins a session.
func (p *player) start(who *person.Person, session string) error {
	var err error
	if p.form.claude {
		_, err = who.Claude(p.ctx, "SessionStart", session, map[string]any{"source": "startup"})
	} else {
		_, err = who.Event(p.ctx, "pre-session", session, map[string]any{"source": "startup"})
	}
	return err
}

// edit changes a file.
func (p *player) edit(who *person.Person, session string) error {
	p.n++
	file := filepath.Join(who.Work, "main.txt")
	event := map[string]any{"tool_name": "EditFile", "tool_input": map[string]any{"file_path": file}, "tool_use_id": strconv.Itoa(p.n), "tool_response": map[string]any{"success": true}}
	var err error
	if p.form.claude {
		event["tool_name"], event["tool_response"] = "Edit", map[string]any{"filePath": file}
		_, err = who.Claude(p.ctx, "PostToolUse", session, event)
	} else {
		_, err = who.Event(p.ctx, "post-tool-call", session, event)
	}
	return err
}

// call reports a command to the hooks of a session, and returns what the agent is told.
func (p *player) call(who *person.Person, session string, b block) (string, error) {
	p.n++
	event := map[string]any{"tool_name": "Shell", "tool_input": map[string]any{"command": b.command}, "tool_use_id": strconv.Itoa(p.n)}
	send, well, badly := who.Event, "post-tool-call", "post-tool-call-failure"
	if p.form.claude {
		event["tool_name"] = "Bash"
		send, well, badly = who.Claude, "PostToolUse", "PostToolUseFailure"
	}
	switch {
	case b.exit != 0 && !p.form.bare:
		event["error"] = fmt.Sprintf("Exit code %d\n%s", b.exit, b.text)
		return send(p.ctx, badly, session, event)
	case p.form.bare:
		event["tool_response"] = b.text
	default:
		event["tool_response"] = map[string]any{"stdout": b.text, "stderr": "", "interrupted": false}
	}
	return send(p.ctx, well, session, event)
}

// twice reports it two times with an edit in between, and returns what is told the
// second time.
func (p *player) twice(who *person.Person, session, set string, b block) (row, error) {
	r := row{Set: set, Command: b.command, Exit: b.exit}
	if err := p.start(who, session); err != nil {
		return r, err
	}
	if _, err := p.call(who, session, b); err != nil {
		return r, err
	}
	failed, err := p.noted(who, session)
	if err != nil {
		return r, err
	}
	if err := p.edit(who, session); err != nil {
		return r, err
	}
	said, err := p.call(who, session, b)
	r.Failure = failed
	r.take(said)
	return r, err
}
