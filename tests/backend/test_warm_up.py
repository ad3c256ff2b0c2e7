"""A spare that got ready while it waited answers as one that did not, and is the one to be taken."""

import asyncio
import json
import signal

import pytest

from backend.example_store import load
from backend.sandbox import frames, parts
from backend.sandbox.pool import Pool
from backend.sandbox.runner import Conversation, How
from backend.sandbox.spares import Child, Readiness, Spares
from tests.backend.conftest import LIMITS, SETTINGS
from tests.backend.test_pool import until, with_pool

EXAMPLES = {example.id: example.code for example in load().examples}
PROGRAMS = {
    "nothing": "",
    "generators": "import random\nimport numpy\nimport torch\n"
    "print(random.random(), numpy.random.rand(2), torch.rand(3))",
    "order of sets": "print({'a', 'b', 'c'}, {1.5, (2,), None})",
    "warnings": "import warnings\nimport torch\nx = torch.ones(2, requires_grad=True)\nprint((x * 1).grad)\n"
    "warnings.warn('twice')\nwarnings.warn('twice')",
    "switches": "import torch\nprint(torch.is_grad_enabled(), torch.get_default_dtype(), torch.tensor(1 / 3))",
    "sequence numbers": "import torch\nx = torch.ones(2, requires_grad=True)\nprint((x * x).grad_fn._sequence_nr())",
    "collector": "import gc\nprint(gc.isenabled(), gc.get_threshold(), len(gc.garbage))",
    "error": "import torch\ntorch.ones(2) @ torch.ones(3)",
    **{
        name: EXAMPLES[name]
        for name in ("regression-module", "attention", "custom-function", "anomaly", "dropout-modes")
    },
}


async def answer_of(pool: Pool, program: str, *, warm: bool) -> list[tuple[str, object]]:
    """The parts of the trace that a child wrote, times left out."""
    zygote, child = await pool._take_child()
    zygote.request_child()
    if warm:
        child.warm_up()
    ending = await Conversation(child, LIMITS).hold(frames.pack_request(program, 7, {}))
    assert ending.how is How.REPLIED
    found = [(table, json.loads(rows)) for table, rows in parts.unpack(ending.trace)]
    head = found[0][1]
    for name in ("run_ms", "total_ms"):
        head["outcome"].pop(name)
    return found


@pytest.mark.usefixtures("no_warm_up")
def test_a_warm_child_answers_as_a_cold_one() -> None:
    async def scenario(pool: Pool) -> None:
        for name, program in PROGRAMS.items():
            cold = await answer_of(pool, program, warm=False)
            assert await answer_of(pool, program, warm=True) == cold, name

    with_pool(scenario)


def test_all_spares_get_warm_when_nobody_comes() -> None:
    async def scenario(pool: Pool) -> None:
        spares = pool._zygote._spares
        await until(lambda: spares.qsize() == SETTINGS.places + SETTINGS.spares)
        await until(lambda: all(child.readiness is Readiness.WARM for child in spares.waiting()))
        trace = (await pool.run("import torch\nprint(torch.rand(1))", 0)).trace
        assert "".join(entry.text for entry in trace.console) == "tensor([0.4963])\n"

    with_pool(scenario)


MAPPED = """import ctypes, numpy
class Info(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd a b c d e".split()]
told = getattr(ctypes.CDLL(None), "mallinfo2", None)
if told is not None:
    told.restype = Info
    before = told().hblks
    arrays = [numpy.ones(n) for n in (2**15, 2**18, 2**21)]
    print(told().hblks - before)
else:
    print("0")
"""


def test_memory_of_large_arrays_is_kept_when_they_are_freed() -> None:
    """In the heap, whose pages stay; as mappings of their own every array would pay for its pages anew."""

    async def scenario(pool: Pool) -> None:
        trace = (await pool.run(MAPPED, 0)).trace
        assert [entry.text for entry in trace.console] == ["0\n"], trace.outcome

    with_pool(scenario)


@pytest.mark.usefixtures("no_warm_up")
def test_a_spare_that_died_getting_warm_is_not_missed() -> None:
    async def scenario(pool: Pool) -> None:
        await until(lambda: pool._zygote.spares == SETTINGS.places + SETTINGS.spares)
        child = pool._zygote._spares.waiting()[0]
        pool._zygote._loop.add_reader(child.reply, pool._zygote._is_warm, child)
        child.warm_up()
        child.signal(signal.SIGKILL)
        await until(lambda: child.readiness is Readiness.WARM)
        assert (await pool.run("print('served')", 0)).trace.outcome.status == "ok"

    with_pool(scenario)


def test_the_readiest_spare_is_next() -> None:
    async def scenario() -> None:
        spares = Spares()
        ended = asyncio.get_running_loop().create_future()
        order = [Readiness.WARMING_UP, Readiness.COLD, Readiness.WARM, Readiness.COLD, Readiness.WARM]
        for pid, readiness in enumerate(order):
            spares.put_nowait(Child(pid, -1, -1, -1, -1, ended, readiness))
        spares.put_nowait(None)
        taken = [spares.get_nowait() for _ in range(len(order) + 1)]
        assert [child and child.pid for child in taken] == [2, 4, 1, 3, 0, None]

    asyncio.run(scenario())
