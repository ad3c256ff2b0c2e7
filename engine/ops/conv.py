"""Convolution in 1, 2 and 3 dimensions, plain and transposed, and its backward with a derivative of its own."""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from engine.dtypes import from_numpy
from engine.op import Grad, Op
from engine.ops.conv_kernels import Geometry, image, kernel, output
from engine.ops.kinds import check_kind
from engine.ops.layouts import keeps_channels
from engine.ops.positions import listed
from engine.ops.views import EXPAND

Ints = Sequence[int]


def _by(sizes: Sequence[Any]) -> str:
    return " x ".join(str(n) for n in sizes)


def _kernel_words(kernel: Ints) -> str:
    """The size of a kernel as messages have it; that of a signal is one row high."""
    if len(kernel) == 3:
        return f": {_by(kernel)} (TxHxW)"
    high, wide = kernel if len(kernel) == 2 else (1, *kernel)
    return f" kernel_height: {high} kernel_width: {wide}"


def _check(
    x: np.ndarray, w: np.ndarray, bias: np.ndarray | None, g: Geometry, transposed: bool, output_padding: Ints
) -> None:
    """Raise RuntimeError as ATen does for shapes, channels and types that do not go together."""
    if any(p < 0 for p in g.padding):
        raise RuntimeError("negative padding is not supported")
    if any(p < 0 for p in output_padding):
        raise RuntimeError("negative output_padding is not supported")
    if any(s <= 0 for s in g.stride):
        raise RuntimeError("non-positive stride is not supported")
    if g.groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    if any(d <= 0 for d in g.dilation):
        shown = list(g.dilation)
        if transposed and len(shown) == 2:
            shown = f"dilation_height: {shown[0]}, dilation_width: {shown[1]}"
        raise RuntimeError(f"dilation should be greater than zero, but got {shown}")
    if w.ndim != x.ndim:
        raise RuntimeError(
            f"Expected {w.ndim}-dimensional input for {w.ndim}-dimensional weight {listed(w.shape)}, but got "
            f"{x.ndim}-dimensional input of size {listed(x.shape)} instead"
        )
    groups = g.groups
    if w.shape[0] < groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size "
            f"{listed(w.shape)} instead"
        )
    if w.shape[0] % groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got weight of "
            f"size [{listed(w.shape)}] instead"
        )
    wanted = w.shape[0] if transposed else w.shape[1] * groups
    if x.shape[1] != wanted:
        kind = "transposed=1, " if transposed else ""
        raise RuntimeError(
            f"Given {kind or f'groups={groups}, '}weight of size {listed(w.shape)}, expected input{listed(x.shape)} to "
            f"have {wanted} channels, but got {x.shape[1]} channels instead"
        )
    outputs = _outputs(w, g, transposed)
    if bias is not None and bias.shape != (outputs,):
        kind = "transposed=1, " if transposed else ""
        raise RuntimeError(
            f"Given {kind}weight of size {listed(w.shape)}, expected bias to be 1-dimensional with {outputs} elements, "
            f"but got bias of size {listed(bias.shape)} instead"
        )
    if not transposed:
        space = [n + 2 * p for n, p in zip(x.shape[2:], g.padding, strict=True)]
        taken = [d * (k - 1) + 1 for k, d in zip(g.kernel, g.dilation, strict=True)]
        if any(n < k for n, k in zip(space, taken, strict=True)):
            raise RuntimeError(
                f"Calculated padded input size per channel: ({_by(space)}). Kernel size: ({_by(taken)}). Kernel size "
                "can't be greater than actual input size"
            )
    if not x.size and x.shape[0] and x.shape[1]:
        shown = listed(x.shape if x.ndim > 3 else (*x.shape[:2], 1, x.shape[2]))
        raise RuntimeError(f"Only zero batch or zero channel inputs are supported, but got input shape: {shown}")
    if x.size:
        _check_types(x, w, bias, g, transposed)


def _by_onednn(x: np.ndarray, g: Geometry) -> bool:
    """Whether ATen hands a convolution to oneDNN: single precision, and more than one image, group or small kernel."""
    wide = (1, *g.kernel)[-2:]
    return x.dtype == np.float32 and (x.shape[0] > 1 or g.groups > 1 or min(wide) > 3 or prod(x.shape[:4]) > 20480)


