"""Calls what facts say to give a number or nothing, and tells what gave something else.

Reads [[name, type], ...] from its input, type as [[name, of, items], ...]; a type whose
name has a leading colon is an attribute's. Prints a line for each lie, and how many
facts it looked into. It calls nothing that is felt outside.
"""

import asyncio
import collections
import colorsys
import datetime
import decimal
import difflib
import fractions
import functools
import importlib
import inspect
import io
import itertools
import json
import logging
import queue
import random
import re
import resource
import signal
import struct
import sys
import threading
import uuid


class Own:
    """An object whose special methods all give a text, or itself."""

    def write(self, *_): return "text"
    def flush(self, *_): return "text"
    def fileno(self, *_): return "text"
    def isatty(self, *_): return "text"
    def seek(self, *_): return "text"
    def tell(self, *_): return "text"
    def readable(self): return True
    def writable(self): return True
    def seekable(self): return True
    def close(self): return "text"
    closed = False


for special in "floor ceil trunc round abs neg pos index int float complex len hash bool divmod rdivmod length_hint".split():
    setattr(Own, f"__{special}__", lambda self, *_: "text")
for special in "add sub mul truediv floordiv mod pow".split():
    setattr(Own, f"__{special}__", lambda self, *_: "text")
    setattr(Own, f"__r{special}__", lambda self, *_: "text")
for special in "lt le gt ge eq ne".split():
    setattr(Own, f"__{special}__", lambda self, *_: "text")

HOSTILE = ["x", b"text", ["text"], {"text": "text"}, Own(), 0, 0.0]
NUMBERS = [1, 2.5, [1, 2], True]  # of which lists may be made, which are no texts


def yields():
    try:
        yield 1
    except ValueError:
        yield "text"


@functools.lru_cache(typed="text")
def cached():
    return 1


class Level(logging.Logger):
    level = "text"


loop = asyncio.new_event_loop()
loop.set_debug("text")

# Objects of the types that facts know, made of texts where they can be.
OBJECTS = {
    "int": [5, True],
    "float": [1.5],
    "str": ["text"],
    "bytes": [b"text"],
    "list": [["text"], []],
    "tuple": [("text",)],
    "set": [{"text"}],
    "dict": [{"text": "text"}],
    "iterator": [yields],
    "file": [lambda: io.TextIOWrapper(Own()), lambda: io.BufferedWriter(Own())],
    "io.Buffer": [lambda: io.StringIO("text"), lambda: io.BytesIO(b"text")],
    "csv.Writer": [lambda: __import__("csv").writer(Own()), lambda: __import__("csv").DictWriter(Own(), ["a"])],
    "collections.Counter": [lambda: collections.Counter({"a": "text"})],
    "functools.cached": [cached],
    "fractions.Fraction": [fractions.Fraction(1, 2)],
    "decimal.Decimal": [decimal.Decimal("1.5")],
    "uuid.UUID": [uuid.UUID(int=5)],
    "struct.Struct": [struct.Struct("i")],
    "re.Pattern": [re.compile("t(e)xt")],
    "re.Match": [re.compile("t(e)xt").match("text")],
    "random.Random": [lambda: random.Random("text")],
    "difflib.SequenceMatcher": [lambda: difflib.SequenceMatcher(None, "text", "test")],
    "datetime.datetime": [datetime.datetime(2020, 1, 1)],
    "datetime.date": [datetime.date(2020, 1, 1)],
    "datetime.timedelta": [datetime.timedelta(1)],
    "queue.Queue": [lambda: queue.Queue("text")],
    "asyncio.Queue": [lambda: asyncio.Queue("text")],
    "asyncio.Loop": [loop],
    "asyncio.Timeout": [lambda: asyncio.timeout_at("text")],
    "asyncio.Handle": [lambda: asyncio.TimerHandle("text", print, (), loop)],
    "threading.Thread": [lambda: threading.Thread(daemon="text")],
    "threading.Event": [lambda: threading.Event()],
    "threading.Lock": [lambda: threading.Lock(), lambda: threading.Semaphore(1)],
    "logging.Logger": [lambda: Level("text")],
    "configparser.ConfigParser": [lambda: __import__("configparser").ConfigParser()],
}

