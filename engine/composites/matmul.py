"""Matrix products composed of other operators."""

from math import prod
from typing import Any

from engine.arguments import check_tensors
from engine.composite import composite, python_function
from engine.composites.parsed import parsed
from engine.ops.arithmetic import MUL
from engine.ops.batched import matmul as product
from engine.ops.batched import varies
from engine.ops.checks import wrap_dim
from engine.ops.copy import CLONE
from engine.ops.linear import DOT, MM
from engine.ops.reduction import SUM, SUM_DIM
from engine.ops.sums_with_products import ADDMM
from engine.ops.trilinear import TRILINEAR
from engine.ops.views import PERMUTE, SQUEEZE, UNSAFE_VIEW, VIEW, T
from engine.warning import warn_once


@composite("matmul(Tensor self, Tensor other) -> Tensor")
def matmul(self: Any, other: Any) -> Any:
    """Product of vectors, matrices, or batches of them."""
    return product(self, other)


@composite("linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", where=("nn",))
def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """`input @ weight.T + bias`."""
    if not input.ndim or not weight.ndim:
        raise RuntimeError(
            f"both arguments to linear need to be at least 1D, but they are {input.ndim}D and {weight.ndim}D"
        )
    if bias is not None and weight.ndim == 2 and input.ndim:
        if input.ndim == 2:
            return ADDMM(bias, input, T(weight))
        if input.is_contiguous() and (input.ndim > 2 or not (varies(input) or varies(weight))):
            *lead, inner = input.shape
            flat = VIEW(input, (prod(lead), inner))
            return VIEW(ADDMM(bias, flat, T(weight)), (*lead, weight.shape[0]))
    output = product(input, T(weight))
    return output if bias is None else output + bias


@composite(
    "bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor", where=("function", "nn")
)
def bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Any:
    """`input1 @ weight[k] @ input2` for every output k."""
    operands = {"input1": input1, "input2": input2, "weight": weight}
    if bias is not None:
        operands["bias"] = bias
    if any(x.dtype is not input1.dtype for x in operands.values()):
        kinds = ", ".join(f"{name}: {x.dtype.cpp_name}" for name, x in operands.items())
        raise RuntimeError(f"All tensors must have the same dtype, got {kinds}")
    if input1.ndim != input2.ndim:
        raise RuntimeError(f"bilinear(): input dimensions do not match: got {input1.ndim} and {input2.ndim}")
    lead = tuple(input1.shape[:-1])
    if lead != tuple(input2.shape[:-1]):
        i = next(i for i, n in enumerate(lead) if n != input2.shape[i])
        raise RuntimeError(
            f"bilinear(): input batch dimensions do not match at dim {i}: got {lead[i]} and {input2.shape[i]}"
        )
    for i, x in ((1, input1), (2, input2)):
        wrap_dim(i, weight.ndim)
        if x.shape[-1] != weight.shape[i]:
            raise RuntimeError(
                f"bilinear(): input{i} size does not match weight size: got {x.shape[-1]} but expected "
                f"{weight.shape[i]}"
            )
    if bias is not None and bias.shape[0] != weight.shape[0]:
        raise RuntimeError(
            f"bilinear(): bias size does not match weight size: got {bias.shape[0]} but expected {weight.shape[0]}"
        )
    a, b = input1.reshape((-1, input1.shape[-1])), input2.reshape((-1, input2.shape[-1]))
    output = TRILINEAR(a, weight, b, (1, 3), (0,), (1, 2), (2, 3)).reshape((*lead, weight.shape[0]))
    return output if bias is None else output + bias


def contract(a: Any, b: Any, dims_a: Any, dims_b: Any) -> Any:
    """Sum of products over pairs of dimensions: permuted so that these are last and first, then one product."""
    if a.dtype is not b.dtype:
        raise RuntimeError("both inputs should have same dtype")
    if len(dims_a) != len(dims_b):
        raise RuntimeError("both dimension lists should have same length")
    over_a, over_b = [d % max(a.ndim, 1) for d in dims_a], [d % max(b.ndim, 1) for d in dims_b]
    for i, j, d, e in zip(over_a, over_b, dims_a, dims_b, strict=True):
        if a.shape[i] == 1 != b.shape[j]:  # a dimension of size 1 is repeated
            b = SUM_DIM(b, (j,), True)
        elif b.shape[j] == 1 != a.shape[i]:
            a = SUM_DIM(a, (i,), True)
        if a.shape[i] != b.shape[j]:
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {a.shape[i]} in dim {d} and second has size "
                f"{b.shape[j]} in dim {e}"
            )
    free_a = [d for d in range(a.ndim) if d not in over_a]
    free_b = [d for d in range(b.ndim) if d not in over_b]
    rows, columns = prod(a.shape[d] for d in free_a), prod(b.shape[d] for d in free_b)
    inner = prod(a.shape[d] for d in over_a)
    shape = (*(a.shape[d] for d in free_a), *(b.shape[d] for d in free_b))
    left, right = PERMUTE(a, (*free_a, *dims_a)), PERMUTE(b, (*dims_b, *free_b))
    if rows == columns == 1:
        if left.is_contiguous() and right.is_contiguous():
            flat = [x if x.ndim == 1 else x.reshape((inner,)) for x in (left, right)]
            return DOT(*flat).reshape(shape)
        return SUM(SQUEEZE(left) * SQUEEZE(right)).reshape(shape)
    return MM(left.reshape((rows, inner)), right.reshape((inner, columns))).reshape(shape)