def _check_types(x: np.ndarray, w: np.ndarray, bias: np.ndarray | None, g: Geometry, transposed: bool) -> None:
    """Raise for types that do not go together, each in the words of the library that ATen would use."""
    if _by_onednn(x, g):
        for y, name in ((w, "weight"), (bias, "bias")):
            if y is not None and y.dtype != x.dtype and (transposed or bias is None or bias.dtype == x.dtype):
                of_x, of_y = (from_numpy(a.dtype).class_name for a in (x, y))
                raise RuntimeError(
                    f"Input type ({of_x}) and {name} type ({of_y}) should be the same or input should be a MKLDNN "
                    f"tensor and {name} is a dense tensor"
                )
    if bias is not None and bias.dtype != x.dtype and not transposed:
        raise RuntimeError(
            f"Input type ({from_numpy(x.dtype).cpp_name}) and bias type ({from_numpy(bias.dtype).cpp_name}) should be "
            "the same"
        )
    if x.dtype != w.dtype:
        if x.dtype.kind == "c":
            named = (from_numpy(a.dtype).class_name for a in (x, w))
            raise RuntimeError("Input type ({}) and weight type ({}) should be the same".format(*named))
        check_kind("slow_conv_transpose2d_out_cpu" if transposed else "slow_conv2d_cpu", x, "fciuV")
        raise RuntimeError(
            f"expected scalar type {from_numpy(x.dtype).torch_name} but found {from_numpy(w.dtype).torch_name}"
        )
    if min(g.kernel, default=1) <= 0:
        if _by_onednn(x, g):
            kind = "deconvolution" if transposed else "convolution"
            raise RuntimeError(
                f"could not create a primitive descriptor for the {kind} forward propagation primitive. Run workload "
                "with environment variable ONEDNN_VERBOSE=all to get additional diagnostic information."
            )
        raise RuntimeError(f"kernel size should be greater than zero, but got{_kernel_words(g.kernel)}")


def _each(values: Ints, dims: int) -> tuple[int, ...]:
    """One value per dimension."""
    return tuple(values) * dims if len(values) == 1 else tuple(values)


def _outputs(weight: np.ndarray, g: Geometry, transposed: bool) -> int:
    """Channels that come out."""
    return weight.shape[1] * g.groups if transposed else weight.shape[0]


def _geometry(weight: np.ndarray, stride: Ints, padding: Ints, dilation: Ints, groups: int) -> Geometry:
    dims = weight.ndim - 2
    return Geometry(weight.shape[2:], _each(stride, dims), _each(padding, dims), _each(dilation, dims), groups)


def _convolution(
    input: np.ndarray,
    weight: np.ndarray,
    bias: np.ndarray | None,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    transposed: bool,
    output_padding: Ints,
    groups: int,
) -> np.ndarray:
    g = _geometry(weight, stride, padding, dilation, groups)
    output_padding = _each(output_padding, len(g.kernel))
    _check(input, weight, bias, g, transposed, output_padding)
    weight = weight if input.shape[0] else weight.astype(input.dtype)
    if transposed:
        lengths = tuple(
            (n - 1) * s - 2 * p + d * (k - 1) + o + 1
            for n, s, p, d, k, o in zip(
                input.shape[2:], g.stride, g.padding, g.dilation, g.kernel, output_padding, strict=True
            )
        )
        out = image(input, weight, g, lengths)
    else:
        out = output(input, weight, g)
    if not input.shape[1]:  # nothing comes of no channels
        return out[:, :0]
    if bias is not None and out.size:
        out += bias.reshape((-1,) + (1,) * len(g.kernel))
    return out


def _convolution_backward(
    grad_output: np.ndarray,
    input: np.ndarray,
    weight: np.ndarray,
    bias_sizes: Ints | None,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    transposed: bool,
    output_padding: Ints,
    groups: int,
    output_mask: Sequence[bool],
) -> tuple[np.ndarray | None, np.ndarray | None, np.ndarray | None]:
    g = _geometry(weight, stride, padding, dilation, groups)
    to_input = to_weight = to_bias = None
    if not input.size:  # nothing came of it
        grad_output = np.zeros(
            (*grad_output.shape[:1], _outputs(weight, g, transposed), *grad_output.shape[2:]), input.dtype
        )
    if output_mask[0]:
        to_input = output(grad_output, weight, g) if transposed else image(grad_output, weight, g, input.shape[2:])
    if output_mask[1]:
        to_weight = kernel(input, grad_output, g) if transposed else kernel(grad_output, input, g)
    if output_mask[2]:
        to_bias = grad_output.sum((0, *range(2, grad_output.ndim)))
    return to_input, to_weight, to_bias


def _back(
    grad: Any,
    input: Any,
    weight: Any,
    bias_sym_sizes_opt: Ints | None,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    transposed: bool,
    output_padding: Ints,
    groups: int,
    mask: Sequence[bool],
) -> Any:
    how = (bias_sym_sizes_opt, stride, padding, dilation, transposed, output_padding, groups, mask)
    return CONVOLUTION_BACKWARD(grad, input, weight, *how)


