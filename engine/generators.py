"""`torch.Generator` and `torch.random`: the random streams of engine.random, with their state as tensors."""

from collections.abc import Generator as Iterator
from collections.abc import Iterable
from contextlib import contextmanager
from typing import Any

from engine import random
from engine.c_calls import takes_nothing, takes_one
from engine.creation import made
from engine.device import CPU, device
from engine.tensor import TensorBase
from engine.type_names import Native, type_name


class Generator(random.Generator, metaclass=Native):
    """A stream of random numbers whose state is a ByteTensor."""

    __module__ = "torch._C"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Called as Generator(device="cpu")."""
        where = _device_of(args, kwargs)
        if where.type != "cpu":
            raise RuntimeError(f"Device type {where.type.upper()} is not supported for torch.Generator() api.")
        super().__init__(CPU)

    @takes_nothing("Generator.get_state")
    def get_state(self) -> Any:
        """Everything needed to continue the stream later, as a ByteTensor of 5056 elements."""
        return made(super().get_state(), name="get_state")

    @takes_one("Generator.set_state")
    def set_state(self, new_state: Any) -> "Generator":
        """Continue from a state that `get_state` returned."""
        if not isinstance(new_state, TensorBase):
            raise TypeError(f"expected a torch.ByteTensor, but got {type(new_state).__name__}")
        super().set_state(new_state._array())
        return self

    def clone_state(self) -> "Generator":
        """A second generator that will continue exactly as this one."""
        return Generator().set_state(self.get_state())


def _device_of(args: tuple[Any, ...], kwargs: dict[str, Any]) -> device:
    """The device a generator is asked for. Raises TypeError for other arguments."""
    if len(args) > 1:
        raise TypeError(f"Generator() takes from 0 to 1 positional arguments but {len(args)} were given")
    for name in kwargs:
        if name != "device":
            raise TypeError(f"Generator() got an unexpected keyword argument '{name}'")
    where = args[0] if args else kwargs.get("device")
    if where is None:
        return CPU
    if not isinstance(where, device | str | int) or isinstance(where, bool):
        at = " (position 1)" if args else ""
        raise TypeError(f"Generator(): argument 'device'{at} must be torch.device, not {type_name(where)}")
    return where if isinstance(where, device) else device(where)


def _default() -> Generator:
    """The default stream under torch's type: both objects have the same attributes, so one stream serves both."""
    stream = random.default_generator
    stream.device = CPU
    shared: Generator = object.__new__(Generator)
    object.__setattr__(shared, "__dict__", stream.__dict__)
    return shared


default_generator = _default()


def manual_seed(seed: Any) -> Generator:
    """Restart the default stream from `seed`, and return it."""
    default_generator.manual_seed(int(seed))
    return default_generator


def seed() -> int:
    """Restart the default stream from a seed nobody can predict, and return that seed."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed the default stream was last started from."""
    return default_generator.initial_seed()


def get_rng_state() -> Any:
    """The state of the default stream, a ByteTensor."""
    return default_generator.get_state()


def set_rng_state(new_state: Any) -> None:
    """Continue the default stream from a state that `get_rng_state` returned."""
    default_generator.set_state(new_state)


@contextmanager
def fork_rng(
    devices: Iterable[Any] | None = None,
    enabled: bool = True,
    _caller: str = "fork_rng",
    _devices_kw: str = "devices",
    device_type: str = "cuda",
) -> Iterator[None, None, None]:
    """What is drawn inside does not move the default stream."""
    if not enabled:
        yield
        return
    state = random.default_generator.get_state()
    try:
        yield
    finally:
        random.default_generator.set_state(state)
