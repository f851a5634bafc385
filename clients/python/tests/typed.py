"""An agent that a type checker reads, strictly; nobody runs it."""

from typing import Any, Dict, Optional

from agents_hooks import Hooks, HooksError, Outcome, ToolResult, aio, events


def ask(name: str, given: Dict[str, Any], reason: str) -> bool:
    return name == reason


async def ask_later(name: str, given: Dict[str, Any], reason: str) -> bool:
    return bool(given)


def by_itself() -> Optional[str]:
    with Hooks(agent="a", can=["block"], ask=ask, tell=print) as hooks:
        session = hooks.session()
        o: Outcome = session.dispatch(events.pre_session("startup", model="m"))
        r: ToolResult = session.tool("Shell", {"command": "ls"}, lambda given: len(given), id="1")
        e: Optional[HooksError] = o.error
        return r.text if e is None else e.kind


async def with_others() -> bool:
    async with aio.Hooks(agent="a", ask=ask_later) as hooks:
        r = await hooks.session().tool("Shell", {}, lambda given: None)
        return r.ran


async def wrong() -> None:
    Hooks(aks=ask)  # type: ignore[call-arg]
    aio.Hooks(agent=5)  # type: ignore[arg-type]
    Hooks(ask=ask_later)  # type: ignore[arg-type]
    events.pre_agent_turn()  # type: ignore[call-arg]
