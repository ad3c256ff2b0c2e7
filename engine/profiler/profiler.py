"""`torch.profiler.profile`: a block with steps and a schedule; the handler is called at the end of each cycle."""

from collections.abc import Callable, Iterable
from enum import Enum, IntEnum
from typing import Any, NoReturn

from engine.autograd import profiler
from engine.autograd.profiler import UNTIMED, EventList
from engine.warning import warn


class ProfilerActivity(IntEnum):
    """What a profile looks at."""

    CPU = 0
    XPU = 1
    MTIA = 2
    CUDA = 3
    HPU = 4
    PrivateUse1 = 5

    def __repr__(self) -> str:
        return f"<ProfilerActivity.{self.name}: {self.value}>"

    def __str__(self) -> str:
        return f"ProfilerActivity.{self.name}"


class ProfilerAction(Enum):
    """What a profiler does in a step."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3
    DEVICE_STOPPED = 4


def supported_activities() -> set[ProfilerActivity]:
    """The only one here."""
    return {ProfilerActivity.CPU}


def schedule(
    *, wait: int, warmup: int, active: int, repeat: int = 0, skip_first: int = 0, skip_first_wait: int = 0
) -> Callable[[int], ProfilerAction]:
    """A function from step numbers to actions: `wait`, `warmup` and `active` steps, `repeat` times, or for ever."""

    def action(step: int) -> ProfilerAction:
        if step < 0:
            raise AssertionError(f"Step must be non-negative. Got {step}.")
        if step < skip_first:
            return ProfilerAction.NONE
        step -= skip_first
        if skip_first_wait != 0:
            step += wait
        cycle = wait + warmup + active
        if repeat > 0 and step / cycle >= repeat:
            return ProfilerAction.NONE
        place = step % cycle
        if place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if place < cycle - 1 else ProfilerAction.RECORD_AND_SAVE

    if wait < 0 or warmup < 0 or active <= 0 or repeat < 0 or skip_first < 0:
        raise AssertionError(
            f"Invalid profiler schedule arguments. Got wait={wait} (need >= 0), warmup={warmup} (need >= 0), "
            f"active={active} (need > 0), repeat={repeat} (need >= 0), skip_first={skip_first} (need >= 0)."
        )
    if warmup == 0:
        warn("Profiler won't be using warmup, this can skew profiler results")
    return action


def tensorboard_trace_handler(dir_name: str, worker_name: str | None = None, use_gzip: bool = False) -> Any:
    """A handler that refuses to write a trace: nothing was timed."""

    def handler(prof: Any) -> NoReturn:
        raise NotImplementedError(UNTIMED)

    return handler


def _always(_step: int) -> ProfilerAction:
    return ProfilerAction.RECORD


class profile:
    """A block that runs as ever, in steps if it says so.

    `on_trace_ready(self)` is called after the last step of each cycle of the schedule, and at the end.
    """

    def __init__(
        self, *, activities: Iterable[Any] | None = None, schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[..., Any] | None = None, record_shapes: bool = False, profile_memory: bool = False,
        with_stack: bool = False, with_flops: bool = False, with_modules: bool = False,
        experimental_config: Any = None, execution_trace_observer: Any = None, acc_events: bool = False,
        use_cuda: bool | None = None, custom_trace_id_callback: Any = None,
        post_processing_timeout_s: float | None = None,
    ):  # fmt: skip
        self.activities = set(activities) if activities else supported_activities()
        if not self.activities:
            raise AssertionError("No valid profiler activities found")
        self.schedule = schedule or _always
        self.on_trace_ready = on_trace_ready
        self.step_num = 0
        self.current_action = self.schedule(0)
        self.profiler: Any = None

    def __enter__(self) -> "profile":
        self.start()
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        self.stop()

    def start(self) -> None:
        """Begin with the first step."""
        self._transit(ProfilerAction.NONE, self.current_action)

    def step(self) -> None:
        """The next step begins."""
        before = self.current_action
        self.step_num += 1
        self.current_action = self.schedule(self.step_num)
        self._transit(before, self.current_action)

    def stop(self) -> None:
        """The end."""
        self._transit(self.current_action, None)

    def _transit(self, before: ProfilerAction, after: ProfilerAction | None) -> None:
        recording = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)
        ends = before is ProfilerAction.RECORD_AND_SAVE or (before is ProfilerAction.RECORD and after not in recording)
        if ends:
            self.profiler.__exit__(None, None, None)
            if self.on_trace_ready is not None:
                self.on_trace_ready(self)
        if after in recording and (ends or before not in recording):
            self.profiler = profiler.profile()
            self.profiler.__enter__()

    def key_averages(self, *groups: Any, **grouping: Any) -> EventList:
        """The events by name. Raises AssertionError before anything was recorded."""
        if self.profiler is None:
            raise AssertionError("Profiler must be initialized before getting key averages")
        return self.profiler.key_averages()

    def events(self) -> Any:
        """The events: none. Raises AssertionError before anything was recorded."""
        if self.profiler is None:
            raise AssertionError("Profiler must be initialized before accessing events")
        return self.profiler.function_events

    def export_chrome_trace(self, path: str) -> NoReturn:
        """Refused: nothing was timed."""
        raise NotImplementedError(UNTIMED)

    def export_stacks(self, path: str, metric: str = "self_cpu_time_total") -> NoReturn:
        """Refused: nothing was timed."""
        raise NotImplementedError(UNTIMED)

    def export_memory_timeline(self, path: str, device: str | None = None) -> NoReturn:
        """Refused: nothing was timed."""
        raise NotImplementedError(UNTIMED)

    def add_metadata(self, key: str, value: str) -> None:
        """A note for the trace, which is not written."""

    def add_metadata_json(self, key: str, value: str) -> None:
        """The same, in JSON."""


__all__ = [
    "ProfilerAction", "ProfilerActivity", "profile", "schedule", "supported_activities", "tensorboard_trace_handler",
]  # fmt: skip
