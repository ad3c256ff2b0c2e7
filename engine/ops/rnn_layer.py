"""One LSTM layer over a whole sequence as one operator, as PyTorch runs it on the CPU."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.copy import NEW_ZEROS
from engine.ops.exponentials import SIGMOID
from engine.ops.join import CAT, STACK
from engine.ops.linear import MM
from engine.ops.pieces import SPLIT, UNBIND
from engine.ops.trigonometry import TANH
from engine.ops.views import T

_PAGE = 4096
_LEAST = 7 * _PAGE  # the smallest workspace that PyTorch keeps


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def _times(steps: int, reverse: bool) -> range:
    return range(steps - 1, -1, -1) if reverse else range(steps)


def _forward(
    input: np.ndarray,
    weight0: np.ndarray,
    weight1: np.ndarray,
    weight2: np.ndarray,
    weight3: np.ndarray,
    hx_: np.ndarray,
    cx_: np.ndarray,
    reverse: bool,
    batch_sizes: Sequence[int],
    mode: int,
    hidden_size: int,
    num_layers: int,
    has_biases: bool,
    bidirectional: bool,
    batch_first: bool,
    train: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    steps, batch, n = input.shape[0], input.shape[1], hidden_size
    projected = input.reshape(steps * batch, -1) @ weight0.T
    if has_biases:
        projected += weight2 + weight3
    gates = projected.reshape(steps, batch, 4 * n)
    output = np.empty((steps, batch, n), input.dtype)
    cells = np.empty((steps, batch, n), input.dtype)
    h, c, recurrent = hx_, cx_, np.ascontiguousarray(weight1.T)
    for t in _times(steps, reverse):
        g = gates[t]
        g += h @ recurrent
        g[:, : 2 * n] = _sigmoid(g[:, : 2 * n])
        g[:, 2 * n : 3 * n] = np.tanh(g[:, 2 * n : 3 * n])
        g[:, 3 * n :] = _sigmoid(g[:, 3 * n :])
        c = cells[t] = g[:, n : 2 * n] * c + g[:, :n] * g[:, 2 * n : 3 * n]
        h = output[t] = g[:, 3 * n :] * np.tanh(c)
    return output, np.array(h), np.array(c), _pack(gates, cells)


def _pack(gates: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """What backward needs, as the bytes of a workspace."""
    needed = gates.nbytes + cells.nbytes
    space = np.zeros(max(_LEAST, -(-needed // _PAGE) * _PAGE), np.uint8)
    space[: gates.nbytes] = gates.reshape(-1).view(np.uint8)
    space[gates.nbytes : needed] = cells.reshape(-1).view(np.uint8)
    return space


def _unpack(space: np.ndarray, like: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    steps, batch, n = like.shape
    size = like.nbytes
    gates = space[: 4 * size].view(like.dtype).reshape(steps, batch, 4 * n)
    return gates, space[4 * size : 5 * size].view(like.dtype).reshape(like.shape)


def _backward(
    input: np.ndarray,
    weight1: np.ndarray,
    weight2: np.ndarray,
    weight3: np.ndarray,
    weight4: np.ndarray,
    hx_: np.ndarray,
    cx_tmp: np.ndarray,
    output: np.ndarray,
    hy_: np.ndarray,
    cy_: np.ndarray,
    grad_output: np.ndarray | None,
    grad_hy: np.ndarray | None,
    grad_cy: np.ndarray | None,
    reverse: bool,
    mode: int,
    hidden_size: int,
    num_layers: int,
    has_biases: bool,
    train: bool,
    bidirectional: bool,
    batch_sizes: Sequence[int],
    batch_first: bool,
    workspace: np.ndarray,
) -> tuple[np.ndarray, ...]:
    n = hidden_size
    gates, cells = _unpack(workspace, output)
    deltas = np.empty_like(gates)
    dh = np.zeros_like(hx_) if grad_hy is None else grad_hy
    dc = np.zeros_like(cx_tmp) if grad_cy is None else grad_cy
    order = list(_times(input.shape[0], reverse))
    for i in range(len(order) - 1, -1, -1):
        t = order[i]
        before = cells[order[i - 1]] if i else cx_tmp
        g, d = gates[t], deltas[t]
        dh = dh if grad_output is None else dh + grad_output[t]
        squashed = np.tanh(cells[t])
        out = g[:, 3 * n :]
        dc = dc + dh * out * (1 - squashed * squashed)
        d[:, :n] = dc * g[:, 2 * n : 3 * n]
        d[:, n : 2 * n] = dc * before
        d[:, 2 * n : 3 * n] = dc * g[:, :n] * (1 - g[:, 2 * n : 3 * n] ** 2)
        d[:, 3 * n :] = dh * squashed
        d[:, : 2 * n] *= g[:, : 2 * n] * (1 - g[:, : 2 * n])
        d[:, 3 * n :] *= out * (1 - out)
        dc = dc * g[:, n : 2 * n]
        dh = d @ weight2
    flat = deltas.reshape(-1, 4 * n)
    previous = np.empty_like(output)
    for i, t in enumerate(order):
        previous[t] = output[order[i - 1]] if i else hx_
    bias = flat.sum(0) if has_biases else np.zeros_like(weight3)
    other = bias if has_biases else np.zeros_like(weight4)
    return (
        (flat @ weight1).reshape(input.shape),
        flat.T @ input.reshape(flat.shape[0], -1),
        flat.T @ previous.reshape(flat.shape[0], -1),
        bias,
        other,
        dh,
        dc,
    )


def _step(x: Any, h: Any, c: Any, weights: Sequence[Any], has_biases: bool) -> tuple[Any, ...]:
    """One time step out of single ops; returns the gates and both states."""
    n = h.shape[-1]
    z = MM(x, T(weights[0])) + MM(h, T(weights[1]))
    if has_biases:
        z = z + weights[2] + weights[3]
    zi, zf, zg, zo = SPLIT(z, n, 1)
    i, f, g, o = SIGMOID(zi), SIGMOID(zf), TANH(zg), SIGMOID(zo)
    new_c = f * c + i * g
    return i, f, g, o, new_c, TANH(new_c)


def _differentiable(
    input: Any,
    weights: Sequence[Any],
    hx: Any,
    cx: Any,
    grads: Sequence[Any],
    reverse: bool,
    has_biases: bool,
) -> tuple[Any, ...]:
    """The backward pass out of single ops, so that it can be differentiated again."""
    steps = UNBIND(input, 0)
    order = list(_times(len(steps), reverse))
    states: list[tuple[Any, ...]] = []
    h, c = hx, cx
    for t in order:
        i, f, g, o, new_c, squashed = _step(steps[t], h, c, weights, has_biases)
        states.append((h, c, i, f, g, o, squashed))
        h, c = o * squashed, new_c
    ups = [None] * len(steps) if grads[0] is None else UNBIND(grads[0], 0)
    dh = grads[1] if grads[1] is not None else NEW_ZEROS(hx, tuple(hx.shape))
    dc = grads[2] if grads[2] is not None else NEW_ZEROS(cx, tuple(cx.shape))
    to_input: list[Any] = [None] * len(steps)
    dw = [None, None, None]
    for k in range(len(order) - 1, -1, -1):
        t = order[k]
        h, c, i, f, g, o, squashed = states[k]
        dh = dh if ups[t] is None else dh + ups[t]
        dc = dc + dh * o * (1 - squashed * squashed)
        gates = CAT(
            [
                dc * g * i * (1 - i),
                dc * c * f * (1 - f),
                dc * i * (1 - g * g),
                dh * squashed * o * (1 - o),
            ],
            1,
        )
        dc = dc * f
        to_input[t] = MM(gates, weights[0])
        for j, part in enumerate((MM(T(gates), steps[t]), MM(T(gates), h), gates.sum(0))):
            dw[j] = part if dw[j] is None else dw[j] + part
        dh = MM(gates, weights[1])
    bias = dw[2] if has_biases else None
    return STACK(to_input, 0), dw[0], dw[1], bias, bias, dh, dc


def _back(
    grads: Sequence[Any],
    input: Any,
    weight0: Any,
    weight1: Any,
    weight2: Any,
    weight3: Any,
    hx_: Any,
    cx_: Any,
    result0: Any,
    result1: Any,
    result2: Any,
    result3: Any,
    reverse: bool,
    mode: int,
    hidden_size: int,
    num_layers: int,
    has_biases: bool,
    train: bool,
    bidirectional: bool,
    batch_sizes: Sequence[int],
    batch_first: bool,
) -> tuple[Any, ...]:
    if hasattr(input, "__torch_op__"):
        weights = (weight0, weight1, weight2, weight3)
        return _differentiable(input, weights, hx_, cx_, grads, reverse, has_biases)
    states = (hx_, cx_, result0, result1, result2)
    how = (reverse, mode, hidden_size, num_layers, has_biases, train, bidirectional, batch_sizes, batch_first)
    values: list[Any] = [input, weight0, weight1, weight2, weight3, *states, *grads[:3], *how, result3]
    return _backward(*values)


def _samples(rng: np.random.Generator) -> list[dict[str, Any]]:
    return [
        {
            "input": rng.normal(size=(3, 2, 2)),
            "weight0": rng.normal(size=(12, 2)),
            "weight1": rng.normal(size=(12, 3)),
            "weight2": rng.normal(size=12),
            "weight3": rng.normal(size=12),
            "hx_": rng.normal(size=(2, 3)),
            "cx_": rng.normal(size=(2, 3)),
            "reverse": reverse,
            "batch_sizes": (),
            "mode": 2,
            "hidden_size": 3,
            "num_layers": 1,
            "has_biases": True,
            "bidirectional": False,
            "batch_first": False,
            "train": True,
        }
        for reverse in (False, True)
    ]


LSTM_LAYER = Op(
    "mkldnn_rnn_layer(Tensor input, Tensor weight0, Tensor weight1, Tensor weight2, Tensor weight3, Tensor hx_, "
    "Tensor cx_, bool reverse, int[] batch_sizes, int mode, int hidden_size, int num_layers, bool has_biases, "
    "bool bidirectional, bool batch_first, bool train) -> (Tensor, Tensor, Tensor, Tensor)",
    _forward,
    "MkldnnRnnLayerBackward0",
    {
        "input, weight0, weight1, weight2, weight3, hx_, cx_": Grad(
            _back,
            {
                "input": r"\bar x_t = W_{ih}^{\top} \bar a_t",
                "weight0": r"\textstyle\sum_t \bar a_t\, x_t^{\top}",
                "weight1": r"\textstyle\sum_t \bar a_t\, h_{t-1}^{\top}",
                "weight2": r"\textstyle\sum_t \bar a_t",
                "weight3": r"\textstyle\sum_t \bar a_t,\; a \text{ the gates before their activation}",
                "hx_": r"W_{hh}^{\top} \bar a_1",
                "cx_": r"f_1 \odot \bar c_1",
            },
        )
    },
    r"\operatorname{LSTM}([[input]], [[hx_]], [[cx_]])",
    where=(),
    nondiff=(3,),
    samples=_samples,
)
