"""Tells which modules that are none of the library's own the library imports.

Reads a list of modules that no text may use, and whose imports count for nothing. Prints
a line for each name, with the file that imports it, and how many names it looked into:
those of the library are told by a few of its files each.
"""

import ast
import json
import pathlib
import sys
import sysconfig

# __main__ is always there, and test is imported where it was before.
KNOWN = {"__main__", "test"}

# Their own tests and programs, which nobody imports.
APART = {"site-packages", "dist-packages", "test", "tests", "idlelib", "lib2to3", "turtledemo"}

asked = set(json.load(sys.stdin))
library = pathlib.Path(sysconfig.get_path("stdlib"))
found, own = {}, set()
for path in sorted(library.rglob("*.py")):
    relative = path.relative_to(library)
    if APART & set(relative.parts) or relative.parts[0].removesuffix(".py") in asked or ".".join(relative.with_suffix("").parts) in asked:
        continue
    for node in ast.walk(ast.parse(path.read_bytes())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in ("__import__", "import_module", "find_spec"):
            names = [a.value for a in node.args[:1] if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        for name in names:
            name = name.partition(".")[0]
            if name in sys.stdlib_module_names:
                own.add(name)
            elif name not in KNOWN:
                found.setdefault(name, relative)
for name, by in sorted(found.items()):
    print(name, by)
print(f"looked into {len(own)}")
