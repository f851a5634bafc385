"""The front matter of a HOOK.md: the plain subset of YAML that such files use.

Block and flow mappings, flow and block lists, plain, single- and double-quoted
scalars, | and > blocks, comments. No anchors, aliases, tags or merge keys.
"""

import re

MOST = 64 << 10


class Broken(Exception):
    def __init__(self, line, text):
        Exception.__init__(self, text)
        self.line = line


class Keys(dict):
    """A mapping with the line of each key, and what was odd about the text."""

    def __init__(self):
        dict.__init__(self)
        self.lines, self.warnings = {}, []

    def line(self, key):
        return self.lines.get(key, 1)


def read(path):
    lines = []
    with open(path, "rb") as f:
        size = 0
        while raw := f.readline(MOST):
            size += len(raw)
            if size > MOST:
                raise Broken(1, "the front matter is not closed within %d KiB" % (MOST >> 10))
            lines.append(raw)
            if len(lines) > 1 and delimiter(raw):
                break
            if len(lines) == 1 and not delimiter(raw.removeprefix(b"\xef\xbb\xbf")):
                raise Broken(1, "has no front matter: want --- in the first line")
    if not lines:
        raise Broken(1, "is empty")
    if len(lines) < 2 or not delimiter(lines[-1]):
        raise Broken(1, "the front matter is not closed by ---")
    try:
        text = [raw.decode("utf-8").rstrip("\r\n") for raw in lines[1:-1]]
    except UnicodeDecodeError as e:
        raise Broken(1, "is not UTF-8: %s" % e)
    return Reader(text).mapping()


def delimiter(raw):
    return raw.rstrip(b" \t\r\n") == b"---"


