"""One program, traced: compile, run under the recorder, and turn what happened into a Trace."""

import linecache
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

from engine.install import install_as_torch
from engine.modes import STATE
from engine.random import manual_seed
from engine.reset import reset_engine
from engine.tensor import TensorBase
from engine.trace.console import Stream
from engine.trace.document import build_document
from engine.trace.failure import describe_failure
from engine.trace.names import Notes, named_tensors, with_notes
from engine.trace.recorder import PROGRAM_FILE, Recorder, current_line


def trace_program(code: str, seed: int = 0, *, write_early: Callable[[str], str] | None = None) -> dict[str, Any]:
    """Run a program and return its Trace as JSON-able data in the shape of backend.schemas.Trace.

    Whatever the program raises ends up in `outcome`; the trace up to there is kept.

    Args:
        code: the program's source.
        seed: given to `torch.manual_seed` before line 1.
        write_early: called with each piece of printed text; what it returns is recorded, what it raises surfaces in
            the program.
    """
    started = time.perf_counter()
    recorder = Recorder()
    install_as_torch()
    reset_engine()
    manual_seed(seed)
    run_ms, error = _run(code, recorder, write_early or _unchanged)
    document = build_document(recorder, seed, error)
    document["outcome"]["run_ms"] = run_ms
    document["outcome"]["total_ms"] = (time.perf_counter() - started) * 1000
    return document


def _unchanged(text: str) -> str:
    return text


def _run(code: str, recorder: Recorder, write: Callable[[str], str]) -> tuple[float, dict[str, Any] | None]:
    """Run the program; returns milliseconds and what it raised, described."""
    try:
        compiled = with_notes(code, PROGRAM_FILE)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        error = describe_failure(e, code)
        recorder.step("error", error["line"], text=_headline(error))
        return 0.0, error
    linecache.cache[PROGRAM_FILE] = (len(code), None, code.splitlines(True), PROGRAM_FILE)
    namespace = {"__name__": "__main__", "__file__": PROGRAM_FILE, "__builtins__": __builtins__, "__doc__": None}
    before = sys.stdout, sys.stderr, warnings.showwarning
    sys.stdout, sys.stderr = Stream(recorder, "stdout", write), Stream(recorder, "stderr", write)
    error = None
    with warnings.catch_warnings(), Notes(_noter(recorder)):
        warnings.simplefilter("default")
        warnings.showwarning = _warning_writer(recorder)
        STATE.observers = (recorder,)
        started = time.perf_counter()
        try:
            exec(compiled, namespace)
        except BaseException as e:  # whatever a program raises is its outcome
            STATE.observers = ()
            error = describe_failure(e, code)
            if error is not None:
                recorder.step("error", error["line"], text=_headline(error))
        finally:
            run_ms = (time.perf_counter() - started) * 1000
            STATE.observers = ()
            sys.stdout, sys.stderr, warnings.showwarning = before
    return run_ms, error


def _headline(error: dict[str, Any]) -> str:
    return f"{error['type']}: {error['message']}" if error["message"] else error["type"]


def _noter(recorder: Recorder) -> Callable[[str, Any], None]:
    def is_tensor(v: Any) -> bool:
        return isinstance(v, TensorBase)

    def note(name: str, value: Any) -> None:
        if recorder.lost_steps:
            return
        kind = type(value)
        if kind is float:
            recorder.names.append((name, current_line() or 0, len(recorder.steps), value))
            return
        for n, t in named_tensors(name, value, is_tensor):
            record = recorder.tensor(t)
            if n not in record.names and len(record.names) < 8:
                record.names.append(n)
            if t._a.ndim == 0 and t._a.dtype.kind == "f":
                recorder.names.append((n, current_line() or 0, len(recorder.steps), float(t._a)))

    return note


def _warning_writer(recorder: Recorder) -> Callable[..., None]:
    def show(message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: Any = None) -> None:
        recorder.step("warning", lineno if filename == PROGRAM_FILE else None, text=f"{category.__name__}: {message}")
        sys.stderr.write(warnings.formatwarning(message, category, filename, lineno, line))

    return show
