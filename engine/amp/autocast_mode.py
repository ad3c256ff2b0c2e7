"""`torch.autocast`: https://docs.pytorch.org/docs/stable/amp.html#torch.autocast"""

import functools
from collections.abc import Callable, Mapping
from typing import Any

from engine.amp.policy import Casting
from engine.device import device as Device
from engine.dtypes import bfloat16, dtype, float16, float64
from engine.modes import STATE
from engine.tensor import TensorBase
from engine.warning import warn

DEVICES = {"cpu": bfloat16, "cuda": float16, "mtia": bfloat16, "maia": bfloat16, "xpu": float16, "hpu": bfloat16,
           "mps": float16, "xla": bfloat16, "ipu": float16}  # fmt: skip
"""Kinds of devices that autocast knows, with their short type."""


class _Settings:
    """What is switched on, by kind of device."""

    def __init__(self) -> None:
        self.enabled = dict.fromkeys(DEVICES, False)
        self.short = dict(DEVICES)
        self.cache_enabled = True
        self.nesting = 0
        self.kept: dict[int, tuple[Any, Any]] = {}


def _settings() -> _Settings:
    if STATE.autocast is None:
        STATE.autocast = _Settings()
    return STATE.autocast


def _apply() -> None:
    """Put the casts between programs and operators, or take them away."""
    settings = _settings()
    if STATE.batching is not None and not isinstance(STATE.batching, Casting):
        raise NotImplementedError(
            "The playground does not yet combine autocast with vmap: enter autocast outside of the function, or cast "
            "by hand with .to(torch.bfloat16)"
        )
    kept = settings.kept if settings.cache_enabled else None
    STATE.batching = Casting(settings.short["cpu"], kept) if settings.enabled["cpu"] else None


def _known(device_type: str) -> str:
    if device_type not in DEVICES:
        Device(device_type)  # complains of a name that is none
        raise RuntimeError(
            f"unknown device type for autocast in get_autocast_dispatch_key_from_device_type: {device_type}"
        )
    return device_type


def is_autocast_available(device_type: str) -> bool:
    """Whether autocast knows a kind of device."""
    return Device(device_type).type in DEVICES


def is_autocast_enabled(device_type: str = "cuda") -> bool:
    """Whether autocast is on for a kind of device."""
    return _settings().enabled[_known(device_type)]


def set_autocast_enabled(device_type: Any, enabled: bool | None = None) -> None:
    """Switch autocast on or off for a kind of device; `set_autocast_enabled(True)` means that of "cuda"."""
    kind, on = ("cuda", device_type) if enabled is None else (device_type, enabled)
    _settings().enabled[_known(kind)] = bool(on)
    _apply()


def get_autocast_dtype(device_type: str) -> dtype:
    """The short type of a kind of device."""
    return _settings().short[_known(device_type)]


def set_autocast_dtype(device_type: str, short: dtype) -> None:
    """Set the short type of a kind of device."""
    _settings().short[_known(device_type)] = short
    _apply()


def is_autocast_cache_enabled() -> bool:
    """Whether the casts of parameters are kept."""
    return _settings().cache_enabled


def set_autocast_cache_enabled(enabled: bool) -> None:
    """Keep the casts of parameters, or make them anew each time."""
    _settings().cache_enabled = bool(enabled)
    _apply()


def clear_autocast_cache() -> None:
    """Forget the casts of parameters."""
    _settings().kept.clear()


def autocast_increment_nesting() -> int:
    """One region more is entered; how many there are."""
    _settings().nesting += 1
    return _settings().nesting


def autocast_decrement_nesting() -> int:
    """One region is left; how many there are."""
    _settings().nesting -= 1
    return _settings().nesting


def _of_one_kind(kind: str, device_type: str, what: str) -> Callable[..., Any]:
    """A former function that asks or sets one thing of one kind of device: `torch.is_autocast_cpu_enabled`, ..."""
    verb, setting = what.split("_")
    name = f"{verb}_autocast_{kind}_{setting}"
    argument = {"is": "", "get": "", "set": setting if setting == "dtype" else "enabled"}[verb]
    current = f"{verb}_autocast_{setting}"
    advice = f"torch.{current}('{device_type}'{', ' if argument else ''}{argument})"
    call: Callable[..., Any] = {
        "is_enabled": is_autocast_enabled, "get_dtype": get_autocast_dtype,
        "set_enabled": set_autocast_enabled, "set_dtype": set_autocast_dtype,
    }[what]  # fmt: skip

    def former(*given: Any) -> Any:
        if len(given) != bool(argument):
            takes = "exactly one argument" if argument else "no arguments"
            raise TypeError(f"torch.{name}() takes {takes} ({len(given)} given)")
        if argument and not isinstance(given[0], dtype if setting == "dtype" else bool):
            wanted = "torch.dtype" if setting == "dtype" else "bool"
            raise TypeError(f"{argument} must be a {wanted} (got {type(given[0]).__name__})")
        warn(f"torch.{name}({argument}) is deprecated. Please use {advice} instead.", DeprecationWarning)
        return call(device_type, *given)

    former.__name__ = former.__qualname__ = name
    former.__doc__ = f"The former name of {advice}."
    return former


