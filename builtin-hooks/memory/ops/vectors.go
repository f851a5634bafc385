package ops

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/chosen"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/endpoint"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/fill"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/models"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/static"
	"github.com/agents-hooks/agents-hooks/internal/keyring"
	"github.com/agents-hooks/agents-hooks/internal/outbound"
	"github.com/agents-hooks/agents-hooks/internal/redact"
)

// QueryWait is how long a search waits for an endpoint.
const QueryWait = 300 * time.Millisecond

// choice is the model in use: the user's choice, unless the setting embedding says otherwise.
func (m Memory) choice() (chosen.Choice, error) {
	if m.Settings.Of("embedding").Text != "auto" {
		return chosen.Choice{}, nil
	}
	return chosen.Read(m.world.Data)
}

// noted reports what is wrong with a model's vectors, if somebody can read that; the built-in
// ones are used instead.
func (m Memory) noted(err error) {
	if err != nil && m.world.Unnoted != nil {
		m.world.Unnoted(err)
	}
}

// other are the vectors of the model in use, and the function that releases them.
func (m Memory) other(ctx context.Context, query string, wait time.Duration) (of func(search.Folder) *search.Vectors, done func()) {
	done = func() {}
	c, err := m.choice()
	if err != nil {
		m.noted(err)
		return nil, done
	}
	if c.Name != "" {
		model, err := c.Open(m.world.Data)
		if err != nil {
			m.noted(fmt.Errorf("%w: agents-hooks memory model list", err))
			return nil, done
		}
		return chosen.Vectors(model, query), model.Close
	}
	return func(at search.Folder) *search.Vectors {
		if e, ok := m.endpoint(c, at); ok {
			e.Query = wait
			v, _ := e.Vectors(ctx, redact.Memory.Text(query)) // if that fails, only the lexicon is used
			return v
		}
		return nil
	}, done
}

// endpoint is the one in the settings, with its key, or the one on this machine that the user
// chose. A key from a file is not sent to a server named by the environment.
func (m Memory) endpoint(c chosen.Choice, at search.Folder) (e endpoint.Endpoint, ok bool) {
	address := m.Settings.Of("embedding_url").Text
	e = endpoint.Endpoint{URL: address, Model: m.Settings.Of("embedding_model").Text, Key: m.Settings.Of("embedding_key").Text, Query: QueryWait, File: chosen.Kept(at, chosen.EndpointKept)}
	if e.File == "" {
		return e, false
	}
	if c.URL != "" {
		e.URL, e.Model, e.Key, e.Client = c.URL, c.Model, "", endpoint.Direct()
		return e, endpoint.IsLocal(c.URL)
	}
	if m.Settings.Of("embedding").Text != "http" || address == "" {
		return e, false
	}
	ofFile := e.Key != ""
	if name := m.Settings.Of("embedding_key_env").Text; !ofFile && name != "" {
		e.Key = m.env(name)
	}
	way, err := outbound.Transport(m.Settings.Of("proxy").Text, m.Settings.Of("ca_file").Text, m.env)
	if err == nil && e.Key != "" {
		err = keyring.Ring{State: m.world.State}.May(e.Key, address, !ofFile || m.Settings.Of("embedding_url").From != "environment")
	}
	if err != nil {
		m.noted(fmt.Errorf("builtin.memory.embedding_url: %w", err))
	}
	e.Withheld, e.Client = err, &http.Client{Transport: way}
	return e, true
}

// fill makes the vectors that a folder lacks, with the model in use, and removes those of
// removed models.
func (m Memory) fill(ctx context.Context, at search.Folder) error {
	m.noted(m.Models().Tidy(m.world.Cache))
	c, err := m.choice()
	if err != nil {
		return err
	}
	if c.Name != "" {
		model, err := c.Open(m.world.Data)
		if err != nil {
			return err
		}
		defer model.Close()
		return fillBy(model, at)
	}
	e, ok := m.endpoint(c, at)
	if !ok {
		return nil
	}
	entries, err := at.Entries(fill.Background()...)
	if err == nil {
		_, err = e.Fill(ctx, entries)
	}
	return err
}

