"""Which sandbox this system and these settings give."""

import sys

from backend.sandbox.errors import SandboxError
from backend.sandbox.pool import Pool
from backend.sandbox.reduced import ReducedPool
from backend.settings import Settings


class NoSandboxHere(SandboxError):
    """This system offers no sandbox, and the reduced mode was not asked for."""


def new_sandbox(settings: Settings) -> Pool | ReducedPool:
    """A sandbox that is not started yet. Raises NoSandboxHere."""
    if settings.reduced_sandbox:
        return ReducedPool(settings)
    if sys.platform != "linux":
        raise NoSandboxHere(
            "This system has no sandbox for programs. To run your own code without one, start with --reduced-sandbox."
        )
    return Pool(settings)
