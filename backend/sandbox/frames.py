"""The bytes between the API and a child: length-framed, so that a cut message is never taken for a whole one.

To the child: any number of WARM_UP, then RUN, two lengths, a seed, the program as UTF-8, options as JSON. From it:
frames of a kind, a length and that many bytes. A hostile program can write anything here, so the reader trusts no
length and the trace is validated afterwards.
"""

import json
import os
import struct
from collections.abc import Mapping

WARM = b"W"
"""The child has done what WARM_UP asked for; for who watches it while it waits."""
READY = b"R"
"""The child is locked and has read the program; from here on, what happens is the program's doing."""
OVER = b"O"
"""The program is over and its trace is being written: asks for the time that takes, once."""
CONSOLE = b"C"
"""Text the program printed, at once, so that a crash does not lose it."""
PLACE = b"P"
"""Where the program is, when it was asked: a line, 0 for none, and a number of steps."""
TRACE = b"T"
"""The trace, as `backend.sandbox.parts` writes it; the last frame."""

WARM_UP = b"W"
"""To the child: nobody comes for now; get ready for a quick run."""
RUN = b"G"
"""To the child: a request follows."""

_REQUEST = struct.Struct(">IIq")
_FRAME = struct.Struct(">cI")
_PLACE = struct.Struct(">II")


class BadFrame(ValueError):
    """The other side does not speak this protocol."""


def pack_request(code: str, seed: int, options: Mapping[str, object]) -> bytes:
    program, asked = code.encode("utf-8"), json.dumps(options).encode("ascii")
    return RUN + _REQUEST.pack(len(program), len(asked), seed) + program + asked


def is_to_warm_up(descriptor: int) -> bool:
    """Wait for what the child is to do: False when a request follows. Raises EOFError, BadFrame."""
    kind = _read_exactly(descriptor, 1)
    if kind not in (WARM_UP, RUN):
        raise BadFrame("neither a request nor an order")
    return kind == WARM_UP


def read_request(descriptor: int) -> tuple[str, int, dict]:
    """What follows RUN, as `unpack_request` gives it. Waits for all of it. Raises EOFError when it ends early."""
    head = _read_exactly(descriptor, _REQUEST.size)
    length, asked, _seed = _REQUEST.unpack(head)
    return unpack_request(head + _read_exactly(descriptor, length + asked))


def unpack_request(data: bytes) -> tuple[str, int, dict]:
    """The program, its seed, its options, of a request less its RUN."""
    length, asked, seed = _REQUEST.unpack_from(data)
    start = _REQUEST.size
    program, options = data[start : start + length], data[start + length : start + length + asked]
    return program.decode("utf-8"), seed, json.loads(options)


def pack_place(line: int | None, steps: int) -> bytes:
    return _PLACE.pack(line or 0, steps)


def read_place(payload: bytes) -> tuple[int | None, int]:
    """A line, None for none, and a number of steps. Raises BadFrame."""
    try:
        line, steps = _PLACE.unpack(payload)
    except struct.error:
        raise BadFrame("not a place") from None
    return line or None, steps


class FrameWriter:
    """Writes frames whole. While `busy`, an interruption would leave half a frame behind and must wait."""

    def __init__(self, descriptor: int) -> None:
        self.busy = False
        self._descriptor = descriptor

    def write(self, kind: bytes, payload: bytes = b"") -> None:
        """Raises OSError."""
        self.busy = True
        try:
            pending = memoryview(_FRAME.pack(kind, len(payload)) + payload)
            while pending:
                pending = pending[os.write(self._descriptor, pending) :]
        finally:
            self.busy = False


class FrameReader:
    """Takes bytes as they come, gives whole frames. `cap` bounds the bytes of all frames together."""

    def __init__(self, cap: int) -> None:
        self._cap = cap
        self._seen = 0
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[tuple[bytes, bytes]]:
        """The frames that `data` completes, as (kind, payload). Raises BadFrame."""
        self._seen += len(data)
        if self._seen > self._cap:
            raise BadFrame("longer than a reply may be")
        self._buffer += data
        complete = []
        while len(self._buffer) >= _FRAME.size:
            kind, length = _FRAME.unpack_from(self._buffer)
            if kind not in (WARM, READY, OVER, PLACE, CONSOLE, TRACE) or length > self._cap:
                raise BadFrame("not a frame")
            end = _FRAME.size + length
            if len(self._buffer) < end:
                break
            complete.append((kind, bytes(self._buffer[_FRAME.size : end])))
            del self._buffer[:end]
        return complete


def _read_exactly(descriptor: int, length: int) -> bytes:
    parts = []
    while length:
        part = os.read(descriptor, length)
        if not part:
            raise EOFError("the request ended early")
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
