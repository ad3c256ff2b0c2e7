"""More hostile programs, by what they are after: the kernel, the heap, the reply, the recorder, the reader's page."""

from tests.backend.corpus import (
    DEAF,
    LIBC,
    Attack,
    blocked,
    crashed,
    harmless,
    out_of_memory,
    out_of_time,
)

KERNEL = [
    blocked(
        "memory to write and run",
        "import mmap\nP = mmap\nmmap.mmap(-1, 4096, prot=P.PROT_READ | P.PROT_WRITE | P.PROT_EXEC)",
    ),
    blocked("a sibling killed", "import os\nfor pid in range(os.getpid() - 9, os.getpid()):\n    os.kill(pid, 9)"),
    blocked(
        "setrlimit of one's own", "import resource\nresource.setrlimit(resource.RLIMIT_AS, (-1, -1))", "ValueError"
    ),
    blocked("posix_spawn", "import os\nos.posix_spawn('/bin/sh', ['sh'], {})"),
    blocked("fork through ctypes", LIBC + "if libc.fork() < 0: raise PermissionError(ctypes.get_errno())"),
    blocked("affinity", "import os\nos.sched_setaffinity(0, {0})"),
    blocked("a symbolic link", "import os\nos.symlink('/etc/passwd', 'x')"),
    blocked("a named pipe", "import os\nos.mkfifo('/tmp/x')"),
    blocked("a pipe", "import os\nos.pipe()"),
    blocked("a second way to a descriptor", "import os\nos.dup(3)"),
    blocked("a temporary file", "import tempfile\ntempfile.TemporaryFile()", "FileNotFoundError"),
    blocked("whoami", "import os\nos.getlogin()"),
    blocked("the name of the machine", "import os\nos.uname()"),
    blocked("the parent's limits", "import os, resource\nresource.prlimit(os.getppid(), resource.RLIMIT_CPU)"),
    blocked("select", "import select\nselect.select([0], [], [], 0)"),
    blocked("a wait for signals", "import signal\nsignal.sigwait({signal.SIGALRM})"),
    crashed("chroot", LIBC + "libc.chroot(b'/')", "a system call"),
    crashed("mount", LIBC + "libc.mount(b'x', b'/', b'tmpfs', 0, None)", "a system call"),
    crashed("unshare", LIBC + "libc.unshare(0x10000000)", "a system call"),
    crashed("a signal to oneself by number", LIBC + "libc.raise_ = libc['raise']\nctypes.memset(8, 0, 8)", "line"),
    harmless("prctl", LIBC + "print(libc.prctl(4, 1, 0, 0, 0))", "-1\n"),
    harmless(
        "sockets among all objects",
        "import gc, socket\nprint([o for o in gc.get_objects() if isinstance(o, socket.socket)])",
        "[]\n",
    ),
    harmless(
        "what the zygote reads and writes",
        "import gc, io\nfiles = [o for o in gc.get_objects() if isinstance(o, io.FileIO) and not o.closed]\n"
        "print([file for file in files if file.fileno() > 3])",
        "[]\n",
    ),
]

TIME_AND_MEMORY = [
    out_of_memory("a bomb of zeros", "import zlib\nb = zlib.compress(bytes(10**6))\nzlib.decompress(b, bufsize=2**30)"),
    out_of_memory("a padded number", "'%*d' % (2**31 - 1, 1)"),
    out_of_memory("a bytearray of 2**40", "bytearray(2**40)"),
    out_of_memory("a tensor of 10**10", "import torch\ntorch.zeros(10**10)", "37.3 GiB"),
    out_of_time("the sum of all pairs", "sum(i * j for i in range(10**5) for j in range(10**5))", "line 1"),
    out_of_time("an exception in every handler", "def f():\n    try:\n        f()\n    finally:\n        f()\nf()"),
    out_of_time(
        "an endless iterator in C", "import itertools, collections\ncollections.deque(itertools.repeat(0), maxlen=0)"
    ),
    Attack("the digits of a huge int", "int('9' * 10**6)", "error", "ValueError"),
    Attack("2*10**4 nested lists", "x = []\nfor _ in range(2 * 10**4): x = [x]\nrepr(x)", "error", "RecursionError"),
    Attack("deep JSON", "import json\njson.loads('[' * 10**6)", "error", "RecursionError"),
    Attack("deep brackets in the source", "x = " + "[" * 5000, "error", "SyntaxError"),
    Attack("the longest line", "x = " + "1+" * 20000 + "1", "error", "RecursionError"),
    Attack(
        "a __str__ of 10**7 characters", "class A:\n    def __str__(self): return 'x' * 10**7\nprint(A())", "output"
    ),
    Attack("an error of 10**7 characters", "raise ValueError('x' * 10**7)", "error", "ValueError"),
    Attack("a warning of 10**7 characters", "import warnings\nwarnings.warn('x' * 10**7)", "output"),
    Attack(
        "an assertion that cannot be shown", "class E(Exception):\n    def __str__(self): 1 / 0\nraise E", "error", "E"
    ),
]

