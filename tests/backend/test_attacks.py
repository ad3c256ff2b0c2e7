"""The corpus of hostile programs, through the API."""

import pytest
from fastapi.testclient import TestClient

from tests.backend.corpus import ATTACKS, POISONS, Attack
from tests.backend.service import printed, require_healthy, run


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_attack_ends_as_it_must(client: TestClient, attack: Attack) -> None:
    trace = run(client, attack.program)
    outcome = trace["outcome"]
    assert outcome["status"] == attack.status, outcome
    if attack.error is not None:
        assert outcome["error"]["type"] == attack.error
    assert attack.says in (outcome["message"] or "")
    if attack.printed is not None:
        assert printed(trace) == attack.printed
    require_healthy(client)


@pytest.mark.parametrize("poison", POISONS)
def test_nothing_of_a_run_survives_it(client: TestClient, poison: str) -> None:
    client.post("/api/v1/runs", json={"code": poison}).raise_for_status()
    require_healthy(client)


def test_what_an_earlier_run_kept_in_memory_is_not_there(client: TestClient) -> None:
    run(client, "secret = 'm4rker' + 'm4rker' * 9999")
    hunt = (
        "import gc, numpy\n"
        "needle = 'm4rker' + 'm4rker'\n"
        "stale = [bytes(numpy.empty(2**n, numpy.uint8)) for n in range(4, 24)]\n"
        "print(any(needle.encode() in block for block in stale))\n"
        "mine = {id(needle)}\n"
        "print([s for s in gc.get_objects() if isinstance(s, str) and needle in s and id(s) not in mine])\n"
    )
    assert printed(run(client, hunt)) == "False\n[]\n"


def test_a_seed_fixes_every_generator(client: TestClient) -> None:
    program = "import random, numpy\nprint(random.random(), numpy.random.rand(), list({'a', 'b', 'c', 'd'}))"
    first, again, other = (printed(run(client, program, seed)) for seed in (5, 5, 6))
    assert first == again
    assert first != other