@composite("inner(Tensor self, Tensor other) -> Tensor")
def inner(self: Any, other: Any) -> Any:
    """Sum of products over the last dimension."""
    if not self.ndim or not other.ndim:
        return self * other
    if self.shape[-1] != other.shape[-1]:
        raise RuntimeError(
            f"inner() the last dimension must match on both input tensors but got shapes {list(self.shape)} "
            f"and {list(other.shape)}"
        )
    return contract(self, other, (-1,), (-1,))


@composite("outer(Tensor self, Tensor vec2) -> Tensor")
def outer(self: Any, vec2: Any) -> Any:
    """Every element of one vector times every element of another."""
    for x, name in ((self, "self"), (vec2, "vec2")):
        if x.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {x.ndim}-D")
    return MUL(self.reshape((self.shape[0], 1)), vec2)


@composite("ger(Tensor self, Tensor vec2) -> Tensor")
def ger(self: Any, vec2: Any) -> Any:
    """The old name of outer."""
    return outer(self, vec2)


@composite("kron(Tensor self, Tensor other) -> Tensor")
def kron(self: Any, other: Any) -> Any:
    """Every element of one tensor times all of another, as blocks."""
    n = max(self.ndim, other.ndim)
    a = (1,) * (n - self.ndim) + tuple(self.shape)
    b = (1,) * (n - other.ndim) + tuple(other.shape)
    left = UNSAFE_VIEW(self, tuple(x for m in a for x in (m, 1)))
    right = UNSAFE_VIEW(other, tuple(x for m in b for x in (1, m)))
    return UNSAFE_VIEW(left * right, tuple(x * y for x, y in zip(a, b, strict=True)))


@composite("linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor", where=("linalg",))
def vecdot(x: Any, y: Any, dim: int = -1) -> Any:
    """Sum of products over one dimension."""
    if x.dtype is not y.dtype:
        raise RuntimeError(
            "linalg.vecdot: Expected x and y to have the same dtype, but found x of type "
            f"{x.dtype.torch_name} and y of type {y.dtype.torch_name} instead"
        )
    return SUM_DIM((x.conj() if x.dtype.is_complex else x) * y, (dim,))


@composite("linalg_matmul(Tensor self, Tensor other) -> Tensor", where=("linalg",))
def linalg_matmul(self: Any, other: Any) -> Any:
    """The same as torch.matmul."""
    return product(self, other)


@composite("linalg_multi_dot(Tensor[] tensors) -> Tensor", where=("linalg",))
def multi_dot(tensors: Any) -> Any:
    """Product of a chain of matrices, in the cheapest order."""
    return _chain(tensors)


@python_function("function")
def chain_matmul(*matrices: Any, out: Any = None) -> Any:
    """The old name of linalg.multi_dot."""
    warn_once(
        "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use torch.linalg.multi_dot "
        "instead, which accepts a list of two or more tensors rather than multiple parameters."
    )
    check_tensors(matrices)
    if not matrices:
        raise RuntimeError("chain_matmul(): Expected one or more matrices")
    for m in matrices:
        if m.ndim != 2:
            raise RuntimeError(f"Tensor dimension is {m.ndim}, expected 2 instead.")
    if out is not None:
        return parsed(multi_dot)(list(matrices), out=out)
    return CLONE(matrices[0]) if len(matrices) == 1 else _chain(list(matrices))


def _chain(tensors: Any) -> Any:
    n = len(tensors)
    if n < 2:
        raise RuntimeError("multi_dot(): expected at least 2 tensors but got " + str(n))
    first, last = tensors[0], tensors[-1]
    for i, t in enumerate(tensors):
        wanted = (1, 2) if i in (0, n - 1) else (2,)
        if t.ndim not in wanted:
            kind = "1D or 2D" if len(wanted) == 2 else "2D"
            which = "the first tensor" if not i else "the last tensor" if i == n - 1 else f"tensor {i}"
            raise RuntimeError(f"multi_dot(): {which} must be {kind} but got {t.ndim}D")
        if t.dtype is not first.dtype:
            raise RuntimeError(
                "multi_dot(): all tensors must have be the same dtype but tensor 0 is "
                f"{first.dtype.cpp_name} and tensor {i} {t.dtype.cpp_name}"
            )
    shape = (() if first.ndim == 1 else (first.shape[0],)) + (() if last.ndim == 1 else (last.shape[1],))
    chain = [first.view((1, -1)) if first.ndim == 1 else first, *tensors[1:-1]]
    chain.append(last.view((-1, 1)) if last.ndim == 1 else last)
    for i in range(n - 1):
        if chain[i].shape[1] != chain[i + 1].shape[0]:
            a, b = chain[i].shape, chain[i + 1].shape
            raise RuntimeError(
                f"multi_dot(): tensors {i} and {i + 1} with shapes {list(a)} and {list(b)} cannot be multiplied"
            )
    return _in_order(chain, _best_order(chain), 0, n - 1).view(shape)


def _best_order(chain: list[Any]) -> dict[tuple[int, int], int]:
    """Where to split each part of a chain so that it takes the fewest multiplications."""
    n = len(chain)
    sizes = [chain[0].shape[0], *(t.shape[1] for t in chain)]
    cost: dict[tuple[int, int], int] = {(i, i): 0 for i in range(n)}
    split: dict[tuple[int, int], int] = {}
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            options = {k: cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1] for k in range(i, j)}
            split[i, j] = min(options, key=options.__getitem__)
            cost[i, j] = options[split[i, j]]
    return split


def _in_order(chain: list[Any], split: dict[tuple[int, int], int], i: int, j: int) -> Any:
    if i == j:
        return chain[i]
    k = split[i, j]
    return MM(_in_order(chain, split, i, k), _in_order(chain, split, k + 1, j))
