"""The few Linux calls that Python's `os` does not offer, through libc."""

import ctypes
import functools
import os
import platform

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
PR_SET_MDWE = 65
CAP_KILL = 5

_CLOSE_RANGE = 436
_CAPSET = {"x86_64": 126, "aarch64": 91}
_CAPABILITY_VERSION_3 = 0x20080522


@functools.cache
def libc() -> ctypes.CDLL:
    """The C library this process already has."""
    return ctypes.CDLL(None, use_errno=True)


@functools.cache
def _libc_with_the_interpreter_held() -> ctypes.PyDLL:
    return ctypes.PyDLL(None, use_errno=True)


def fork() -> int:
    """`fork(2)`, for a process of one thread. Raises OSError.

    Unlike `os.fork` it runs no hooks: those of the standard library make new locks and reseed generators, for which a
    child writes to 240 pages more. Of one thread all locks are free, and a run seeds what it uses.
    """
    return _checked(_libc_with_the_interpreter_held().fork())


def prctl(option: int, value: int = 0, pointer: int = 0) -> None:
    """`prctl(2)`. Raises OSError."""
    _checked(libc().prctl(option, ctypes.c_ulong(value), ctypes.c_ulong(pointer), 0, 0))


def syscall(number: int, *arguments: int | ctypes.Array | ctypes.Structure | None) -> int:
    """`syscall(2)`; buffers and structures go by address. Raises OSError."""
    return _checked(libc().syscall(ctypes.c_long(number), *[_word(argument) for argument in arguments]))


def close_all_above(last_kept: int) -> None:
    """Close every file descriptor greater than `last_kept`."""
    syscall(_CLOSE_RANGE, last_kept + 1, 0xFFFFFFFF, 0)


def has_capability(number: int) -> bool:
    """Whether this process may use the capability of that number now."""
    with open("/proc/self/status", encoding="ascii") as file:
        effective = next(line.split()[1] for line in file if line.startswith("CapEff:"))
    return bool(int(effective, 16) >> number & 1)


def drop_capabilities() -> None:
    """Give up every capability, for good. Raises OSError."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:  # not privileged to shrink the bounding set, or past the last capability
            break
    syscall(_CAPSET[platform.machine()], header, nothing)


def _word(argument: int | ctypes.Array | ctypes.Structure | None) -> ctypes.c_long | ctypes.c_void_p:
    if isinstance(argument, int):
        return ctypes.c_long(argument)
    return ctypes.c_void_p(None if argument is None else ctypes.addressof(argument))


def _checked(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
