"""The client against the real program: AGENTS_HOOKS_PROGRAM names agents-hooks-run."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zipfile

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, HERE)

from agents_hooks import Hooks, HooksError, aio, events  # noqa: E402

PROGRAM = [os.environ["AGENTS_HOOKS_PROGRAM"], "run", "--stream"]


class Person(unittest.TestCase):
    """Somebody with hooks of their own."""

    def setUp(self):
        self.home = os.path.realpath(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        self.told = []
        self.tmp = os.path.join(self.home, "tmp")
        os.mkdir(self.tmp)
        self.env = {"HOME": self.home, "PATH": os.environ["PATH"], "XDG_CONFIG_DIRS": self.home, "TMPDIR": self.tmp}

    def hook(self, name, front, script):
        folder = os.path.join(self.home, ".config/agents/hooks", name)
        os.makedirs(os.path.join(folder, "scripts"), exist_ok=True)
        for file, text in {
            "HOOK.md": f"---\nname: {name}\ndescription: d.\n{front}\n---\n",
            "scripts/run": f"#!/bin/sh\n{script}\n",
        }.items():
            path = os.path.join(folder, file)
            with open(path, "w") as f:
                f.write(text)
            os.chmod(path, 0o755)

    def hooks(self, kind=Hooks, program=PROGRAM, **options):
        h = kind(program=program, env=self.env, work_dir=self.home, tell=self.told.append, **options)
        if kind is Hooks:
            self.addCleanup(h.close)
        return h

    def await_file(self, name):
        path = os.path.join(self.home, name)
        while not os.path.exists(path) or not os.path.getsize(path):
            time.sleep(0.005)
        with open(path) as f:
            return f.read()


RULES = [
    ("guard", "trigger: pre-tool-call\nmatcher: {command: forbidden}", 'echo "not that" >&2; exit 2'),
    ("rewrite", "trigger: pre-tool-call\nmatcher: {command: old}", """echo '{"modified_input": {"command": "new \u00e9"}, "additional_context": "it is new"}'"""),
    ("unsure", "trigger: pre-tool-call\nmatcher: {command: perhaps}", """echo '{"decision": "ask", "reason": "sure?"}'"""),
    ("hide", "trigger: post-tool-call\nmatcher: {command: secret}", """echo '{"modified_output": "hidden"}'"""),
    ("told", "trigger: post-tool-call-failure", """echo '{"additional_context": "try make"}'"""),
]
# command, what the model reads, whether the tool was called
CALLS = [
    ("ls", "did ls", True),
    ("forbidden", "[guard] not that", False),
    ("old", "did new \u00e9\n\nit is new", True),
    ("perhaps", "[unsure] sure?\n\nThe person said no.", False),
    ("secret", "hidden", True),
    ("broken", "exit 1\n\ntry make", True),
]


def run(given):
    if given["command"] == "broken":
        raise RuntimeError("exit 1")
    return "did " + given["command"]


class Sync(Person):
    def test_what_hooks_say_is_obeyed(self):
        for rule in RULES:
            self.hook(*rule)
        session = self.hooks(ask=lambda name, given, reason: False).session()
        for command, text, ran in CALLS:
            r = session.tool("Shell", {"command": command}, run, id="1")
            self.assertEqual((r.text, r.ran), (text, ran), command)
        self.assertEqual(self.told, [])

    def test_a_session_goes_on_as_often_as_a_gate_may_want(self):
        self.hook("gate", "trigger: pre-agent-turn-stop\nmetadata: {loop_limit: 2}", "echo more >&2; exit 2")
        session = self.hooks().session("s")
        said = [session.dispatch(events.pre_agent_turn_stop("done")).go_on for _ in range(3)]
        self.assertEqual(said, ["[gate] more", "[gate] more", None])

    def test_a_killed_program_is_started_again(self):
        self.hook("guard", "trigger: pre-tool-call", """echo x >>"$HOME/asked"
