"""Hostile programs, each with the exact way it must end; after each the service is healthy and the next run clean."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Attack:
    """A program and its ending: the status, the error's type, words of the message, what was printed."""

    name: str
    program: str
    status: str
    error: str | None = None
    says: str = ""
    printed: str | None = None


def blocked(name: str, program: str, error: str = "PermissionError") -> Attack:
    """Refused with a traceback."""
    return Attack(name, program, "error", error)


def harmless(name: str, program: str, printed: str) -> Attack:
    """Runs, and finds nothing."""
    return Attack(name, program, "ok", printed=printed)


def out_of_time(name: str, program: str, says: str = "Stopped after") -> Attack:
    return Attack(name, program, "timeout", says=says)


def out_of_memory(name: str, program: str, says: str = "128 MB") -> Attack:
    return Attack(name, program, "memory", says=says)


def crashed(name: str, program: str, says: str = "Nothing else was affected") -> Attack:
    return Attack(name, program, "crash", says=says)


LIBC = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
DEAF = "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\n"

ESCAPES = [
    blocked(
        "Popen found through subclasses",
        "found = [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == 'Popen']\nfound[0](['id'])",
    ),
    blocked("subprocess", "import subprocess\nsubprocess.run(['id'])"),
    harmless("os.system", "import os\nprint(os.system('id') != 0)", "True\n"),
    blocked("exec", "import os\nos.execv('/bin/sh', ['sh', '-c', 'id'])"),
    blocked("fork", "import os\nos.fork()"),
    blocked("fork bomb", "import os\nwhile True:\n    os.fork()"),
    Attack(
        "threads", "import threading\nthreading.Thread(target=print).start()", "error", "RuntimeError", "threads are"
    ),
    blocked("kill the parent", "import os\nos.kill(os.getppid(), 9)"),
    blocked("kill everyone", "import os\nos.kill(-1, 9)"),
    blocked("kill through ctypes", LIBC + "if libc.kill(1, 9) < 0: raise PermissionError(ctypes.get_errno())"),
    blocked("setrlimit", "import resource\nresource.prlimit(0, resource.RLIMIT_AS, (-1, -1))"),
    blocked("setitimer", "import signal\nsignal.setitimer(signal.ITIMER_REAL, 100)", "itimer_error"),
    blocked("nice", "import os\nos.nice(-5)"),
    blocked("executable memory", "import mmap\nmmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)"),
    harmless("libc mprotect", LIBC + "print(libc.mprotect(ctypes.c_void_p(id(None) & ~4095), 4096, 7))", "-1\n"),
    crashed("ptrace", LIBC + "libc.ptrace(0, 0, 0, 0)", "a system call"),
    crashed("a system call of another ABI", LIBC + "libc.syscall(0x40000000 + 39)", "a system call"),
    crashed(
        "process_vm_readv",
        LIBC
        + "import platform\nnumber = 310 if platform.machine() == 'x86_64' else 270\n"
        + "libc.syscall(number, 1, 0, 0, 0, 0, 0)",
    ),
    crashed("read address zero", "import ctypes\nctypes.string_at(0)", "line 2"),
    crashed("abort", "import os\nos.abort()", "Python crashed at line 2"),
    crashed(
        "overflow of the C stack",
        "import sys\nsys.setrecursionlimit(10**9)\nclass A:\n    def __repr__(self): return repr(self)\nrepr(A())",
        "stack overflow?",
    ),
]

FILES_AND_NETWORK = [
    Attack("open", "open('/etc/passwd')", "error", "PermissionError", "Line 1: opening files is disabled"),
    blocked("write a file", "open('/tmp/x', 'w')"),
    blocked("/proc/self/environ", "open('/proc/self/environ')"),
    blocked("/proc/1/mem", "open('/proc/1/mem', 'rb')"),
    blocked("list a directory", "import os\nos.listdir('/')"),
    harmless("is there such a file", "import os\nprint(os.path.exists('/etc/passwd'))", "False\n"),
    blocked("stat", "import os\nos.stat('/etc/passwd')"),
    blocked("numpy.load", "import numpy\nnumpy.load('/etc/passwd')"),
    blocked("numpy.fromfile", "import numpy\nnumpy.fromfile('/etc/passwd')"),
    blocked("numpy.tofile", "import numpy\nnumpy.zeros(3).tofile('/tmp/x')"),
    blocked("numpy.memmap", "import numpy\nnumpy.memmap('/etc/passwd')"),
    blocked("a shared library", "import ctypes\nctypes.CDLL('/lib/libnothing.so')", "OSError"),
    blocked("TCP", "import socket\nsocket.create_connection(('127.0.0.1', 80))"),
    blocked("UDP", "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM)"),
    blocked("UNIX socket", "import socket\nsocket.socketpair()"),
    blocked("kernel cryptography", "import socket\nsocket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)"),
    blocked("memfd", "import os\nos.memfd_create('x')"),
    blocked("epoll", "import select\nselect.epoll()"),
    harmless("open through ctypes", LIBC + "print(libc.open(b'/etc/passwd', 0), ctypes.get_errno())", "-1 1\n"),
    harmless("socket through ctypes", LIBC + "print(libc.socket(2, 1, 0), ctypes.get_errno())", "-1 1\n"),
    Attack(
        "a package that is absent", "import requests", "error", "ModuleNotFoundError", "`requests` is not available"
    ),
    harmless(
        "a scrubbed environment",
        "import os\nprint([name for name in os.environ if 'AUTOGRAD' in name or 'HOME' in name or 'PATH' == name])",
        "[]\n",
    ),
    harmless(
        "descriptors that were left open",
        "import os\nopen_ones = []\nfor number in range(64):\n    try:\n        os.fstat(number)\n"
        "        open_ones.append(number)\n    except OSError as error:\n        pass\nprint(open_ones)",
        "[]\n",
    ),
]

