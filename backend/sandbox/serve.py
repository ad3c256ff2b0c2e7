"""One run in a process of its own: read the program, trace it, reply. Knows nothing of how the process is locked.

The seam with the recorder is `trace_program(code, seed, write_early=console.write)` of `engine.trace`. It returns
the Trace as plain data and catches all that the program raises, limits included. For each piece of text the program
prints it calls `write_early(text)` and records what that returns; what it raises surfaces in the program. Which
limit an exception stands for is decided here, afterwards, by `verdict.settle`.
"""

import json
import random
import re
from collections.abc import Callable

import numpy

from backend.sandbox import frames, stops, verdict
from backend.settings import Limits
from engine.trace import trace_program

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def serve(source: int, reply: int, limits: Limits) -> None:
    """Read a program from one descriptor, run it, write its reply to another."""
    program, seed = frames.read_request(source)
    frames.write_frame(reply, frames.READY)
    trace = run(program, seed, limits, lambda text: frames.write_frame(reply, frames.CONSOLE, text))
    frames.write_frame(reply, frames.TRACE, encode(trace, limits))


def run(program: str, seed: int, limits: Limits, send_early: Callable[[bytes], None]) -> dict:
    """The trace of one program, its outcome settled. Python's and numpy's own generators start from the seed too."""
    random.seed(seed)
    numpy.random.seed(seed % 2**32)
    console = stops.Console(limits.console_bytes, send_early)
    trace = trace_program(program, seed, write_early=console.write)
    verdict.settle(trace, limits, output_cut=console.was_cut)
    return trace


def encode(trace: dict, limits: Limits) -> bytes:
    """The trace as JSON; one that is too large is reduced to its outcome and its printed text."""
    data = _to_json(trace)
    if len(data) <= limits.reply_bytes:
        return data
    ending = verdict.outcome("too_large", verdict.too_large_message(limits), trace["outcome"]["error"])
    printed = "".join(entry["text"] for entry in trace["console"])
    return _to_json(verdict.bare_trace(trace["seed"], trace["torch_version"], ending, printed))


def _to_json(trace: dict) -> bytes:
    text = json.dumps(trace, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return _LONE_SURROGATE.sub(lambda match: f"\\\\u{ord(match[0]):04x}", text).encode("utf-8")
