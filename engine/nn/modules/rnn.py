"""Recurrent layers over sequences: https://docs.pytorch.org/docs/stable/nn.html#recurrent-layers"""

import math
from typing import Any

from engine.nn import init
from engine.nn.functional import VF
from engine.nn.modules.make import empty
from engine.nn.modules.module import Module
from engine.nn.parameter import Parameter
from engine.nn.utils.rnn import PackedSequence
from engine.type_names import type_name
from engine.warning import warn

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


def permuted(tensor: Any, permutation: Any) -> Any:
    """A hidden state with its batch in another order."""
    return tensor if permutation is None else tensor.index_select(1, permutation)


class RNNBase(Module):
    """What the recurrent layers share: their weights, and the checks of their inputs."""

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.mode = mode
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.dropout = bias, batch_first, float(dropout)
        self.bidirectional, self.proj_size = bidirectional, proj_size
        self._check_sizes(dropout)
        self._flat_weights_names: list[str] = []
        self._all_weights: list[list[str]] = []
        rows = _GATES[mode] * hidden_size
        for layer in range(num_layers):
            for direction in range(2 if bidirectional else 1):
                seen = proj_size or hidden_size
                columns = input_size if layer == 0 else seen * (2 if bidirectional else 1)
                sizes: dict[str, tuple[int, ...]] = {"weight_ih": (rows, columns), "weight_hh": (rows, seen)}
                if bias:
                    sizes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
                if proj_size:
                    sizes["weight_hr"] = (proj_size, hidden_size)
                names = [f"{name}_l{layer}{'_reverse' if direction else ''}" for name in sizes]
                for name, size in zip(names, sizes.values(), strict=True):
                    setattr(self, name, Parameter(empty(size, device, dtype)))
                self._flat_weights_names += names
                self._all_weights.append(names)
        self.reset_parameters()

    def _check_sizes(self, dropout: Any) -> None:
        if not isinstance(dropout, int | float) or isinstance(dropout, bool) or not 0 <= dropout <= 1:
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
            )
        if dropout > 0 and self.num_layers == 1:
            warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects "
                "num_layers greater "
                f"than 1, but got dropout={dropout} and num_layers={self.num_layers}"
            )
        for name, kind in (("bias", bool), ("batch_first", bool), ("input_size", int), ("hidden_size", int)):
            value = getattr(self, name)
            if not isinstance(value, kind):
                raise TypeError(f"{name} should be of type {kind.__name__}, got: {type_name(value)}")
            if kind is int and value <= 0:
                raise ValueError(f"{name} must be greater than zero")
        if self.num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if self.proj_size < 0:
            raise ValueError("proj_size should be a positive integer or zero to disable projections")
        if self.proj_size >= self.hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")

    @property
    def _flat_weights(self) -> list[Any]:
        return [getattr(self, name) for name in self._flat_weights_names]

    @property
    def all_weights(self) -> list[list[Any]]:
        """The parameters, a list per layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def flatten_parameters(self) -> None:
        """The memory of the weights matters on GPUs only."""

    def reset_parameters(self) -> None:
        """Uniform values whose range falls with the hidden size."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def check_input(self, input: Any, batch_sizes: Any) -> None:
        """Raise RuntimeError for an input of other dimensions or size."""
        dims = 2 if batch_sizes is not None else 3
        if input.dim() != dims:
            raise RuntimeError(f"input must have {dims} dimensions, got {input.dim()}")
        if self.input_size != input.size(-1):
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.size(-1)}"
            )

    def get_expected_hidden_size(self, input: Any, batch_sizes: Any) -> tuple[int, int, int]:
        """The shape a hidden state must have."""
        return self._state_shape(input, batch_sizes, self.proj_size or self.hidden_size)

    def _state_shape(self, input: Any, batch_sizes: Any, size: int) -> tuple[int, int, int]:
        if batch_sizes is not None:
            batch = int(batch_sizes[0])
        else:
            batch = input.size(0) if self.batch_first else input.size(1)
        return self.num_layers * (2 if self.bidirectional else 1), batch, size

    def check_hidden_size(
        self, hx: Any, expected_hidden_size: Any, msg: str = "Expected hidden size {}, got {}"
    ) -> None:
        """Raise RuntimeError for a hidden state of another shape."""
        if hx.size() != expected_hidden_size:
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))

    def check_forward_args(self, input: Any, hidden: Any, batch_sizes: Any) -> None:
        """Raise RuntimeError for an input or hidden state of another shape."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx: Any, permutation: Any) -> Any:
        """The hidden state with its batch in another order."""
        return permuted(hx, permutation)

    def _check_dtypes(self, input: Any) -> None:
        weight = self._flat_weights[0]
        if input.dtype is not weight.dtype:
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({weight.dtype}). Convert input: "
                f"input.to({weight.dtype}), or convert model: model.to({input.dtype})"
            )

    def _initial(self, input: Any, batch_sizes: Any) -> Any:
        return input.new_zeros(self.get_expected_hidden_size(input, batch_sizes))

    def _run(self, input: Any, hx: Any, batch_sizes: Any) -> tuple[Any, Any]:
        """The output and the last hidden state of the whole sequence."""
        function = getattr(VF, self.mode.lower())
        if batch_sizes is None:
            return self._split(
                function(
                    input, hx, self._flat_weights, self.bias, self.num_layers, self.dropout, self.training,
                    self.bidirectional, self.batch_first,
                )
            )  # fmt: skip
        return self._split(
            function(
                input, batch_sizes, hx, self._flat_weights, self.bias, self.num_layers, self.dropout, self.training,
                self.bidirectional,
            )
        )  # fmt: skip

    def _split(self, result: Any) -> tuple[Any, Any]:
        return result[0], result[1]

    def _unbatched_hidden(self, hx: Any) -> Any:
        if hx.dim() != 2:
            raise RuntimeError(f"For unbatched 2-D input, hx should also be 2-D but got {hx.dim()}-D tensor")
        return hx.unsqueeze(1)

    def forward(self, input: Any, hx: Any = None) -> Any:
        """All outputs and the last hidden state, for a sequence, a batch of them, or a packed one."""
        if isinstance(input, PackedSequence):
            data, batch_sizes, sorted_indices, unsorted_indices = input
            hidden = self._initial(data, batch_sizes) if hx is None else self.permute_hidden(hx, sorted_indices)
            self.check_forward_args(data, hidden, batch_sizes)
            output, hidden = self._run(data, hidden, batch_sizes)
            packed = PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices)
            return packed, self.permute_hidden(hidden, unsorted_indices)
        self._check_dimensions(input)
        batched = input.dim() == 3
        if not batched:
            input = input.unsqueeze(0 if self.batch_first else 1)
        hidden = self._given_hidden(input, hx, batched)
        self._check_dtypes(input)
        self.check_forward_args(input, hidden, None)
        output, hidden = self._run(input, hidden, None)
        if not batched:
            output = output.squeeze(0 if self.batch_first else 1)
            hidden = self._squeezed(hidden)
        return output, hidden

    def _check_dimensions(self, input: Any) -> None:
        if input.dim() not in (2, 3):
            kind = self.mode[:3] if self.mode[:3] == "RNN" else self.mode
            what = " tensor" if kind == "RNN" else ""
            raise ValueError(f"{kind}: Expected input to be 2D or 3D, got {input.dim()}D{what} instead")

    def _given_hidden(self, input: Any, hx: Any, batched: bool) -> Any:
        if hx is None:
            return self._initial(input, None)
        if not batched:
            return self._unbatched_hidden(hx)
        if hx.dim() != 3:
            raise RuntimeError(f"For batched 3-D input, hx should also be 3-D but got {hx.dim()}-D tensor")
        return hx

    def _squeezed(self, hidden: Any) -> Any:
        return hidden.squeeze(1)

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        for name, default in (
            ("proj_size", 0), ("num_layers", 1), ("bias", True), ("batch_first", False), ("dropout", 0),
            ("bidirectional", False),
        ):  # fmt: skip
            if getattr(self, name) != default:
                text += f", {name}={getattr(self, name)}"
        return text


class RNN(RNNBase):
    """h = tanh(W x + b + U h + c)"""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        if len(args) > 3:
            self_nonlinearity = args[3]
            args = args[:3] + args[4:]
        else:
            self_nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if self_nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{self_nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(f"RNN_{self_nonlinearity.upper()}", *args, **kwargs)
        self.nonlinearity = self_nonlinearity


class GRU(RNNBase):
    """A recurrent layer with a reset and an update gate."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", *args, **kwargs)


