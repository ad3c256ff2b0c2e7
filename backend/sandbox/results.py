"""From what a child gave back to a Trace that holds, whoever wrote it."""

import asyncio
import logging
import time

from backend.sandbox import parts, reasons, trace_codec, verdict
from backend.sandbox.finished import Finished
from backend.sandbox.runner import Ending, How
from backend.settings import Limits

log = logging.getLogger(__name__)

_BYTES_AT_ONCE = 64 * 1024


async def finish(
    ending: Ending, seed: int, torch_version: str, program_file: str, limits: Limits, started: float
) -> Finished:
    """The run's trace: the child's own where it is valid, else one that says how the run ended.

    A long one is read in turn with whatever else the process has to do. `started`: when the run did, by
    `time.perf_counter`.
    """
    raw = ending.raw.decode("utf-8", "replace")
    if ending.how is How.REPLIED:
        try:
            return await _of_the_child(ending.trace, seed, verdict.without_dumps(raw), limits, started)
        except (trace_codec.BadTrace, parts.BadParts):
            ending.how = How.BAD_REPLY
    line = verdict.line_of_dump(raw, program_file)
    if ending.exit is not None and ending.exit.code == verdict.NO_REPLY:
        log.error("a run ended without a trace: the recorder failed")
        log.debug("what the failing run wrote: %s", raw)  # may quote the program, so not by default
        raw = ""
    printed = ending.printed.decode("utf-8", "replace") + verdict.without_dumps(raw)
    shown = verdict.visible(printed[: limits.console_bytes])
    trace = trace_codec.convert(verdict.bare_trace(seed, torch_version, _outcome(ending, line, limits), shown))
    trace.outcome.total_ms = (time.perf_counter() - started) * 1e3
    return Finished(trace_codec.encode(trace), trace.outcome.status)


async def _of_the_child(reply: bytes, seed: int, raw: str, limits: Limits, started: float) -> Finished:
    """Raises BadTrace or BadParts, also where a value can be read but not be written."""
    (_, head), *rest = parts.unpack(reply)
    trace = trace_codec.Decoded(head)
    read = len(head)
    for table, rows in rest:
        if read > _BYTES_AT_ONCE:
            await asyncio.sleep(0)
            read = 0
        trace.add(table, rows)
        read += len(rows)
    trace.head.seed = seed
    if raw:  # what was written past Python's `print` is shown after everything else
        text = verdict.visible(raw[: limits.console_bytes])
        step = max(trace.steps - 1, 0)
        trace.head.console.append(trace_codec.console_text(step=step, stream="stdout", text=text, line=None))
    trace.head.outcome.total_ms = (time.perf_counter() - started) * 1e3
    return Finished(trace.encode(), trace.head.outcome.status)


def _outcome(ending: Ending, line: int | None, limits: Limits) -> dict:
    if ending.how is How.HARD_LIMIT:
        return verdict.outcome("timeout", verdict.out_of_time(limits.hard_seconds, line))
    if ending.how is How.OUTPUT_LIMIT:
        return verdict.outcome("output", verdict.too_much_printed(limits))
    if ending.how is How.ENDED and ending.exit is not None:
        return verdict.from_exit(ending.exit, limits, line)
    return verdict.outcome("crash", reasons.told("no_trace"))
