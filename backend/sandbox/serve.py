"""One run in a process of its own: read the program, trace it, reply. Knows nothing of how the process is locked.

The seam with the recorder is `trace_program(code, seed, write_early=console.write, options=…)` of `engine.trace`. It
returns the Trace as plain data and catches all that the program raises, limits included. For each piece of text the
program prints it calls `write_early(text)` and records what that returns; what it raises surfaces in the program. Which
limit an exception stands for is decided here, afterwards, by `verdict.settle`.
"""

import gc
import os
import random
from collections.abc import Callable

import numpy

from backend.sandbox import cut, frames, parts, stops, verdict
from backend.settings import Limits
from engine import trace as recorder
from engine.trace import PROGRAM_FILE, Options, trace_program

# Room for what does not shrink with the number of steps.
_CAUTION = 0.9
_SAMPLED = 100
__all__ = ["PROGRAM_FILE", "RECORDER_FOLDER", "serve"]

RECORDER_FOLDER = os.path.dirname(recorder.__file__)


def serve(source: int, reply: frames.FrameWriter, limits: Limits, warm_up: Callable[[], None]) -> None:
    """Read a program from a descriptor, run it, write its reply. Before, as often as it is asked for, `warm_up`."""
    while frames.is_to_warm_up(source):
        warm_up()
        reply.write(frames.WARM)
    gc.disable()  # the process ends with its reply; the recorder has garbage collected while the program runs
    program, seed, options = frames.read_request(source)
    reply.write(frames.READY)
    trace = run(program, seed, Options.from_plain(options), limits, lambda text: reply.write(frames.CONSOLE, text))
    reply.write(frames.TRACE, encode(trace, limits))


def run(program: str, seed: int, options: Options, limits: Limits, send_early: Callable[[bytes], None]) -> dict:
    """The trace of one program, its outcome settled. Python's and numpy's own generators start from the seed too."""
    random.seed(seed)
    numpy.random.seed(seed % 2**32)
    console = stops.Console(limits.console_bytes, send_early)
    trace = trace_program(program, seed, write_early=console.write, options=options)
    verdict.settle(trace, limits, output_cut=console.was_cut)
    return trace


def encode(trace: dict, limits: Limits) -> bytes:
    """The trace in parts; of one that is too large, as many steps as a reply may hold."""
    share = limits.reply_bytes / max(_estimated_bytes(trace), 1)
    while True:
        if share < 1 and (length := cut.length(trace)):
            cut.keep_steps(trace, int(length * share * _CAUTION), limits)
        try:
            data = parts.pack(trace)
        except parts.RowTooLong as row:
            share = parts.ROW_BYTES / row.size
            continue
        if len(data) <= limits.reply_bytes or not cut.length(trace):
            return data
        share = limits.reply_bytes / len(data)


def _estimated_bytes(trace: dict) -> int:
    """About the length of the trace as JSON, from every so-many-th entry: writing all of it may take a second."""
    size = 0
    for table in ("tensors", "ops", "nodes", "steps"):
        stride = len(trace[table]) // _SAMPLED + 1
        size += len(parts.to_json(trace[table][::stride])) * stride
    return size