class LSTM(RNNBase):
    """A recurrent layer with a cell, and gates for what enters, stays and leaves."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def check_forward_args(self, input: Any, hidden: Any, batch_sizes: Any) -> None:
        """Raise RuntimeError for an input, hidden state or cell state of another shape."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(
            hidden[0], self.get_expected_hidden_size(input, batch_sizes), "Expected hidden[0] size {}, got {}"
        )
        self.check_hidden_size(
            hidden[1], self.get_expected_cell_size(input, batch_sizes), "Expected hidden[1] size {}, got {}"
        )

    def permute_hidden(self, hx: Any, permutation: Any) -> Any:
        """The states with their batch in another order."""
        return permuted(hx[0], permutation), permuted(hx[1], permutation)

    def get_expected_cell_size(self, input: Any, batch_sizes: Any) -> tuple[int, int, int]:
        """The shape a cell state must have."""
        return self._state_shape(input, batch_sizes, self.hidden_size)

    def _initial(self, input: Any, batch_sizes: Any) -> Any:
        return super()._initial(input, batch_sizes), input.new_zeros(self.get_expected_cell_size(input, batch_sizes))

    def _split(self, result: Any) -> tuple[Any, Any]:
        return result[0], (result[1], result[2])

    def _given_hidden(self, input: Any, hx: Any, batched: bool) -> Any:
        if hx is None:
            return self._initial(input, None)
        dims = 3 if batched else 2
        if hx[0].dim() != dims or hx[1].dim() != dims:
            what = "batched 3-D" if batched else "unbatched 2-D"
            raise RuntimeError(
                f"For {what} input, hx and cx should also be {dims}-D but got ({hx[0].dim()}-D, {hx[1].dim()}-D) "
                "tensors"
            )
        return hx if batched else (hx[0].unsqueeze(1), hx[1].unsqueeze(1))

    def _squeezed(self, hidden: Any) -> Any:
        return hidden[0].squeeze(1), hidden[1].squeeze(1)


