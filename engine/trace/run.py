"""One program, traced: compile, run under the recorder, and turn what happened into a Trace."""

import gc
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
from engine.tensor import Tensor, TensorBase
from engine.trace.console import Stream
from engine.trace.document import build_document
from engine.trace.failure import describe_failure
from engine.trace.lines import PROGRAM_FILE, current_line
from engine.trace.names import Notes, named_tensors, with_notes
from engine.trace.options import Asked, Options
from engine.trace.overrides import Overrides
from engine.trace.recorder import Recorder
from engine.trace.until import Stop, Until

_MAX_NAMES = 8
_RECORDS_PER_OBJECT = 10  # about so many objects are made to record one of the program's


def trace_program(
    code: str, seed: int = 0, *, write_early: Callable[[str], str] | None = None, options: Options | None = None
) -> dict[str, Any]:
    """Run a program and return its Trace as JSON-able data in the shape of backend.schemas.Trace.

    Whatever the program raises ends up in `outcome`; the trace up to there is kept.

    Args:
        code: the program's source.
        seed: given to `torch.manual_seed` before line 1.
        write_early: called with each piece of printed text; what it returns is recorded, what it raises surfaces in
            the program.
        options: what to record, which leaf values to replace, where to stop.
    """
    started = time.perf_counter()
    recorder = Recorder(options)
    install_as_torch()
    reset_engine()
    manual_seed(seed)
    namespace: dict[str, Any] = {}  # kept until the document is built: it holds the tensors
    asked = Asked(options or Options())
    collecting, threshold = gc.isenabled(), gc.get_threshold()
    # The collector is there for the program: it runs as often as without a recorder, whose records make it no garbage.
    gc.enable()
    gc.set_threshold(threshold[0] * _RECORDS_PER_OBJECT, *threshold[1:])
    try:
        run_ms, error = _run(code, namespace, recorder, write_early or _unchanged, asked)
        gc.disable()  # what is built now holds no cycles, and going through it takes as long as making it
        document = build_document(recorder, seed, error, asked)
    finally:
        gc.set_threshold(*threshold)
        if collecting:
            gc.enable()
        else:
            gc.disable()
    document["outcome"]["run_ms"] = run_ms
    document["outcome"]["total_ms"] = (time.perf_counter() - started) * 1000
    return document


def _unchanged(text: str) -> str:
    return text


def _run(
    code: str, namespace: dict[str, Any], recorder: Recorder, write: Callable[[str], str], asked: Asked
) -> tuple[float, dict[str, Any] | None]:
    """Run the program; returns milliseconds and what it raised, described."""
    until, overrides = Until(asked.options, recorder), Overrides(asked.options.overrides, recorder)
    asked.overrides = overrides.report
    try:
        compiled = with_notes(code, PROGRAM_FILE, asked.options.until_line)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        error = describe_failure(e, code)
        if error is not None:
            recorder.step("error", error["line"], _headline(error))
        return 0.0, error
    linecache.cache[PROGRAM_FILE] = (len(code), None, code.splitlines(True), PROGRAM_FILE)
    namespace.update(__name__="__main__", __file__=PROGRAM_FILE, __builtins__=__builtins__, __doc__=None)
    before = sys.stdout, sys.stderr, warnings.showwarning
    sys.stdout, sys.stderr = (Stream(recorder, name, write, until.look) for name in ("stdout", "stderr"))
    error = None
    with warnings.catch_warnings(), Notes(_noter(recorder, overrides), until.at_line):
        warnings.simplefilter("default")
        warnings.showwarning = _warning_writer(recorder, until.look)
        STATE.observers = _observers(recorder, until, overrides)
        started = time.perf_counter()
        try:
            exec(compiled, namespace)
        except Stop:
            pass
        except BaseException as e:  # noqa: BLE001  whatever a program raises is its outcome
            STATE.observers = ()
            # After a stop, what the program raises while it is unwound says nothing of it; a limit still does.
            error = None if until.reached and isinstance(e, Exception) else describe_failure(e, code)
            if error is not None:
                recorder.step("error", error["line"], _headline(error))
        finally:
            run_ms = (time.perf_counter() - started) * 1000
            STATE.observers = ()
            sys.stdout, sys.stderr, warnings.showwarning = before
    asked.message = until.message
    if not recorder.lost_steps:  # what containers hold at the end, appended without an assignment
        for name, value in list(namespace.items()):
            if isinstance(value, list | tuple | dict) and not name.startswith("__"):
                _give_names(recorder, name, value, None)
    return run_ms, error


def _observers(recorder: Recorder, until: Until, overrides: Overrides) -> tuple[Any, ...]:
    """Those that have something to do: who changes what is made comes before who records it."""
    before: tuple[Any, ...] = (overrides,) if overrides.by_line else ()
    watching: tuple[Any, ...] = (until,) if until.last_step is not None else ()
    return (*watching, *before, recorder, *watching)


def _headline(error: dict[str, Any]) -> str:
    return f"{error['type']}: {error['message']}" if error["message"] else error["type"]


def _noter(recorder: Recorder, overrides: Overrides) -> Callable[[str, Any], None]:
    def note(name: str, value: Any) -> None:
        if recorder.lost_steps:
            return
        if type(value) is float:
            recorder.names.append((name, current_line() or 0, len(recorder.steps), value))
            return
        if type(value) is Tensor and not overrides.by_name:
            _give_name(recorder, name, value)
        else:
            _give_names(recorder, name, value, overrides if overrides.by_name else None)
            if not _is_tensor(value) or value._all_samples() is not value:
                return
        a = value._a
        if a.ndim == 0 and a.dtype.kind == "f":
            recorder.names.append((name, current_line() or 0, len(recorder.steps), a.item()))

    return note


def _give_names(recorder: Recorder, name: str, value: Any, overrides: Overrides | None) -> None:
    """Call the tensors in a value by the names the program can reach them under; new leaves may get other values."""
    try:
        named = named_tensors(name, value, _is_tensor)
    except Exception:  # noqa: BLE001  what an object does when it is looked at is not what the program did
        return
    for n, t in named:
        if overrides is not None:
            overrides.named(n, t)
        _give_name(recorder, n, t)


def _give_name(recorder: Recorder, name: str, t: Any) -> None:
    record = recorder.tensor(t)
    names = record.names
    if not names:
        record.names = [name]
    elif name not in names and len(names) < _MAX_NAMES:
        record.add("names", name)


def _is_tensor(value: Any) -> bool:
    """By its type: an object may claim another `__class__`."""
    return issubclass(type(value), TensorBase)


def _warning_writer(recorder: Recorder, before_step: Callable[[], None]) -> Callable[..., None]:
    def show(message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: Any = None) -> None:
        before_step()
        own_line = lineno if filename == PROGRAM_FILE else current_line()
        recorder.step("warning", own_line, f"{category.__name__}: {message}")
        sys.stderr.write(warnings.formatwarning(message, category, filename, lineno, line))

    return show
