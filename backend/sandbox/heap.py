"""Where the zygote's memory lies: in one piece and on huge pages, so that forking it is cheap.

A fork copies an entry for each page, and the end of a child drops them all again. On pages of 4 KB scattered among a
hundred libraries that is most of what a short run costs; on pages of 2 MB there are a few hundred entries left. A child
that writes to such a page gets a copy of the 4 KB alone, as before.

All of it is an offer to the system: without glibc, or on a kernel before Linux 6.1, memory lies as it always did.
"""

import contextlib
import ctypes
from collections.abc import Iterator
from pathlib import Path

from backend.sandbox import kernel

_HUGE_BYTES = 2 * 1024 * 1024
_PAGE_BYTES = 4096
_MADV_COLLAPSE = 25
_M_TRIM_THRESHOLD, _M_TOP_PAD, _M_MMAP_THRESHOLD = -1, -2, -3
_LARGEST_IN_HEAP = 512 * 1024 * 1024
_USUAL_PADDING = 128 * 1024
# As far as glibc goes by itself once a large array was freed, which it no longer does once it has been told anything.
_LARGEST_KEPT = 32 * 1024 * 1024


class _ArenaAllocator(ctypes.Structure):
    """PyObjectArenaAllocator: where CPython's allocator for small objects takes its memory, a context going first."""

    _fields_ = [("context", ctypes.c_void_p), ("allocate", ctypes.c_void_p), ("free", ctypes.c_void_p)]


@contextlib.contextmanager
def in_one_piece() -> Iterator[None]:
    """What is allocated meanwhile is put into the one heap that malloc lets grow, instead of mappings here and there.

    Afterwards what a program frees is kept for what it asks for next, up to 64 MB, as `engine.storage` has it
    elsewhere.

    CPython's arenas come from `aligned_alloc(context, size)`. They are never given back, which a process that loads
    things has no need of.
    """
    libc = kernel.libc()
    if not hasattr(libc, "mallopt"):
        yield
        return
    usual = _ArenaAllocator()
    ctypes.pythonapi.PyObject_GetArenaAllocator(ctypes.byref(usual))
    keeps_all = _address_of(libc.getppid)  # a function that does nothing with what it is given
    from_heap = _ArenaAllocator(_PAGE_BYTES, _address_of(libc.aligned_alloc), keeps_all)
    _tell_malloc(libc, threshold=_LARGEST_IN_HEAP, padding=_HUGE_BYTES)
    ctypes.pythonapi.PyObject_SetArenaAllocator(ctypes.byref(from_heap))
    try:
        yield
    finally:
        ctypes.pythonapi.PyObject_SetArenaAllocator(ctypes.byref(usual))
        _tell_malloc(libc, threshold=_LARGEST_KEPT, padding=_USUAL_PADDING)


def use_huge_pages() -> int:
    """Put all that is written to already on huge pages, wherever one fits. Returns how many there are."""
    places = [place for start, end in _own_memory() for place in _huge_pages_within(start, end)]
    madvise = kernel.libc().madvise
    length, advice = ctypes.c_size_t(_HUGE_BYTES), ctypes.c_int(_MADV_COLLAPSE)
    return sum(madvise(ctypes.c_void_p(place), length, advice) == 0 for place in places)


def _own_memory() -> Iterator[tuple[int, int]]:
    """Start and end of each mapping that is private, writable, and of no file."""
    for line in Path("/proc/self/maps").read_text(encoding="ascii").splitlines():
        span, mode, _offset, _device, inode, *name = line.split(maxsplit=5)
        if mode == "rw-p" and inode == "0" and name in ([], ["[heap]"]):
            start, end = span.split("-")
            yield int(start, 16), int(end, 16)


def _huge_pages_within(start: int, end: int) -> range:
    first = -(-start // _HUGE_BYTES) * _HUGE_BYTES
    return range(first, end - _HUGE_BYTES + 1, _HUGE_BYTES)


def _tell_malloc(libc: ctypes.CDLL, threshold: int, padding: int) -> None:
    """`threshold`: size from which on an allocation is a mapping of its own. `padding`: by how much the heap grows."""
    libc.mallopt(_M_MMAP_THRESHOLD, threshold)
    libc.mallopt(_M_TOP_PAD, padding)
    libc.mallopt(_M_TRIM_THRESHOLD, 2 * threshold)


def _address_of(function: object) -> int | None:
    return ctypes.cast(function, ctypes.c_void_p).value  # type: ignore[arg-type] - any function pointer will do
