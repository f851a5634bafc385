"""Hook folders: reading one, finding all, settings, order."""

import hashlib
import os
import re
import stat
import unicodedata

import events
import frontmatter
import settings



def is_name(text):
    """Whether a text may name a hook: small letters and digits of any script."""
    groups = unicodedata.normalize("NFKC", text).split("-")
    return 0 < len(text) <= 64 and text == text.lower() and all(g and all(c.isalnum() for c in g) for g in groups)

FOREIGN = ("openclaw", "moltbot", "clawdbot")
KEYS = ("name", "description", "trigger", "matcher", "timeout", "async", "priority", "metadata")
LAYERS = ("system", "user", "project")


class Problem:
    def __init__(self, file, line, field, message, value="", severity="error", fatal=False):
        self.file, self.line, self.field, self.message = file, line, field, message
        self.value, self.severity, self.fatal = value, severity, fatal

    def object(self):
        return {"file": self.file, "line": self.line, "column": 1, "field": self.field, "severity": self.severity,
                "message": self.message, "value": self.value, "fix": ""}


class Hook:
    def __init__(self, path, layer):
        self.dir, self.layer, self.file = os.path.abspath(path), layer, ""
        self.name, self.description, self.trigger = os.path.basename(self.dir), "", None
        self.tool = self.pattern = None
        self.tool_text = self.pattern_text = ""
        self.timeout, self.priority, self.background, self.on_error = 30000, 100, False, ""
        self.argv, self.status, self.overridden_by, self.problems = None, "ready", "", []
        self.held, self.absent = None, False
        self.given = set()

    def problem(self, line, field, message, value="", severity="error", fatal=False):
        self.problems.append(Problem(self.file or self.dir, line, field, message, str(value), severity, fatal))
        if fatal:
            self.status = "broken"

    def why(self):
        fatal = [p for p in self.problems if p.fatal] or self.problems
        return "; ".join("%s:%d: %s: %s" % (p.file, p.line, p.field, p.message) for p in fatal[:1])

    def object(self):
        return {
            "name": self.name, "description": self.description, "layer": self.layer, "dir": self.dir, "file": self.file,
            "entry": self.argv[-1] if self.argv else "", "trigger": self.trigger or "",
            "matcher": {"tool": self.tool_text, "pattern": self.pattern_text}, "priority": self.priority,
            "timeout_ms": self.timeout, "async": self.background, "status": self.status,
            "trusted": self.status != "untrusted", "overridden_by": self.overridden_by,
            "held": self.held, "problems": [p.object() for p in self.problems],
        }


def hook_file(path):
    for name in ("HOOK.md", "hook.md"):
        if name in os.listdir(path):
            return os.path.join(path, name)
    return None


def read_hook(path, layer):
    """The hook in a folder, None if it is no hook folder at all."""
    hook = Hook(path, layer)
    try:
        file = hook_file(path)
    except OSError as e:
        hook.problem(0, "", "cannot be read: %s" % e, fatal=True)
        return hook
    if file is None:
        return None
    hook.file = os.path.join(hook.dir, os.path.basename(file))
    try:
        if not stat.S_ISREG(os.stat(file).st_mode):
            hook.problem(0, "", "is no regular file", fatal=True)
            return hook
        keys = frontmatter.read(file)
    except (OSError, frontmatter.Broken) as e:
        hook.problem(getattr(e, "line", 0), "", str(e), fatal=True)
        return hook
    fill(hook, keys)
    return hook


def fill(hook, keys):
    if "trigger" not in keys and foreign(hook, keys):
        hook.status = "foreign"
        return
    hook.given = set(keys)
    for text, line in keys.warnings:
        hook.problem(line, "", text)
    names(hook, keys)
    trigger(hook, keys)
    matcher(hook, keys)
    hook.timeout = number(hook, keys, "timeout", 30000, 100, 600000)
    hook.priority = number(hook, keys, "priority", 100, 0, 1000)
    flag = keys.get("async", False)
    if isinstance(flag, bool):
        hook.background = flag
        if flag and hook.trigger in events.CAN_BLOCK:
            hook.problem(keys.line("async"), "async", "an async hook cannot block %s" % hook.trigger, severity="warning")
    else:
        hook.problem(keys.line("async"), "async", "want true or false", flag)
    metadata = keys.get("metadata")
    if isinstance(metadata, dict) and metadata.get("on_error") in ("block", "allow"):
        hook.on_error = metadata["on_error"]
    for key in keys:
        if key not in KEYS:
            hook.problem(keys.line(key), key, "unknown key", key)
    entry(hook)


