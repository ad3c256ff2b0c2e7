"""`torch.distributed` where no process group was started: PyTorch's own answers. The playground runs one process."""

from typing import Any

from engine.cuda import no

NO_GROUP = "Default process group has not been initialized, please make sure to call init_process_group."


def is_available() -> bool:
    """Whether PyTorch has the package, which it has."""
    return True


def _no_group(*args: Any, **kwargs: Any) -> Any:
    raise ValueError(NO_GROUP)


def get_rank(group: Any = None) -> int:
    """The number of this process. Raises ValueError, as there is no group."""
    return _no_group()


def get_world_size(group: Any = None) -> int:
    """How many processes there are. Raises ValueError, as there is no group."""
    return _no_group()


def destroy_process_group(group: Any = None) -> None:
    """End a group. Raises AssertionError, as there is none."""
    raise AssertionError("Process group cannot be None")


def init_process_group(*args: Any, **kwargs: Any) -> None:
    """Refused with RuntimeError: there are no other processes to talk to."""
    raise RuntimeError(
        "The playground runs a program in one process, so torch.distributed.init_process_group has no others to join: "
        "leave the process group and DistributedDataParallel out, the model alone computes the same"
    )


DISTRIBUTED: dict[str, Any] = {
    "is_available": is_available, "get_rank": get_rank, "get_world_size": get_world_size,
    "destroy_process_group": destroy_process_group, "init_process_group": init_process_group,
    **dict.fromkeys(("is_initialized", "is_nccl_available", "is_mpi_available", "is_torchelastic_launched"), no),
    **dict.fromkeys(
        ("all_gather", "all_reduce", "barrier", "broadcast", "get_backend", "reduce", "scatter"), _no_group
    ),
}  # fmt: skip
