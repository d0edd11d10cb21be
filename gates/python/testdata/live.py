"""Looks for objects of the library's own among what facts call plain data.

Reads [[name, type], ...] from its input, as numbers.py does: attributes of modules and
types, whose names have a leading colon, and functions that act on nothing but data. What
an attribute holds, and what two calls give that is one object, the library keeps and may
read again. If it can be changed, facts have to say so: it is a view. Prints a line for
each lie, and how many facts it looked into.
"""

import contextlib
import importlib
import io
import json
import resource
import signal
import sys

def arguments():
    """What functions are called with, each time anew: names that most of them understand."""
    return [(), ("xml",), ("utf-8",), ("UTC",), ("CC",), (0,), (b"ab",), ("a", "b"), ("a", ["b"])]


# What texts are there to change, and nothing of the library's depends on.
TOLD = {"sys.argv"}

# They wait, end the program, or close what it writes to.
LEFT_OUT = set("input sleep exit quit close fsync main breakpoint alarm acquire wait get get_nowait put join start run result".split())

# Modules of which nothing is called: what they do is felt outside.
QUIET = {"builtins", "asyncio", "signal", "subprocess", "webbrowser", "antigravity", "this", "turtle", "idlelib"}

SHARED = {"list", "dict", "set", "plain", "bytes", "settable"}

# Nothing of the library's is among what these give.
OWN = {"str", "int", "float", "bool", "tuple", "none", "type", "iterator", "Exception"}


def owner_of(name):
    """The module that stands before the last dot, if it is one that facts know and Python has."""
    module = name.rpartition(".")[0]
    if module not in known or module.split(".")[0] in QUIET:
        return None
    try:
        return importlib.import_module(module)
    except Exception:
        return None


def kept(a, b, kinds, path, depth=0):
    """The lies among what was got twice."""
    if depth > 3:
        return
    for name, of, items in kinds:
        if name in SHARED and a is b and isinstance(a, (list, dict, set, bytearray)):
            yield path
        if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)) and (of or items):
            for i, (x, y) in enumerate(zip(a[:20], b[:20])):
                yield from kept(x, y, items[i] if items and i < len(items) else of or [], f"{path}[{i}]", depth + 1)
        if isinstance(a, dict) and isinstance(b, dict) and of:
            for k in list(a)[:20]:
                if k in b:
                    yield from kept(a[k], b[k], of, f"{path}[{k!r}]", depth + 1)
        if name not in SHARED | OWN:
            for member, attribute, member_kinds in members.get(name, ()):
                try:
                    x, y = getattr(a, member), getattr(b, member)
                    if not attribute:
                        x, y = x(), y()
                except BaseException:
                    continue
                yield from kept(x, y, member_kinds, f"{path}.{member}", depth + 1)


rows = json.load(sys.stdin)
known = {name for name, kinds in rows if kinds is None}
members = {}
for name, kinds in rows:
    owner, _, member = name.lstrip(":").rpartition(".")
    if kinds and owner not in known and not member.startswith("__") and member not in LEFT_OUT and member != "*":
        members.setdefault(owner, []).append((member, name.startswith(":"), kinds))

resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
signal.alarm(60)
sys.argv = ["x"]
looked, lies = 0, []
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    for name, kinds in rows:
        if not kinds or not (module := owner_of(name.lstrip(":"))):
            continue
        member = name.rpartition(".")[2]
        if member in LEFT_OUT or not hasattr(module, member):
            continue
        get = getattr(module, member)
        if name.startswith(":"):
            looked += 1
            if name[1:] not in TOLD:
                lies += kept(get, get, kinds, name[1:])
            continue
        called = False
        for args, again in zip(arguments(), arguments()):
            try:
                a, b = get(*args), get(*again)
            except BaseException:
                continue
            called = True
            if lie := list(kept(a, b, kinds, f"{name}({', '.join(map(repr, args))})")):
                lies += lie
                break
        looked += called
for lie in lies:
    print(lie)
print(f"looked into {looked}")
