"""The pure parts: settings, frames, verdicts, the console's cut."""

import os
import signal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.sandbox import frames, verdict
from backend.sandbox.stops import Console, OutputLimit
from backend.sandbox.verdict import Exit
from backend.schemas import Trace
from backend.settings import Limits, Settings, SettingsError

LIMITS = Limits()


def test_settings_come_from_the_environment() -> None:
    settings = Settings.from_environment(
        {"AUTOGRAD_QUEUE_LENGTH": "3", "AUTOGRAD_SOFT_SECONDS": "0.5", "AUTOGRAD_REDUCED_SANDBOX": "yes", "OTHER": "1"}
    )
    assert settings.queue_length == 3
    assert settings.limits.soft_seconds == 0.5
    assert settings.reduced_sandbox
    assert settings.limits.memory_bytes == LIMITS.memory_bytes


@pytest.mark.parametrize("value", ["", "many", "-1", "nan", "inf"])
def test_a_setting_of_the_wrong_kind_is_refused(value: str) -> None:
    with pytest.raises(SettingsError, match="AUTOGRAD_HARD_SECONDS"):
        Settings.from_environment({"AUTOGRAD_HARD_SECONDS": value})


def test_limits_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(SettingsError, match="AUTOGRAD_SOFT_SECONDS must not be above AUTOGRAD_HARD_SECONDS"):
        Settings.from_environment({"AUTOGRAD_SOFT_SECONDS": "9"})


def test_limits_survive_their_journey() -> None:
    limits = Limits(memory_bytes=7, soft_seconds=0.25)
    assert Limits.from_json(limits.to_json()) == limits


@given(
    st.lists(st.tuples(st.sampled_from([frames.READY, frames.CONSOLE, frames.TRACE]), st.binary(max_size=50))),
    st.data(),
)
def test_frames_arrive_however_they_are_cut(sent: list[tuple[bytes, bytes]], data: st.DataObject) -> None:
    reading, writing = os.pipe()
    writer = frames.FrameWriter(writing)
    for kind, payload in sent:
        writer.write(kind, payload)
    os.close(writing)
    reader, received = frames.FrameReader(100_000), []
    while part := os.read(reading, data.draw(st.integers(1, 40))):
        received += reader.feed(part)
    os.close(reading)
    assert received == sent


@pytest.mark.parametrize("noise", [b"noise", b"T\xff\xff\xff\xff", b"C\x00\x00\x00\x01" * 30])
def test_noise_is_no_frame(noise: bytes) -> None:
    with pytest.raises(frames.BadFrame):
        frames.FrameReader(100).feed(noise)


def test_a_request_arrives_whole() -> None:
    reading, writing = os.pipe()
    os.write(writing, frames.WARM_UP + frames.pack_request("字\n", 2**63 - 1, {"saved": False}))
    assert frames.is_to_warm_up(reading)
    assert not frames.is_to_warm_up(reading)
    assert frames.read_request(reading) == ("字\n", 2**63 - 1, {"saved": False})
    os.write(writing, b"\x00\x00")
    os.close(writing)
    with pytest.raises(EOFError):
        frames.read_request(reading)
    os.close(reading)


def test_the_console_cuts_once_then_stops_the_program() -> None:
    sent: list[bytes] = []
    console = Console(10, sent.append)
    assert console.write("12345") == "12345"
    assert console.write("字字字") == "字"
    assert console.was_cut
    with pytest.raises(OutputLimit):
        console.write("x")
    assert b"".join(sent)[:8].decode() == "12345字"


@pytest.mark.parametrize(
    ("exit_", "status", "says"),
    [
        (Exit(-signal.SIGSEGV, 0, 0), "crash", "stack overflow?"),
        (Exit(-signal.SIGSYS, 0, 0), "crash", "system call"),
        (Exit(-signal.SIGBUS, 0, 0), "crash", "SIGBUS"),
        (Exit(-signal.SIGXCPU, 2.1, 0), "timeout", "line 4"),
        (Exit(-signal.SIGKILL, 3.0, 0), "timeout", "line 4"),
        (Exit(-signal.SIGKILL, 0.1, 0), "memory", "out of memory"),
        (Exit(0, 0, 0), "error", "exit code 0"),
        (Exit(verdict.NO_REPLY, 0, 0), "crash", "The recorder failed"),
    ],
)
def test_an_exit_in_words(exit_: Exit, status: str, says: str) -> None:
    outcome = verdict.from_exit(exit_, LIMITS, 4)
    assert outcome["status"] == status
    assert says in outcome["message"]
    Trace.model_validate(verdict.bare_trace(0, "2.13.0", outcome, "printed"))


@pytest.mark.parametrize(
    ("kind", "message", "status", "says"),
    [
        ("TimeLimit", "", "timeout", "Stopped after 2 s, still running line 3. Is there an infinite loop?"),
        ("ProcessorLimit", "", "timeout", "Stopped after 2 s of processor time, still running line 3."),
        ("OutputLimit", "", "output", "Output cut at 64 KB"),
        ("MemoryError", "", "memory", "Line 3 needed more memory than the 512 MB"),
        (
            "_ArrayMemoryError",
            "Unable to allocate 74.5 GiB for an array",
            "memory",
            "Line 3 asked for 74.5 GiB; a run may",
        ),
        ("RuntimeError", "can't allocate memory: you tried to allocate 40000000000 bytes.", "memory", "37.3 GiB"),
        ("ModuleNotFoundError", "No module named 'a.b'", "error", "`a.b` is not available here"),
        ("PermissionError", "[Errno 1] Operation not permitted: 'x'", "error", "Line 3: opening files is disabled"),
        ("ValueError", "x", "error", ""),
    ],
)
def test_an_error_in_words(kind: str, message: str, status: str, says: str) -> None:
    error = {"type": kind, "message": message, "line": 3, "frames": []}
    trace = {"outcome": {"status": "error", "error": error, "message": None}}
    verdict.settle(trace, LIMITS, output_cut=False)
    assert trace["outcome"]["status"] == status
    assert says in (trace["outcome"]["message"] or "")


def test_the_line_in_a_dumped_stack_is_the_programs_innermost() -> None:
    dump = (
        "printed\nCurrent thread 0x00007f (most recent call first):\n"
        '  File "lib.py", line 90 in walk\n  File "<program>", line 3 in f\n  File "<program>", line 7 in <module>\n'
    )
    assert verdict.line_of_dump(dump, "<program>") == 3
    assert verdict.line_of_dump("printed", "<program>") is None
    assert verdict.without_dumps(dump) == "printed\n"


@pytest.mark.parametrize(("size", "words"), [(100, "100 bytes"), (65536, "64 KB"), (2**29, "512 MB"), (2**31, "2 GB")])
def test_sizes_in_words(size: int, words: str) -> None:
    assert verdict.size_in_words(size) == words
