package endpoint

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// An answer has one vector for each text, of one length, in any order; else it is an error, whatever
// a server says.
func TestWhatAnEndpointAnswers(t *testing.T) {
	t.Parallel()
	for answer, ok := range map[string]bool{
		`{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [2]}]}`:    true,
		`{"data": [{"index": 1, "embedding": [1]}, {"index": 0, "embedding": [2]}]}`:    true,
		`{"data": [{"index": 0, "embedding": [1]}, {"index": 2, "embedding": [2]}]}`:    false,
		`{"data": [{"index": 0, "embedding": [1]}, {"index": -1, "embedding": [2]}]}`:   false,
		`{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": []}]}`:     false,
		`{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}]}`: false,
		`{"data": [{"index": 0, "embedding": [1]}]}`:                                    false,
		`{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1e38]}]}`: false,
		`{}`: false, `[]`: false, ``: false,
	} {
		t.Run(answer, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if kind := r.Header.Get("Content-Type"); kind != "application/json" {
					t.Errorf("a request of %q", kind)
				}
				io.WriteString(w, answer)
			}))
			defer s.Close()
			got, err := Endpoint{URL: s.URL, Model: "m", Client: s.Client()}.ask(t.Context(), []string{"a", "b"}, time.Minute)
			if (err == nil) != ok || ok && fmt.Sprint(got) != "[[1] [1]]" {
				t.Errorf("%v %v", got, err)
			}
		})
	}
}
