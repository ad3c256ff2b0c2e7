"""From what a child gave back to a Trace that holds, whoever wrote it."""

import logging
import time
from typing import Any

from backend.sandbox import trace_codec, verdict
from backend.sandbox.finished import Finished
from backend.sandbox.runner import Ending, How
from backend.settings import Limits

log = logging.getLogger(__name__)


def finish(
    ending: Ending, seed: int, torch_version: str, program_file: str, limits: Limits, started: float
) -> Finished:
    """The run's trace: the child's own where it is valid, else one that says how the run ended.

    `started`: when the run did, by `time.perf_counter`.
    """
    try:
        return _written(_to_trace(ending, seed, torch_version, program_file, limits), started)
    except trace_codec.BadTrace:  # it can be read, but not be written
        ending.how = How.BAD_REPLY
        return _written(_to_trace(ending, seed, torch_version, program_file, limits), started)


def _written(trace: Any, started: float) -> Finished:
    trace.outcome.total_ms = (time.perf_counter() - started) * 1e3
    return Finished(trace_codec.encode(trace), trace.outcome.status)


def _to_trace(ending: Ending, seed: int, torch_version: str, program_file: str, limits: Limits) -> Any:
    raw = ending.raw.decode("utf-8", "replace")
    if ending.how is How.REPLIED:
        try:
            trace = trace_codec.decode(ending.trace)
        except trace_codec.BadTrace:
            ending.how = How.BAD_REPLY
        else:
            trace.seed = seed
            _add_raw_output(trace, verdict.without_dumps(raw), limits)
            return trace
    line = verdict.line_of_dump(raw, program_file)
    if ending.exit is not None and ending.exit.code == verdict.NO_REPLY:
        log.error("a run ended without a trace: the recorder failed")
        log.debug("what the failing run wrote: %s", raw)  # may quote the program, so not by default
        raw = ""
    printed = ending.printed.decode("utf-8", "replace") + verdict.without_dumps(raw)
    shown = verdict.visible(printed[: limits.console_bytes])
    return trace_codec.convert(verdict.bare_trace(seed, torch_version, _outcome(ending, line, limits), shown))


def _outcome(ending: Ending, line: int | None, limits: Limits) -> dict:
    if ending.how is How.HARD_LIMIT:
        return verdict.outcome("timeout", verdict.timeout_message(limits.hard_seconds, line))
    if ending.how is How.OUTPUT_LIMIT:
        return verdict.outcome("output", verdict.output_message(limits))
    if ending.how is How.ENDED and ending.exit is not None:
        return verdict.from_exit(ending.exit, limits, line)
    return verdict.outcome("crash", verdict.INVALID_REPLY)


def _add_raw_output(trace: Any, raw: str, limits: Limits) -> None:
    """Show what was written past Python's `print` after everything else."""
    if raw:
        step = max(len(trace.steps) - 1, 0)
        text = verdict.visible(raw[: limits.console_bytes])
        trace.console.append(trace_codec.console_text(step=step, stream="stdout", text=text, line=None))
