"""Recurrent networks: one time step of each kind, and whole sequences of them, composed as ATen composes them."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine import dtypes
from engine.composite import composite
from engine.composites.dropout import dropout_function
from engine.composites.matmul import linear
from engine.dispatch import run_inplace
from engine.ops.join import CAT, STACK
from engine.ops.pieces import UNBIND, UNSAFE_SPLIT
from engine.ops.rnn_layer import LSTM_LAYER
from engine.ops.slicing import SLICE
from engine.ops.views import TRANSPOSE
from engine.ops.views_inplace import TRANSPOSE_
from engine.tensor import Tensor
from engine.warning import warn_once

Weights = Sequence[Any]
"""w_ih, w_hh, b_ih, b_hh, and for an LSTM with projections w_hr; the biases may be None."""
State = Any
"""The hidden state; for an LSTM the pair of hidden and cell state."""
Step = Callable[[Any, State, Weights, bool], State]
"""A time step of (input, state, weights, whether the input is multiplied by w_ih already)."""
LSTM_MODE = 2


def _chunks(x: Any, count: int) -> Sequence[Any]:
    return UNSAFE_SPLIT(x, -(-x.shape[1] // count), 1)


def _from_input(x: Any, weights: Weights, ready: bool) -> Any:
    return x if ready else linear(x, weights[0], weights[2])


def lstm_step(x: Any, state: State, weights: Weights, ready: bool = False) -> State:
    """One step of an LSTM."""
    h, c = state
    gates = linear(h, weights[1], weights[3]).add_(_from_input(x, weights, ready))
    i, f, g, o = _chunks(gates, 4)
    i, f, g, o = i.sigmoid_(), f.sigmoid_(), g.tanh_(), o.sigmoid_()
    c = (f * c).add_(i * g)
    h = o * c.tanh()
    if len(weights) > 4 and weights[4] is not None:
        h = h @ weights[4].t()
    return h, c


def gru_step(x: Any, state: State, weights: Weights, ready: bool = False) -> State:
    """One step of a GRU."""
    ri, zi, ni = _chunks(_from_input(x, weights, ready), 3)
    rh, zh, nh = _chunks(linear(state, weights[1], weights[3]), 3)
    reset = rh.add_(ri).sigmoid_()
    update = zh.add_(zi).sigmoid_()
    new = ni.add(nh.mul_(reset)).tanh_()
    return (state - new).mul_(update).add_(new)


def tanh_step(x: Any, state: State, weights: Weights, ready: bool = False) -> State:
    """One step of a plain network with tanh."""
    return linear(state, weights[1], weights[3]).add_(_from_input(x, weights, ready)).tanh()


def relu_step(x: Any, state: State, weights: Weights, ready: bool = False) -> State:
    """One step of a plain network with relu."""
    return linear(state, weights[1], weights[3]).add_(_from_input(x, weights, ready)).relu()


def _output_of(state: State) -> Any:
    return state[0] if isinstance(state, tuple) else state


def _sequence(step: Step, x: Any, state: State, weights: Weights, reverse: bool) -> tuple[Any, State]:
    """All time steps of one layer in one direction."""
    if not x.shape[0]:
        raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
    inputs = list(UNBIND(linear(x, weights[0], weights[2]), 0))
    outputs = []
    for one in reversed(inputs) if reverse else inputs:
        state = step(one, state, weights, True)
        outputs.append(_output_of(state))
    if reverse:
        outputs.reverse()
    return STACK(outputs, 0), state


def _rows(state: State, start: int, end: int) -> State:
    if isinstance(state, tuple):
        return tuple(SLICE(s, 0, start, end) for s in state)
    return SLICE(state, 0, start, end)


def _joined(states: Sequence[State]) -> State:
    if isinstance(states[0], tuple):
        return tuple(CAT([s[i] for s in states], 0) for i in range(len(states[0])))
    return CAT(list(states), 0)


def _packed(
    step: Step, x: Any, sizes: Sequence[int], state: State, weights: Weights, reverse: bool
) -> tuple[Any, State]:
    """All time steps over packed sequences: step t has the first `sizes[t]` of them."""
    ready = linear(x, weights[0], weights[2])
    outputs: list[Any] = []
    if reverse:
        end, last = x.shape[0], sizes[-1]
        first = state
        state = _rows(first, 0, last)
        for n in reversed(sizes):
            if n > last:
                state = _joined([state, _rows(first, last, n)])
            state = step(SLICE(ready, 0, end - n, end), state, weights, True)
            end, last = end - n, n
            outputs.append(_output_of(state))
        outputs.reverse()
        return CAT(outputs, 0), state
    start, last = 0, sizes[0]
    finished: list[State] = []
    for n in sizes:
        one = SLICE(ready, 0, start, start + n)
        start += n
        if n < last:
            finished.append(_rows(state, n, last))
            state = _rows(state, 0, n)
        last = n
        state = step(one, state, weights, True)
        outputs.append(_output_of(state))
    finished.append(state)
    finished.reverse()
    return CAT(outputs, 0), _joined(finished)


def _grouped(params: Sequence[Any], has_biases: bool, projected: bool = False) -> list[Weights]:
    """The flat list of weights, cut into layers and directions."""
    each = (4 if has_biases else 2) + projected
    out = []
    for i in range(0, len(params), each):
        part = list(params[i : i + each])
        tail = [part.pop()] if projected else []
        out.append([*part, *([] if has_biases else [None, None]), *tail])
    return out


def _stack_of_layers(
    step: Step,
    x: Any,
    sizes: Sequence[int] | None,
    states: Sequence[State],
    weights: Sequence[Weights],
    dropout: float,
    train: bool,
    bidirectional: bool,
) -> tuple[Any, list[State]]:
    """Layer upon layer; returns the outputs of the last and the final state of each."""
    directions = 2 if bidirectional else 1
    finals: list[State] = []
    layers = len(weights) // directions
    for layer in range(layers):
        results = []
        for d in range(directions):
            i = layer * directions + d
            if sizes is None:
                out, state = _sequence(step, x, states[i], weights[i], d == 1)
            else:
                out, state = _packed(step, x, sizes, states[i], weights[i], d == 1)
            results.append(out)
            finals.append(state)
        x = CAT(results, results[0].ndim - 1) if bidirectional else results[0]
        if dropout != 0 and train and layer < layers - 1:
            x = dropout_function(x, dropout, True)
    return x, finals


def _batch_sizes(batch_sizes: Any) -> list[int]:
    return batch_sizes._a.tolist() if isinstance(batch_sizes, Tensor) else list(batch_sizes)


def _plain(
    step: Step,
    x: Any,
    sizes: Sequence[int] | None,
    hx: Any,
    params: Sequence[Any],
    has_biases: bool,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> tuple[Any, Any]:
    """GRU and plain networks: one state each."""
    x = TRANSPOSE(x, 0, 1) if batch_first else x
    weights = _grouped(params, has_biases)
    out, finals = _stack_of_layers(step, x, sizes, UNBIND(hx, 0), weights, dropout, train, bidirectional)
    if batch_first:
        out = run_inplace(TRANSPOSE_, [out, 0, 1])
    return out, STACK(finals, 0)


def _uses_layer_operator(x: Any, params: Sequence[Any], projected: bool) -> bool:
    """Whether PyTorch runs an LSTM layer as one operator."""
    return not projected and x.numel() > 0 and all(t.dtype is dtypes.float32 for t in (x, *params))


def _layer_by_layer(
    x: Any,
    hx: Sequence[Any],
    weights: Sequence[Weights],
    has_biases: bool,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> tuple[Any, Any, Any]:
    """An LSTM by the operator of a whole layer."""
    x = (TRANSPOSE(x, 0, 1) if batch_first else x).contiguous()
    h0, c0 = (s.contiguous() for s in hx)
    directions = 2 if bidirectional else 1
    layers, size = len(weights) // directions, h0.shape[2]
    hs, cs = [], []
    for layer in range(layers):
        outputs = []
        for d in range(directions):
            i = layer * directions + d
            w = list(weights[i])
            if not has_biases:
                w[2:] = [Tensor._wrap(np.zeros(tuple(v.shape), v._a.dtype)) for v in w[:2]]
            out, h, c, _ = LSTM_LAYER(
                x,
                *w[:4],
                h0[i],
                c0[i],
                d == 1,
                (),
                LSTM_MODE,
                size,
                layers,
                has_biases,
                bidirectional,
                batch_first,
                train,
            )
            outputs.append(out)
            hs.append(h)
            cs.append(c)
        x = CAT(outputs, -1) if bidirectional else outputs[0]
        if dropout != 0 and train and layer < layers - 1:
            x = dropout_function(x, dropout, True)
    return (TRANSPOSE(x, 0, 1) if batch_first else x), STACK(hs, 0), STACK(cs, 0)


def _lstm(
    x: Any,
    sizes: Sequence[int] | None,
    hx: Sequence[Any],
    params: Sequence[Any],
    has_biases: bool,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> tuple[Any, Any, Any]:
    if len(hx) != 2:
        raise RuntimeError("lstm expects two hidden states")
    projected = hx[0].shape[2] != hx[1].shape[2]
    weights = _grouped(params, has_biases, projected)
    if sizes is None and projected and _uses_layer_operator(x, params, False):
        warn_once("LSTM with projections is not supported with oneDNN. Using default implementation.")
    if sizes is None and _uses_layer_operator(x, params, projected):
        return _layer_by_layer(x, hx, weights, has_biases, dropout, train, bidirectional, batch_first)
    x = TRANSPOSE(x, 0, 1) if batch_first else x
    states = list(zip(UNBIND(hx[0], 0), UNBIND(hx[1], 0), strict=True))
    out, finals = _stack_of_layers(lstm_step, x, sizes, states, weights, dropout, train, bidirectional)
    out = TRANSPOSE(out, 0, 1) if batch_first else out
    return out, STACK([h for h, _ in finals], 0), STACK([c for _, c in finals], 0)


_WHOLE = "bool has_biases, int num_layers, float dropout, bool train, bool bidirectional"


@composite(
    f"lstm.input(Tensor input, Tensor[] hx, Tensor[] params, {_WHOLE}, bool batch_first) -> (Tensor, Tensor, Tensor)",
    where=("function",),
)
def lstm(
    input: Any, hx: Any, params: Any, has_biases: bool, num_layers: int, dropout: float, train: bool,
    bidirectional: bool, batch_first: bool,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """A long short-term memory over sequences of one length."""
    return _lstm(input, None, hx, params, has_biases, dropout, train, bidirectional, batch_first)


@composite(
    f"lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] params, {_WHOLE}) -> (Tensor, Tensor, Tensor)",
    where=("function",),
)
def lstm_packed(
    data: Any, batch_sizes: Any, hx: Any, params: Any, has_biases: bool, num_layers: int, dropout: float, train: bool,
    bidirectional: bool,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """A long short-term memory over packed sequences."""
    sizes = _batch_sizes(batch_sizes)
    return _lstm(data, sizes, hx, params, has_biases, dropout, train, bidirectional, False)


def _kinds(name: str, step: Step, what: str) -> tuple[Any, Any]:
    """The two ways to call a network with one state: over equal lengths, and over packed sequences."""

    @composite(
        f"{name}.input(Tensor input, Tensor hx, Tensor[] params, {_WHOLE}, bool batch_first) -> (Tensor, Tensor)",
        where=("function",),
    )
    def whole(
        input: Any, hx: Any, params: Any, has_biases: bool, num_layers: int, dropout: float, train: bool,
        bidirectional: bool, batch_first: bool,
    ) -> tuple[Any, Any]:  # fmt: skip
        return _plain(step, input, None, hx, params, has_biases, dropout, train, bidirectional, batch_first)

    @composite(
        f"{name}.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, {_WHOLE}) -> (Tensor, Tensor)",
        where=("function",),
    )
    def packed(
        data: Any, batch_sizes: Any, hx: Any, params: Any, has_biases: bool, num_layers: int, dropout: float,
        train: bool, bidirectional: bool,
    ) -> tuple[Any, Any]:  # fmt: skip
        sizes = _batch_sizes(batch_sizes)
        return _plain(step, data, sizes, hx, params, has_biases, dropout, train, bidirectional, False)

    whole.function.__doc__, packed.function.__doc__ = what, f"{what[:-1]}, over packed sequences."
    return whole, packed


GRU, GRU_PACKED = _kinds("gru", gru_step, "A gated recurrent unit.")
RNN_TANH, RNN_TANH_PACKED = _kinds("rnn_tanh", tanh_step, "A plain recurrent network with tanh.")
RNN_RELU, RNN_RELU_PACKED = _kinds("rnn_relu", relu_step, "A plain recurrent network with relu.")

_CELL = "Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None"


def _check_cell(input: Any, hidden: Sequence[Any], w_ih: Any, w_hh: Any, gates: int) -> None:
    """Raise RuntimeError for an input, a hidden state or weights of a cell that do not fit each other."""
    given, expected = input.size(1), w_ih.size(1)
    if given != expected:
        raise RuntimeError(f"input has inconsistent input_size: got {given} expected {expected}")
    size = w_hh.size(1)
    for i, state in enumerate(hidden):
        if input.size(0) != state.size(0):
            raise RuntimeError(f"Input batch size {input.size(0)} doesn't match hidden{i} batch size {state.size(0)}")
        if state.size(1) != size:
            raise RuntimeError(f"hidden{i} has inconsistent hidden_size: got {state.size(1)}, expected {size}")
    for name, weight in (("weight_ih", w_ih), ("weight_hh", w_hh)):
        if weight.size(0) != gates * size:
            raise RuntimeError(
                f"{name} first dim must be {gates} * hidden_size = {gates * size}, but got {weight.size(0)}"
            )


@composite(f"lstm_cell(Tensor input, Tensor[] hx, {_CELL}) -> (Tensor, Tensor)", where=("function",))
def lstm_cell(input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None) -> tuple[Any, Any]:
    """One step of an LSTM."""
    if len(hx) != 2:
        raise RuntimeError("lstm_cell expects two hidden states")
    _check_cell(input, hx, w_ih, w_hh, 4)
    return lstm_step(input, tuple(hx), (w_ih, w_hh, b_ih, b_hh))


@composite(f"gru_cell(Tensor input, Tensor hx, {_CELL}) -> Tensor", where=("function",))
def gru_cell(input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None) -> Any:
    """One step of a GRU."""
    _check_cell(input, (hx,), w_ih, w_hh, 3)
    return gru_step(input, hx, (w_ih, w_hh, b_ih, b_hh))


@composite(f"rnn_tanh_cell(Tensor input, Tensor hx, {_CELL}) -> Tensor", where=("function",))
def rnn_tanh_cell(input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None) -> Any:
    """One step of a plain network with tanh."""
    _check_cell(input, (hx,), w_ih, w_hh, 1)
    return tanh_step(input, hx, (w_ih, w_hh, b_ih, b_hh))


@composite(f"rnn_relu_cell(Tensor input, Tensor hx, {_CELL}) -> Tensor", where=("function",))
def rnn_relu_cell(input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None) -> Any:
    """One step of a plain network with relu."""
    _check_cell(input, (hx,), w_ih, w_hh, 1)
    return relu_step(input, hx, (w_ih, w_hh, b_ih, b_hh))