FORGED = (
    '{"schema_version":"1.0","torch_version":"9","seed":1,"outcome":{"status":"ok","error":null},"console":[],'
    '"rules":{},"truncated":[]%s}\nsteps []\ntensors []'
)


def forged(extra: str = "") -> str:
    """A program that writes a reply of its own making and never ends."""
    return (
        f"import os\ndata = {FORGED % extra!r}.encode()\n"
        "os.write(3, b'T' + len(data).to_bytes(4, 'big') + data)\nwhile True: pass"
    )


REPLY = [
    harmless("a forged trace is the forger's own", forged(), ""),
    crashed("a forged trace with a field too many", forged(',"html":"<script>"'), "not a trace"),
    crashed(
        "a reply of 1 GB",
        "import os\nos.write(3, b'T\\x00\\x30\\x00\\x00')\nwhile True:\n    os.write(3, bytes(65536))",
        "not a trace",
    ),
    crashed("a length of 4 GB", "import os\nos.write(3, b'C\\xff\\xff\\xff\\xff')\nwhile True: pass", "not a trace"),
    crashed("NaN in a reply", forged(',"seed":NaN'), "not a trace"),
    crashed(
        "a deep reply", "import os\nd = b'[' * 10**5\nos.write(3, b'T' + len(d).to_bytes(4, 'big') + d)", "not a trace"
    ),
    crashed(
        "a reply that is not UTF-8",
        "import os\nd = b'{\"torch_version\": \"\\xff\"}'\nos.write(3, b'T' + len(d).to_bytes(4, 'big') + d)",
        "not a trace",
    ),
    crashed(
        "the encoder patched",
        "import backend.sandbox.parts as p\np.pack = lambda trace: b'{\"steps\": 1}'\n",
        "not a trace",
    ),
    crashed(
        "the recorder patched",
        "import engine.trace.run as r\nr.build_document = lambda *a: {}\n",
        "The recorder failed",
    ),
    out_of_time("pretending to be over", DEAF + "import os\nos.write(3, b'O\\x00\\x00\\x00\\x00')\nwhile True: pass"),
    crashed(
        "always about to be over",
        "import os\nwhile True:\n    os.write(3, b'O\\x00\\x00\\x00\\x00' * 9999)",
        "not a trace",
    ),
    harmless("ready twice", "import os\nos.write(3, b'R\\x00\\x00\\x00\\x00' * 1000)\nprint('on')", "on\n"),
]

BYSTANDERS = [
    harmless("no stdout", "import sys\nsys.stdout = sys.stderr = sys.__stdout__ = None\nprint('lost')", ""),
    harmless("torch taken away", "import sys\nsys.modules['torch'] = None\nprint('on')", "on\n"),
    harmless(
        "__del__ and atexit", "class A:\n    def __del__(self): print('deleted')\nkept = A()\nprint('end')", "end\n"
    ),
    harmless("the collector let loose", "import gc\ngc.unfreeze()\nprint(gc.collect() >= 0)", "True\n"),
    harmless("ANSI and bidi by print", "print('\\x1b[2J\\u202e\\u2066')", "\\x1b[2J\\u202e\\u2066\n"),
]

MORE_ATTACKS = [*KERNEL, *TIME_AND_MEMORY, *REPLY, *BYSTANDERS]
