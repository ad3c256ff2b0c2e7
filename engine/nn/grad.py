"""`torch.nn.grad`: the gradients of convolutions by their input and by their weight, as functions.

The i-th spatial size of a convolution's output is (size + 2 padding - dilation (kernel - 1) - 1) // stride + 1.
"""

from collections.abc import Sequence
from typing import Any

from engine.nn.functional import VF
from engine.nn.modules.make import repeated
from engine.ops.conv import CONVOLUTION_BACKWARD

Sizes = int | Sequence[int]


def _backward(
    dims: int, grad_output: Any, input: Any, weight: Any, stride: Sizes, padding: Sizes, dilation: Sizes, groups: int,
    wanted: tuple[bool, bool, bool],
) -> Any:  # fmt: skip
    """The gradient that is wanted. Raises RuntimeError for a gradient of the output that has another size than it."""
    steps, edges, gaps = (repeated(v, dims) for v in (stride, padding, dilation))
    for i in range(dims):
        reach = gaps[i] * (weight.shape[i + 2] - 1) + 1
        size = (input.shape[i + 2] + 2 * edges[i] - reach) // steps[i] + 1
        if grad_output.shape[i + 2] != size:
            raise RuntimeError(
                f"Expected a tensor of dimension {dims + 2} and tensor.size[{i + 2}] == {size} but got: dimension "
                f"{grad_output.ndim} and tensor.size[{i + 2}] = {grad_output.shape[i + 2]}"
            )
    found = CONVOLUTION_BACKWARD(
        grad_output, input, weight, None, steps, edges, gaps, False, (0,) * dims, groups, wanted
    )
    return found[wanted.index(True)]


def _by_input(dims: int) -> Any:
    def conv_input(
        input_size: Any, weight: Any, grad_output: Any, stride: Sizes = 1, padding: Sizes = 0, dilation: Sizes = 1,
        groups: int = 1,
    ) -> Any:  # fmt: skip
        input = VF.zeros((1,), dtype=grad_output.dtype).expand(input_size)
        wanted = (True, False, False)
        return _backward(dims, grad_output, input, weight, stride, padding, dilation, groups, wanted)

    return _named(conv_input, f"conv{dims}d_input", "The gradient by the input, of a size, of a convolution.")


def _by_weight(dims: int) -> Any:
    def conv_weight(
        input: Any, weight_size: Any, grad_output: Any, stride: Sizes = 1, padding: Sizes = 0, dilation: Sizes = 1,
        groups: int = 1,
    ) -> Any:  # fmt: skip
        weight = VF.zeros((1,), dtype=grad_output.dtype).expand(weight_size)
        wanted = (False, True, False)
        return _backward(dims, grad_output, input, weight, stride, padding, dilation, groups, wanted)

    return _named(conv_weight, f"conv{dims}d_weight", "The gradient by the weight, of a size, of a convolution.")


def _named(function: Any, name: str, doc: str) -> Any:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


conv1d_input, conv2d_input, conv3d_input = map(_by_input, (1, 2, 3))
conv1d_weight, conv2d_weight, conv3d_weight = map(_by_weight, (1, 2, 3))

__all__ = ["conv1d_input", "conv1d_weight", "conv2d_input", "conv2d_weight", "conv3d_input", "conv3d_weight"]
