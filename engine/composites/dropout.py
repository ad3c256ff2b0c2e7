"""Dropout in its kinds: of elements, of whole channels, and for self-normalising networks."""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import random
from engine.composite import composite, python_function
from engine.composites.parsed import checked
from engine.dispatch import run_inplace
from engine.dtypes import bool_, get_default_dtype, int64
from engine.modes import STATE
from engine.ops.arithmetic import ADD, MUL
from engine.ops.kinds import check_kind
from engine.tensor import Tensor
from engine.warning import warn_caller

_ALPHA = 1.7580993408473766


def _check(p: float) -> None:
    if not 0 <= p <= 1:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {p:g}")


def _check_noise(input: Any, alpha: bool = False) -> None:
    """Raise the error of an input whose dtype cannot hold the noise."""
    if not (input.dtype.is_floating_point or input.dtype.is_complex):
        holder = int64 if alpha and input.dtype is bool_ else input.dtype  # what true and false less one is
        default = get_default_dtype().torch_name
        raise RuntimeError(f"result type {default} can't be cast to the desired output type {holder.torch_name}")
    check_kind("bernoulli_scalar_cpu_", input._a, "fV")


def _multiplied(op: Any, input: Any, other: Any, inplace: bool, *more: Any) -> Any:
    return run_inplace(op, [input, other, *more]) if inplace else op(input, other, *more)


def _drawn(draw: Callable[[tuple[int, ...]], np.ndarray], shape: tuple[int, ...]) -> Any:
    """The tensor of draw(shape); inside a vmap as that wants random numbers."""
    if STATE.batching is None:
        return Tensor._wrap(draw(shape))
    return STATE.batching.drawn(lambda size: Tensor._wrap(draw(size)), shape)


def _noise_shape(input: Any, feature: bool) -> tuple[int, ...]:
    if not feature:
        return tuple(input.shape)
    if input.ndim < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    return (*input.shape[:2], *(1,) * (input.ndim - 2))


def _drop(input: Any, p: float, train: bool, inplace: bool, feature: bool = False) -> Any:
    """input times a random mask scaled to keep its mean."""
    _check(p)
    if p == 0 or not train or input.numel() == 0:
        return input
    if p == 1:
        return _multiplied(MUL, input, Tensor._wrap(np.zeros((), input._a.dtype)), inplace)
    _check_noise(input)
    dtype = input._a.dtype

    def draw(shape: tuple[int, ...]) -> np.ndarray:
        return random.dropout_noise(None, shape, p, dtype)

    if feature or STATE.batching is not None:
        noise = _drawn(draw, _noise_shape(input, feature))
    else:
        noise = Tensor._wrap(random.drawn_as_it_lies(np.empty_like(input._a), draw))
    return _multiplied(MUL, input, noise, inplace)


def _drop_alpha(input: Any, p: float, train: bool, inplace: bool, feature: bool = False) -> Any:
    """Dropout to SELU's negative limit, scaled and shifted to keep mean and variance."""
    _check(p)
    if p == 0 or not train or input.numel() == 0:
        return input
    dtype = input._a.dtype
    if p == 1:
        return _multiplied(MUL, input, Tensor._wrap(np.zeros((), dtype)), inplace)
    _check_noise(input, alpha=True)
    scale = 1.0 / ((_ALPHA * _ALPHA * p + 1) * (1 - p)) ** 0.5
    drawn: list[np.ndarray] = []  # the shift goes with the noise, and is not drawn again

    def noise(shape: tuple[int, ...]) -> np.ndarray:
        drawn.append(random.bernoulli(None, shape, 1 - p, dtype))
        return drawn[0] * dtype.type(scale)

    def shift(shape: tuple[int, ...]) -> np.ndarray:
        return (drawn[0] - 1) * dtype.type(_ALPHA * scale) + dtype.type(_ALPHA * scale * p)

    size = _noise_shape(input, feature)
    out = _multiplied(MUL, input, _drawn(noise, size), inplace)
    return _multiplied(ADD, out, _drawn(shift, size), True, 1)