// fillBy makes a folder's vectors with a static model.
func fillBy(model *static.Model, at search.Folder) error {
	entries, err := at.Entries(fill.Background()...)
	if err != nil {
		return err
	}
	const batch = 1024
	_, err = fill.Fill(chosen.Kept(at, chosen.KeptName(model.ID)), model.ID, entries, batch, func(texts []string) ([][]float32, error) {
		out := make([][]float32, len(texts))
		for i, t := range texts {
			out[i] = model.Vector(t)
		}
		return out, nil
	})
	return err
}

// Vectors says which vectors a search would use now, for people; if it returns an error, something
// is wrong with those that were chosen. An endpoint is asked, as long as a search waits for it.
func (m Memory) Vectors(ctx context.Context) (model string, err error) {
	return m.vectors(ctx, func(e endpoint.Endpoint) error {
		if chosen.Resting(e.File, false) {
			return endpoint.ErrResting
		}
		return nil
	})
}

// BuiltIn is what [Memory.Vectors] calls those of the lexicon.
const BuiltIn = "built in"

// vectors is [Memory.Vectors] with what makes an endpoint not worth asking.
func (m Memory) vectors(ctx context.Context, rests func(endpoint.Endpoint) error) (model string, err error) {
	switch m.Settings.Of("embedding").Text {
	case "none":
		return "none: words alone", nil
	case "hash":
		return BuiltIn, nil
	}
	c, err := m.choice()
	if err != nil {
		return BuiltIn, err
	}
	if c.Name != "" {
		model, err := c.Open(m.world.Data)
		if err != nil {
			return BuiltIn, err
		}
		defer model.Close()
		if err := model.Check(); err != nil {
			return c.Name, fmt.Errorf("%q is used, and its file is not as it was added: %w", c.Name, err)
		}
		return c.Name, nil
	}
	e, ok := m.endpoint(c, m.Folder())
	if !ok {
		return BuiltIn, nil
	}
	if err = rests(e); err == nil {
		_, _, err = e.Try(ctx, QueryWait)
	}
	if err != nil {
		return BuiltIn, fmt.Errorf("%s at %s: %w", e.Model, e.URL, err)
	}
	return fmt.Sprintf("%s at %s", e.Model, e.URL), nil
}

// Server is the endpoint that makes vectors, for people; "" if there is none.
func (m Memory) Server() string {
	if c, err := m.choice(); err == nil {
		if e, ok := m.endpoint(c, m.Folder()); ok {
			return e.Model + " at " + e.URL
		}
	}
	return ""
}

// Use chooses a model, and makes the vectors of a call's folders with it. If that fails, what was chosen before stays:
// no text goes to a model of which the user was told that it is not used. The built-in
// vectors are chosen whatever happens.
func (m Memory) Use(ctx context.Context, c chosen.Choice) error {
	before, err := chosen.Read(m.world.Data)
	if err != nil {
		before = chosen.Choice{} // damaged: nothing was in use
	}
	if err := m.Models().Choose(c); err != nil {
		return err
	}
	err = m.Remodel(ctx)
	if err != nil && c != (chosen.Choice{}) {
		err = errors.Join(err, m.Models().Choose(before))
	}
	return err
}

// Models are the user's static models.
func (m Memory) Models() models.Store { return models.Store{Data: m.world.Data, Now: m.world.Now} }

// Client makes requests with the user's own proxy and certificates.
func (m Memory) Client() (*http.Client, error) {
	way, err := outbound.Transport(m.Settings.Of("proxy").Text, m.Settings.Of("ca_file").Text, m.env)
	if err != nil {
		return nil, err
	}
	const answers = time.Minute // until a server begins to answer
	way.ResponseHeaderTimeout = answers
	return &http.Client{Transport: way}, nil
}

// Remodel makes the vectors of a call's folders with the present model. What does not exist yet
// gets them when it is searched or its session ends.
func (m Memory) Remodel(ctx context.Context) (err error) {
	for _, at := range m.Folders(false) {
		if _, bad := at.Keep(m.world.Now(), 0); bad == nil && len(at.Sources()) > 0 {
			bad = m.fill(ctx, at)
			err = errors.Join(err, bad)
		}
	}
	return err
}
