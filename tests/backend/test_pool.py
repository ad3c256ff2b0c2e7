"""How the pool behaves under load, when clients leave, when its parts die."""

import asyncio
import dataclasses
import gc
import os
import signal
from collections.abc import Awaitable, Callable

import pytest

from backend.sandbox import selftest
from backend.sandbox.errors import Busy, SandboxLeaks, SandboxUnavailable
from backend.sandbox.finished import Finished
from backend.sandbox.places import CLIENT, Places
from backend.sandbox.pool import Pool
from backend.sandbox.spares import Child
from backend.settings import Settings
from tests.backend.conftest import SETTINGS

pytestmark = pytest.mark.usefixtures("no_warm_up")

LOOP_FOREVER = "while True: pass"
PATIENCE_SECONDS = 300.0


def with_pool(scenario: Callable[[Pool], Awaitable[None]], settings: Settings = SETTINGS) -> None:
    """Run a scenario on a pool of its own."""

    async def play() -> None:
        pool = Pool(settings)
        await pool.start()
        try:
            await scenario(pool)
        finally:
            await pool.stop()

    asyncio.run(play())


async def text_of(pool: Pool, program: str) -> str:
    trace = (await pool.run(program, 0)).trace
    assert trace.outcome.status == "ok", trace.outcome
    return "".join(entry.text for entry in trace.console)


async def next_in_line(pool: Pool) -> Child:
    """The child that will serve the next run."""
    await until(lambda: not pool._zygote._spares.empty())
    return pool._zygote._spares.waiting()[0]


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():
            await asyncio.sleep(0.01)


def test_a_locked_child_is_refused_everything() -> None:
    async def scenario(pool: Pool) -> None:
        results = await selftest.attempt_all(pool.run)
        assert len(results) == len(selftest.ATTEMPTS) + 1
        assert [result for result in results if not result.refused] == []

    with_pool(scenario)


def test_a_leak_stops_the_service() -> None:
    async def leaky(_program: str, _seed: int) -> Finished:
        return honest

    async def scenario(pool: Pool) -> None:
        nonlocal honest
        honest = await pool.run("print('hello')", 0)
        with pytest.raises(SandboxLeaks, match="open a file"):
            await selftest.require_tight(leaky)

    honest: Finished
    with_pool(scenario)


def test_a_full_queue_is_busy_and_harms_nobody() -> None:
    async def scenario(pool: Pool) -> None:
        programs = [f"import time\ntime.sleep(0.1)\nprint({number})" for number in range(30)]
        results = await asyncio.gather(*(text_of(pool, program) for program in programs), return_exceptions=True)
        busy = [result for result in results if isinstance(result, Busy)]
        served = [result for result in results if not isinstance(result, Busy)]
        assert served == [f"{number}\n" for number in range(len(served))]
        assert len(served) == SETTINGS.places + 5
        assert all(error.retry_after >= 1 for error in busy)

    with_pool(scenario, dataclasses.replace(SETTINGS, queue_length=5))


def test_places_are_given_back_when_a_waiting_run_is_cancelled() -> None:
    async def scenario() -> None:
        places = Places(1, 1)
        async with places.one():
            waiting = asyncio.ensure_future(places.one().__aenter__())
            await asyncio.sleep(0)
            with pytest.raises(Busy):
                await places.one().__aenter__()
            waiting.cancel()
            await asyncio.wait([waiting])
        async with asyncio.timeout(PATIENCE_SECONDS), places.one():
            pass

    asyncio.run(scenario())


def test_clients_take_turns_and_a_flood_gives_way() -> None:
    async def scenario() -> None:
        places, order = Places(1, 4), []

        async def ask(client: str) -> None:
            CLIENT.set(client)
            async with places.one():
                order.append(client)

        async with places.one():
            flood = [asyncio.create_task(ask("flood")) for _ in range(4)]
            await asyncio.sleep(0)
            others = [asyncio.create_task(ask(name)) for name in ("b", "c", "flood")]
            await asyncio.sleep(0)
            assert places.waiting == 4
        results = await asyncio.gather(*flood, *others, return_exceptions=True)
        assert [type(result) for result in results] == [type(None)] * 2 + [Busy] * 2 + [type(None)] * 2 + [Busy]
        assert order == ["flood", "b", "c", "flood"]
        assert (places.running, places.waiting) == (0, 0)

    asyncio.run(scenario())


@pytest.mark.parametrize("ends", ["given back", "closed", "made room for"])
def test_who_has_just_left_the_queue_is_passed_over(ends: str) -> None:
    """Cancelled, but not run since: the turn is still in its line."""

    async def scenario() -> None:
        places = Places(1, 2)
        holder, *others = (places.one() for _ in range(3))
        await holder.__aenter__()
        leaving, staying = (asyncio.ensure_future(other.__aenter__()) for other in others)
        await asyncio.sleep(0)
        (staying if ends == "made room for" else leaving).cancel()
        if ends == "closed":
            places.close()
        if ends == "made room for":
            CLIENT.set("other")
            newcomer = asyncio.ensure_future(places.one().__aenter__())
            await asyncio.sleep(0)
            assert not newcomer.done()
        await holder.__aexit__(None, None, None)
        results = await asyncio.gather(leaving, staying, return_exceptions=True)
        kinds = [asyncio.CancelledError, SandboxUnavailable if ends == "closed" else type(None)]
        assert [type(result) for result in results] == (kinds[::-1] if ends == "made room for" else kinds)
        assert places.running == (0 if ends == "closed" else 1)

    asyncio.run(scenario())


