package mcp

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// drainWait is how long calls may go on after the input has ended.
const drainWait = 30 * time.Second

// draining is a transport whose input ends only when all that was asked is
// answered: the library itself drops what is under way when its input ends, and
// a script that pipes its requests in would hear nothing.
type draining struct{ sdk.Transport }

func (d draining) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := d.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &drained{Connection: c, open: map[jsonrpc.ID]bool{}, idle: make(chan struct{}, 1)}, nil
}

type drained struct {
	sdk.Connection
	mu   sync.Mutex
	open map[jsonrpc.ID]bool // ids of requests without an answer
	idle chan struct{}       // told when there is none
}

func (d *drained) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := d.Connection.Read(ctx)
	if req, ok := m.(*jsonrpc.Request); ok && req.IsCall() {
		d.note(req.ID, true)
	}
	if errors.Is(err, io.EOF) {
		d.wait(ctx)
	}
	return m, err
}

func (d *drained) Write(ctx context.Context, m jsonrpc.Message) error {
	err := d.Connection.Write(ctx, m)
	if res, ok := m.(*jsonrpc.Response); ok {
		d.note(res.ID, false)
	}
	return err
}

func (d *drained) note(id jsonrpc.ID, open bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if open {
		d.open[id] = true
		return
	}
	delete(d.open, id)
	if len(d.open) == 0 {
		select {
		case d.idle <- struct{}{}:
		default:
		}
	}
}

// wait returns when nothing is unanswered.
func (d *drained) wait(ctx context.Context) {
	limit := time.NewTimer(drainWait)
	defer limit.Stop()
	for {
		d.mu.Lock()
		n := len(d.open)
		d.mu.Unlock()
		if n == 0 {
			return
		}
		select {
		case <-d.idle:
		case <-ctx.Done():
			return
		case <-limit.C:
			return
		}
	}
}