# Modules all of whose functions work with what they are given alone.
PURE = """math cmath random statistics unicodedata operator functools itertools struct colorsys keyword binascii zlib
bisect heapq fnmatch stat string textwrap re copy difflib secrets enum marshal pickle""".split()
BUILTINS = "int len ord hash id float complex round bool isinstance issubclass callable all any".split()

# Nothing waits, and no file or process is asked for.
LEFT_OUT = {"acquire", "wait", "get", "put", "join", "start", "run", "run_forever", "close", "read", "write_text"}


def found(name):
    """What a name stands for, as functions that give it anew."""
    owner, _, member = name.rpartition(".")
    if owner in OBJECTS:
        if member in LEFT_OUT and owner not in ("file", "iterator"):
            return
        for made in OBJECTS[owner]:
            yield lambda made=made: getattr(made() if inspect.isfunction(made) else made, member)
    elif owner in PURE:
        module = importlib.import_module(owner)
        if hasattr(module, member):
            yield lambda: getattr(module, member)
    elif name in BUILTINS:
        yield lambda: getattr(__import__("builtins"), name)


def lies(value, kinds):
    """Whether a value is something that a type of numbers and nothing is not."""
    names = {kind[0] for kind in kinds}
    if names <= {"int", "float", "bool", "none"}:
        return isinstance(value, (str, bytes)) or not isinstance(value, (int, float, complex, type(None)))
    if len(kinds) == 1 and names <= {"tuple", "list"} and isinstance(value, (tuple, list)):
        _, of, items = kinds[0]
        if items:
            rows = [value] if names == {"tuple"} else value
            return any(lies(v, t) for row in rows for v, t in zip(row, items))
        return bool(of) and any(lies(v, of) for v in value)
    return False


def claims(kinds):
    """Whether a type says that something is a number or nothing."""
    if all(kind[0] in ("int", "float", "bool", "none") for kind in kinds):
        return True
    _, of, items = kinds[0]
    return len(kinds) == 1 and any(map(claims, items or ([of] if of else [])))


def of_numbers(kinds):
    return any(kind[1] and kind[1][0][0] == "number" or of_numbers(kind[1] or []) or any(map(of_numbers, kind[2] or [])) for kind in kinds)


def plain(kinds):
    """A type without what says that it is one of numbers alone."""
    return [[n, None if of and of[0][0] == "number" else of and plain(of), items and [plain(i) for i in items]] for n, of, items in kinds]


def calls(function, values):
    for count in range(4):
        for args in itertools.product(values, repeat=count):
            yield args, {}
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return
    names = [p.name for p in parameters if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)]
    for name in names:
        for value in values:
            for count in range(3):
                for first in values:
                    yield (first,) * count, {name: value}


resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
signal.alarm(60)
looked = 0
for name, kinds in filter(lambda row: claims(row[1]), json.load(sys.stdin)):
    for get in found(name.lstrip(":")):
        looked += 1
        lie = None
        if name.startswith(":"):
            try:
                value = get()() if name.endswith("__enter__") else get()
                if lies(value, kinds) and (name.endswith("__enter__") or not name.endswith("__")):
                    lie = f" is {value!r}"
            except Exception:
                pass
        else:
            try:
                function = get()
            except Exception:
                continue
            for args, named in calls(function, NUMBERS if of_numbers(kinds) else HOSTILE):
                try:
                    value = get()(*args, **named)
                except BaseException:
                    continue
                if lies(value, plain(kinds)) and not (of_numbers(kinds) and isinstance(value, list)):
                    lie = f"({', '.join([*map(repr, args), *(f'{k}={v!r}' for k, v in named.items())])}) gives {value!r}"
                    break
        if lie is not None:
            print(f"{name}{lie}")
            break
print(f"looked into {looked}")
