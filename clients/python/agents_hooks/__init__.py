"""HOOK.md hooks for an agent in Python.

    from agents_hooks import Hooks, events

    with Hooks(agent="my-agent", tell=print) as hooks:
        session = hooks.session()
        session.dispatch(events.pre_session("startup"))
        result = session.tool("Shell", {"command": "ls"}, run, id=call_id)
        answer_to_the_model = result.text

``Hooks`` starts ``agents-hooks run --stream`` once and speaks its protocol
(spec/STREAM.md of agents-hooks): it starts it again when it has died, ends an event that
takes too long, and lets work go on where hooks cannot be asked, unless it is strict.
``Session.dispatch`` asks about one event; ``Session.tool`` does all of a tool call.
``agents_hooks.aio`` is the same for asyncio. Nothing but the standard library is needed.
"""

from . import events
from ._outcome import HooksError, Outcome, ToolResult, Warning
from ._hooks import Hooks, Session

__all__ = ["Hooks", "HooksError", "Outcome", "Session", "ToolResult", "Warning", "events"]
__version__ = "0.1.0"
