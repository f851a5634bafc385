"""One process that speaks spec/STREAM.md, and what to do when it does not."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
import time
from typing import Any, Dict, List, Mapping, Optional, Sequence

from ._outcome import HooksError, Outcome, read

HELLO_WAIT = 10.0  # for its first words
CANCEL_WAIT = 10.0  # for an answer once it was told to end the event
CLOSE_WAIT = 6.0  # for its end once its input has ended

# What a block would keep from happening: such an event is asked about once more where
# the program died over it. Better that a guard judges twice than never.
PREVENTS = {
    "pre-session", "pre-agent-turn", "pre-agent-turn-stop", "pre-tool-call",
    "permission-request", "pre-subagent", "pre-context-compact",
}


class Died(Exception):
    """It ended without an answer. ``sent`` is false where it surely did not read."""

    def __init__(self, text: str, sent: bool):
        super().__init__(text)
        self.sent = sent


class Cancel(threading.Event):
    """Ends an event from another thread."""

    wake: Optional["queue.Queue[Any]"] = None

    def set(self) -> None:
        super().set()
        if self.wake is not None:
            self.wake.put(self)


class Process:
    """A program that runs."""

    def __init__(self, argv: Sequence[str], env: Optional[Mapping[str, str]], cwd: str):
        self.lines = 0
        self.answers: "queue.Queue[Any]" = queue.Queue()
        self.tail = b""
        options: Dict[str, Any] = {}
        if os.name == "posix":
            options["start_new_session"] = True  # a Ctrl+C is the agent's
        else:
            options["creationflags"] = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
        self.popen = subprocess.Popen(
            list(argv), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=None if env is None else dict(env), cwd=cwd, **options,
        )
        self.outbox: "queue.Queue[Optional[bytes]]" = queue.Queue()
        for work in (self._listen, self._write, self._errors):
            threading.Thread(target=work, daemon=True).start()

    def _listen(self) -> None:
        assert self.popen.stdout
        with self.popen.stdout as out:
            for line in out:
                try:
                    answer = json.loads(line)
                except ValueError:
                    self.tail = line[-2000:]
                    break
                self.answers.put(answer)
        self.answers.put(None)

    def _write(self) -> None:
        assert self.popen.stdin
        try:
            with self.popen.stdin as to:
                for line in iter(self.outbox.get, None):
                    to.write(line)
                    to.flush()
        except OSError:
            pass  # it is gone, which its output's end says

    def _errors(self) -> None:
        assert self.popen.stderr
        with self.popen.stderr as errors:
            for piece in iter(lambda: os.read(errors.fileno(), 4096), b""):
                self.tail = (self.tail + piece)[-2000:]

    def send(self, o: str) -> int:
        """Sends a JSON object, without waiting for a program that does not read."""
        self.lines += 1
        self.outbox.put(f'{{"id":{self.lines},{o[1:]}\n'.encode())
        return self.lines

    def unasked(self) -> bool:
        """Whether it said something that nobody asked, or has ended. What is left of the
        cancelling of events that are over is taken away."""
        while True:
            try:
                if not isinstance(self.answers.get_nowait(), Cancel):
                    return True
            except queue.Empty:
                return False

    def said(self) -> str:
        text = self.tail.decode("utf-8", "replace").strip()
        return text or "and it said nothing on stderr"

    def ended(self) -> None:
        """Waits for its end, and after a while sees to it."""
        try:
            self.popen.wait(CLOSE_WAIT)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        self.outbox.put(None)
        self.popen.kill()
        self.popen.wait()


class Stream:
    """The program, started when it is needed and again when it has died."""

    def __init__(self, argv: Sequence[str], env: Optional[Mapping[str, str]], cwd: str):
        self.argv: List[str] = list(argv)
        self.env, self.cwd = env, cwd
        self.process: Optional[Process] = None
        self.turn = threading.Lock()
        self.closed = False

    def ask(self, event: Mapping[str, Any], timeout: float, cancel: Cancel) -> Outcome:
        """Asks about an event. What goes wrong is in the outcome, as ``error``."""
        end = time.monotonic() + timeout
        kind = event["event_type"]
        try:
            line = json.dumps(event, separators=(",", ":"), allow_nan=False)
        except (TypeError, ValueError, RecursionError) as e:
            return Outcome(error=HooksError("unreadable", f"{kind} has no JSON: {e}"))
        if not self.turn.acquire(timeout=timeout):
            return Outcome(error=_late())
        try:
            if self.closed:
                return Outcome(error=self._gone("this Hooks was closed"))
            try:
                return self._once(line, end, cancel)
            except Died as died:
                self._drop()
                if died.sent and kind not in PREVENTS:
                    return Outcome(error=self._gone(str(died)))
            try:
                return self._once(line, end, cancel)
            except Died as died:
                self._drop()
                return Outcome(error=self._gone(str(died)))
        except HooksError as error:
            self._drop()
            return Outcome(error=error)
        except BaseException:  # such as a Ctrl+C: the answer that is due is nobody's
            self._leave()
            raise
        finally:
            self.turn.release()

    def _once(self, event: str, end: float, cancel: Cancel) -> Outcome:
        p = self.process
        if p is None or p.popen.poll() is not None or p.unasked():
            self._drop()
            p = self.process = self._start()
        cancel.wake = p.answers
        if cancel.is_set():
            return Outcome(error=_late())
        id = p.send(event)
        answer = self._wait(p, end)
        if answer is not None and answer is not cancel:
            cancel.wake = None
            return self._read(id, answer)
        if answer is None and p.popen.poll() is not None:
            raise Died("it ended without an answer: " + p.said(), True)
        cancel.wake = None
        p.send(json.dumps({"request": "cancel", "of": id}))
        until = time.monotonic() + CANCEL_WAIT
        answer = self._wait(p, until)
        if isinstance(answer, Cancel):
            answer = self._wait(p, until)
        if not isinstance(answer, dict):
            self._drop()  # it hangs: the next event has a new one
            return Outcome(error=_late())
        said = self._wait(p, until)
        if not isinstance(said, dict) or "cancelled" not in said:
            self._drop()
        return self._read(id, answer)

    def _wait(self, p: Process, until: float) -> Any:
        try:
            answer = p.answers.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            return None
        if answer is None:
            p.popen.kill()
            p.popen.wait()
        return answer

    def _read(self, id: int, answer: Mapping[str, Any]) -> Outcome:
        if answer.get("id") != id:
            raise self._gone(f"it answered {answer.get('id')!r} where {id} was asked")
        try:
            return read(answer)
        except (KeyError, TypeError, AttributeError) as e:
            raise self._gone(f"its answer is none: {e!r}")

    def _start(self) -> Process:
        try:
            p = Process(self.argv, self.env, self.cwd)
        except OSError as e:
            raise self._gone(str(e))
        id = p.send('{"request": "hello", "stream": 1}')
        answer = self._wait(p, time.monotonic() + HELLO_WAIT)
        if not isinstance(answer, dict) or answer.get("id") != id or (answer.get("hello") or {}).get("stream") != 1:
            p.kill()
            raise self._gone("it does not speak version 1 of the stream: " + (json.dumps(answer) if answer else p.said()))
        return p

    def _gone(self, text: str) -> HooksError:
        return HooksError("gone", f"{self.argv[0]!r}: {text}")

    def _drop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process = None

    def _leave(self) -> None:
        """Has the program end, with the hook that it runs, and waits for neither."""
        p, self.process = self.process, None
        if p is None:
            return
        p.send('{"request": "cancel"}')
        p.outbox.put(None)
        threading.Thread(target=p.ended, daemon=True).start()

    def close(self) -> None:
        """Ends the program by the end of its input, and after a while in another way."""
        with self.turn:
            self.closed = True
            if self.process is None:
                return
            self.process.outbox.put(None)
            self.process.ended()
            self.process = None


def _late() -> HooksError:
    return HooksError("cancelled", "the event was cancelled before all of its hooks had judged it")
