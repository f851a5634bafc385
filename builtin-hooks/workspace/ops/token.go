package ops

import (
	"path/filepath"
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// tokenLife is how long a token waits for the answer of a person.
const tokenLife = 30 * time.Minute

// lockWait is how long a file may be held by another process.
const lockWait = 2 * time.Second

func (c *call) tokensPath() string { return filepath.Join(c.State, "tokens.json") }

// tokens changes the tokens that wait; those that are too old go.
func (c *call) tokens(change func(list *protocol.Object) error) error {
	if c.State == "" {
		var none protocol.Object
		return change(&none)
	}
	return statefile.Update(c.tokensPath(), lockWait, func(old []byte) ([]byte, error) {
		list, err := protocol.ParseObject(old)
		if err != nil {
			list = protocol.Object{}
		}
		kept := protocol.Object{}
		for _, m := range list {
			if until := workspace.ParseStamp(protocol.ObjectOf(m.Value).Text("until")); c.now.Before(until) {
				kept = append(kept, m)
			}
		}
		if err := change(&kept); err != nil {
			return nil, err
		}
		return append(kept.Append(nil), '\n'), nil
	})
}

// require is an action that the agent must take, with a token for the answer. A
// second request for the same gets the same token, and its time anew.
func (c *call) require(space, node, kind, message string, data protocol.Object) (protocol.Object, error) {
	return c.requireFor("", space, node, kind, message, data)
}

// requireFor is require for an operation that is refused without the token; purpose
// says which, and what of.
func (c *call) requireFor(purpose, space, node, kind, message string, data protocol.Object) (protocol.Object, error) {
	token := ""
	err := c.tokens(func(list *protocol.Object) error {
		token = "ct-" + strconv.FormatUint(c.Random(), 36) + strconv.FormatUint(c.Random(), 36)
		for _, m := range *list {
			o := protocol.ObjectOf(m.Value)
			if o.Text("workspaceId") == space && o.Text("nodeId") == node && o.Text("type") == kind && o.Text("for") == purpose {
				token = m.Name
			}
		}
		o := object("workspaceId", space, "nodeId", node, "type", kind, "until", stamp(c.now.Add(tokenLife)))
		o.PutText("for", purpose)
		list.Set(token, o.Raw())
		return nil
	})
	if err != nil {
		return nil, err
	}
	return object("type", kind, "message", message, "data", data, "confirmationToken", token), nil
}

// confirm checks the token of a call that has one; answer is what the person
// said, "" if the call has none. The token stays until spend.
func (c *call) confirm(space, node string) (answer string, err error) {
	if !c.has("confirmation") {
		return "", nil
	}
	return c.confirmed("", space, node)
}

// confirmed is confirm for an operation that is refused without a token.
func (c *call) confirmed(purpose, space, node string) (answer string, err error) {
	given := c.args.Sub("confirmation")
	if given == nil {
		return "", refusal("CONFIRMATION_REQUIRED", c.say("this needs the user's yes: a token, and what they answered", "此操作需要用户确认：token 与用户的回答"),
			c.sayf("call dispatch_disable, or the same without confirmation where that gives one; ask the user; then call again with confirmation", "调用 dispatch_disable（或不带 confirmation 的本操作）取得 token，询问用户后带上 confirmation 再次调用"))
	}
	err = c.tokens(func(list *protocol.Object) error {
		o := list.Sub(given.Text("token"))
		switch {
		case o == nil:
			return refusal("INVALID_CONFIRMATION_TOKEN", c.say("the token is unknown, was used already or is older than 30 minutes", "confirmation token 无效、已使用或已超过 30 分钟"), c.say("ask again, and use the newest token", "请重新征求确认，并使用最新的 token"))
		case o.Text("workspaceId") != space || o.Text("nodeId") != node:
			return c.refuse("CONFIRMATION_MISMATCH", "the token belongs to %s/%s", "confirmation token 属于 %s/%s", o.Text("workspaceId"), o.Text("nodeId"))
		case o.Text("for") != purpose:
			return refusal("CONFIRMATION_MISMATCH", c.say("the token is for something else, or what it was given for changed meanwhile", "该 token 用于其他操作，或其所确认的内容已变化"), c.say("ask again, and use the newest token", "请重新征求确认，并使用最新的 token"))
		}
		return nil
	})
	return given.Text("userInput"), err
}

// spend removes the token of a call once what it allowed is done.
func (c *call) spend() error {
	given := c.args.Sub("confirmation")
	if given == nil {
		return nil
	}
	return c.tokens(func(list *protocol.Object) error {
		list.Delete(given.Text("token"))
		return nil
	})
}