def foreign(hook, keys):
    metadata = keys.get("metadata")
    if isinstance(metadata, dict) and not metadata.keys().isdisjoint(FOREIGN):
        return True
    return any(f.startswith("handler.") for f in os.listdir(hook.dir))


def names(hook, keys):
    folder = os.path.basename(hook.dir)
    name = keys.get("name")
    if "name" not in keys:
        hook.problem(1, "name", "is missing", fatal=True)
    elif isinstance(name, str) and is_name(name):
        hook.name = name
        if unicodedata.normalize("NFKC", name) != unicodedata.normalize("NFKC", folder):
            hook.problem(keys.line("name"), "name", "differs from the folder's name %s" % folder, name)
    else:
        well = is_name(folder)
        hook.problem(keys.line("name"), "name", "want 1 to 64 small letters, digits and single hyphens", name, fatal=not well)
    text = keys.get("description")
    if not isinstance(text, str) or not text:
        hook.problem(keys.line("description"), "description", "is missing")
    elif len(text) > 1024:
        hook.problem(keys.line("description"), "description", "is longer than 1024 characters")
    hook.description = text if isinstance(text, str) else ""


def trigger(hook, keys):
    given = keys.get("trigger")
    if not isinstance(given, str):
        hook.problem(keys.line("trigger"), "trigger", "want one event", given, fatal=True)
        return
    old = events.OLD_NAMES.get(given.replace("-", "_"))
    if given in events.EVENTS:
        hook.trigger = given
    elif old:
        hook.trigger = old
        hook.problem(keys.line("trigger"), "trigger", "is now called %s" % old, given)
    else:
        hook.problem(keys.line("trigger"), "trigger", "is no event", given, fatal=True)


def matcher(hook, keys):
    block = keys.get("matcher")
    if block is None:
        return
    line = keys.line("matcher")
    if not isinstance(block, dict):
        hook.problem(line, "matcher", "want tool and pattern below it", block, fatal=True)
        return
    if hook.trigger and hook.trigger not in events.TOOL_EVENTS:
        hook.problem(line, "matcher", "is ignored on %s" % hook.trigger, severity="warning")
    for key, text in block.items():
        if key not in ("tool", "pattern"):
            hook.problem(line, "matcher." + key, "unknown key", key)
            continue
        if text in (None, ""):
            continue
        if not isinstance(text, str):
            hook.problem(line, "matcher." + key, "want one regular expression", text, fatal=True)
            continue
        try:
            setattr(hook, key, re.compile(text))
            setattr(hook, key + "_text", text)
        except re.error as e:
            hook.problem(line, "matcher." + key, "does not compile: %s" % e, text, fatal=True)


def number(hook, keys, key, default, least, most):
    if key not in keys:
        return default
    value = keys[key]
    if isinstance(value, bool) or not isinstance(value, int):
        hook.problem(keys.line(key), key, "want an integer; %d is used" % default, value)
        return default
    if not least <= value <= most:
        hook.problem(keys.line(key), key, "want %d to %d" % (least, most), value)
    return min(max(value, least), most)


def leak(path):
    """A link in a hook's folder that leads out of it, None if there is none."""
    inside = os.path.realpath(path) + os.sep
    for top, folders, files in os.walk(path):
        for name in folders + files:
            full = os.path.join(top, name)
            if os.path.islink(full) and not os.path.realpath(full).startswith(inside):
                return full
    return None


def entry(hook):
    skipped = False
    out = leak(hook.dir)
    if out:
        hook.problem(0, "", "%s leads out of the hook's folder" % out, fatal=True)
        return
    for name in ("run", "run.sh", "run.py"):
        path = os.path.join(hook.dir, "scripts", name)
        if not os.path.isfile(path):
            continue
        inside = os.path.realpath(hook.dir) + os.sep
        if not os.path.realpath(path).startswith(inside):
            hook.problem(0, "entry", "leads out of the hook's folder", path, fatal=True)
            return
        executable = os.access(path, os.X_OK)
        if name == "run" and not executable:
            hook.problem(0, "entry", "scripts/run is not executable")
            skipped = True
            continue
        with open(path, "rb") as f:
            shebang = f.read(2) == b"#!"
        if name == "run" or executable and shebang:
            hook.argv = [path]
        else:
            hook.argv = ["sh" if name == "run.sh" else "python3", path]
        return
    what = "scripts/run is not executable, and there is no other entry" if skipped else "has no scripts/run, run.sh or run.py"
    hook.problem(0, "entry", what, fatal=True)