def test_closing_tells_those_who_wait_and_lets_the_others_finish() -> None:
    async def scenario() -> None:
        places = Places(1, 4)
        async with places.one():
            waiting = asyncio.ensure_future(places.one().__aenter__())
            await asyncio.sleep(0)
            places.close()
            with pytest.raises(SandboxUnavailable, match="stopping"):
                await waiting
        with pytest.raises(SandboxUnavailable, match="stopping"):
            await places.one().__aenter__()
        assert places.running == 0

    asyncio.run(scenario())


def test_a_cancelled_run_leaves_no_process() -> None:
    async def scenario(pool: Pool) -> None:
        child = await next_in_line(pool)
        task = asyncio.ensure_future(pool.run("print('started', flush=True)\n" + LOOP_FOREVER, 0))
        await until(lambda: child.program < 0)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        async with asyncio.timeout(PATIENCE_SECONDS):
            end = await child.ended
        assert end.code == -signal.SIGKILL
        assert await text_of(pool, "print('next')") == "next\n"

    with_pool(scenario)


@pytest.mark.parametrize("stops", [True, False], ids=["the pool stops", "the pool goes on"])
def test_a_child_that_has_answered_is_ended(stops: bool) -> None:
    async def scenario(pool: Pool) -> None:
        child = await next_in_line(pool)
        assert await text_of(pool, "print('answered')") == "answered\n"
        if stops:
            await pool.stop()
        else:
            await until(child.ended.done)
            await until(lambda: child.reply < 0)
        assert (child.program, child.output, child.reply, child.pidfd) == (-1, -1, -1, -1)

    with_pool(scenario)


def test_a_spare_that_died_is_not_missed() -> None:
    async def scenario(pool: Pool) -> None:
        (await next_in_line(pool)).signal(signal.SIGKILL)
        assert await text_of(pool, "print('served')") == "served\n"

    with_pool(scenario)


def test_a_zygote_that_dies_is_replaced() -> None:
    async def scenario(pool: Pool) -> None:
        first = pool._zygote
        os.kill(first._process.pid, signal.SIGKILL)
        await until(lambda: pool._zygote is not first and pool.ready)
        assert await text_of(pool, "print('back')") == "back\n"

    with_pool(scenario)


def test_a_run_whose_zygote_dies_is_run_again() -> None:
    async def scenario(pool: Pool) -> None:
        child = await next_in_line(pool)
        slow = asyncio.ensure_future(text_of(pool, "import time\ntime.sleep(0.5)\nprint('whole')"))
        await until(lambda: child.program < 0)
        os.kill(pool._zygote._process.pid, signal.SIGKILL)
        assert await slow == "whole\n"

    with_pool(scenario)


def test_a_zygote_is_recycled_without_losing_a_run() -> None:
    async def scenario(pool: Pool) -> None:
        first = pool._zygote
        slow = asyncio.ensure_future(text_of(pool, "import time\ntime.sleep(0.8)\nprint('slow')"))
        for number in range(8):
            assert await text_of(pool, f"print({number})") == f"{number}\n"
        await until(lambda: pool._zygote is not first)
        assert await slow == "slow\n"
        assert await text_of(pool, "print('new')") == "new\n"
        await until(lambda: first.closed.is_set())

    with_pool(scenario, dataclasses.replace(SETTINGS, recycle_after=5))


ENDS = {
    "a trace": "print(1)",
    "an exit": "import os\nos._exit(1)",
    "a refused call": "import ctypes\nctypes.CDLL(None).ptrace(0, 0, 0, 0)",
    "noise for a reply": "import os\nos.write(3, b'noise')",
    "a closed reply": "import os\nos.close(3)",
    "too much output": "import os\nwhile True: os.write(1, b'x' * 4096)",
    "an interruption": LOOP_FOREVER,
    "a kill": "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\n" + LOOP_FOREVER,
    "a client that leaves": LOOP_FOREVER,
    "a spare that died": "print(1)",
}
RUNS_OF_A_KIND = 8
"""Twice what other services of this process may open or close meanwhile, and more."""


def test_runs_leave_no_descriptors_behind() -> None:
    async def scenario(pool: Pool) -> None:
        def is_settled() -> bool:
            """Every child that lives waits for a program: of those that ran, all is given back."""
            zygote = pool._zygote
            return zygote.spares == len(zygote._children) == SETTINGS.places + SETTINGS.spares

        def count() -> int:
            return len(os.listdir("/proc/self/fd"))

        async def end(kind: str) -> None:
            if kind == "a spare that died":
                (await next_in_line(pool)).signal(signal.SIGKILL)
            run = asyncio.ensure_future(pool.run(ENDS[kind], 0))
            if kind == "a client that leaves":
                await asyncio.sleep(0.05)
                run.cancel()
            await asyncio.gather(run, return_exceptions=True)

        await pool.run("print(1)", 0)
        gc.collect()  # what earlier tests left unreachable is not to be closed in the middle
        for kind in ENDS:
            await until(is_settled)
            before = count()
            for _ in range(RUNS_OF_A_KIND):
                await end(kind)
            await until(is_settled)
            assert count() < before + RUNS_OF_A_KIND / 2, kind

    hurried = dataclasses.replace(SETTINGS.limits, soft_seconds=0.3, hard_seconds=0.6)
    with_pool(scenario, dataclasses.replace(SETTINGS, limits=hurried))


def test_a_sandbox_that_cannot_start_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backend.sandbox.launch.command", lambda *_arguments: ["false"])
    with pytest.raises(SandboxUnavailable, match="did not start"):
        with_pool(lambda _pool: asyncio.sleep(0))