ESCAPES = {"0": "\0", "a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
           " ": " ", '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029"}


class Reader:
    def __init__(self, lines):
        self.lines, self.at, self.keys = lines, 0, Keys()

    def fail(self, text):
        raise Broken(self.at + 2, text)

    def blank(self):
        text = self.lines[self.at].strip()
        return not text or text.startswith("#")

    def mapping(self):
        self.block(self.keys, 0)
        return self.keys

    def block(self, into, indent):
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if self.blank():
                self.at += 1
                continue
            spaces = len(line) - len(line.lstrip(" "))
            if "\t" in line[:len(line) - len(line.lstrip())]:
                self.fail("a tab stands for indentation")
            if spaces < indent:
                return
            if spaces > indent:
                self.fail("indented more than the line above")
            self.entry(into, indent, line[spaces:])

    def entry(self, into, indent, text):
        found = re.match(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#:"'\[\]{},&*!|>%@`-][^:#]*?|[^\s:]+)\s*:(?:\s+(.*))?$""", text)
        if not found:
            self.fail("want key: value")
        key, rest = found.group(1), (found.group(2) or "").strip()
        if key[0] in "\"'":
            key = self.quoted(key)[0]
        if key in into:
            self.fail("the key %s stands twice" % key)
        if into is self.keys:
            self.keys.lines[key] = self.at + 2
        into[key] = self.value(rest, indent)

    def value(self, rest, indent):
        if rest.startswith("#"):
            rest = ""
        if rest[:1] in ("|", ">"):
            return self.literal(rest, indent)
        if rest[:1] in ("[", "{"):
            return self.flow(rest)
        if rest[:1] in ('"', "'"):
            value, after = self.quoted(rest)
            if after.strip() and not after.strip().startswith("#"):
                self.fail("text after the closing quote")
            self.at += 1
            return value
        if rest[:1] in ("&", "*", "!", "@", "`", "%"):
            self.fail("anchors, aliases and tags are not read")
        if rest:
            rest = re.sub(r"\s+#.*$", "", rest)
            if ": " in rest or rest.endswith(":"):
                self.fail("a colon in a plain text")
            self.at += 1
            return scalar(rest)
        return self.below(indent)

    def below(self, indent):
        """What stands in the lines below a key: a mapping, a list or nothing."""
        self.at += 1
        while self.at < len(self.lines) and self.blank():
            self.at += 1
        if self.at == len(self.lines):
            return None
        line = self.lines[self.at]
        spaces = len(line) - len(line.lstrip(" "))
        if line[spaces:].startswith("- "):
            items = []
            while self.at < len(self.lines) and self.lines[self.at].strip().startswith("- "):
                items.append(scalar(self.lines[self.at].strip()[2:].strip()))
                self.at += 1
            return items
        if spaces <= indent:
            return None
        into = {}
        self.block(into, spaces)
        return into

    def literal(self, header, indent):
        folded = header[0] == ">"
        self.at += 1
        parts, inner = [], None
        while self.at < len(self.lines):
            line = self.lines[self.at]
            spaces = len(line) - len(line.lstrip(" "))
            if line.strip() and spaces <= indent:
                break
            if line.strip() and inner is None:
                inner = spaces
            parts.append(line[inner or 0:])
            self.at += 1
        text = (" " if folded else "\n").join(parts).rstrip()
        return text if "-" in header else text + "\n"

    def quoted(self, text):
        if text[0] == "'":
            end = re.match(r"'((?:[^']|'')*)'", text)
            if not end:
                self.fail("a quoted text is not closed")
            return end.group(1).replace("''", "'"), text[end.end():]
        end = re.match(r'"((?:[^"\\]|\\.)*)"', text)
        if not end:
            self.fail("a quoted text is not closed")
        return self.unescape(end.group(1)), text[end.end():]

    def unescape(self, body):
        known = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)")
        pieces = known.findall(body)
        if any(p[1] not in ESCAPES and len(p) == 2 for p in pieces):
            # Not YAML, but clear: backslashes mean themselves.
            self.keys.warnings.append(("unknown escape in double quotes; write it in single quotes", self.at + 2))
            return re.sub(r'\\(["\\])', r"\1", body)
        return known.sub(lambda m: chr(int(m.group()[2:], 16)) if len(m.group()) > 2 else ESCAPES[m.group()[1]], body)

    def flow(self, text):
        value, after = self.flow_value(text)
        if after.strip() and not after.strip().startswith("#"):
            self.fail("text after the closing bracket")
        self.at += 1
        return value

    def flow_value(self, text):
        text = text.lstrip()
        if text[:1] == "[":
            return self.flow_list(text[1:])
        if text[:1] == "{":
            return self.flow_mapping(text[1:])
        if text[:1] in ('"', "'"):
            return self.quoted(text)
        end = re.match(r"[^,\]}]*", text)
        return scalar(end.group().strip()), text[end.end():]

    def flow_list(self, text):
        items = []
        while True:
            text = text.lstrip()
            if text[:1] == "]":
                return items, text[1:]
            value, text = self.flow_value(text)
            items.append(value)
            text = text.lstrip()
            if text[:1] == ",":
                text = text[1:]
            elif text[:1] != "]":
                self.fail("a list is not closed")

    def flow_mapping(self, text):
        into = {}
        while True:
            text = text.lstrip()
            if text[:1] == "}":
                return into, text[1:]
            found = re.match(r"\s*([^:,{}\[\]]+?)\s*:\s*", text)
            if not found:
                self.fail("a mapping is not closed")
            key = found.group(1).strip("\"'")
            if key in into:
                self.fail("the key %s stands twice" % key)
            into[key], text = self.flow_value(text[found.end():])
            text = text.lstrip()
            if text[:1] == ",":
                text = text[1:]
            elif text[:1] != "}":
                self.fail("a mapping is not closed")


def scalar(text):
    if text in ("true", "True", "TRUE"):
        return True
    if text in ("false", "False", "FALSE"):
        return False
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if re.fullmatch(r"[-+]?[0-9]+", text):
        return int(text)
    if re.fullmatch(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?", text):
        return float(text)
    return text
