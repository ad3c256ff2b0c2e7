"""torch.nn.functional's normalisations: the builtins with Python's argument order and checks of the batch's size."""

from typing import Any

from engine.composite import python_function
from engine.composites import normalisation
from engine.composites.parsed import parsed

_LAYER_NORM = parsed(normalisation.layer_norm)
_RMS_NORM = parsed(normalisation.rms_norm)
_BATCH_NORM = parsed(normalisation.batch_norm)
_INSTANCE_NORM = parsed(normalisation.instance_norm)
_GROUP_NORM = parsed(normalisation.group_norm)


@python_function("nn")
def layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """Zero mean and unit variance over the last dimensions, then scaled and shifted."""
    return _LAYER_NORM(input, normalized_shape, weight, bias, eps)


@python_function("nn")
def rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: float | None = None) -> Any:
    """The input divided by its root mean square over the last dimensions."""
    return _RMS_NORM(input, normalized_shape, weight, eps)


@python_function("nn")
def batch_norm(
    input: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """Zero mean and unit variance of every channel over the batch, or with running statistics."""
    if training:
        _more_than_one(input.size())
    if (running_mean is None) != (running_var is None) and training:
        raise ValueError("running_mean and running_var must either both be None or neither be None")
    return _BATCH_NORM(input, weight, bias, running_mean, running_var, training, momentum, eps, True)


@python_function("nn")
def instance_norm(
    input: Any,
    running_mean: Any = None,
    running_var: Any = None,
    weight: Any = None,
    bias: Any = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """Zero mean and unit variance of every channel of every sample."""
    if use_input_stats:
        size = input.size()
        area = 1
        for n in size[2:]:
            area *= n
        if area == 1:
            raise ValueError(f"Expected more than 1 spatial element when training, got input size {size}")
    return _INSTANCE_NORM(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, True)


@python_function("nn")
def group_norm(input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """Zero mean and unit variance of every group of channels of every sample."""
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.dim()}")
    n, c, *area = input.size()
    _more_than_one([n * c // num_groups, num_groups, *area])
    return _GROUP_NORM(input, num_groups, weight, bias, eps)


def _more_than_one(size: Any) -> None:
    if not size:
        raise IndexError("tuple index out of range")
    values = size[0]
    for n in size[2:]:
        values *= n
    if values == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")