class RNNCellBase(Module):
    """One step of a recurrent layer."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool, num_chunks: int, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows = num_chunks * hidden_size
        self.weight_ih = Parameter(empty((rows, input_size), device, dtype))
        self.weight_hh = Parameter(empty((rows, hidden_size), device, dtype))
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, Parameter(empty(rows, device, dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Uniform values whose range falls with the hidden size."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        if not self.bias:
            text += f", bias={self.bias}"
        nonlinearity = self.__dict__.get("nonlinearity", "tanh")
        return text + (f", nonlinearity={nonlinearity}" if nonlinearity != "tanh" else "")

    def _check_dimensions(self, input: Any, hx: Any, pair: bool) -> None:
        if input.dim() not in (1, 2):
            raise ValueError(f"{type(self).__name__}: Expected input to be 1D or 2D, got {input.dim()}D instead")
        if hx is None:
            return
        states = {f"hx[{i}]": state for i, state in enumerate(hx)} if pair else {"hidden": hx}
        for name, state in states.items():
            if state.dim() not in (1, 2):
                raise ValueError(f"{type(self).__name__}: Expected {name} to be 1D or 2D, got {state.dim()}D instead")

    def _step(self, function: str, input: Any, hx: Any) -> Any:
        pair = function == "lstm_cell"
        self._check_dimensions(input, hx, pair)
        batched = input.dim() == 2
        if not batched:
            input = input.unsqueeze(0)
        if hx is None:
            zeros = input.new_zeros((input.size(0), self.hidden_size))
            hx = (zeros, zeros) if pair else zeros
        elif not batched:
            hx = (hx[0].unsqueeze(0), hx[1].unsqueeze(0)) if pair else hx.unsqueeze(0)
        out = getattr(VF, function)(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        if not batched:
            out = (out[0].squeeze(0), out[1].squeeze(0)) if pair else out.squeeze(0)
        return out


class RNNCell(RNNCellBase):
    """One step of an RNN."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Any, hx: Any = None) -> Any:
        """The next hidden state. Raises RuntimeError for an unknown nonlinearity."""
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._step(f"rnn_{self.nonlinearity}_cell", input, hx)


class LSTMCell(RNNCellBase):
    """One step of an LSTM."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Any, hx: Any = None) -> Any:
        """The next hidden and cell state."""
        return self._step("lstm_cell", input, hx)


class GRUCell(RNNCellBase):
    """One step of a GRU."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Any, hx: Any = None) -> Any:
        """The next hidden state."""
        return self._step("gru_cell", input, hx)


__all__ = ["GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNBase", "RNNCell", "RNNCellBase"]
