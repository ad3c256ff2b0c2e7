"""Which ways scaled_dot_product_attention may go: the switches of `torch.backends.cuda` and `torch.nn.attention`."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.warning import warn

ALLOWED = {"flash": True, "mem_efficient": True, "math": True, "cudnn": True, "short_sums": False}
"""The switches by name; there are two ways here, one operator ("flash") and step by step ("math")."""

NONE_LEFT = (
    "No viable backend for scaled_dot_product_attention was found. This is likely due to turning off both the math "
    "kernel and the fused kernels."
)


@contextmanager
def only(**allowed: bool) -> Iterator[None]:
    """The given switches, for a while."""
    before = dict(ALLOWED)
    ALLOWED.update(allowed)
    try:
        yield
    finally:
        ALLOWED.update(before)


def sdp_kernel(
    enable_flash: bool = True, enable_math: bool = True, enable_mem_efficient: bool = True, enable_cudnn: bool = True
) -> Any:
    """The former name of `torch.nn.attention.sdpa_kernel`, with a word for each way."""
    warn(
        "`torch.backends.cuda.sdp_kernel()` is deprecated. In the future, this context manager will be removed. "
        "Please see `torch.nn.attention.sdpa_kernel()` for the new context manager, with updated signature.",
        FutureWarning,
    )
    return only(flash=enable_flash, math=enable_math, mem_efficient=enable_mem_efficient, cudnn=enable_cudnn)


def _switch(name: str) -> tuple[Any, Any]:
    def enabled() -> bool:
        """Whether this way is allowed."""
        return ALLOWED[name]

    def enable(enabled: bool) -> None:
        """Allow or forbid this way."""
        ALLOWED[name] = enabled

    return enabled, enable


def _names() -> dict[str, Any]:
    found: dict[str, Any] = {"sdp_kernel": sdp_kernel, "is_flash_attention_available": lambda: False}
    for name in ("flash", "mem_efficient", "math", "cudnn"):
        found[f"{name}_sdp_enabled"], found[f"enable_{name}_sdp"] = _switch(name)
    allowed, allow = _switch("short_sums")
    found |= {"fp16_bf16_reduction_math_sdp_allowed": allowed, "allow_fp16_bf16_reduction_math_sdp": allow}
    for name, function in found.items():
        function.__name__ = function.__qualname__ = name
    return found


SDP_SWITCHES: dict[str, Any] = _names()
