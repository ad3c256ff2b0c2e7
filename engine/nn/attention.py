"""`torch.nn.attention`: which way scaled_dot_product_attention may be computed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum

from engine.attention_backends import only


class SDPBackend(IntEnum):
    """The ways PyTorch knows; here there are two, step by step (MATH) and one operator (FLASH_ATTENTION)."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


@contextmanager
def sdpa_kernel(backends: SDPBackend | Sequence[SDPBackend], set_priority: bool = False) -> Iterator[None]:
    """Allow only the given ways inside the block."""
    allowed = [backends] if isinstance(backends, SDPBackend) else list(backends)
    if not allowed or not all(isinstance(b, SDPBackend) for b in allowed):
        raise AssertionError("Backend must be an instance of SDPBackend or a list of SDPBackend instances")
    with only(
        flash=SDPBackend.FLASH_ATTENTION in allowed,
        math=SDPBackend.MATH in allowed,
        mem_efficient=SDPBackend.EFFICIENT_ATTENTION in allowed,
        cudnn=SDPBackend.CUDNN_ATTENTION in allowed,
    ):
        yield


__all__ = ["SDPBackend", "sdpa_kernel"]
