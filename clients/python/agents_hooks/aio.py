"""The same for asyncio. Events wait in a thread of their own, one for each ``Hooks``; a task
that is cancelled ends the hook that runs."""

from __future__ import annotations

import asyncio
import functools
import inspect
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Awaitable, Callable, Dict, Iterable, Mapping, Optional, Sequence, Union

from . import events
from ._hooks import Hooks as _Hooks
from ._hooks import Session as _Session
from ._hooks import ended, join, plain
from ._outcome import Outcome, ToolResult
from ._stream import Cancel

Run = Callable[[Dict[str, Any]], Union[Any, Awaitable[Any]]]
Ask = Callable[[str, Dict[str, Any], str], Union[bool, Awaitable[bool]]]


class Hooks:
    """As ``agents_hooks.Hooks``; ``ask`` may be a coroutine function."""

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
        self._ask = ask
        self._hooks = _Hooks(agent, version, work_dir, can, program, env, timeout, strict, None, tell)
        self._thread = ThreadPoolExecutor(1, "agents-hooks")

    def session(self, id: str = "") -> "Session":
        return Session(self, self._hooks.session(id))

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._hooks.close)

    async def __aenter__(self) -> "Hooks":
        return self

    async def __aexit__(self, *of: Any) -> None:
        await self.close()


class Session:
    """As ``agents_hooks.Session``."""

    def __init__(self, hooks: Hooks, session: _Session):
        self.hooks, self._session, self.id = hooks, session, session.id

    async def dispatch(self, event: Mapping[str, Any]) -> Outcome:
        cancel = Cancel()
        work = functools.partial(self._session.dispatch, event, cancel)
        waiting = asyncio.get_running_loop().run_in_executor(self.hooks._thread, work)
        try:
            return await asyncio.shield(waiting)
        except asyncio.CancelledError:
            cancel.set()
            raise

    async def tool(self, name: str, input: Mapping[str, Any], run: Run, id: str = "") -> ToolResult:
        before = await self.dispatch(events.pre_tool_call(name, input, id))
        given = self._session._given(before, input)
        refused = await self._refused(before, name, given)
        if refused:
            return ToolResult(join(refused, before.additional_context), False, given, refused)
        error: Optional[Exception] = None
        result: Any = None
        try:
            result = run(given)
            if inspect.isawaitable(result):
                result = await result
            result = plain(result)
        except Exception as e:
            error, result = e, None
        after = await self.dispatch(ended(name, given, result, error, id))
        return self._session._result(given, result, error, before, after)

    async def _refused(self, before: Outcome, name: str, given: Dict[str, Any]) -> str:
        if before.blocked or before.decision != "ask" or self.hooks._ask is None:
            return self._session._refused(before, name, given)
        yes = self.hooks._ask(name, given, before.reason)
        if inspect.isawaitable(yes):
            yes = await yes
        return "" if yes else join(before.reason, "The person said no.")
