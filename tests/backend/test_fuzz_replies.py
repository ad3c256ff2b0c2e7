"""What a hostile child may write on its reply: whatever it is, it becomes a trace or a refusal, and never a fault."""

import json

from hypothesis import given
from hypothesis import strategies as st

from backend.sandbox import frames, results, verdict
from backend.sandbox.runner import Ending, How
from backend.schemas import Trace
from backend.settings import Limits

CAP = 4096
LIMITS = Limits()
HONEST = verdict.bare_trace(3, "2.13.0", verdict.outcome("ok", ""), "printed")

kinds = st.sampled_from([frames.READY, frames.OVER, frames.PLACE, frames.CONSOLE, frames.TRACE, b"X", b"\x00"])
lengths = st.one_of(st.integers(0, 40), st.integers(0, 2**32 - 1))
frame_like = st.builds(lambda kind, length, body: kind + length.to_bytes(4, "big") + body, kinds, lengths, st.binary())
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
anything = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=8), inner), max_leaves=9
)


@given(st.lists(st.binary(max_size=60) | frame_like), st.integers(1, 50))
def test_noise_gives_frames_or_a_refusal_within_the_cap(pieces: list[bytes], cut: int) -> None:
    data = b"".join(pieces)
    reader, payloads = frames.FrameReader(CAP), 0
    try:
        for start in range(0, len(data), cut):
            payloads += sum(len(payload) for _kind, payload in reader.feed(data[start : start + cut]))
    except frames.BadFrame:
        return
    assert payloads <= len(data) <= CAP


def ending_of(reply: bytes) -> Trace:
    ending = Ending(How.REPLIED, reply, b"said", b"raw \x1b \xff")
    return results.finish(ending, 7, "2.13.0", "program.py", LIMITS, 0.0).trace


@given(st.binary(max_size=200))
def test_bytes_that_are_no_trace_are_thrown_away(reply: bytes) -> None:
    trace = ending_of(reply)
    assert trace.outcome.status == "crash"
    assert trace.console[0].text.startswith("said")


@given(st.sampled_from(sorted(HONEST)), anything)
def test_a_trace_with_one_field_replaced_is_whole_or_thrown_away(field: str, value: object) -> None:
    trace = ending_of(json.dumps({**HONEST, field: value}).encode())
    assert trace.seed == 7
    assert trace.outcome.status in ("ok", "crash", "error", "timeout", "memory", "output", "too_large")


@given(st.data())
def test_a_trace_with_bytes_changed_is_whole_or_thrown_away(data: st.DataObject) -> None:
    reply = bytearray(json.dumps(HONEST).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        reply[data.draw(st.integers(0, len(reply) - 1))] = data.draw(st.integers(0, 255))
    assert ending_of(bytes(reply)).seed == 7
