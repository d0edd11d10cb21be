"""Writes the trees that Python itself makes of texts, in the form of dump_test.go.

Standard input has requests, each a line "a LENGTH" or "c LENGTH" and then a
text: "a" asks for its tree, "c" only whether it can be compiled. An answer is a
line "ok LENGTH" or "no LENGTH" and then the tree or an error.
"""
import ast
import struct
import sys
import threading
import warnings

MINOR = sys.version_info[1]
RENAMED = {
    "decorator_list": "decorators", "optional_vars": "vars", "context_expr": "context", "is_async": "async",
    "posonlyargs": "posonly", "kwonlyargs": "kwonly", "type_params": "typeparams", "default_value": "default",
    "format_spec": "formatspec", "kwd_attrs": "kwdattrs", "kwd_patterns": "kwdpatterns",
}
LEFT_OUT = {"ctx", "type_comment", "type_ignores", "kind"}
ASYNC = {"AsyncFunctionDef": "FunctionDef", "AsyncFor": "For", "AsyncWith": "With"}


def quote(data):
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    return '"' + "".join(chr(c) if 32 <= c < 127 and c not in (34, 92) else "\\x%02x" % c for c in data) + '"'


def constant(value):
    if value is None or value is True or value is False or value is ...:
        return "Ellipsis" if value is ... else str(value)
    if isinstance(value, str):
        return "Str " + quote(value)
    if isinstance(value, bytes):
        return "Bytes " + quote(value)
    if isinstance(value, int):
        return "Int %x" % value
    if isinstance(value, float):
        return "Float " + struct.pack(">d", value).hex()
    return "Complex " + struct.pack(">d", value.imag).hex()


def fields(node, kind):
    found = {RENAMED.get(name, name): getattr(node, name, None) for name in node._fields if name not in LEFT_OUT}
    if kind in ASYNC:
        found["async"] = True
    if kind == "TryStar":
        found["star"] = True
    if kind in ("arg", "keyword"):
        found["name"] = found.pop("arg")
    if kind == "arguments":
        positional = node.posonlyargs + node.args
        for arg, default in zip(positional[len(positional) - len(node.defaults):], node.defaults):
            arg.default = default
        for arg, default in zip(node.kwonlyargs, node.kw_defaults):
            arg.default = default
        del found["defaults"], found["kw_defaults"]
    if kind == "arg":
        found["default"] = getattr(node, "default", None)
    if kind in ("FormattedValue", "Interpolation"):
        found["conversion"] = chr(node.conversion) if node.conversion > 0 else None
    return found


def dump(node, field, depth, out, placed):
    start = " " * depth + (field + "=" if field else "")
    kind = type(node).__name__
    if kind == "Index":
        return dump(node.value, field, depth, out, placed)
    if kind in ("TypeVar", "TypeVarTuple", "ParamSpec"):
        start += "TypeParam " + kind
    elif kind == "ExtSlice":
        start += "Tuple"
    elif kind == "TryStar":
        start += "Try"
    elif kind == "Expr":
        start += "ExprStmt"
    else:
        kind_ = ASYNC.get(kind, kind)
        start += {"withitem": "WithItem", "match_case": "MatchCase"}.get(kind, kind_[0].upper() + kind_[1:])
    if placed and hasattr(node, "lineno"):
        start += " %d:%d" % (node.lineno, node.col_offset + 1)
    if kind == "Constant":
        out.append(start + " " + constant(node.value))
        return
    if kind == "MatchSingleton":
        out.append(start + " " + str(node.value))
        return
    out.append(start)
    # Of what stands in a string, old versions don't know where.
    if kind in ("JoinedStr", "TemplateStr"):
        placed = placed and MINOR >= 12
        # Versions differ in where the constants begin, and whether empty ones
        # are there.
        for value in node.values:
            if isinstance(value, ast.Constant):
                if value.value != "":
                    out.append(" " * (depth + 1) + "values=Constant " + constant(value.value))
            else:
                dump(value, "values", depth + 1, out, placed)
        return
    found = fields(node, kind)
    if kind == "ExtSlice":
        found = {"elts": found["dims"]}
    for name in sorted(found):
        value = found[name]
        if isinstance(value, ast.AST):
            if isinstance(value, (ast.operator, ast.unaryop, ast.boolop)):
                out.append(" " * (depth + 1) + name + "=" + type(value).__name__)
            else:
                dump(value, name, depth + 1, out, placed)
        elif isinstance(value, list):
            for element in value:
                if isinstance(element, ast.cmpop):
                    out.append(" " * (depth + 1) + name + "=" + type(element).__name__)
                elif isinstance(element, ast.AST):
                    dump(element, name, depth + 1, out, placed)
                else:
                    out.append(" " * (depth + 1) + name + "=" + ("nil" if element is None else quote(element)))
        elif isinstance(value, str) and value:
            out.append(" " * (depth + 1) + name + "=" + quote(value))
        elif value:
            out.append(" " * (depth + 1) + name + "=" + str(int(value)))


def answer(kind, text):
    try:
        if kind == b"c":
            compile(text, "text", "exec")
            return "ok", ""
        out = []
        dump(ast.parse(text), "", 0, out, MINOR >= 9)
        return "ok", "\n".join(out) + "\n"
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as e:
        return "no", type(e).__name__ + ": " + str(e)


def main():
    sys.setrecursionlimit(50000)
    warnings.simplefilter("ignore")
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    answers.write(b"%d\n" % MINOR)
    answers.flush()
    for line in asked:
        kind, length = line.split()
        status, text = answer(kind, asked.read(int(length)))
        text = text.encode("utf-8", "surrogatepass")
        answers.write(b"%s %d\n" % (status.encode(), len(text)))
        answers.write(text)
        answers.flush()


threading.stack_size(512 << 20)
thread = threading.Thread(target=main)
thread.start()
thread.join()
