package python

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// standard are the modules of Python's own library, of all its versions, without those
// that begin with _. What they import stands among them, too.
const standard = " " + `
__future__ abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop
base64 bdb binascii binhex bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop
collections colorsys compileall compression concurrent configparser contextlib contextvars copy copyreg crypt
csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest dummy_threading email
encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch formatter fractions ftplib
functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib
imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma
macpath mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis
nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev parser pathlib pdb pickle
pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile
pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched
secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3
sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symbol
symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile templatelib termios textwrap this threading
time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing
unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml
xmlrpc zipapp zipfile zipimport zlib zoneinfo
` + " "

// isStandard reports whether a module is of Python's own library.
func isStandard(name string) bool {
	for at := 0; ; {
		i := strings.Index(standard[at:], name)
		if i < 0 || name == "" {
			return false
		}
		at += i + len(name)
		if isSpace(standard[at-len(name)-1]) && isSpace(standard[at]) {
			return true
		}
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' }

// written tells which modules may be others where something was written: some that are
// no standard ones, or any.
func written(w *policy.Word) (some, any bool) {
	name, known := w.Const()
	if !known {
		return true, true
	}
	switch path.Ext(name) {
	case "", ".", ".py", ".pyc", ".pyw", ".so":
	case ".pth", ".zip", ".egg":
		return true, true
	default:
		return false, false
	}
	for part := range strings.SplitSeq(name, "/") {
		part, _, _ = strings.Cut(part, ".")
		part = strings.ToLower(part) // files of both names may be one
		if strings.HasPrefix(part, "_") || isStandard(part) || isForeign(part) {
			return true, true
		}
	}
	return true, false
}

// isForeign reports whether a standard module looks for one of a name that is none.
func isForeign(name string) bool {
	switch name {
	case "org", "java", "vms_lib", "sitecustomize", "usercustomize", "tzdata":
		return true
	}
	return false
}
