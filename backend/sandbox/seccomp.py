"""The system calls a locked child may make; everything else answers EPERM, some of it kills.

EPERM rather than death, because a refused call then becomes a Python traceback with a line. Calls that only an
attack makes kill the process, and so does any call of a foreign ABI (x32, i386).
"""

import ctypes
import mmap
import os
from dataclasses import dataclass
from errno import EPERM

import pyseccomp

from backend.sandbox import kernel


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# What CPython and numpy were seen to call once everything is imported.
MEASURED = _words("mremap munmap brk madvise lseek getrandom clock_gettime clock_nanosleep exit_group")
# What they may call in a rarer turn: signals, a contended lock, another libc's clock.
FOR_SAFETY = _words(
    "futex rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack restart_syscall clock_getres gettimeofday time "
    "nanosleep close fstat getpid gettid sched_yield sched_getaffinity exit"
)
KILLED = _words(
    "ptrace process_vm_readv process_vm_writev bpf io_uring_setup io_uring_enter io_uring_register userfaultfd "
    "keyctl add_key request_key mount umount2 move_mount open_tree fsopen fsmount pivot_root chroot unshare setns "
    "pidfd_open pidfd_getfd pidfd_send_signal init_module finit_module delete_module kexec_load perf_event_open"
)
READABLE = (0,)
WRITABLE = (1, 2, 3)

_SECCOMP_MODE_FILTER = 2
_BAD_ARCHITECTURE = 2  # SCMP_FLTATR_ACT_BADARCH
_INSTRUCTION_BYTES = 8


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


@dataclass(frozen=True)
class Filter:
    """A compiled filter, ready to be installed in any number of processes."""

    instructions: ctypes.Array

    def install(self) -> None:
        """Enter the filter, for good. Needs no_new_privs. Raises OSError."""
        length = len(self.instructions) // _INSTRUCTION_BYTES
        program = _Program(length, ctypes.addressof(self.instructions))
        kernel.prctl(kernel.PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(program))


def compile_filter() -> Filter:
    """The filter as machine code for this architecture."""
    rules = pyseccomp.SyscallFilter(pyseccomp.ERRNO(EPERM))
    rules.set_attr(_BAD_ARCHITECTURE, pyseccomp.KILL_PROCESS)
    for name in MEASURED + FOR_SAFETY:
        _add(rules, pyseccomp.ALLOW, name)
    for name in KILLED:
        _add(rules, pyseccomp.KILL_PROCESS, name)
    for descriptor in READABLE:
        _add(rules, pyseccomp.ALLOW, "read", pyseccomp.Arg(0, pyseccomp.EQ, descriptor))
    for descriptor in WRITABLE:
        _add(rules, pyseccomp.ALLOW, "write", pyseccomp.Arg(0, pyseccomp.EQ, descriptor))
    for name in ("mmap", "mprotect"):
        _add(rules, pyseccomp.ALLOW, name, pyseccomp.Arg(2, pyseccomp.MASKED_EQ, mmap.PROT_EXEC, 0))
    return Filter(_exported(rules))


def _add(rules: pyseccomp.SyscallFilter, action: int, name: str, *conditions: pyseccomp.Arg) -> None:
    number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
    if number >= 0:  # negative: this architecture has no such call (`time` on aarch64)
        rules.add_rule(action, number, *conditions)


def _exported(rules: pyseccomp.SyscallFilter) -> ctypes.Array:
    with os.fdopen(os.memfd_create("seccomp"), "w+b") as file:
        rules.export_bpf(file)
        file.seek(0)
        code = file.read()
    return ctypes.create_string_buffer(code, len(code))
