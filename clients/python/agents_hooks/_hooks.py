"""Hooks and sessions."""

from __future__ import annotations

import json
import os
import shutil
import uuid
from datetime import datetime, timezone
from types import TracebackType
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Type

from . import events
from ._outcome import Outcome, ToolResult
from ._stream import Cancel, Stream

Run = Callable[[Dict[str, Any]], Any]
Ask = Callable[[str, Dict[str, Any], str], bool]


class Hooks:
    """The hooks of a person and a project. Safe for several threads, which wait for one
    another; several of these run side by side.

    agent, version: of yours, in events and in the log.
    work_dir: whose project's hooks count; the current directory by default.
    can: what your agent carries out, in the words of ``context.can``; all by default.
    program: what runs hooks; ``agents-hooks-run`` or ``agents-hooks`` of the PATH.
    env: the environment of that program; this process's by default.
    timeout: ends the hooks of an event that take longer together, in seconds.
    strict: ``tool`` raises where hooks cannot be asked, and calls nothing.
    ask: asks the person about a call (name, input, reason); without it a question is a no.
    tell: given what the person should read: warnings, and messages of hooks.
    """

    def __init__(
        self,
        agent: str = "",
        version: str = "",
        work_dir: Optional[str] = None,
        can: Optional[Iterable[str]] = None,
        program: Optional[Sequence[str]] = None,
        env: Optional[Mapping[str, str]] = None,
        timeout: float = 600.0,
        strict: bool = False,
        ask: Optional[Ask] = None,
        tell: Optional[Callable[[str], None]] = None,
    ):
        self.work_dir = os.path.abspath(work_dir or os.getcwd())
        self.context: Dict[str, Any] = {}
        if agent:
            self.context["agent"] = agent
        if version:
            self.context["agent_version"] = version
        if can is not None:
            self.context["can"] = list(can)
        self.timeout, self.strict, self.ask, self.tell = timeout, strict, ask, tell
        self._stream = Stream(program or found(env), env, self.work_dir)

    def session(self, id: str = "") -> "Session":
        """The session of an id, which one that goes on keeps; a new one without."""
        return Session(self, id or uuid.uuid4().hex)

    def close(self) -> None:
        """Ends the program, once what it runs has ended. Async hooks go on."""
        self._stream.close()

    def __enter__(self) -> "Hooks":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], e: Optional[BaseException], at: Optional[TracebackType]) -> None:
        self.close()

    def _tell(self, text: str) -> None:
        if self.tell is not None and text:
            self.tell(text)


def found(env: Optional[Mapping[str, str]]) -> List[str]:
    """The program that runs hooks, of the PATH."""
    path = (os.environ if env is None else env).get("PATH")
    for name in ("agents-hooks-run", "agents-hooks"):
        at = shutil.which(name, path=path)
        if at and os.path.isabs(at):
            return [at, "run", "--stream"]
    return ["agents-hooks-run", "run", "--stream"]


class Session:
    """One conversation: what may happen so often in it, or is said once, goes by its id."""

    def __init__(self, hooks: Hooks, id: str):
        self.hooks, self.id = hooks, id

    def dispatch(self, event: Mapping[str, Any], cancel: Optional[Cancel] = None) -> Outcome:
        """Asks the hooks of an event, and waits for them. Where they could not be asked the
        outcome has an ``error`` and no opinion, and the person was told."""
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        whole = {"event_type": event["event_type"], "timestamp": now, "session_id": self.id, "work_dir": self.hooks.work_dir, "context": self.hooks.context}
        outcome = self.hooks._stream.ask({**whole, **event}, self.hooks.timeout, cancel or Cancel())
        for warning in outcome.warnings:
            self.hooks._tell(str(warning))
        self.hooks._tell(outcome.user_message)
        if outcome.error is not None and not outcome.blocked:
            self.hooks._tell(f"{outcome.error}: this happens without them")
        return outcome

    def tool(self, name: str, input: Mapping[str, Any], run: Run, id: str = "") -> ToolResult:
        """All of a tool call: asks before, runs it with the input that hooks made of it,
        tells how it ended. What run returns is for the model; what it raises is a failure
        of the tool, which the model reads."""
        before = self.dispatch(events.pre_tool_call(name, input, id))
        given = self._given(before, input)
        refused = self._refused(before, name, given)
        if refused:
            return ToolResult(join(refused, before.additional_context), False, given, refused)
        error: Optional[Exception] = None
        result: Any = None
        try:
            result = plain(run(given))
        except Exception as e:
            error = e
        after = self.dispatch(ended(name, given, result, error, id))
        return self._result(given, result, error, before, after)

    def _given(self, before: Outcome, input: Mapping[str, Any]) -> Dict[str, Any]:
        if before.error is not None and not before.blocked and self.hooks.strict:
            raise before.error
        return dict(input) if before.modified_input is None or before.blocked else before.modified_input

    def _refused(self, before: Outcome, name: str, given: Dict[str, Any]) -> str:
        if before.blocked:
            return before.reason
        if before.decision != "ask":
            return ""
        if self.hooks.ask is None:
            return join(before.reason, "Nobody is here to be asked, so it was not done.")
        return "" if self.hooks.ask(name, given, before.reason) else join(before.reason, "The person said no.")

    def _result(self, given: Dict[str, Any], result: Any, error: Optional[Exception], before: Outcome, after: Outcome) -> ToolResult:
        text = message(error) if error else _text(result)
        if after.modified_output is not None:
            text = after.modified_output
        said = join(text, before.additional_context, after.additional_context, after.reason if after.blocked else "")
        return ToolResult(said, True, given, error=error)


def ended(name: str, given: Dict[str, Any], result: Any, error: Optional[Exception], id: str) -> events.Event:
    """How a call ended."""
    if error is not None:
        return events.post_tool_call_failure(name, given, message(error), id)
    return events.post_tool_call(name, given, result, id)


def plain(result: Any) -> Any:
    """A result as JSON has it; of what has no JSON the text."""
    if isinstance(result, (bytes, bytearray)):
        return result.decode("utf-8", "replace")
    try:
        json.dumps(result, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return str(result)
    return result


def message(error: BaseException) -> str:
    return str(error) or type(error).__name__


def _text(result: Any) -> str:
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)


def join(*texts: str) -> str:
    return "\n\n".join(t for t in texts if t)
