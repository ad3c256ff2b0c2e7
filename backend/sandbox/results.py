"""From what a child gave back to a Trace that holds, whoever wrote it."""

import logging
import time

from pydantic import TypeAdapter, ValidationError

from backend.sandbox import verdict
from backend.sandbox.runner import Ending, How
from backend.schemas import ConsoleText, Trace
from backend.settings import Limits

log = logging.getLogger(__name__)

_TRACES = TypeAdapter(Trace)


def to_trace(ending: Ending, seed: int, torch_version: str, program_file: str, limits: Limits) -> Trace:
    """The run's trace: the child's own where it is valid, else one that says how the run ended."""
    raw = ending.raw.decode("utf-8", "replace")
    if ending.how is How.REPLIED:
        try:
            trace = Trace.model_validate_json(ending.trace)
        except ValidationError:
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
    return Trace.model_validate(verdict.bare_trace(seed, torch_version, _outcome(ending, line, limits), shown))


def finish(trace: Trace, started: float) -> bytes:
    """The trace as JSON, with the time since `started` (`time.perf_counter`) as the whole run's."""
    trace.outcome.total_ms = (time.perf_counter() - started) * 1e3
    return _TRACES.dump_json(trace)


def _outcome(ending: Ending, line: int | None, limits: Limits) -> dict:
    if ending.how is How.HARD_LIMIT:
        return verdict.outcome("timeout", verdict.timeout_message(limits.hard_seconds, line))
    if ending.how is How.OUTPUT_LIMIT:
        return verdict.outcome("output", verdict.output_message(limits))
    if ending.how is How.ENDED and ending.exit is not None:
        return verdict.from_exit(ending.exit, limits, line)
    return verdict.outcome("crash", verdict.INVALID_REPLY)


def _add_raw_output(trace: Trace, raw: str, limits: Limits) -> None:
    """Show what was written past Python's `print` after everything else."""
    if raw:
        step = max(len(trace.steps) - 1, 0)
        text = verdict.visible(raw[: limits.console_bytes])
        trace.console.append(ConsoleText(step=step, stream="stdout", text=text, line=None))
