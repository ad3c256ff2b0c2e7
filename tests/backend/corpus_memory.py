"""Hostile programs after memory that is not theirs, by numpy's doors, and after the reader of source and text."""

from tests.backend.corpus import LIBC, Attack, crashed, harmless

FORGED_POINTERS = [
    harmless(
        "a pickle for torch.load that would call os.system",
        "import torch, io\ntry:\n    print(torch.load(io.BytesIO(b'cos\\nsystem\\n(S\"id\"\\ntR.')))\n"
        "except Exception as error: print('refused')",
        "refused\n",
    ),
    crashed(
        "an array interface with a forged address",
        "import numpy\nclass A:\n"
        "    __array_interface__ = dict(data=(8, False), shape=(4,), typestr='<f8', version=3)\n"
        "numpy.asarray(A()).sum()",
        "Python crashed at line 4",
    ),
    crashed(
        "an array over a forged address through ctypes",
        "import numpy, ctypes\nnumpy.ctypeslib.as_array((ctypes.c_double * 4).from_address(8)).sum()",
        "Python crashed at line 2",
    ),
    Attack(
        "from_dlpack of what is no capsule",
        "import numpy\nclass A:\n    def __dlpack__(self, **k): return 8\n"
        "    def __dlpack_device__(self): return 1, 0\nnumpy.from_dlpack(A())",
        "error",
    ),
    Attack("frombuffer past the end", "import numpy\nnumpy.frombuffer(bytes(8), count=10**9)", "error", "ValueError"),
    Attack(
        "torch.frombuffer past the end",
        "import torch\ntorch.frombuffer(bytearray(8), dtype=torch.float32, count=10**9)",
        "error",
        "ValueError",
    ),
    crashed("a forged object", "import ctypes\nctypes.cast(8, ctypes.py_object).value", "Python crashed at line 2"),
]

_TEXT_CLASS = """class S(str):
    def __str__(self): return self
    def __repr__(self): return self
"""
TEXT = [
    Attack("an unfinished bracket 90 deep", "x = " + "(" * 90, "error", "SyntaxError"),
    harmless("line separators of Unicode in a string", "x = 'a\\u2028b\\u2029c\\x85'\nprint(len(x))", "6\n"),
    Attack("a line separator of Unicode as a line's end", "x = 1\u2028y = 2", "error", "SyntaxError"),
    harmless("a line of 50,000 characters", f"x = '{'a' * 50_000}'\nprint(len(x))", "50000\n"),
    harmless("lone surrogates printed", "print('a\\ud800b')", "a\\ud800b\n"),
    harmless("lone surrogates past print", "import sys\nsys.stderr.write('\\udfff')\n", "\\udfff"),
    Attack("lone surrogates raised", "raise ValueError('\\ud800')", "error", "ValueError"),
    harmless("a text of a class of its own past print", f"{_TEXT_CLASS}import sys\nsys.stdout.write(S('a'))", "a"),
    harmless(
        "a Function and an optimizer named by texts of a class of its own",
        f"{_TEXT_CLASS}import torch\n"
        "halves = dict(forward=staticmethod(lambda ctx, x: x / 2), backward=staticmethod(lambda ctx, g: g / 2))\n"
        "x = torch.ones(2, requires_grad=True)\n"
        "optimizer = type(S('Slow'), (torch.optim.SGD,), {})([x], lr=0.1)\n"
        "type(S('Half'), (torch.autograd.Function,), halves).apply(x).sum().backward()\n"
        "optimizer.step()\nprint(x.grad)",
        "tensor([0.5000, 0.5000])\n",
    ),
]

AFTERWARDS = [
    harmless("a __del__ that never ends", "class A:\n    def __del__(self):\n        while True: pass\nkept = A()", ""),
    harmless(
        "an exit handler that never ends", "import atexit\ndef f():\n    while True: pass\natexit.register(f)", ""
    ),
    Attack(
        "a trace function that raises in the recorder",
        "import sys\nsys.settrace(lambda *a: 1 / 0)\nprint('on')",
        "error",
        "ZeroDivisionError",
    ),
    harmless("a wakeup descriptor", "import signal\nsignal.set_wakeup_fd(-1)\nprint('on')", "on\n"),
    harmless("fork through the interpreter's own library", LIBC + "print(ctypes.PyDLL(None).fork())", "-1\n"),
    harmless(
        "a child announced to the service",
        "import socket\ntry:\n    socket.socket(fileno=3).send(b'{\"child\": 1}')\n"
        "except OSError as error: print('refused')",
        "refused\n",
    ),
]

MEMORY_ATTACKS = [*FORGED_POINTERS, *TEXT, *AFTERWARDS]
