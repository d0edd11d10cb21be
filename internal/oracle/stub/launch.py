# Runs many snippets, each in a process of its own, as python3 -c or python3 -
# would: an interpreter that starts anew for each takes most of the time for its
# start. Descriptor 3 brings a kind ("c" or "s"), the length in ten digits and the
# text; 4 takes a dot when the process has ended; 5 is where audit hooks write what
# they are told, fields parted by \x1f and records by \x1e. Nothing of this is left
# in the snippet's globals, and no module is loaded that -c does not load.
def serve():
    import sys
    from posix import _exit, chdir, close, dup2, environ, fork, read, setsid, waitpid, write
    quiet = {
        "builtins.id", "code.__new__", "glob.glob", "glob.glob/2", "marshal.load", "marshal.loads", "object.__getattr__", "object.__setattr__",
        "os.listdir", "os.scandir", "os.walk", "pathlib.Path.glob", "pathlib.Path.rglob", "sys._getframe", "sys._getframemodulename", "sys.unraisablehook", "gc.get_objects",
    }
    ready = []

    def hook(event, args, str=str, repr=repr, isinstance=isinstance, write=write, type=type, getattr=getattr, Exception=BaseException, code=type(sys._getframe().f_code)):
        if not ready or event in quiet:
            return
        ready.pop()
        try:
            fields = [event]
            for a in args:
                if type(a) is code:
                    a = a.co_filename
                elif type(a) is bytes:
                    a = a.decode("utf-8", "replace")
                elif type(a) is not str:
                    a = repr(a) if type(a) in (int, bool, list, tuple, dict, type(None)) else getattr(type(a), "__name__", "?")
                fields.append(a[:2000])
            write(250, ("\x1f".join(fields) + "\x1e").encode("utf-8", "replace"))
        except Exception:
            pass
        finally:
            ready.append(1)

    dup2(5, 250)
    close(5)
    sys.addaudithook(hook)

    def whole(n):
        text = b""
        while len(text) < n:
            more = read(3, n - len(text))
            if not more:
                _exit(0)
            text += more
        return text

    while True:
        kind = whole(1)
        text = whole(int(whole(10)))
        pid = fork()
        if pid:
            waitpid(pid, 0)
            write(4, b".")
            continue
        setsid()
        chdir(environ[b"PWD"])  # it is made anew after each that changes it
        close(3)
        close(4)
        sys.argv[:] = ["-c" if kind == b"c" else "-"]
        ready.append(1)
        if kind == b"c":
            return compile(text.decode("utf-8", "surrogateescape"), "<string>", "exec")
        globals()["__file__"] = "<stdin>"
        return compile(text, "<stdin>", "exec")


exec(globals().pop("serve")())
