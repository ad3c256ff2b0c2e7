"""`torch.autograd.profiler`: programs that profile themselves run; what they would print says that nothing was timed.

The engine's operators run on numpy kernels, whose times tell nothing of PyTorch's; so none are given.
"""

from typing import Any, NoReturn

from engine.modes import _DecoratorContextManager

UNTIMED = (
    "The playground does not time operators: its numpy kernels are not PyTorch's, so their times would say nothing "
    "about PyTorch's"
)


class EventList(list[Any]):
    """The events of a profile: none, as nothing is timed."""

    def __str__(self) -> str:
        return self.table()

    def table(
        self, sort_by: str | None = None, row_limit: int = 100, max_src_column_width: int = 75,
        max_name_column_width: int = 55, max_shapes_column_width: int = 80, header: str | None = None,
        top_level_events_only: bool = False, time_unit: str | None = None,
    ) -> str:  # fmt: skip
        """In the place of a table of times, the reason why there is none."""
        return UNTIMED

    def total_average(self) -> NoReturn:
        """Refused."""
        raise NotImplementedError(UNTIMED)

    def key_averages(
        self, group_by_input_shapes: bool = False, group_by_stack_n: int = 0, group_by_overload_name: bool = False
    ) -> "EventList":
        """The events by name."""
        return self

    def export_chrome_trace(self, path: Any) -> NoReturn:
        """Refused: nothing was timed."""
        raise NotImplementedError(UNTIMED)

    def export_stacks(self, path: str, metric: str) -> NoReturn:
        """Refused: nothing was timed."""
        raise NotImplementedError(UNTIMED)


class record_function(_DecoratorContextManager):
    """Gives a name to a part of a program, as a context or as a decorator."""

    def __init__(self, name: str, args: str | None = None):
        self.name, self.args = name, args

    def __enter__(self) -> "record_function":
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        pass

    def clone(self) -> "record_function":
        return type(self)(self.name, self.args)


class profile:
    """A block that runs as ever. Entering one a second time raises RuntimeError."""

    def __init__(
        self, enabled: bool = True, *, use_cuda: bool = False, use_device: str | None = None,
        record_shapes: bool = False, with_flops: bool = False, profile_memory: bool = False, with_stack: bool = False,
        with_modules: bool = False, use_kineto: bool = False, use_cpu: bool = True, experimental_config: Any = None,
        acc_events: bool = False, custom_trace_id_callback: Any = None,
        post_processing_timeout_s: float | None = None, activity_filters: Any = None,
    ):  # fmt: skip
        self.enabled, self.entered = enabled, False
        self.function_events: EventList | None = None

    def __enter__(self) -> Any:
        if not self.enabled:
            return None
        if self.entered:
            raise RuntimeError("Profiler context manager is not reentrant")
        self.entered = True
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> bool:
        if self.enabled:
            self.function_events = EventList()
        return False

    def __repr__(self) -> str:
        return "<unfinished torch.autograd.profile>" if self.function_events is None else repr(self.function_events)

    def __str__(self) -> str:
        return "<unfinished torch.autograd.profile>" if self.function_events is None else str(self.function_events)

    def _finished(self) -> EventList:
        return EventList() if self.function_events is None else self.function_events

    def table(self, **options: Any) -> str:
        """What the events' table says."""
        return self._finished().table(**options)

    def key_averages(self, *groups: Any, **grouping: Any) -> EventList:
        """The events by name."""
        return self._finished()

    def total_average(self) -> Any:
        """Refused: nothing was timed."""
        return self._finished().total_average()

    def export_chrome_trace(self, path: Any) -> None:
        """Refused: nothing was timed."""
        self._finished().export_chrome_trace(path)

    @property
    def self_cpu_time_total(self) -> Any:
        """Refused: nothing was timed."""
        raise NotImplementedError(UNTIMED)


__all__ = ["EventList", "profile", "record_function"]
