"""torch.nn.parallel: models on several devices, of which there is one here."""

from typing import Any

from engine.nn.modules.module import Module


class DataParallel(Module):
    """On a machine without GPUs it calls the module inside: torch.nn.DataParallel."""

    def __init__(self, module: Module, device_ids: Any = None, output_device: Any = None, dim: int = 0) -> None:
        super().__init__()
        self.module = module
        self.device_ids: list[int] = []

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the module computes."""
        return self.module(*inputs, **kwargs)


class DistributedDataParallel(Module):
    """Needs several processes, which a program here cannot have: RuntimeError."""

    def __init__(self, module: Module, *args: Any, **kwargs: Any) -> None:
        raise RuntimeError(
            "The playground runs one process: call the model itself instead of DistributedDataParallel(model)"
        )


__all__ = ["DataParallel", "DistributedDataParallel"]
