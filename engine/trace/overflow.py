"""What watches a run whose trace is full: it counts what is not recorded any more."""

from typing import Any, Protocol


class Full(Protocol):
    """What is needed of the recorder whose place is taken."""

    lost_steps: int
    quiet: int

    def on_before_write(self, t: Any) -> None: ...

    def on_requires_grad(self, t: Any) -> None: ...

    def on_module_exit(self, module: Any) -> None: ...


class Overflow:
    """Takes a full recorder's place among the observers.

    A step that would have been is counted; nothing is looked at, so a graph of any depth costs no recursion. What was
    recorded stays as it was: it is still copied before it is written over, and module calls under way are closed.
    """

    def __init__(self, recorder: Full) -> None:
        self._recorder = recorder
        self._quiet = recorder.quiet
        self._modules = 0
        self.on_before_write = recorder.on_before_write
        self.on_requires_grad = recorder.on_requires_grad
        self.on_op = self.on_function = self.on_create = self.on_mode = self._count
        self.on_backward_start = self.on_backward_end = self.on_node = self._count
        self.on_accumulate = self.on_hook = self._count
        self.on_release = self.on_retain = self.on_written = self._ignore
        self.on_view_refreshed = self.on_data_set = self.on_grad_set = self._ignore

    def _count(self, *_event: Any) -> None:
        if not self._quiet:
            self._recorder.lost_steps += 1

    def _ignore(self, *_event: Any) -> None:
        pass

    def on_module_enter(self, module: Any) -> None:
        self._modules += 1

    def on_module_exit(self, module: Any) -> None:
        if self._modules:
            self._modules -= 1
        else:
            self._recorder.on_module_exit(module)

    def on_optimizer_enter(self, optimizer: Any, kind: str) -> None:
        self._quiet += 1

    def on_optimizer_exit(self, *_event: Any, **_fields: Any) -> None:
        self._quiet -= 1
        self._count()