class autocast:
    """A region whose products run in a short type and whose losses in float32; a decorator too."""

    def __init__(
        self, device_type: str, dtype: dtype | None = None, enabled: bool = True, cache_enabled: bool | None = None
    ):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.fast_dtype = get_autocast_dtype(device_type) if dtype is None else dtype
        self.device = device_type
        if not is_autocast_available(device_type):
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        self._cache_enabled = is_autocast_cache_enabled() if cache_enabled is None else cache_enabled
        if enabled and device_type == "cuda":
            warn("CUDA is not available or torch_xla is imported. Disabling autocast.")
            enabled = False
        elif enabled and self.fast_dtype not in (bfloat16, float16):
            name = device_type.upper()
            warn(
                f"In {name} autocast, but the target dtype is not supported. Disabling autocast.\n"
                f"{name} Autocast only supports dtypes of torch.bfloat16, torch.float16 currently."
            )
            enabled = False
        self._enabled = enabled

    def __enter__(self) -> "autocast":
        settings = _settings()
        self.prev_cache_enabled = settings.cache_enabled
        self.prev, self.prev_fastdtype = settings.enabled[self.device], settings.short[self.device]
        settings.enabled[self.device], settings.short[self.device] = self._enabled, self.fast_dtype
        settings.cache_enabled = self._cache_enabled
        settings.nesting += 1
        _apply()
        for o in STATE.observers:
            o.on_mode("autocast", True)
        return self

    def __exit__(self, *exc: object) -> None:
        settings = _settings()
        if autocast_decrement_nesting() == 0:
            clear_autocast_cache()
        settings.enabled[self.device], settings.short[self.device] = self.prev, self.prev_fastdtype
        settings.cache_enabled = self.prev_cache_enabled
        _apply()
        for o in STATE.observers:
            o.on_mode("autocast", False)

    def __call__(self, func: Any) -> Callable[..., Any]:
        if not callable(func):
            raise TypeError(
                f"autocast()(func) requires a callable, but got {type(func).__name__}. "
                "Did you mean to use autocast as a context manager? For example:\n"
                "    with torch.autocast(device_type=...):\n"
                "        output = model(input)"
            )

        @functools.wraps(func)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            with self:
                return func(*args, **kwargs)

        return decorated


class cuda_autocast(autocast):
    """`torch.cuda.amp.autocast`, the former name for one kind of device."""

    device_kind = "cuda"

    def __init__(self, enabled: bool = True, dtype: dtype = float16, cache_enabled: bool = True):
        kind = self.device_kind
        warn(
            f"`torch.{kind}.amp.autocast(args...)` is deprecated. Please use `torch.amp.autocast('{kind}', args...)` "
            "instead.",
            FutureWarning,
        )
        super().__init__(kind, dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)


class cpu_autocast(cuda_autocast):
    """`torch.cpu.amp.autocast`."""

    device_kind = "cpu"

    def __init__(self, enabled: bool = True, dtype: dtype = bfloat16, cache_enabled: bool = True):
        super().__init__(enabled, dtype, cache_enabled)


def custom_fwd(fwd: Any = None, *, device_type: str, cast_inputs: dtype | None = None) -> Any:
    """For the `forward` of a Function: remember autocast, or cast the inputs and switch it off."""
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        args[0]._dtype, on = get_autocast_dtype(device_type), is_autocast_enabled(device_type)
        args[0]._fwd_used_autocast = on and cast_inputs is None
        if cast_inputs is None or not on:
            return fwd(*args, **kwargs)
        with autocast(device_type, enabled=False):
            return fwd(*_cast(args, cast_inputs), **_cast(kwargs, cast_inputs))

    return decorated


def custom_bwd(bwd: Any = None, *, device_type: str) -> Any:
    """For the `backward` of a Function: run it with autocast as its forward had it."""
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        with autocast(device_type, enabled=args[0]._fwd_used_autocast, dtype=args[0]._dtype):
            return bwd(*args, **kwargs)

    return decorated


def _former(name: str) -> None:
    warn(
        f"`torch.cuda.amp.{name}(args...)` is deprecated. Please use `torch.amp.{name}(args..., device_type='cuda')` "
        "instead.",
        FutureWarning,
    )


def cuda_fwd(fwd: Any = None, *, cast_inputs: dtype | None = None) -> Any:
    """`torch.cuda.amp.custom_fwd`, the former name for one kind of device."""
    _former("custom_fwd")
    return custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)


def cuda_bwd(bwd: Any) -> Any:
    """`torch.cuda.amp.custom_bwd`, the former name for one kind of device."""
    _former("custom_bwd")
    return custom_bwd(bwd, device_type="cuda")


for _function, _name in ((cuda_fwd, "custom_fwd"), (cuda_bwd, "custom_bwd")):
    _function.__name__ = _function.__qualname__ = _name


def _cast(value: Any, wanted: dtype) -> Any:
    if isinstance(value, TensorBase):
        eligible = value.dtype.is_floating_point and value.dtype is not float64
        return value.to(wanted) if eligible else value  # type: ignore[attr-defined]
    if isinstance(value, Mapping):
        return {_cast(k, wanted): _cast(v, wanted) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_cast(v, wanted) for v in value)
    return value


_FORMER = [
    _of_one_kind(kind, "cuda" if kind == "gpu" else kind, what)
    for kind in ("cpu", "gpu", "ipu", "xla")
    for what in ("is_enabled", "set_enabled", "get_dtype", "set_dtype")
    if kind != "gpu" or what.endswith("dtype")
]
ROOT: dict[str, Any] = {
    f.__name__: f
    for f in (
        *_FORMER,
        autocast, autocast_decrement_nesting, autocast_increment_nesting, clear_autocast_cache, get_autocast_dtype,
        is_autocast_cache_enabled, is_autocast_enabled, set_autocast_cache_enabled, set_autocast_dtype,
        set_autocast_enabled,
    )
}  # fmt: skip
"""What `torch` itself has of it."""
__all__ = ["autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]
