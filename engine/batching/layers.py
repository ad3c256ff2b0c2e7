"""Convolution, pooling, resampling and normalisation: the batch is merged into a dimension they have already."""

from math import prod
from typing import Any

from engine.batching.call import Call, Result, front, moved, padded
from engine.dispatch import run
from engine.ops.batch_norm import BATCH_NORM
from engine.ops.conv import CONVOLUTION
from engine.ops.group_norm import GROUP_NORM
from engine.ops.layer_norm import LAYER_NORM
from engine.ops.reduction import MEAN_DIM
from engine.ops.views import TRANSPOSE, UNSQUEEZE
from engine.tensor import TensorBase


def into(t: Any, dim: int, destination: int) -> Any:
    """The batch merged into the dimension `destination` of the sample, as its outer part."""
    t = moved(t, dim, destination)
    shape = tuple(t.shape)
    return t.reshape((*shape[:destination], shape[destination] * shape[destination + 1], *shape[destination + 2 :]))


def out_of(t: Any, dim: int, size: int) -> Any:
    """The reverse: a dimension split into the batch and the rest."""
    shape = tuple(t.shape)
    return t.reshape((*shape[:dim], size, shape[dim] // size if size else 0, *shape[dim + 1 :]))


def merged(rank: int, also: tuple[str, ...] = ()) -> Any:
    """The rule of operators that treat every image of a batch alike; `rank` is that of a batch of images.

    Samples without a dimension for their own batch are a batch of images together. `also` are tensors besides the
    first that hold images.
    """

    def rule(call: Call) -> Result | list[Result]:
        values = list(call.values)
        images = [i for i in call.op.tensors if isinstance(values[i], TensorBase)]
        single = call.rank(images[0]) == rank - 1
        for i in images:
            if call.dims[i] is None or single:
                values[i] = call.to_front(i, always=True)
            if not single:
                values[i] = into(values[i], call.dims[i] or 0, 0)
        for i, name in enumerate(call.names):
            if name in ("input_size", "input_sizes") and values[i] is not None and not single:
                values[i] = (call.size * values[i][0], *values[i][1:])
        out = call.run(values)
        outs = out if isinstance(out, tuple) else (out,)
        if not single:
            outs = tuple(out_of(t, 0, call.size) for t in outs)
        return [(t, 0) for t in outs] if isinstance(out, tuple) else (outs[0], 0)

    return rule


def convolution(call: Call) -> Result:
    """A batched input joins its own batch; batched weights join the channels."""
    weight, bias = call["weight"], call["bias"]
    of_input, of_weight, of_bias = call.dim("input"), call.dim("weight"), call.dim("bias")
    separate = bias is not None and (of_weight is not None or of_bias is not None)
    settings = [call[n] for n in ("stride", "padding", "dilation", "transposed", "output_padding")]
    groups = call["groups"]
    own = None if separate else bias
    if of_weight is None and of_input is None:
        out, dim = run(CONVOLUTION, [call["input"], weight, own, *settings, groups]), None
    elif of_weight is None:
        joined = into(call["input"], of_input, 0)
        out = out_of(run(CONVOLUTION, [joined, weight, own, *settings, groups]), 0, call.size)
        dim = 0
    else:
        out, dim = _with_weights(call, settings, groups), 1
    if not separate:
        return out, dim
    spatial = weight.ndim - (of_weight is not None) - 2
    b = front(bias, of_bias)
    for _ in range(spatial):
        b = run(UNSQUEEZE, [b, -1])
    if dim:
        out, dim = moved(out, dim, 0), 0
    if of_bias is not None:
        b = padded(b, spatial + 2)
        dim = 0
    return out + b, dim


def _with_weights(call: Call, settings: list[Any], groups: int) -> Any:
    """Each sample has its own filters: they stand side by side, the input's channels in groups unless it is shared."""
    transposed = settings[3]
    weight = call["weight"]
    own_input = call.dim("input") is not None
    x = into(call["input"], call.dim("input"), 1) if own_input else call["input"]
    if own_input:
        w = into(weight, call.dim("weight"), 0)
        out = run(CONVOLUTION, [x, w, None, *settings, groups * call.size])
        return out_of(out, 1, call.size)
    side = 1 if transposed else 0
    if groups == 1:
        out = run(CONVOLUTION, [x, into(weight, call.dim("weight"), side), None, *settings, groups])
        return out_of(out, 1, call.size)
    w = moved(weight, call.dim("weight"), 0)
    if not transposed:
        w = out_of(w, 1, groups)  # batch, groups, filters of a group
        w = moved(w, 0, 1)
        w = w.reshape((prod(w.shape[:3]), *w.shape[3:]))
    else:
        w = into(w, 0, 1)
    out = out_of(run(CONVOLUTION, [x, w, None, *settings, groups]), 1, groups)
    out = out_of(out, 2, call.size)
    out = moved(out, 2, 1)
    shape = tuple(out.shape)
    return out.reshape((*shape[:2], shape[2] * shape[3], *shape[4:]))


def adaptive_average(call: Call) -> Result:
    """To a single element: a mean. Else image by image."""
    if all(n == 1 for n in call["output_size"]):
        x = call.to_front(0)
        dims = tuple(range(-len(call["output_size"]), 0))
        return run(MEAN_DIM, [x, dims, True, None]), 0
    return merged(2 + len(call["output_size"]))(call)


def layer_norm(call: Call) -> list[Result]:
    """Scaling and shifting come apart where their factors are batched or the input is not."""
    x, shape = call.to_front(0), call["normalized_shape"]
    if call.dim("weight") is None and call.dim("bias") is None:
        return [(t, 0) for t in run(LAYER_NORM, [x, shape, call["weight"], call["bias"], call["eps"]])]
    out, mean, rstd = run(LAYER_NORM, [x, shape, None, None, call["eps"]])
    dim = None if call.dims[0] is None else 0
    result, at = _affine(call, out, dim, call.rank(0), None)
    return [(result, at), (mean, dim), (rstd, dim)]


def _affine(call: Call, out: Any, dim: int | None, rank: int, channel: int | None) -> tuple[Any, int | None]:
    """out * weight + bias, of the trailing dimensions or of the channels at `channel` of a sample."""
    for name, times in (("weight", True), ("bias", False)):
        factor, d = call[name], call.dim(name)
        if factor is None:
            continue
        factor = front(factor, d)
        if channel is not None:
            batch = () if d is None else (call.size,)
            factor = factor.reshape((*batch, -1, *(1,) * (rank - channel - 1)))
        if d is not None:
            factor, dim = padded(factor, rank), 0
        out = out * factor if times else out + factor
    return out, dim


def group_norm(call: Call) -> list[Result]:
    """Samples join the batch; scaling and shifting come apart."""
    x = into(call.to_front(0, always=True), 0, 0)
    n, c, area, groups = (call[k] for k in ("N", "C", "HxW", "group"))
    out, mean, rstd = run(GROUP_NORM, [x, None, None, n * call.size, c, area, groups, call["eps"]])
    out, mean, rstd = (out_of(t, 0, call.size) for t in (out, mean, rstd))
    result, at = _affine(call, out, 0, call.rank(0), 1)
    return [(result, at), (mean, 0), (rstd, 0)]


def batch_norm(call: Call) -> list[Result]:
    """Samples join the channels, so that each has statistics of its own."""
    for name in ("running_mean", "running_var"):
        if call["training"] and call[name] is not None and call.dim(name) is None and call.dim("input") is not None:
            raise RuntimeError(
                "Batch norm got a batched tensor as input while the running_mean or running_var, which will be updated "
                "in place, were not batched.\nIf you are using a module and do not need eval mode, please set "
                "`track_running_stats` to be False.If you are using a prebuilt module and do not need eval mode, "
                "please see the functorch website for resources on how to patch your module to work with vmap"
            )
    x = into(call.to_front(0, always=True), 0, 1)
    running: list[Any] = []
    for name in ("running_mean", "running_var"):
        t, d = call[name], call.dim(name)
        if t is None:
            running.append(None)
        elif d is None:
            running.append(t.unsqueeze(0).expand((call.size, *t.shape)).reshape((-1,)))
        else:
            running.append(front(t, d).reshape((-1,)))
    settings = [call["training"], call["momentum"], call["eps"]]
    out, mean, rstd = run(BATCH_NORM, [x, None, None, *running, *settings])
    out = run(TRANSPOSE, [out, 0, 1])  # channels first, the batch can be split off
    out = run(TRANSPOSE, [out_of(out, 0, call.size), 1, 2])
    result, at = _affine(call, out, 0, call.rank(0), 1)
    if mean.numel():
        mean, rstd = (t.reshape((call.size, -1)) for t in (mean, rstd))
        return [(result, at), (mean, 0), (rstd, 0)]
    return [(result, at), (mean, None), (rstd, None)]
