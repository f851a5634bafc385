package model

import (
	"net/http"
	"strings"
)

// answerGemini writes a turn in the generateContent protocol of Gemini.
func answerGemini(w http.ResponseWriter, r *Request, t Turn) {
	parts := []object{}
	if t.Text != "" || len(t.Calls) == 0 {
		parts = append(parts, object{"text": t.Text})
	}
	for i, c := range t.Calls {
		args := c.Args
		if args == nil {
			args = object{}
		}
		parts = append(parts, object{"functionCall": object{"id": r.id("call", i), "name": c.Name, "args": args}})
	}
	answer := object{
		"candidates":    []object{{"content": object{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": object{"promptTokenCount": t.inputTokens(), "candidatesTokenCount": 5, "totalTokenCount": t.inputTokens() + 5},
		"modelVersion":  r.Model,
		"responseId":    r.id("resp", 0),
	}
	if !r.Stream {
		reply(w, answer)
		return
	}
	startStream(w).send("", answer)
}

// geminiPath reads the model and the method from a path, where this protocol has them:
// …/models/NAME:METHOD.
func geminiPath(path string) (model string, stream bool) {
	_, rest, _ := strings.Cut(path, "/models/")
	model, method, _ := strings.Cut(rest, ":")
	return model, method == "streamGenerateContent"
}
