"""What a child gives up before it reads a stranger's program. The order matters and is explained here.

File descriptors first, while they can still be moved. Then what needs no privilege and what later steps rest on
(no_new_privs). Limits after Landlock, which needs a descriptor. Seccomp last: it forbids all of the above.
"""

import contextlib
import os
import resource
import signal
from dataclasses import dataclass

from backend.sandbox import kernel, landlock, seccomp
from backend.sandbox.errors import LockError
from backend.settings import Limits

NOBODY = 65534
LAST_DESCRIPTOR = 3


@dataclass(frozen=True)
class Lock:
    """Everything prepared once, so that locking a child is a handful of system calls."""

    limits: Limits
    filter: seccomp.Filter
    ruleset: int | None
    baseline_bytes: int
    parent: int

    @classmethod
    def prepare(cls, limits: Limits) -> "Lock":
        """To be called in the zygote, after all imports. Raises OSError where seccomp is missing."""
        return cls(limits, seccomp.compile_filter(), landlock.open_deny_all(), address_space_bytes(), os.getpid())

    def close(self, descriptors: tuple[int, int, int]) -> None:
        """Lock this process. `descriptors`: where the program comes from, the raw output, the reply.

        They become 0, 1 and 2, and 3; nothing else stays open. Raises LockError.
        """
        try:
            _die_with(self.parent)
            _move_descriptors(descriptors, keep=self.ruleset)
            kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
            _refuse_new_code()
            if self.ruleset is not None:
                landlock.restrict_self(LAST_DESCRIPTOR + 1)
            kernel.close_all_above(LAST_DESCRIPTOR)
            _limit(self.limits, self.baseline_bytes)
            self.filter.install()
        except (OSError, ValueError) as error:
            raise LockError(f"a child could not be locked: {error}") from error


def address_space_bytes() -> int:
    """Size of this process's address space."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def drop_privileges() -> None:
    """As root: become nobody and give up every capability. Otherwise only the capabilities, if there are any.

    Root without the right to change its user (a container with all capabilities dropped) stays as it is: it has
    nothing left to give up. So does root that could not kill the processes of another user. Raises OSError.
    """
    if os.geteuid() == 0 and kernel.has_capability(kernel.CAP_KILL):
        with contextlib.suppress(PermissionError):
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
    kernel.drop_capabilities()
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)


def _die_with(parent: int) -> None:
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the line above took effect
        raise LockError("the parent is gone")


def _move_descriptors(descriptors: tuple[int, int, int], keep: int | None) -> None:
    program, output, reply = (_lifted(descriptor) for descriptor in descriptors)
    kept = None if keep is None else _lifted(keep)
    os.dup2(program, 0, inheritable=False)
    os.dup2(output, 1, inheritable=False)
    os.dup2(output, 2, inheritable=False)
    os.dup2(reply, LAST_DESCRIPTOR, inheritable=False)
    if kept is not None:
        os.dup2(kept, LAST_DESCRIPTOR + 1, inheritable=False)


def _lifted(descriptor: int) -> int:
    """A duplicate above the numbers that are about to be overwritten."""
    while descriptor <= LAST_DESCRIPTOR + 1:
        descriptor = os.dup(descriptor)
    return descriptor


def _refuse_new_code() -> None:
    with contextlib.suppress(OSError):  # before Linux 6.3; the seccomp filter refuses PROT_EXEC all the same
        kernel.prctl(kernel.PR_SET_MDWE, 1)


def _limit(limits: Limits, baseline_bytes: int) -> None:
    address_space = baseline_bytes + limits.memory_bytes
    for which, soft, hard in (
        (resource.RLIMIT_AS, address_space, address_space),
        (resource.RLIMIT_CPU, limits.cpu_soft_seconds, limits.cpu_hard_seconds),
        (resource.RLIMIT_FSIZE, 0, 0),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_NPROC, 0, 0),
        (resource.RLIMIT_MEMLOCK, 0, 0),
        (resource.RLIMIT_NOFILE, LAST_DESCRIPTOR + 1, LAST_DESCRIPTOR + 1),
    ):
        resource.setrlimit(which, (soft, hard))