class Found:
    """All hooks that an event can see."""

    def __init__(self, project, root):
        self.project, self.root = project, root
        self.all, self.ready, self.broken = [], [], []
        self.settings = settings.Settings()

    def absent(self, name, layer, at, loose):
        hook = Hook(os.path.join(os.path.dirname(at), "hooks", name), layer)
        hook.problem(0, "hooks.lock", "no hook goes by the name %s that is locked at %s" % (name, at), name, fatal=True)
        hook.absent, hook.on_error = True, "" if loose else "block"
        hook.held = {"by": at, "on_error": "allow" if loose else "block", "against": []}
        if not loose:
            self.all.append(hook)


def discover(work_dir, warn):
    work_dir = str(work_dir)
    root = repository(work_dir)
    roots = project_roots(work_dir, root)
    found = Found(roots[0] if roots else None, root)
    trusted = os.environ.get("AGENTS_HOOKS_TRUST") == "always"
    found.settings.load(found.project if trusted else None, warn)
    layers = {"system": [d + "/agents/hooks" for d in settings.system_dirs()], "user": [settings.user_dir() + "/agents/hooks"],
              "project": [d + "/.agents/hooks" for d in roots]}
    taken = {}
    for layer in LAYERS:
        hooks = [h for d in layers[layer] for h in read_layer(d, layer)]
        if layer == "project" and not trusted:
            for h in hooks:
                h.status = "untrusted"
                warn.add(h.name, "of this project is not trusted and did not run")
            found.all += hooks
            continue
        merge(found, hooks, taken, warn)
    found.settings.apply(found, warn)
    found.settings.hold(found)
    found.ready = sorted((h for h in found.all if h.status == "ready"), key=found.settings.place)
    found.broken = [h for h in found.all if h.status == "broken"]
    for h in found.ready:
        for p in h.problems:
            if p.severity == "error":
                warn.add(h.name, "%s:%d: %s: %s" % (p.file, p.line, p.field, p.message))
    return found


def read_layer(path, layer):
    """The hooks of one folder, in byte order of their folders."""
    project = os.path.dirname(os.path.dirname(path))
    try:
        entries = sorted(os.listdir(path), key=os.fsencode)
    except OSError:
        return []
    hooks = []
    for name in entries:
        full = os.path.join(path, name)
        if name.startswith(".") or not os.path.isdir(full):
            continue
        if layer == "project" and not os.path.realpath(full).startswith(os.path.realpath(project) + os.sep):
            continue
        hook = read_hook(full, layer)
        if hook:
            hooks.append(hook)
    return hooks


def merge(found, hooks, taken, warn):
    mine = {}
    for h in hooks:
        if h.status == "foreign":
            found.all.append(h)
            continue
        if h.status != "broken" and h.name in mine:
            before = mine[h.name]
            if os.path.dirname(before.dir) == os.path.dirname(h.dir):
                h.problem(0, "name", "is the name of %s too" % before.dir, h.name, fatal=True)
            else:
                h.status, h.overridden_by = "overridden", before.dir
            found.all.append(h)
            continue
        if h.status == "ready":
            mine[h.name] = h
            below = taken.get(h.name)
            if below and found.settings.locked(h.name, below.layer):
                h.status, h.overridden_by = "overridden", below.dir
                found.all.append(h)
                continue
            if below:
                below.status, below.overridden_by = "overridden", h.dir
            taken[h.name] = h
        found.all.append(h)


def repository(work_dir):
    d = os.path.abspath(work_dir)
    while True:
        if os.path.exists(os.path.join(d, ".git")):
            return d
        up = os.path.dirname(d)
        if up == d:
            return None
        d = up


def project_roots(work_dir, root):
    """The projects around a folder, the nearest first: outside of a repository that one alone."""
    roots = []
    home = os.path.realpath(os.environ.get("HOME", "/"))
    d = os.path.abspath(work_dir)
    while True:
        above_home = (home + os.sep).startswith(os.path.realpath(d).rstrip(os.sep) + os.sep)
        agents = os.path.join(d, ".agents")
        if not above_home and (os.path.isdir(os.path.join(agents, "hooks")) or os.path.exists(os.path.join(agents, "hooks.toml"))):
            roots.append(d)
        up = os.path.dirname(d)
        if up == d or d == root or roots and not root:
            return roots
        d = up


def state_dir(hook, project):
    base = settings.xdg("XDG_STATE_HOME", ".local/state")
    where = hook.layer
    if hook.layer == "project" and project:
        where = "project-" + hashlib.sha256(os.fsencode(project)).hexdigest()[:16]
    return os.path.join(base, "second-runner", where, hook.name)
