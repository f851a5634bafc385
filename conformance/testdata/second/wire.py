"""JSON as hooks read it: one line, ": " and ", ", numbers as they were."""

import json


class Number(str):
    """A number with its spelling."""


class TwiceNamed(ValueError):
    pass


def _object(pairs):
    seen = {}
    for name, value in pairs:
        if name in seen:
            raise TwiceNamed("the name %r stands twice in one object" % name)
        seen[name] = value
    return seen


def _constant(word):
    raise ValueError("%s is no JSON" % word)


_decoder = json.JSONDecoder(object_pairs_hook=_object, parse_float=Number, parse_int=Number, parse_constant=_constant)


def parse(text):
    """One JSON value and nothing after it."""
    value, end = _decoder.raw_decode(text, len(text) - len(text.lstrip(" \t\r\n")))
    if text[end:].strip(" \t\r\n"):
        raise ValueError("there is more than one JSON value")
    return value


_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def _string(text):
    out = ['"']
    for c in text:
        if c in _SHORT:
            out.append(_SHORT[c])
        elif c < " ":
            out.append("\\u%04x" % ord(c))
        elif "\ud800" <= c <= "\udfff":
            out.append("\\u%04x" % ord(c))  # half of a pair has no UTF-8
        else:
            out.append(c)
    out.append('"')
    return "".join(out)


def text(value):
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, str):
        return _string(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return json.dumps(value)
    if isinstance(value, dict):
        return "{" + ", ".join(_string(k) + ": " + text(v) for k, v in value.items()) + "}"
    return "[" + ", ".join(text(v) for v in value) + "]"


def line(value):
    return (text(value) + "\n").encode("utf-8", "surrogatepass")
