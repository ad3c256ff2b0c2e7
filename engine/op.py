"""One record per operator: its forward, its derivatives, what they save, its names and its formulas.

Everything else follows from the record: the torch function and the Tensor method, the in-place twin, the class of the
grad_fn with its `_saved_*` attributes, the gradient check, the row of the catalogue and the formula in the page.

**forward** works on numpy. It takes the signature's parameters in order: an ndarray (or a numpy scalar, for
0-dimensional data) per tensor, a list of them per Tensor[], None for an absent optional one, plain Python values for
the rest, and a plain Python number where the program gave a number for a tensor. It never writes into its inputs
and returns an array, or a tuple of arrays. A `view` op returns a numpy view of its first input.

**A rule's parameter names are what is saved**, and they are PyTorch's own names, so `_saved_*` follows:

    grad          gradient of the only output (`grads`: list, one per output, None where nothing arrived)
    self, dim …   an input, or any other parameter of the signature, as the forward pass had it
    result        the output (`result0`, `result1`, … or a name in `outputs` when there are several)
    self_sym_sizes, self_sym_numel, self_sym_strides, self_sym_argsize_0, self_dim, self_dtype, self_geometry
                  a property of an input, so that the input itself need not be kept
    mask          tuple of bool, for rules of several inputs: which of them need a gradient

Rules call other Ops and plain arithmetic, so that one rule serves both an ordinary backward (on arrays, where an Op
is its forward) and `create_graph=True` (on Tensors, where calling an Op records a node). A gradient that is larger
than its input by broadcasting, or of another dtype, is reduced by the engine, never by the rule.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from engine.dtypes import NARROW
from engine.narrow import run_wide
from engine.signature import REQUIRED, Signature, parse

_NO_TENSORS = frozenset((np.ndarray, np.float32, np.float64, int, float, bool, str, type(None)))

ORDER = count()
"""Numbers the records as they are made: overloads are tried in the order in which they are written."""


@dataclass(frozen=True, slots=True)
class Grad:
    """A derivative. `latex` shows it: `[[grad]]`, `[[self]]` are slots for a symbol or a number.

    A rule of several inputs has a formula for each, by name.
    """

    rule: Callable[..., Any]
    latex: str | dict[str, str]


class Op:
    """An operator.

    Args:
        signature: ATen's signature; see `engine.signature`.
        forward: the numpy kernel.
        grad_fn: name of its backward node, "MulBackward0"; None when the output never needs a gradient.
        grads: a Grad per input name; one Grad for several inputs under "input, weight, bias" returns a tuple.
        latex: the forward formula, with slots.
        promote: "common" casts all tensors to their common dtype first, "float" also turns integers into the
            default float, None leaves dtypes to the forward.
        pointwise: the result lies in memory as PyTorch's iterator over the operands lays it; without a word, where
            dtypes are promoted.
        view: the output shares the input's memory.
        inplace: the twin `name_` exists; a function is asked first whether the arguments may run in place.
        numbers: names of tensor parameters for which a plain number may be given.
        where: where a program finds it, any of "function" (torch.x), "method" (Tensor.x), "nn"
            (torch.nn.functional.x), "linalg", "special", "fft"; empty for internal ops.
        outputs: names of several outputs, as rules know them; default result0, result1, …
        names: field names when the function returns a named tuple: ("values", "indices").
        nondiff: positions of outputs that never need a gradient, besides those of integer dtype.
        samples: arguments for the gradient check: rng -> list of dicts by parameter name, float64 arrays.
        unchecked: why there are no samples, in words.
        example: a call for the catalogue, where no samples give one: "torch.isnan(torch.ones(2))".
        save_also: names PyTorch's node keeps although the rule here does not use them.
        writes: inputs that the forward changes without counting as an in-place operation: running statistics.
        constants: inputs without derivative, which must not require grad.
    """

    __slots__ = (
        "signature", "name", "forward", "grad_fn", "grads", "latex", "promote", "view", "inplace", "numbers",
        "where", "outputs", "names", "nondiff", "samples", "unchecked", "example", "save_also", "writes",
        "constants", "tensors", "operands", "defaults", "required", "node_class", "plan", "promoted", "order", "maker",
        "runner", "complex_class", "pointwise",
    )  # fmt: skip

    def __init__(
        self,
        signature: str,
        forward: Callable[..., Any],
        grad_fn: str | None = None,
        grads: dict[str, Grad] | None = None,
        latex: str = "",
        *,
        promote: str | None = None,
        pointwise: bool | None = None,
        view: bool = False,
        inplace: bool | Callable[..., None] = False,
        numbers: tuple[str, ...] = (),
        where: tuple[str, ...] = ("function", "method"),
        outputs: tuple[str, ...] = (),
        names: tuple[str, ...] = (),
        nondiff: tuple[int, ...] = (),
        samples: Callable[[Any], list[dict[str, Any]]] | None = None,
        unchecked: str = "",
        example: str = "",
        save_also: tuple[str, ...] = (),
        writes: tuple[str, ...] = (),
        constants: tuple[str, ...] = (),
    ):
        self.signature: Signature = parse(signature)
        self.name = self.signature.name
        self.order = next(ORDER)
        self.forward = forward
        self.grad_fn = grad_fn
        self.grads = grads or {}
        self.latex = latex
        self.promote = promote
        self.view = view
        self.inplace = inplace
        self.numbers = numbers
        self.where = where
        self.outputs = outputs
        self.names = names
        self.nondiff = nondiff
        self.samples = samples
        self.unchecked = unchecked
        self.example = example
        self.save_also = save_also
        self.writes = tuple(i for i, p in enumerate(self.signature.params) if p.name in writes)
        self.constants = tuple(i for i, p in enumerate(self.signature.params) if p.name in constants)
        self.tensors = tuple(i for i, p in enumerate(self.signature.params) if p.type in ("Tensor", "Tensor[]"))
        self.pointwise = promote is not None if pointwise is None else pointwise
        # A number is an operand to the iterator over elements, but for operators that ATen has a kernel of its own for.
        scalars = "Scalar" in self.name and self.name not in ("pow.Tensor_Scalar", "lerp.Scalar")
        self.operands = tuple(
            i
            for i, p in enumerate(self.signature.params)
            if i in self.tensors or (scalars and p.type == "Scalar" and p.name != "alpha")
        )
        self.defaults = tuple(p.default for p in self.signature.params)
        self.required = sum(d is REQUIRED for d in self.defaults) and 1 + max(
            i for i, d in enumerate(self.defaults) if d is REQUIRED
        )
        self.node_class: Any = None  # made once by engine.graph
        self.plan: Any = None
        self.promoted: Any = None
        self.complex_class: Any = None  # of nodes with a complex output, made by engine.plan
        self.maker: Any = None  # made by engine.specialise for plain ops
        self.runner: Any = None  # how it is run, worked out on its first run

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Apply the op: on Tensors through the dispatcher (a Tensor brings it along), on arrays as plain numpy."""
        for a in args:
            kind = type(a)
            if kind in _NO_TENSORS:
                continue
            if kind is list or kind is tuple:
                a = next((x for x in a if hasattr(x, "__torch_op__")), None)
            carrier = getattr(a, "__torch_op__", None)
            if carrier is not None:
                return carrier(self, args, kwargs)
        return run_wide(self.forward, args, kwargs) if NARROW.used else self.forward(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<Op {self.name}>"


def formulas(op: Op) -> dict[str, str]:
    """The formula of each derivative, by input."""
    found = {}
    for names, grad in op.grads.items():
        for name in map(str.strip, names.split(",")):
            found[name] = grad.latex if isinstance(grad.latex, str) else grad.latex[name]
    return found


def rule_names(grad: Grad) -> tuple[str, ...]:
    """Parameter names of a rule, in order."""
    return tuple(inspect.signature(grad.rule).parameters)


def collect(namespace: dict[str, Any]) -> list[Op]:
    """All Ops of a module's namespace, in the order they were written; one listed under two names comes once."""
    return list(dict.fromkeys(v for v in namespace.values() if isinstance(v, Op)))