def _checked(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


@composite("dropout(Tensor input, float p, bool train) -> Tensor", where=("function",))
def dropout_function(input: Any, p: float, train: bool) -> Any:
    """Elements zeroed with probability p."""
    return _drop(input, p, train, False)


@composite("dropout_(Tensor self, float p, bool train) -> Tensor", where=("function",))
def dropout_inplace(self: Any, p: float, train: bool) -> Any:
    """Elements zeroed with probability p, in place."""
    return _drop(self, p, train, True)


@composite("feature_dropout(Tensor input, float p, bool train) -> Tensor", where=("function",))
def feature_dropout(input: Any, p: float, train: bool) -> Any:
    """Channels zeroed with probability p."""
    return _drop(input, p, train, False, feature=True)


@composite("feature_dropout_(Tensor self, float p, bool train) -> Tensor", where=("function",))
def feature_dropout_inplace(self: Any, p: float, train: bool) -> Any:
    """Channels zeroed with probability p, in place."""
    return _drop(self, p, train, True, feature=True)


@composite("alpha_dropout_(Tensor self, float p, bool train) -> Tensor", where=("function",))
def alpha_dropout_inplace(self: Any, p: float, train: bool) -> Any:
    """Alpha dropout in place."""
    return _drop_alpha(self, p, train, True)


@composite("feature_alpha_dropout_(Tensor self, float p, bool train) -> Tensor", where=("function",))
def feature_alpha_dropout_inplace(self: Any, p: float, train: bool) -> Any:
    """Alpha dropout of whole channels, in place."""
    return _drop_alpha(self, p, train, True, feature=True)


@composite("alpha_dropout(Tensor input, float p, bool train) -> Tensor", where=("function",))
def alpha_dropout_function(input: Any, p: float, train: bool) -> Any:
    """Dropout that keeps the statistics of self-normalising networks."""
    return _drop_alpha(input, p, train, False)


@composite("feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor", where=("function",))
def feature_alpha_dropout_function(input: Any, p: float, train: bool) -> Any:
    """Alpha dropout of whole channels."""
    return _drop_alpha(input, p, train, False, feature=True)


@python_function("nn")
def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Elements zeroed with probability p while training. Raises ValueError for a p outside [0, 1]."""
    _checked(p)
    return checked(dropout_inplace if inplace else dropout_function)(input, p, training)


@python_function("nn")
def alpha_dropout(input: Any, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    """Dropout that keeps the statistics of self-normalising networks."""
    _checked(p)
    return checked(alpha_dropout_inplace if inplace else alpha_dropout_function)(input, p, training)


@python_function("nn")
def feature_alpha_dropout(input: Any, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    """Alpha dropout of whole channels."""
    _checked(p)
    form = feature_alpha_dropout_inplace if inplace else feature_alpha_dropout_function
    return checked(form)(input, p, training)


def _batched(input: Any, dims: int, p: float, training: bool, inplace: bool) -> Any:
    """Channel dropout of an input that may lack its batch dimension."""
    drop = checked(feature_dropout_inplace if inplace else feature_dropout)
    if input.ndim != dims - 1:
        return drop(input, p, training)
    if inplace:
        return drop(input.unsqueeze_(0), p, training).squeeze_(0)
    return drop(input.unsqueeze(0), p, training).squeeze(0)


@python_function("nn")
def dropout1d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Channels of a 2-d or 3-d input zeroed with probability p."""
    _checked(p)
    if input.dim() not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {input.dim()}D input. Note that dropout1d exists "
            "to provide channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an "
            "optional batch dimension (i.e. 2D or 3D inputs)."
        )
    return _batched(input, 3, p, training, inplace)


@python_function("nn")
def dropout2d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Channels of an input zeroed with probability p. A 3-d input is taken as a batch of 1-d channels."""
    _checked(p)
    if input.dim() not in (3, 4):
        warn_caller(
            f"dropout2d: Received a {input.dim()}-D input to dropout2d, which is deprecated and will result in an "
            "error in a future release. To retain the behavior and silence this warning, please use dropout "
            "instead. Note that dropout2d exists to provide channel-wise dropout on inputs with 2 spatial "
            "dimensions, a channel dimension, and an optional batch dimension (i.e. 3D or 4D inputs).",
        )
    if input.dim() == 3:
        warn_caller(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is "
            "desired - input is interpreted as shape (N, C, L), where C is the channel dim. This behavior will "
            "change in a future release to interpret the input as one without a batch dimension, i.e. shape (C, "
            "H, W). To maintain the 1D channel-wise dropout behavior, please switch to using dropout1d instead.",
        )
    return checked(feature_dropout_inplace if inplace else feature_dropout)(input, p, training)


@python_function("nn")
def dropout3d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Channels of a 4-d or 5-d input zeroed with probability p."""
    _checked(p)
    if input.dim() not in (4, 5):
        warn_caller(
            f"dropout3d: Received a {input.dim()}-D input to dropout3d, which is deprecated and will result in an "
            "error in a future release. To retain the behavior and silence this warning, please use dropout "
            "instead. Note that dropout3d exists to provide channel-wise dropout on inputs with 3 spatial "
            "dimensions, a channel dimension, and an optional batch dimension (i.e. 4D or 5D inputs).",
        )
    return _batched(input, 5, p, training, inplace)
