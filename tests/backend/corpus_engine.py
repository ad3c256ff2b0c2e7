"""Hostile programs that go through the engine: values that lie, names, arrays, hooks, errors."""

from tests.backend.corpus import Attack, blocked, crashed, harmless, out_of_memory, out_of_time

X = "import torch\nx = torch.tensor([1.0, 2.0], requires_grad=True)\n"

VALUES_THAT_LIE = [
    harmless(
        "every method of a value raises",
        X
        + """class A:
    def __repr__(self): raise BaseException('r')
    __str__ = __format__ = __hash__ = __repr__
    def __getattr__(self, name): raise KeyError(name)
a = A()
all_of_it = [a, (a,), {'a': a}]
(x * 2).sum().backward()
print(x.grad)
""",
        "tensor([2., 2.])\n",
    ),
    harmless(
        "a value that claims to be a tensor",
        X
        + """class L:
    @property
    def __class__(self): return torch.Tensor
l = L()
print(isinstance(l, torch.Tensor))
""",
        "True\n",
    ),
    harmless(
        "a value that is everything",
        X
        + """class G:
    def __getattr__(self, name): return self
    def __call__(self, *a): return self
    def __len__(self): return 10**9
    def __iter__(self): return iter(())
g = G()
print('on')
""",
        "on\n",
    ),
    harmless(
        "lists and dicts that never end",
        X
        + """class I(list):
    def __iter__(self):
        while True: yield x
class D(dict):
    def items(self):
        while True: yield 'a', x
kept = I([x]), D(a=x)
print('on')
""",
        "on\n",
    ),
    harmless(
        "a list that holds itself",
        X
        + """a = [x]
a.append(a)
d = {}
d['d'] = d
print('on')
""",
        "on\n",
    ),
    harmless(
        "a billion laughs of tensors",
        X
        + """a = [x]
for _ in range(40): a = [a] * 9
d = {'a': x}
for _ in range(40): d = {'a': d, 'b': d}
print('on')
""",
        "on\n",
    ),
    Attack(
        "10**6 nested lists",
        """import functools
x = functools.reduce(lambda inner, _: [inner], range(10**6), [])
repr(x)
""",
        "error",
        error="RecursionError",
    ),
    harmless(
        "a name that cannot be compared",
        X
        + """class S(str):
    def __eq__(self, other): 1 / 0
    def __hash__(self): return 1
globals()[S('evil')] = x
print('on')
""",
        "on\n",
    ),
    harmless(
        "names of a million letters",
        X
        + """class M(torch.nn.Module):
    def forward(self, x): return x * 2
M.__name__ = M.__qualname__ = 'M' * 10**6
y = M()(x)
exec('w' * 10**4 + ' = x * 3')
print('on')
""",
        "on\n",
    ),
    harmless(
        "a thousand names that look alike",
        X
        + """exec('\\n'.join(f'a{"_" * n} = x' for n in range(1000)))
print('on')
""",
        "on\n",
    ),
    Attack(
        "an object array",
        """import numpy, torch
torch.from_numpy(numpy.array([object()]))
""",
        "error",
        error="TypeError",
    ),
    Attack(
        "a number that raises",
        """import torch
class N:
    def __float__(self): raise SystemExit('f')
torch.tensor([N()])
""",
        "error",
        error="RuntimeError",
    ),
    harmless(
        "an array that takes over numpy",
        """import numpy, torch
class A(numpy.ndarray):
    def __array_ufunc__(self, *a, **k): raise SystemExit('u')
print((torch.from_numpy(numpy.ones(2).view(A)) * 2).sum())
""",
        "tensor(4., dtype=torch.float64)\n",
    ),
    harmless(
        "a large array that takes over numpy",
        """import numpy, torch
class A(numpy.ndarray):
    def __array_ufunc__(self, *a, **k): raise SystemExit('u')
    def __array_function__(self, *a, **k): raise SystemExit('f')
    def copy(self, *a): raise SystemExit('c')
    dtype = flags = strides = None
t = torch.from_numpy(numpy.ones(5000).view(A))
print(t.mul_(2).sum())
""",
        "tensor(10000., dtype=torch.float64)\n",
    ),
    crashed(
        "an array of memory that is not its own",
        """import numpy, torch
class P:
    __array_interface__ = {'shape': (9,), 'typestr': '<f8', 'data': (4096, False), 'version': 3}
torch.as_tensor(numpy.asarray(P())).sum()
""",
        "Python crashed at line 4",
    ),
    crashed(
        "memory written through an array's address",
        """import numpy, ctypes
ctypes.memset(numpy.zeros(4).ctypes.data, 255, 2**40)
""",
        "Python crashed",  # objects of Python lie behind, and with them what knows the line
    ),
    crashed(
        "strides that lead out of an array",
        """import numpy
a = numpy.lib.stride_tricks.as_strided(numpy.zeros(1), (10**9,), (4096,))
a.sum()
""",
        "Python crashed at line 3",
    ),
    Attack("a view that leads out of a tensor", X + "x.as_strided((10**6,), (1,))", "error", error="RuntimeError"),
    blocked(
        "a library through numpy",
        """import numpy
numpy.ctypeslib.load_library('libc', '/lib')
""",
        "OSError",
    ),
    harmless(
        "numpy's own way of printing",
        """import numpy, torch
numpy.set_printoptions(formatter={'all': lambda v: 'x' * 10**6})
print(torch.ones(1))
""",
        "tensor([1.])\n",
    ),
    Attack(
        "a __str__ of 10**8 characters",
        """class A:
    def __str__(self): return 'x' * 10**8
print(A())
""",
        "output",
    ),
]

