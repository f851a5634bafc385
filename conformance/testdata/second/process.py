"""Processes: one hook at a time, and those that nobody waits for."""

import os
import select
import signal
import subprocess
import sys
import threading
import time

import folders
import wire

GRACE = 0.5
DRAIN = 0.2
MOST_STDOUT = 1 << 20
MOST_STDERR = 64 << 10

now = time.monotonic


class End:
    """How a hook ended."""

    def __init__(self, code=None, why=None, stdout=b"", stderr=b"", cut=False):
        self.code, self.why, self.stdout, self.stderr, self.cut = code, why, stdout, stderr, cut

    def reason(self):
        text = self.stderr.decode("utf-8", "replace").strip()
        return text + "\n[cut at 64 KiB]" if self.cut else text


def environment(hook, event, found):
    env = {k: v for k, v in os.environ.items() if not k.startswith("AGENTS_HOOKS_") or k in KEPT}
    state = folders.state_dir(hook, found.project)
    work = directory(event, found)
    env.update({
        "AGENTS_HOOKS_EVENT": event["event_type"],
        "AGENTS_HOOKS_AGENT": "",
        "AGENTS_HOOKS_SESSION_ID": str(event["session_id"])[:4096],
        "AGENTS_HOOKS_HOOK_NAME": hook.name,
        "AGENTS_HOOKS_HOOK_DIR": hook.dir,
        "AGENTS_HOOKS_SOURCE_DIR": hook.dir,
        "AGENTS_HOOKS_PROJECT_DIR": found.project or found.root or str(event["work_dir"]),
        "AGENTS_HOOKS_STATE_DIR": state,
        "AGENTS_HOOKS_BIN": os.path.abspath(sys.argv[0]),
        "AGENTS_HOOKS_DEPTH": str(int(os.environ.get("AGENTS_HOOKS_DEPTH", "0") or 0) + 1),
        "PYTHONPYCACHEPREFIX": os.path.join(state, "pycache"),
        "PWD": work,
        "PATH": ":".join(d for d in os.environ.get("PATH", "").split(":") if os.path.isabs(d) and not hidden(d, hook, found)),
        "PYTHONSAFEPATH": os.environ.get("PYTHONSAFEPATH", "1"),
    })
    return {k: v.replace("\0", "") for k, v in env.items()}


def hidden(directory, hook, found):
    """Whether a directory of the PATH is the repository's, and the hook is not."""
    if hook.layer == "project":
        return False
    names = (os.path.normpath(directory), os.path.realpath(directory))
    return directory.startswith("/proc/") or any(
        n == r or n.startswith(r + "/") for n in names for r in (found.project, found.root) if r)


# Switches that a nested runner still has to see.
KEPT = ("AGENTS_HOOKS_TRUST", "AGENTS_HOOKS_DISABLE", "AGENTS_HOOKS_DISABLED_HOOKS", "AGENTS_HOOKS_CONFORMANCE")


def directory(event, found):
    for d in (str(event["work_dir"]), found.project, found.root, os.environ.get("HOME", "/")):
        if d and os.path.isdir(d):
            return d
    return "/"


def start(hook, event, found, stdin, stdout, stderr):
    return subprocess.Popen(
        hook.argv, stdin=stdin, stdout=stdout, stderr=stderr, cwd=directory(event, found),
        env=environment(hook, event, found), start_new_session=True)


def run(hook, stdin, event, found, deadline, warn):
    try:
        os.makedirs(folders.state_dir(hook, found.project), 0o700, exist_ok=True)
    except OSError as e:
        warn.add(hook.name, "its state directory cannot be made: %s" % e)
    limit = now() + hook.timeout / 1000
    text = "was stopped after %d ms, its time limit" % hook.timeout
    if deadline is not None and deadline < limit:
        limit, text = deadline, "was stopped: the time of the event is over"
    try:
        p = start(hook, event, found, subprocess.PIPE, subprocess.PIPE, subprocess.PIPE)
    except OSError as e:
        return End(why="did not start: %s" % e)
    threading.Thread(target=feed, args=(p.stdin, stdin), daemon=True).start()
    out, errs = Collector(p.stdout, MOST_STDOUT + 1), Collector(p.stderr, MOST_STDERR + 1)
    stopped = not wait(p, limit)
    if stopped:
        stop(p)
    last = now() + DRAIN
    stdout, stderr = out.take(last), errs.take(last)
    cut = len(stderr) > MOST_STDERR
    stderr = stderr[:MOST_STDERR]
    return judge(p.returncode, stopped, text, stdout, stderr, cut)


def judge(code, stopped, text, stdout, stderr, cut):
    if stopped:
        return End(why=text)
    if code == 2:
        return End(2, stderr=stderr, cut=cut)
    if code < 0:
        return End(why="was ended by %s" % signal.Signals(-code).name)
    if code in (126, 127):
        return End(why="did not start: exit code %d" % code)
    if code != 0:
        return End(why="failed (exit code %d), so it decided nothing" % code)
    if len(stdout) > MOST_STDOUT:
        return End(why="stdout is over 1 MiB; nothing of it is used")
    return End(0, stdout=stdout)


def feed(pipe, data):
    try:
        pipe.write(data)
        pipe.close()
    except OSError:
        pass  # not to read is no failure


def wait(p, limit):
    """Whether the process exited in time. A pidfd tells at once."""
    fd = os.pidfd_open(p.pid) if hasattr(os, "pidfd_open") else None
    try:
        if fd is not None:
            select.select([fd], [], [], max(0, limit - now()))
        else:
            while p.poll() is None and now() < limit:
                time.sleep(0.01)
    finally:
        if fd is not None:
            os.close(fd)
    return p.poll() is not None


def stop(p):
    group(p.pid, signal.SIGTERM)
    end = now() + GRACE
    while p.poll() is None and now() < end:
        time.sleep(0.01)
    group(p.pid, signal.SIGKILL)
    p.wait()


def group(pid, sig):
    try:
        os.killpg(pid, sig)
    except OSError:
        pass


class Collector:
    """Reads one pipe, up to a limit; what is over it is read and forgotten."""

    def __init__(self, pipe, most):
        self.pipe, self.most, self.data = pipe, most, bytearray()
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        fd = self.pipe.fileno()
        while True:
            try:
                piece = os.read(fd, 1 << 16)
            except OSError:
                return
            if not piece:
                return
            self.data += piece[:max(0, self.most - len(self.data))]

    def take(self, last):
        self.thread.join(max(0, last - now()))
        return bytes(self.data)


def start_background(waiting, found):
    """A detached supervisor with no pipe of ours runs them, all at once."""
    if not waiting:
        return
    sys.stdout.flush()
    child = os.fork()
    if child:
        os.waitpid(child, 0)  # then it has left our group, which may be killed once we have answered
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    threads = []
    for hook, event in waiting:
        t = threading.Thread(target=supervise, args=(hook, event, found))
        t.start()
        threads.append(t)
    for t in threads:
        t.join()
    os._exit(0)


def supervise(hook, event, found):
    try:
        os.makedirs(folders.state_dir(hook, found.project), 0o700, exist_ok=True)
        p = start(hook, event, found, subprocess.PIPE, subprocess.DEVNULL, subprocess.DEVNULL)
    except OSError:
        return
    threading.Thread(target=feed, args=(p.stdin, wire.line(event)), daemon=True).start()
    if not wait(p, now() + hook.timeout / 1000):
        stop(p)
