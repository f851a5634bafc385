"""hooks.toml of the layers, merged, and what the environment says."""

import os
import re
import tomllib

RANK = {"system": 0, "user": 1, "project": 2}
KEYS = {
    "hooks": {"enabled", "debug", "on_error", "order", "deny_json", "on_unsupported", "stop_limit", "defaults", "disable", "override", "lock"},
    "hooks.defaults": {"timeout", "async"},
    "hooks.disable": {"name"},
    "hooks.override": {"name", "priority", "timeout", "async", "on_error"},
    "hooks.lock": {"name", "on_error"},
    "trust": {"project"},
}


def xdg(name, default):
    value = os.environ.get(name, "")
    return value if os.path.isabs(value) else os.path.join(os.environ.get("HOME", "/"), default)


def user_dir():
    return xdg("XDG_CONFIG_HOME", ".config")


def system_dirs():
    dirs = [d for d in os.environ.get("XDG_CONFIG_DIRS", "").split(":") if os.path.isabs(d)]
    return dirs or ["/etc/xdg"]


class Settings:
    def __init__(self):
        self.enabled, self.on_error, self.deny_json, self.order = True, "allow", "warn", "layer"
        self.tables = []  # (layer, [hooks] table), system first
        self.lock = {}  # name: (layer, file:line, whether it may fail), the system's before the user's
        self.project_on_error = ""

    def load(self, project, warn):
        places = [("system", d) for d in reversed(system_dirs())] + [("user", user_dir())]
        for layer, d in places:
            self.read(layer, os.path.join(d, "agents", "hooks.toml"), warn)
        if project:
            self.read("project", os.path.join(project, ".agents", "hooks.toml"), warn)
        if os.environ.get("AGENTS_HOOKS_DISABLE", "") not in ("", "0"):
            self.enabled = False
        self.nested = int(os.environ.get("AGENTS_HOOKS_DEPTH", "0") or 0) > 3

    def read(self, layer, file, warn):
        try:
            with open(file, "rb") as f:
                text = f.read()
        except OSError:
            return
        try:
            table = tomllib.loads(text.decode())
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
            at = re.search(r"line (\d+), column (\d+)", str(e))
            warn.add("", "%s:%s: %s" % (file, "%s:%s" % at.groups() if at else "1:1", e))
            return
        self.unknown(file, text.decode(), table, warn)
        hooks = table.get("hooks", {})
        self.tables.append((layer, hooks))
        if layer != "project":
            self.locks(layer, file, text.decode(), hooks)
        if layer == "project":
            # A project may only tighten.
            self.project_on_error = "block" if hooks.get("on_error") == "block" else ""
            if hooks.get("deny_json") == "block":
                self.deny_json = "block"
            return
        self.enabled = hooks.get("enabled", self.enabled)
        self.on_error = hooks.get("on_error", self.on_error)
        self.deny_json = hooks.get("deny_json", self.deny_json)
        self.order = hooks.get("order", self.order)

    def locks(self, layer, file, text, hooks):
        for entry in hooks.get("lock", []):
            name, loose = entry.get("name"), entry.get("on_error") == "allow"
            have = self.lock.get(name)
            if have is None or have[0] == layer and have[2] and not loose:
                self.lock[name] = (layer, "%s:%s" % (file, place(text, "lock")), loose)

    def hold(self, found):
        """What is locked fails closed; what is locked and nowhere has a broken hook in its place."""
        for name, (layer, at, loose) in self.lock.items():
            there = [h for h in found.all if h.name == name and h.status not in ("foreign", "untrusted")]
            below = [h for h in there if RANK[h.layer] <= RANK[layer]]
            for h in below or there:
                h.held = {"by": at, "on_error": "allow" if loose else "block", "against": []}
                if not loose:
                    h.on_error = "block"
            if any(h.status == "broken" for h in below):
                for h in there:
                    if h not in below and h.status == "ready":
                        h.status, h.overridden_by = "overridden", below[0].dir
            if not there:
                found.absent(name, layer, at, loose)

    def unknown(self, file, text, table, warn):
        tables = [("", table)] + [(k, v) for k, v in table.items() if isinstance(v, dict)]
        for name in ("defaults", "disable", "override", "lock"):
            below = table.get("hooks", {}).get(name, [])
            tables += [("hooks." + name, t) for t in (below if isinstance(below, list) else [below])]
        known = dict(KEYS)
        known[""] = {"hooks", "trust", "builtin"}
        for where, keys in tables:
            for key in keys:
                if where in known and key not in known[where]:
                    warn.add("", "%s:%s: unknown key %s" % (file, place(text, key), key))

    def locked(self, name, layer):
        """Whether the hook of this name in this layer is locked against all above it."""
        for lock_layer, table in self.tables:
            if lock_layer != "project" and RANK[lock_layer] >= RANK[layer] and any(l.get("name") == name for l in table.get("lock", [])):
                return True
        return False

    def lock_layer(self, name):
        return self.lock[name][0] if name in self.lock else None

    def immune(self, hook):
        """A locked hook, unless a hook of a layer above the lock goes by its name."""
        layer = self.lock_layer(hook.name)
        return layer is not None and RANK[hook.layer] <= RANK[layer]

    def apply(self, found, warn):
        off = set(filter(None, os.environ.get("AGENTS_HOOKS_DISABLED_HOOKS", "").replace(" ", ",").split(",")))
        for h in found.all:
            if h.status != "ready":
                continue
            self.change(h)
            if not self.immune(h) and (not self.enabled or self.nested or h.name in off):
                h.status = "disabled"
            for layer, table in self.tables:
                beside = self.immune(h) and RANK[layer] >= RANK[self.lock_layer(h.name)]
                if any(d.get("name") == h.name for d in table.get("disable", [])) and self.reaches(layer, h) and not beside:
                    h.status = "disabled"
            if h.layer == "project" and self.project_on_error and not h.on_error:
                h.on_error = self.project_on_error

    def reaches(self, layer, hook):
        """Whether settings of a layer say anything about a hook."""
        lock = self.lock_layer(hook.name)
        if lock is not None and RANK[layer] > RANK[lock] and RANK[hook.layer] <= RANK[lock]:
            return False
        return layer != "project" or hook.layer == "project"

    def change(self, hook):
        for layer, table in self.tables:
            defaults = table.get("defaults", {})
            if layer != "project" or hook.layer == "project":
                if "timeout" not in hook.given and "timeout" in defaults:
                    hook.timeout = defaults["timeout"]
                if "async" not in hook.given and "async" in defaults:
                    hook.background = defaults["async"]
            for o in table.get("override", []):
                if o.get("name") != hook.name or not self.reaches(layer, hook):
                    continue
                hook.priority = o.get("priority", hook.priority)
                hook.timeout = o.get("timeout", hook.timeout)
                hook.background = o.get("async", hook.background)
                if layer != "project" or o.get("on_error") == "block":
                    hook.on_error = o.get("on_error", hook.on_error)

    def place(self, hook):
        layer, locked = RANK[hook.layer], self.lock_layer(hook.name) is not None
        held = (not (locked and hook.layer != "project"),)
        if self.order == "layer":
            return held + (layer, not locked, -hook.priority, hook.name.encode())
        return held + (not locked, -hook.priority, layer, hook.name.encode())


def place(text, key):
    for n, line in enumerate(text.split("\n"), 1):
        at = re.search(r"(^|[\[{,.\s])" + re.escape(key) + r"\s*[=\].]", line)
        if at:
            return "%d:%d" % (n, line.index(key, at.start()) + 1)
    return "1:1"