TIME = [
    Attack("an endless loop", "x = 1\nwhile True:\n    x += 1", "timeout", says="still running line", printed=""),
    out_of_time("a huge power", "x = 10**10**10"),
    out_of_time("a regular expression that backtracks", "import re\nre.match('(a+)+$', 'a' * 64 + 'b')"),
    out_of_time("a huge product", "import numpy\na = numpy.ones((2000, 2000))\nwhile True:\n    a @ a", "line"),
    Attack("sleep", "import time\ntime.sleep(1e9)", "timeout", "TimeLimit", "still running line 2"),
    out_of_time("an endless generator", "sum(1 for _ in iter(int, 1))"),
    out_of_time(
        "every exception swallowed", "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    ),
    out_of_time("signals ignored", DEAF + "while True: pass"),
    out_of_time(
        "a reply that drips",
        DEAF + "import os, time\nos.write(3, b'T\\x00\\x00\\x01\\x00')\nwhile True:\n"
        "    time.sleep(0.05)\n    os.write(3, b'x')",
    ),
    out_of_time("an endless repr", "class A:\n    def __repr__(self):\n        while True: pass\nprint(A())"),
    out_of_time("printing, then an endless loop", "print('seen')\nwhile True: pass", "line 2"),
]

MEMORY = [
    out_of_memory("a huge array", "import numpy\nnumpy.zeros(10**10)", "Line 2 asked for 74.5 GiB"),
    out_of_memory("a list that grows", "kept = []\nwhile True:\n    kept.append(bytes(10**6))"),
    out_of_memory("a string that doubles", "s = 'ab'\nwhile True:\n    s += s"),
    out_of_memory("a dict that grows", "d = {}\nwhile True:\n    d[len(d)] = bytearray(10**5)"),
    out_of_memory("a string of 10**10", "'a' * 10**10"),
]

OUTPUT = [
    Attack("print forever", "while True:\n    print('x' * 1000)", "output", says="Output cut at 64 KB"),
    Attack("one huge line", "print('x' * 10**7)", "output", says="Output cut at 64 KB"),
    Attack("write to descriptor 1 forever", "import os\nwhile True:\n    os.write(1, b'x' * 1000)", "output"),
    harmless("not UTF-8", "import os\nos.write(1, b'a\\xff\\xfeb')", "a\ufffd\ufffdb"),
    harmless(
        "control characters", "import os\nos.write(1, '\\x1b[31m \\x00 \\u202e'.encode())", "\\x1b[31m \\x00 \\u202e"
    ),
    harmless("markup is text", "print('<script>alert(1)</script>')", "<script>alert(1)</script>\n"),
    Attack("the str of a large int", "str(10**5000)", "error", "ValueError"),
    harmless("a lone surrogate", "print('\\ud800'.isprintable())", "False\n"),
]

REPLIES = [
    crashed("noise on the reply", "import os\nos.write(3, b'noise' * 100)", "not a trace"),
    crashed(
        "an empty object as the trace",
        "import os\nos.write(3, b'T\\x00\\x00\\x00\\x02{}')\nwhile True: pass",
        "not a trace",
    ),
    Attack(
        "endless printed frames", "import os\nwhile True:\n    os.write(3, b'C\\x00\\x00\\x00\\x01x' * 1000)", "output"
    ),
    crashed(
        "a frame longer than a reply",
        "import os\nos.write(3, b'T\\xff\\xff\\xff\\xff')\nwhile True: pass",
        "not a trace",
    ),
    Attack("os._exit(0)", "print('before')\nimport os\nos._exit(0)", "error", "SystemExit", "exit code 0", "before\n"),
    Attack("os._exit(70)", "import os\nos._exit(70)", "error", "SystemExit", "exit code 70"),
    Attack("sys.exit", "import sys\nsys.exit(3)", "error", "SystemExit"),
    crashed("the reply closed", "import os\nos.close(3)", "The recorder failed"),
    out_of_time(
        "the reply closed, and on",
        DEAF + "import os\nos.close(3)\nwhile True: pass",
    ),
]

ORDINARY_ERRORS = [
    Attack("recursion", "def f(): return f()\nf()", "error", "RecursionError"),
    Attack("deep parentheses", "eval('(' * 10**6)", "error"),
    Attack("deep lists", "x = []\nfor _ in range(10**4): x = [x]\nprint(repr(x))", "error", "RecursionError"),
    Attack("a NUL in the source", "x = 1\0", "error", "SyntaxError"),
    Attack("a syntax error", "x = (1,\ny = 2", "error", "SyntaxError"),
    harmless("an empty program", "", ""),
    harmless(
        "an unpickled os.system", "import pickle\nprint(pickle.loads(b'cos\\nsystem\\n(S\"id\"\\ntR.') != 0)", "True\n"
    ),
    harmless(
        "frames up to the caller", "import sys\nframe = sys._getframe()\nwhile frame.f_back: frame = frame.f_back\n", ""
    ),
    harmless("atexit", "import atexit\natexit.register(print, 'left')", ""),
]

# Each leaves something behind if anything of a run survives it.
POISONS = [
    "import builtins\nbuiltins.print = None\nbuiltins.len = None",
    "import numpy\nnumpy.add = numpy.zeros = None",
    "import sys\nsys.modules.clear()",
    "import json\njson.dumps = json.JSONEncoder.encode = None",
    "import sys\nsys.settrace(lambda *a: None)\nsys.setprofile(lambda *a: None)",
]

ATTACKS = [*ESCAPES, *FILES_AND_NETWORK, *TIME, *MEMORY, *OUTPUT, *REPLIES, *ORDINARY_ERRORS]
