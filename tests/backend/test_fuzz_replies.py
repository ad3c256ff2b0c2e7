"""What a hostile child may write on its reply: whatever it is, it becomes a trace or a refusal, and never a fault."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.sandbox import frames, parts, results, verdict
from backend.sandbox.runner import Ending, How
from backend.schemas import Trace
from backend.settings import Limits

CAP = 4096
LIMITS = Limits()
HONEST = verdict.bare_trace(3, "2.13.0", verdict.outcome("ok", {}), "printed")

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


def reply_of(trace: dict) -> bytes:
    """The parts of a trace, whatever is in it."""
    head = {name: value for name, value in trace.items() if name not in parts.TABLES}
    tables = [f"{name} {json.dumps(trace[name])}" for name in parts.TABLES]
    return "\n".join([json.dumps(head), *tables]).encode()


def ending_of(reply: bytes) -> Trace:
    ending = Ending(How.REPLIED, reply, b"said", b"raw \x1b \xff")
    return asyncio.run(results.finish(ending, 7, "2.13.0", "program.py", LIMITS, 0.0)).trace


@given(st.binary(max_size=200))
def test_bytes_that_are_no_trace_are_thrown_away(reply: bytes) -> None:
    trace = ending_of(reply)
    assert trace.outcome.status == "crash"
    assert trace.console[0].text.startswith("said")


@given(st.sampled_from(sorted(HONEST)), anything)
def test_a_trace_with_one_field_replaced_is_whole_or_thrown_away(field: str, value: object) -> None:
    trace = ending_of(reply_of({**HONEST, field: value}))
    assert trace.seed == 7
    assert trace.outcome.status in ("ok", "crash", "error", "timeout", "memory", "output", "too_large")


@given(st.data())
def test_a_trace_with_bytes_changed_is_whole_or_thrown_away(data: st.DataObject) -> None:
    reply = bytearray(reply_of(HONEST))
    for _ in range(data.draw(st.integers(1, 4))):
        reply[data.draw(st.integers(0, len(reply) - 1))] = data.draw(st.integers(0, 255))
    assert ending_of(bytes(reply)).seed == 7


def step(index: int, text: str) -> dict:
    return {"index": index, "kind": "print", "line": None, "text": text}


def test_a_trace_in_many_parts_comes_out_whole() -> None:
    steps = [step(i, "é\n" * 500) for i in range(1000)]
    reply = parts.pack({**HONEST, "steps": steps})
    assert reply.count(b"\n") > 20
    trace = ending_of(reply)
    assert [(s.index, s.text) for s in trace.steps] == [(s["index"], s["text"]) for s in steps]
    assert (trace.outcome.status, trace.console[-1].step) == ("ok", 999)


@pytest.mark.parametrize(
    "lines",
    [
        [b"steps []"] * 1000,
        [b"steps [" + b" " * 2 * parts.ROW_BYTES + b"]"],
        [b"steps " + parts.to_json([step(0, "x" * (2 * parts.ROW_BYTES))])],
        [b"outcome []"],
        [b"steps"],
        [b"steps [" + b"[" * 100_000],
        [b"steps [1e999]"],
        [b"\xff []"],
        [b""],
    ],
    ids=["many", "padded", "long", "no table", "no rows", "deep", "number", "name", "empty"],
)
def test_parts_that_would_hold_others_up_are_thrown_away(lines: list[bytes]) -> None:
    head = parts.pack({**HONEST, "steps": []})
    assert ending_of(head).outcome.status == "ok"
    assert ending_of(b"\n".join([head, *lines])).outcome.status == "crash"


def test_others_have_their_turn_while_a_long_trace_is_read() -> None:
    reply = parts.pack({**HONEST, "steps": [step(i, "x" * 1000) for i in range(3000)]})

    async def turns() -> int:
        reading = asyncio.ensure_future(results.finish(Ending(How.REPLIED, reply), 7, "2.13.0", "p.py", LIMITS, 0.0))
        count = 0
        while not reading.done():
            count += 1
            await asyncio.sleep(0)
        return count

    assert asyncio.run(turns()) > len(reply) / (4 * parts.PART_BYTES)
