package view

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"
)

// Guests are the connections to the page. Anybody on this machine can open some and say nothing; so
// if there are too many, the oldest that has not shown the token makes room for the new one, which
// may be the page's own.
type guests struct {
	most      int
	mu        sync.Mutex
	strangers list.List // of net.Conn, the oldest first
	at        map[net.Conn]*list.Element
	friends   map[net.Conn]bool
}

// changed follows the connections of a server.
func (g *guests) changed(c net.Conn, is http.ConnState) {
	var gone net.Conn
	g.mu.Lock()
	switch is {
	case http.StateNew:
		if g.at == nil {
			g.at, g.friends = map[net.Conn]*list.Element{}, map[net.Conn]bool{}
		}
		g.at[c] = g.strangers.PushBack(c)
		if len(g.at)+len(g.friends) > g.most { // all but one may be friends: then it is the new one
			gone = g.strangers.Front().Value.(net.Conn)
			g.forget(gone)
		}
	case http.StateClosed, http.StateHijacked:
		g.forget(c)
	}
	g.mu.Unlock()
	if gone != nil {
		gone.Close()
	}
}

// forget is called with the lock held.
func (g *guests) forget(c net.Conn) {
	if e := g.at[c]; e != nil {
		g.strangers.Remove(e)
	}
	delete(g.at, c)
	delete(g.friends, c)
}

// known is told that a request has shown the token.
func (g *guests) known(r *http.Request) {
	c, _ := r.Context().Value(connKey{}).(net.Conn)
	g.mu.Lock()
	defer g.mu.Unlock()
	if e := g.at[c]; e != nil {
		g.strangers.Remove(e)
		delete(g.at, c)
		g.friends[c] = true
	}
}

type connKey struct{}

// withConn lets a request know its connection.
func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}
