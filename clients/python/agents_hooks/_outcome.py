"""What hooks answer."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, List, Mapping, Optional


@dataclasses.dataclass(frozen=True)
class Warning:
    """What the person should know and no model: a hook that failed, or is not approved."""

    kind: str
    text: str
    hook: Optional[str] = None

    def __str__(self) -> str:
        return f"hook {self.hook}: {self.text}" if self.hook else self.text


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What all hooks of an event together answer; without arguments, no opinion."""

    decision: Optional[str] = None  # "allow", "ask" or "block"
    reason: str = ""
    modified_input: Optional[Dict[str, Any]] = None
    modified_output: Optional[str] = None
    additional_context: str = ""
    user_message: str = ""
    followup_message: str = ""
    env: Mapping[str, str] = dataclasses.field(default_factory=dict)
    blocked_by: Optional[str] = None
    warnings: List[Warning] = dataclasses.field(default_factory=list)
    error: Optional["HooksError"] = None  # hooks were not asked, or not to the end

    @property
    def blocked(self) -> bool:
        """It must not happen."""
        return self.decision == "block"

    @property
    def go_on(self) -> Optional[str]:
        """What the agent has to go on with, after pre-agent-turn-stop and post-subagent."""
        if self.followup_message:
            return self.followup_message
        return self.reason if self.blocked else None


class HooksError(Exception):
    """Hooks were not asked, or not to the end: neither a permission nor a refusal.

    ``kind`` is that of spec/run.schema.json, or "gone" where the program is not there,
    died twice over one event, or speaks something else.
    """

    def __init__(self, kind: str, text: str):
        super().__init__("asking hooks: " + text)
        self.kind = kind


@dataclasses.dataclass(frozen=True)
class ToolResult:
    """What became of a tool call."""

    text: str  # what the model shall read
    ran: bool  # the tool was called
    input: Dict[str, Any]  # what it was called with
    refused: str = ""  # why it was not called
    error: Optional[BaseException] = None  # of the tool


def read(answer: Mapping[str, Any]) -> Outcome:
    """The outcome in an answer of the stream."""
    o = answer.get("outcome") or {}
    error = answer.get("error")
    return Outcome(
        decision=o.get("decision"),
        reason=o.get("reason", ""),
        modified_input=o.get("modified_input"),
        modified_output=o.get("modified_output"),
        additional_context=o.get("additional_context", ""),
        user_message=o.get("user_message", ""),
        followup_message=o.get("followup_message", ""),
        env={k: _text(v) for k, v in o.get("env", {}).items()},
        blocked_by=answer.get("blocked_by"),
        warnings=[Warning(w["kind"], w["text"], w.get("hook")) for w in answer.get("warnings", [])],
        error=HooksError(error["kind"], error["text"]) if error else None,
    )


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