if [ ! -e "$HOME/once" ]; then : >"$HOME/once"; kill -9 $PPID; sleep 60; fi
echo "not that" >&2; exit 2""")
        hooks = self.hooks()
        session = hooks.session()
        forbidden = events.pre_tool_call("Shell", {"command": "x"})
        self.assertTrue(session.dispatch(forbidden).blocked)
        self.assertEqual(self.await_file("asked"), "x\nx\n")
        for _ in range(3):
            os.kill(hooks._stream.process.popen.pid, signal.SIGKILL)
            self.assertTrue(session.dispatch(forbidden).blocked)

    def test_what_happened_is_told_once_where_the_program_dies_over_it(self):
        self.hook("observer", "trigger: post-tool-call", 'echo x >>"$HOME/asked"; kill -9 $PPID; sleep 60')
        session = self.hooks().session()
        o = session.dispatch(events.post_tool_call("Shell", {}, "done"))
        self.assertEqual((o.error.kind, self.await_file("asked")), ("gone", "x\n"))

    def test_a_program_that_hangs_hangs_nobody(self):
        self.hook("slow", "trigger: pre-tool-call", "sleep 600")
        hooks = self.hooks(timeout=0.5)
        session = hooks.session()
        self.assertEqual(session.dispatch(events.pre_tool_call("Shell", {})).error.kind, "cancelled")
        self.assertIsNone(session.dispatch(events.pre_agent_turn("hi")).error)  # the same process goes on

    def test_without_a_program_work_goes_on_or_not_as_the_agent_wants(self):
        wrong = [["/nowhere/agents-hooks-run"], ["sh", "-c", "exit 3"], ["sh", "-c", "echo no; cat"],
                 ["sh", "-c", """while read l; do echo '{"schema": 1, "id": 1, "hello": {"stream": 2}}'; done"""]]
        for program in wrong:
            self.told.clear()
            self.assertEqual(self.hooks(program=program).session().tool("Shell", {"command": "x"}, run).text, "did x")
            self.assertTrue(self.told and program[0] in self.told[0], self.told)
            with self.assertRaises(HooksError):
                self.hooks(program=program, strict=True).session().tool("Shell", {"command": "x"}, run)

    def test_each_event_is_one_of_the_format(self):
        session = self.hooks().session()
        every = [
            events.pre_session(), events.post_session(), events.pre_agent_turn("x", model="m"), events.post_agent_turn(),
            events.pre_agent_turn_stop("x"), events.post_agent_turn_stop(), events.pre_tool_call("Shell", {}, "1"),
            events.post_tool_call("Shell", {}, None), events.post_tool_call_failure("Shell", {}, "e"),
            events.permission_request("Shell", {}), events.notification("m", "k"), events.pre_subagent("1", "k", "t"),
            events.post_subagent("1", "k"), events.pre_context_compact("auto"), events.post_context_compact("auto", kind="k"),
        ]
        self.assertEqual(len({e["event_type"] for e in every}), 15)
        for event in every:
            o = session.dispatch(event)
            self.assertEqual((o.error, o.warnings), (None, []), event)

    def test_what_has_no_json_stops_nothing(self):
        self.hook("after", "trigger: post-tool-call", 'cat >>"$HOME/saw"; echo >>"$HOME/saw"')
        session = self.hooks().session()
        ring = []
        ring.append(ring)
        for result, text in (b"caf\xe9", "caf\ufffd"), (ring, "[[...]]"), ({1, 2}, "{1, 2}"), (float("inf"), "inf"):
            self.assertEqual(session.tool("Shell", {"command": "x"}, lambda given: result).text, text)
            self.assertIn(json.dumps(text, ensure_ascii=False), self.await_file("saw"))
        self.assertEqual(self.told, [])
        o = session.dispatch(events.pre_tool_call("Shell", {"command": b"x"}))
        self.assertEqual(o.error.kind, "unreadable")
        self.assertIn("pre-tool-call has no JSON", self.told[0])

    def test_an_interrupted_wait_ends_the_hook_and_guards_go_on(self):
        self.hook("slow", "trigger: pre-tool-call\nmatcher: {command: slow}", 'echo $$ >"$HOME/pid"; sleep 600')
        self.hook("guard", "trigger: pre-tool-call\nmatcher: {command: forbidden}", "echo no >&2; exit 2")
        session = self.hooks().session()
        signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started this may ignore it
        threading.Thread(target=lambda: (self.await_file("pid"), os.kill(os.getpid(), signal.SIGINT))).start()
        with self.assertRaises(KeyboardInterrupt):
            session.tool("Shell", {"command": "slow"}, run)
        self.assertTrue(session.dispatch(events.pre_tool_call("Shell", {"command": "forbidden"})).blocked)
        pid = int(self.await_file("pid"))
        while alive(pid):
            time.sleep(0.02)

    def test_a_dead_client_leaves_nothing_behind(self):
        self.hook("slow", "trigger: pre-tool-call", 'echo $PPID $$ >"$HOME/pid"; sleep 600')
        code = "import sys; from agents_hooks import Hooks, events; Hooks(program=sys.argv[1:]).session().dispatch(events.pre_tool_call('Shell', {}))"
        client = subprocess.Popen([sys.executable, "-c", code, *PROGRAM], env={**self.env, "PYTHONPATH": HERE}, cwd=self.home)
        pids = [int(pid) for pid in self.await_file("pid").split()]
        client.kill()
        client.wait()
        while any(alive(pid) for pid in pids):
            time.sleep(0.02)
        self.assertEqual(os.listdir(self.tmp), [])

    def test_ten_thousand_events_leave_nothing_behind(self):
        if not os.path.exists("/proc/self/statm"):
            self.skipTest("needs /proc")
        hooks = self.hooks()
        session = hooks.session()
        event = events.pre_tool_call("Shell", {"command": "ls"})
        sizes, count = [], 10000 if os.environ.get("AGENTS_HOOKS_SLOW") else 1500

        def ask(i):
            session.dispatch(event)
            if i in (count // 5, count - 1):
                sizes.append((resident("self"), resident(hooks._stream.process.popen.pid), threading.active_count()))

        line = json.dumps({**event, "session_id": "s", "work_dir": self.home}).encode()

        def start(i):
            subprocess.run([PROGRAM[0], "run", "--json"], input=line, stdout=subprocess.PIPE, env=self.env, check=True)

        print(f"python: {count} events: {timed(count, ask)}, {sizes}", file=sys.stderr)
        print(f"python: a process for each: {timed(count // 15, start)}", file=sys.stderr)
        (own, other, threads), (own2, other2, threads2) = sizes
        self.assertLessEqual(threads2, threads)  # PyPy may only now end the threads of earlier sessions
        if sys.implementation.name == "cpython":  # PyPy's size is what its collector and compiler take, 90 MB more or less
            self.assertLess(own2, own + 4e6)
        self.assertLess(other2, other + 8e6)

    def test_the_wheel_is_whole_and_the_same_each_time(self):
        made = []
        for name in ("a", "b"):
            to = os.path.join(self.home, name)
            out = subprocess.run([sys.executable, os.path.join(HERE, "backend.py"), to, "1.2.3"], check=True, stdout=subprocess.PIPE)
            with open(os.path.join(to, out.stdout.decode().strip()), "rb") as f:
                made.append(f.read())
        self.assertEqual(made[0], made[1])
        zipfile.ZipFile(os.path.join(self.home, "a", "agents_hooks-1.2.3-py3-none-any.whl")).extractall(os.path.join(self.home, "site"))
        code = "import agents_hooks.aio; print(agents_hooks.__version__, agents_hooks.__file__)"
        out = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": os.path.join(self.home, "site")}, check=True, stdout=subprocess.PIPE, cwd="/")
        self.assertEqual(out.stdout.decode().split(), ["1.2.3", os.path.join(self.home, "site/agents_hooks/__init__.py")])


class Async(Person):
    def test_what_hooks_say_is_obeyed(self):
        for rule in RULES:
            self.hook(*rule)

        async def no(name, given, reason):
            return False

        async def slowly(given):
            await asyncio.sleep(0)
            return run(given)

        async def main():
            async with self.hooks(aio.Hooks, ask=no) as hooks:
                session = hooks.session()
                for command, text, ran in CALLS:
                    r = await session.tool("Shell", {"command": command}, slowly, id="1")
                    self.assertEqual((r.text, r.ran), (text, ran), command)
                both = await asyncio.gather(*(session.tool("Shell", {"command": c}, slowly) for c in ["ls", "forbidden"] * 4))
                self.assertEqual([r.ran for r in both], [True, False] * 4)

        asyncio.run(main())

    def test_calls_that_wait_for_hooks_take_no_thread_of_the_agent(self):
        self.hook("slow", "trigger: pre-tool-call", 'echo x >"$HOME/began"; while [ ! -e "$HOME/go" ]; do sleep 0.02; done')

        async def main():
            async with self.hooks(aio.Hooks) as hooks:
                session = hooks.session()
                calls = [asyncio.create_task(session.tool("Shell", {"command": "ls"}, run)) for _ in range(40)]
                loop = asyncio.get_running_loop()
                await loop.run_in_executor(None, self.await_file, "began")
                open(os.path.join(self.home, "go"), "w").close()
                self.assertEqual([r.text for r in await asyncio.gather(*calls)], ["did ls"] * 40)

        asyncio.run(main())

    def test_a_cancelled_task_ends_the_hook(self):
        self.hook("slow", "trigger: pre-tool-call", 'echo $$ >"$HOME/pid"; sleep 600')

        async def main():
            async with self.hooks(aio.Hooks) as hooks:
                session = hooks.session()
                task = asyncio.create_task(session.dispatch(events.pre_tool_call("Shell", {})))
                pid = int(await asyncio.get_running_loop().run_in_executor(None, self.await_file, "pid"))
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                while alive(pid):
                    await asyncio.sleep(0.02)
                process = hooks._hooks._stream.process
                self.assertIsNone((await session.dispatch(events.pre_agent_turn("hi"))).error)
                self.assertIs(hooks._hooks._stream.process, process)

        asyncio.run(main())


def timed(count, do):
    took = []
    for i in range(count):
        began = time.perf_counter()
        do(i)
        took.append(time.perf_counter() - began)
    took.sort()
    return f"{count / sum(took):.0f} a second, p95 {took[count * 95 // 100] * 1000:.2f} ms"


def resident(pid):
    with open(f"/proc/{pid}/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


if __name__ == "__main__":
    unittest.main()