def _double_back(
    grads: Sequence[Any],
    grad_output: Any,
    input: Any,
    weight: Any,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    transposed: bool,
    output_padding: Ints,
    groups: int,
    mask: Sequence[bool],
) -> tuple[Any, Any, Any]:
    """Both gradients are linear in each of their two factors, so their derivatives are convolutions again."""
    to_input, to_weight, to_bias = grads
    how = (stride, padding, dilation, transposed, output_padding, groups)
    upstream = for_input = for_weight = None
    if mask[0]:
        terms = []
        if to_input is not None:
            terms.append(CONVOLUTION(to_input, weight, None, *how))
        if to_weight is not None:
            terms.append(CONVOLUTION(input, to_weight, None, *how))
        if to_bias is not None:
            each = to_bias.reshape((1, -1) + (1,) * (len(input.shape) - 2))
            terms.append(EXPAND(each, tuple(grad_output.shape)))
        for t in terms:
            upstream = t if upstream is None else upstream + t
    if mask[1] and to_weight is not None:
        for_input = CONVOLUTION_BACKWARD(grad_output, input, to_weight, None, *how, (True, False, False))[0]
    if mask[2] and to_input is not None:
        for_weight = CONVOLUTION_BACKWARD(grad_output, to_input, weight, None, *how, (False, True, False))[1]
    return upstream, for_input, for_weight


def _cases(rng: np.random.Generator) -> list[dict[str, Any]]:
    def case(space: Ints, cin: int, cout: int, k: Ints, groups: int = 1, transposed: bool = False, **how: Ints) -> dict:
        n = len(space)
        first, second = (cin, cout // groups) if transposed else (cout, cin // groups)
        given = {"stride": (1,) * n, "padding": (0,) * n, "dilation": (1,) * n, "output_padding": (0,) * n, **how}
        return {
            "input": rng.normal(size=(2, cin, *space)),
            "weight": rng.normal(size=(first, second, *k)),
            "bias": rng.normal(size=cout),
            "transposed": transposed,
            "groups": groups,
            **given,
        }

    return [
        case((5,), 2, 3, (3,)),
        case((4, 5), 1, 2, (2, 3), stride=(2, 1), padding=(1, 0)),
        case((5, 5), 4, 2, (2, 2), groups=2, dilation=(2, 1)),
        case((3, 3, 2), 1, 1, (2, 2, 1)),
        case((2, 3), 2, 4, (2, 2), groups=2, transposed=True, stride=(2, 2), output_padding=(1, 0), padding=(1, 0)),
        {**case((3, 3), 1, 1, (3, 3), padding=(1, 1)), "bias": None},
    ]


def _backward_cases(rng: np.random.Generator) -> list[dict[str, Any]]:
    out = []
    for c in _cases(rng):
        bias = c.pop("bias")
        y = _convolution(bias=bias, **c)
        sizes = None if bias is None else bias.shape
        mask = (True, True, bias is not None)
        out.append({**c, "grad_output": rng.normal(size=y.shape), "bias_sizes": sizes, "output_mask": mask})
    return out


CONVOLUTION = Op(
    "convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, "
    "bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor",
    keeps_channels(_convolution, operands=2),
    "ConvolutionBackward0",
    {
        "input, weight, bias": Grad(
            _back,
            {
                "input": r"[[grad]] \ast_{\text{full}} [[weight]]",
                "weight": r"[[input]] \star [[grad]]",
                "bias": r"\textstyle\sum_{n, x} [[grad]]",
            },
        )
    },
    r"[[input]] \star [[weight]] + [[bias]]",
    where=("function",),
    samples=_cases,
)
CONVOLUTION_BACKWARD = Op(
    "convolution_backward(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? bias_sizes, SymInt[] stride, "
    "SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, "
    "bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
    _convolution_backward,
    "ConvolutionBackwardBackward0",
    {
        "grad_output, input, weight": Grad(
            _double_back,
            {
                "grad_output": (
                    r"[[grad]]_{\text{input}} \star [[weight]] + [[input]] \star [[grad]]_{\text{weight}}"
                    r" + [[grad]]_{\text{bias}}"
                ),
                "input": r"[[grad_output]] \ast_{\text{full}} [[grad]]_{\text{weight}}",
                "weight": r"[[grad]]_{\text{input}} \star [[grad_output]]",
            },
        )
    },
    r"[[grad_output]] \star [[weight]],\; [[grad_output]] \star [[input]],\; \textstyle\sum [[grad_output]]",
    where=(),
    samples=_backward_cases,
)
