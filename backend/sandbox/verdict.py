"""How a run ended, in words: what happened, the limit, the line, what to do about it.

Everything here is plain data in the shape of `backend.schemas`, without importing it: the child uses this too.
"""

import re
import signal
from dataclasses import dataclass

from backend.sandbox import reasons
from backend.settings import Limits

# Exit codes of a child of ours; a program that ends with one of them only spoils its own message.
LOCK_FAILED = 70
NO_REPLY = 71

_MEMORY_ERRORS = ("MemoryError", "_ArrayMemoryError")
_ASKED_IN_WORDS = re.compile(r"nable to allocate ([\d.]+ (?:bytes|[KMGTPE]iB))")
_ASKED_IN_BYTES = re.compile(r"tried to allocate (\d+) bytes")
_FRAME_OF_DUMP = re.compile(r'File "(?P<file>[^"]*)", line (?P<line>\d+) in ')
_DUMP = re.compile(
    r"(?:Fatal Python error: .*\n+)?(?:Current thread|Stack).*most recent call first\):\n"
    r"(?:  .*\n?)*(?:\nExtension modules: .*\n?)?"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True)
class Exit:
    """What the kernel says of a child that ended: never what the child says of itself."""

    code: int
    """Exit code; negative, the signal that ended it."""
    cpu_seconds: float
    peak_bytes: int


def settle(trace: dict, limits: Limits, *, output_cut: bool) -> None:
    """Give a finished trace the status and the message of the limit its program met, in place."""
    outcome = trace["outcome"]
    error = outcome["error"] or {}
    kind, line = error.get("type"), error.get("line")
    if kind == "TimeLimit":
        outcome.update(status="timeout", **out_of_time(limits.soft_seconds, line))
    elif kind == "ProcessorLimit":
        outcome.update(status="timeout", **reasons.told("processor", line, limit=f"{limits.cpu_soft_seconds} s"))
    elif kind == "OutputLimit" or (output_cut and not error):
        outcome.update(status="output", **too_much_printed(limits))
    elif (asked := _memory_asked(kind, str(error.get("message")))) is not None:
        outcome.update(status="memory", **_out_of_memory(limits, line, asked))
    elif not outcome.get("message"):
        outcome.update(reasons.of_error(kind, str(error.get("message")), line))
    if outcome["status"] in ("timeout", "output", "memory") and error:
        error["message"] = error["message"] if kind in _MEMORY_ERRORS else outcome["message"]


def out_of_time(seconds: float, line: int | None) -> dict:
    return reasons.told("time", line, limit=f"{seconds:g} s")


def too_much_printed(limits: Limits) -> dict:
    return reasons.told("output", limit=size_in_words(limits.console_bytes))


def too_much_recorded(limits: Limits, kept: int) -> dict:
    return reasons.told("too_large", limit=size_in_words(limits.reply_bytes), kept=f"{kept:,}")


def from_exit(exit_: Exit, limits: Limits, line: int | None) -> dict:
    """The outcome of a child that ended without a trace."""
    if exit_.code in (-signal.SIGXCPU, -signal.SIGKILL) and exit_.cpu_seconds >= limits.cpu_soft_seconds:
        return outcome("timeout", out_of_time(exit_.cpu_seconds, line))
    if exit_.code == -signal.SIGKILL:
        return outcome("memory", reasons.told("machine_memory", line))
    if exit_.code == -signal.SIGSYS:
        return outcome("crash", reasons.told("system_call", line))
    if exit_.code == -signal.SIGSEGV:
        return outcome("crash", reasons.told("stack", line))
    if exit_.code == NO_REPLY:
        return outcome("crash", reasons.told("recorder", line))
    if exit_.code < 0:
        return outcome("crash", reasons.told("signal", line, signal=signal.Signals(-exit_.code).name))
    return ended_by_itself(exit_.code, line)


def ended_by_itself(code: int, line: int | None) -> dict:
    """The outcome of a program that ended the Python process, so that no trace could be written."""
    why = reasons.told("ended", code=str(code))
    return outcome("error", why, {"type": "SystemExit", "message": why["message"], "line": line, "frames": []})


def outcome(status: str, why: dict, error: dict | None = None) -> dict:
    return {"status": status, "error": error, **why}


def bare_trace(seed: int, torch_version: str, ending: dict, printed: str) -> dict:
    """A whole trace of a run of which only its ending and its printed text are known."""
    steps, console = [], []
    if printed:
        steps.append({"index": 0, "kind": "print", "line": None, "text": printed})
        console.append({"step": 0, "stream": "stdout", "text": printed, "line": None})
    tables = ("tensors", "ops", "nodes", "backwards", "scopes", "memory", "series")
    return {
        "schema_version": "1.0",
        "torch_version": torch_version,
        "seed": seed,
        "outcome": ending,
        "console": console,
        "steps": steps,
        "rules": {},
        "truncated": [{"what": table, "limit": ending["status"], "kept": 0, "total": None} for table in tables[:3]],
        **{table: [] for table in tables},
    }


def line_of_dump(raw: str, program_file: str) -> int | None:
    """The innermost line of the program in the last stack that the interpreter dumped into its raw output.

    Code that a program made of other code may be at line 0, which is none of its text.
    """
    last_dump = raw[max(raw.rfind("most recent call first"), 0) :]
    for frame in _FRAME_OF_DUMP.finditer(last_dump):
        if frame["file"] == program_file and (line := int(frame["line"])):
            return line
    return None


def without_dumps(raw: str) -> str:
    """Raw output less the stacks that the interpreter dumped into it."""
    return _DUMP.sub("", raw)


def visible(text: str) -> str:
    """Text with control characters, bidirectional marks and lone surrogates as escapes that can be seen."""
    return _CONTROL.sub(lambda match: _escape(ord(match[0])), text)


def size_in_words(size: int) -> str:
    """65536 is "64 KB"."""
    amount = float(size)
    for unit in ("bytes", "KB", "MB"):
        if amount < 1024:
            return f"{amount:g} {unit}"
        amount /= 1024
    return f"{amount:g} GB"


def _escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def _memory_asked(kind: str | None, message: str) -> str | None:
    """What a failed allocation asked for, empty where it does not say; None when the error is another."""
    if found := _ASKED_IN_WORDS.search(message):
        return found[1]
    if found := _ASKED_IN_BYTES.search(message):
        return f"{int(found[1]) / 2**30:.1f} GiB"
    return "" if kind in _MEMORY_ERRORS else None


def _out_of_memory(limits: Limits, line: int | None, asked: str) -> dict:
    limit = size_in_words(limits.memory_bytes)
    return (
        reasons.told("memory_asked", line, asked=asked, limit=limit)
        if asked
        else reasons.told("memory", line, limit=limit)
    )
