"""What can go wrong around a run, as opposed to in it: what a program does ends up in its trace."""


class SandboxError(RuntimeError):
    """Root of the errors of this package."""


class SandboxUnavailable(SandboxError):
    """No process to run a program can be had."""


class Busy(SandboxError):
    """All places are taken and the queue is full. `retry_after`: whole seconds until a place is likely."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"All runners are busy, retry in {retry_after} s.")
        self.retry_after = retry_after


class LockError(SandboxError):
    """A child could not be locked; it must not run anything."""


class SandboxLeaks(SandboxError):
    """Something that must be refused was not."""
