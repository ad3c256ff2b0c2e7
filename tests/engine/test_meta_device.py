"""The meta device is not here: whatever asks for it is told so at once, and gets no tensor of another kind."""

from collections.abc import Callable
from typing import Any

import pytest

from engine import install_as_torch

torch: Any = install_as_torch()


@pytest.mark.parametrize(
    "call",
    [
        lambda: torch.empty(2, device="meta"),
        lambda: torch.nn.Linear(2, 3, device="meta"),
        lambda: torch.ones(2).to("meta"),
        lambda: torch.nn.Linear(2, 3).to(torch.device("meta")),
        lambda: torch.device("meta").__enter__(),
        lambda: torch.set_default_device("meta"),
    ],
)
def test_whatever_asks_for_the_meta_device_is_told(call: Callable[[], Any]) -> None:
    with pytest.raises(NotImplementedError, match="PyTorch has the meta device"):
        call()


def test_a_block_on_another_device_makes_no_tensors_on_the_cpu_instead() -> None:
    with pytest.raises(AssertionError, match="not compiled with CUDA"), torch.device("cuda"):
        torch.ones(2)
    with torch.device("cpu"):
        assert torch.ones(2).device.type == "cpu"
