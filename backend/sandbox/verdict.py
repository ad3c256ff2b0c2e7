"""How a run ended, in words: what happened, the limit, the line, what to do about it.

Everything here is plain data in the shape of `backend.schemas`, without importing it: the child uses this too.
"""

import re
import signal
from dataclasses import dataclass

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

_IMPORTABLE = "You can import torch, numpy, math, and most of Python itself."
_INSTEAD = {
    "matplotlib": "Leave the plotting out: the page draws losses, parameters and gradients of every run by itself.",
    "seaborn": "Leave the plotting out: the page draws losses, parameters and gradients of every run by itself.",
    "pandas": "Write the table as lists or numpy arrays and pass them to torch.tensor.",
    "torchvision": "There are no files or downloads: make images with torch.rand, and models of torch.nn layers.",
    "torchaudio": "There are no files or downloads: make signals with torch.sin or torch.randn.",
    "torchtext": "There are no files or downloads: write the text into the program and number its words.",
    "datasets": "There are no files or downloads: make the data with torch.randn, or write it into the program.",
    "sklearn": "Make the data with torch.randn or numpy.random, and the model of torch.nn layers.",
    "scipy": "numpy and torch.linalg have most of what teaching programs take from it.",
    "tqdm": "Loop over range(...) itself; the page shows how far a run is.",
    "PIL": "There are no files: make images as tensors with torch.rand.",
    "transformers": "There are no downloads: build the model of torch.nn layers, such as nn.TransformerEncoder.",
}
"""What to do without a library that teaching programs import."""


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
        outcome.update(status="timeout", message=timeout_message(limits.soft_seconds, line))
    elif kind == "ProcessorLimit":
        outcome.update(status="timeout", message=processor_message(limits, line))
    elif kind == "OutputLimit" or (output_cut and not error):
        outcome.update(status="output", message=output_message(limits))
    elif (asked := _memory_asked(kind, str(error.get("message")))) is not None:
        outcome.update(status="memory", message=_memory_message(limits, line, asked))
    elif not outcome.get("message"):
        outcome["message"] = _advice(kind, str(error.get("message")), line)
    if outcome["status"] in ("timeout", "output", "memory") and error:
        error["message"] = error["message"] if kind in _MEMORY_ERRORS else outcome["message"]


def timeout_message(seconds: float, line: int | None) -> str:
    where = f", still running line {line}" if line else ""
    return f"Stopped after {seconds:g} s{where}. Is there an infinite loop?"


def processor_message(limits: Limits, line: int | None) -> str:
    where = f", still running line {line}" if line else ""
    return f"Stopped after {limits.cpu_soft_seconds} s of processor time{where}. Is there an infinite loop?"


def output_message(limits: Limits) -> str:
    return f"Output cut at {size_in_words(limits.console_bytes)}. Print less, or only every hundredth time."


def too_large_message(limits: Limits, kept: int) -> str:
    return (
        f"The recording of this run is larger than {size_in_words(limits.reply_bytes)}: its first {kept:,} steps are "
        "shown. Use fewer iterations or smaller tensors to see all of it."
    )


INVALID_REPLY = "What came back from the run was not a trace, so it was thrown away. Nothing else was affected."


def from_exit(exit_: Exit, limits: Limits, line: int | None) -> dict:
    """The outcome of a child that ended without a trace."""
    where = f" at line {line}" if line else ""
    if exit_.code in (-signal.SIGXCPU, -signal.SIGKILL) and exit_.cpu_seconds >= limits.cpu_soft_seconds:
        return outcome("timeout", timeout_message(exit_.cpu_seconds, line))
    if exit_.code == -signal.SIGKILL:
        return outcome("memory", f"Killed{where}: the machine ran out of memory. Try smaller shapes.")
    if exit_.code == -signal.SIGSYS:
        return outcome("crash", f"Stopped{where}: a system call that no program needs here. Nothing else was affected.")
    if exit_.code == -signal.SIGSEGV:
        return outcome("crash", f"Python crashed{where} (stack overflow?). Nothing else was affected.")
    if exit_.code == NO_REPLY:
        return outcome("crash", f"The recorder failed{where}. Nothing else was affected.")
    if exit_.code < 0:
        name = signal.Signals(-exit_.code).name
        return outcome("crash", f"Python crashed{where} ({name}). Nothing else was affected.")
    return ended_by_itself(exit_.code, line)


def ended_by_itself(code: int, line: int | None) -> dict:
    """The outcome of a program that ended the Python process, so that no trace could be written."""
    message = f"The program ended Python itself (exit code {code}), so there is no graph to show. Remove `os._exit`."
    error = {"type": "SystemExit", "message": message, "line": line, "frames": []}
    return outcome("error", message, error)


def outcome(status: str, message: str, error: dict | None = None) -> dict:
    return {"status": status, "error": error, "message": message}


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
    """The innermost line of the program in the last stack that the interpreter dumped into its raw output."""
    last_dump = raw[max(raw.rfind("most recent call first"), 0) :]
    for frame in _FRAME_OF_DUMP.finditer(last_dump):
        if frame["file"] == program_file:
            return int(frame["line"])
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


def _memory_message(limits: Limits, line: int | None, asked: str) -> str:
    who = f"Line {line}" if line else "The program"
    had = size_in_words(limits.memory_bytes)
    if asked:
        return f"{who} asked for {asked}; a run may use {had}. Try a smaller shape."
    return f"{who} needed more memory than the {had} a run may use. Keep less, or try smaller shapes."


def _advice(kind: str | None, message: str, line: int | None) -> str | None:
    """A word on errors that come from the sandbox rather than from the program."""
    who = f"Line {line}: " if line else ""
    if kind == "ModuleNotFoundError" and (name := re.search(r"No module named '([^']+)'", message)):
        return f"{who}`{name[1]}` is not available here. {_INSTEAD.get(name[1].partition('.')[0], _IMPORTABLE)}"
    if kind == "PermissionError":
        what = "opening files is" if re.search(r": '|: b'", message) else "the network and other processes are"
        return f"{who}{what} disabled in this playground."
    if kind == "RuntimeError" and "start new thread" in message:
        return f"{who}threads are disabled in this playground."
    return None
