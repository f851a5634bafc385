"""The events of a session: when each is sent, and what its outcome obliges to.

Each function returns an object of spec/event.schema.json without the base fields, which
the session adds. Further members may be added as keywords: ``model="…"``.
"""

from __future__ import annotations

from typing import Any, Dict, Mapping

Event = Dict[str, Any]


def _event(kind: str, more: Mapping[str, Any], /, **fields: Any) -> Event:
    known = {name: value for name, value in fields.items() if value not in (None, "")}
    return {"event_type": kind, **known, **more}


def pre_session(source: str = "startup", **more: Any) -> Event:
    """A session begins ("startup", "resume", "clear", "compact"). Do not begin a blocked
    one; give the model ``additional_context``, and commands ``env``."""
    return _event("pre-session", more, source=source)


def post_session(reason: str = "user_exit", **more: Any) -> Event:
    """A session has ended."""
    return _event("post-session", more, exit_reason=reason)


def pre_agent_turn(prompt: str, **more: Any) -> Event:
    """A prompt has arrived. Do not send a blocked one; add ``additional_context``. One that
    no person wrote says ``source="notification"``."""
    return {**_event("pre-agent-turn", more), "prompt": prompt}


def post_agent_turn(**more: Any) -> Event:
    """The agent is done with a prompt."""
    return _event("post-agent-turn", more)


def pre_agent_turn_stop(final: str = "", **more: Any) -> Event:
    """The agent is about to stop: go on with ``outcome.go_on`` where that is a text."""
    return _event("pre-agent-turn-stop", more, final_message=_final(final))


def post_agent_turn_stop(final: str = "", **more: Any) -> Event:
    """The agent has stopped."""
    return _event("post-agent-turn-stop", more, final_message=_final(final))


def pre_tool_call(name: str, input: Mapping[str, Any], id: str = "", **more: Any) -> Event:
    """A tool is about to be called: ``Session.tool`` does what it obliges to."""
    return {**_event("pre-tool-call", more, tool_use_id=id), "tool_name": name, "tool_input": input}


def post_tool_call(name: str, input: Mapping[str, Any], response: Any, id: str = "", **more: Any) -> Event:
    """A tool was called."""
    return {**_event("post-tool-call", more, tool_use_id=id), "tool_name": name, "tool_input": input, "tool_response": response}


def post_tool_call_failure(name: str, input: Mapping[str, Any], error: str, id: str = "", **more: Any) -> Event:
    """A tool was called, and failed."""
    return {**_event("post-tool-call-failure", more, tool_use_id=id), "tool_name": name, "tool_input": input, "error": error}


def permission_request(name: str, input: Mapping[str, Any], id: str = "", **more: Any) -> Event:
    """The person is about to be asked: "allow" answers for them, a block denies."""
    return {**_event("permission-request", more, tool_use_id=id), "tool_name": name, "tool_input": input}


def notification(message: str, kind: str = "", **more: Any) -> Event:
    """The agent wants its person. Nothing comes of it."""
    return _event("notification", more, kind=kind, message=message)


def pre_subagent(id: str, kind: str = "", task: str = "", **more: Any) -> Event:
    """A subagent is about to start. Do not start a blocked one."""
    return _event("pre-subagent", more, agent_id=id, subagent_type=kind, task_description=task)


def post_subagent(id: str, kind: str = "", status: str = "completed", **more: Any) -> Event:
    """A subagent has ended: it goes on with ``outcome.go_on``."""
    return _event("post-subagent", more, agent_id=id, subagent_type=kind, status=status)


def pre_context_compact(trigger: str, **more: Any) -> Event:
    """The conversation is about to be shortened ("manual", "auto"). Not if blocked."""
    return _event("pre-context-compact", more, trigger=trigger)


def post_context_compact(trigger: str, **more: Any) -> Event:
    """The conversation was shortened."""
    return _event("post-context-compact", more, trigger=trigger)


def _final(text: str) -> Any:
    return {"role": "assistant", "content": text} if text else None
