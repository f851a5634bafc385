// Package model is a language model that says what it was told to say.
//
// A [Server] listens on the loopback interface and speaks the protocols that coding
// agents use to reach a model:
//
//	Anthropic   POST …/messages                       (SSE or JSON)
//	Responses   POST …/responses                      (SSE or JSON)
//	Chat        POST …/chat/completions               (SSE or JSON)
//	Gemini      POST …/models/NAME:streamGenerateContent, …:generateContent
//	Augment     POST …/chat-stream                    (lines of JSON)
//
// Its answers come from a [Script]: a function from a request to a [Turn], which is a
// text, tool calls (several are parallel calls in one answer), or an HTTP error. [Play]
// makes a script from a list of turns.
//
// Every request is kept and written to the log as one JSON line, so that a test can
// tell from the requests alone what the agent told its model and when:
//
//	srv, err := model.Start(model.Play(
//		model.Turn{Calls: []model.Call{{Name: "Bash", Args: map[string]any{"command": "date"}}}},
//		model.Turn{Text: "done"},
//	), logFile)
//	…run the agent against srv.URL…
//	first := srv.First("a sentence that only the hook knows") // -1: never told
//
// The path decides the protocol; the host part of the URL and everything before the
// last path elements are free, so one server serves agents that expect ".../v1" in
// their base URL and agents that do not.
package model