ERRORS = [
    Attack("an exception's type of a million letters", "raise type('T' * 10**6, (Exception,), {})('m')", "error"),
    Attack("a bare SyntaxError", "raise SyntaxError", "error", error="SyntaxError"),
    Attack(
        "a SyntaxError of no text",
        """e = SyntaxError()
e.lineno = e.text = e.msg = object()
raise e
""",
        "error",
    ),
    Attack(
        "a million causes",
        """e = None
for n in range(10**4):
    f = ValueError(n)
    f.__cause__ = e
    e = f
raise e
""",
        "error",
        error="ValueError",
    ),
    Attack(
        "nested groups of exceptions",
        """e = ValueError(1)
for _ in range(3000): e = ExceptionGroup('g', [e])
raise e
""",
        "error",
        error="ExceptionGroup",
    ),
    Attack(
        "a hook that ends Python",
        X
        + """x.register_hook(lambda g: exit(3))
(x * 2).sum().backward()
""",
        "error",
    ),
    out_of_time(
        "a hook that never ends",
        X
        + """def h(g):
    while True: pass
x.register_hook(h)
(x * 2).sum().backward()
""",
        "line 4",
    ),
    Attack(
        "a Function that returns an object",
        X
        + """class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a): return a.clone()
    @staticmethod
    def backward(ctx, g): return object()
F.apply(x).sum().backward()
""",
        "error",
        error="RuntimeError",
    ),
    Attack(
        "numpy's own errors",
        """import numpy, torch
numpy.seterr(all='call')
numpy.seterrcall(lambda *a: exit(3))
torch.tensor([1.0]) / torch.tensor([0.0])
""",
        "error",
    ),
    crashed(
        "bytecode that is none",
        "x = 1\nexec(compile('1', 'program.py', 'exec').replace(co_code=bytes([255] * 100)))",
        "Python crashed at line 2",
    ),
    out_of_memory(
        "a frame of 2**30 slots",
        """f = lambda: 1
f.__code__ = f.__code__.replace(co_stacksize=2**30)
f()
""",
    ),
    harmless(
        "code without lines",
        X
        + """def f(): return x * 2
f.__code__ = f.__code__.replace(co_linetable=b'', co_firstlineno=2**31 - 1)
f()
print('on')
""",
        "on\n",
    ),
]

ENGINE_ATTACKS = [*VALUES_THAT_LIE, *ERRORS]
