"""The corpus of hostile programs, through the API."""

import pytest
from fastapi.testclient import TestClient

from tests.backend.corpus import ATTACKS, POISONS, Attack
from tests.backend.corpus_beyond import MORE_ATTACKS
from tests.backend.corpus_engine import ENGINE_ATTACKS
from tests.backend.corpus_memory import MEMORY_ATTACKS
from tests.backend.corpus_recorder import RECORDER_ATTACKS
from tests.backend.service import printed, require_healthy, run


@pytest.mark.parametrize(
    "attack",
    [*ATTACKS, *MORE_ATTACKS, *ENGINE_ATTACKS, *MEMORY_ATTACKS, *RECORDER_ATTACKS],
    ids=lambda attack: attack.name,
)
def test_attack_ends_as_it_must(client: TestClient, hurried_client: TestClient, attack: Attack) -> None:
    if attack.status == "timeout":  # which a busy machine must make of no other
        client = hurried_client
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


def test_no_page_of_the_heap_holds_an_earlier_program(client: TestClient) -> None:
    """Every page around every object, read through libc; an invalid `how` makes sigprocmask tell which are mapped."""
    run(client, "secret = 'm4rker' * 999")
    hunt = (
        "import ctypes, gc, platform\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "libc.memmem.restype = ctypes.c_void_p\n"
        "libc.memmem.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t]\n"
        "sigprocmask = ctypes.c_long(14 if platform.machine() == 'x86_64' else 135)\n"
        "spans = {}\n"
        "mine = bytes(c ^ 1 for c in b'n5sjds') * 999  # from malloc, whose heap may hold nothing else that is listed\n"
        "places = [id(thing) for thing in gc.get_objects()] + list(range(id(mine) - 2**24, id(mine) + 1, 2**20))\n"
        "for place in places:\n"
        "    low, high = spans.get(place >> 26, (place, place))\n"
        "    spans[place >> 26] = min(low, place - 2**20), max(high, place + 2**20)\n"
        "def mapped(page):\n"
        "    libc.syscall(sigprocmask, 99, ctypes.c_void_p(page), None, 8)\n"
        "    return ctypes.get_errno() == 22\n"
        "pages = [page for low, high in spans.values() for page in range(low & ~4095, high, 4096) if mapped(page)]\n"
        "def hunt(letters):\n"
        "    needle = ctypes.create_string_buffer(6 * 40)\n"
        "    for place in range(6 * 40): needle[place] = letters[place % 6] ^ 1\n"
        "    own, size = ctypes.addressof(needle), len(needle)\n"
        "    return sum(bool(libc.memmem(page, 4096, own, size)) and not own - 4096 < page <= own for page in pages)\n"
        "print(len(pages) > 500, hunt(b'l5sjds'), hunt(b'n5sjds') > 0)\n"
    )
    assert printed(run(client, hunt)) == "True 0 True\n"


def test_tracing_hooks_do_not_change_what_is_recorded(client: TestClient) -> None:
    program = (
        "import torch\nx = torch.ones(2, requires_grad=True)\ny = (x * 3).sum()\ny.backward()\nx.grad.tolist()\n"
        "def f():\n    return x * 2\nz = f()\n"
    )
    hook = "import sys\ndef h(*a): return h\nsys.settrace(h)\nsys.setprofile(h)\n"
    plain, hooked = run(client, "\n" * hook.count("\n") + program), run(client, hook + program)
    for trace in (plain, hooked):
        trace["outcome"]["run_ms"] = trace["outcome"]["total_ms"] = None
    assert hooked == plain


def test_values_json_has_no_number_for_are_tagged_strings(client: TestClient) -> None:
    trace = run(
        client,
        "import torch\nx = torch.tensor([float('nan'), float('inf'), -float('inf'), 1e999])\n"
        "n = torch.tensor([2**53 + 1, 2**53, -(2**53) - 1])\n",
    )
    data = {tensor["names"][0]: tensor["value"]["data"] for tensor in trace["tensors"] if tensor["names"]}
    assert data["x"] == ["nan", "inf", "-inf", "inf"]
    assert data["n"] == ["9007199254740993", 9007199254740992, "-9007199254740993"]


def test_names_that_are_markup_stay_text(client: TestClient) -> None:
    program = (
        "import torch\nclass M(torch.nn.Module):\n    def forward(self, x): return self._modules['<img src=x>'](x)\n"
        "m = M()\nm._modules['<img src=x>'] = torch.nn.Linear(1, 1)\nm(torch.ones(1)).backward()\n"
    )
    response = client.post("/api/v1/runs", json={"code": program})
    assert "<img src=x>" in {scope["name"] for scope in response.json()["scopes"]}
    assert response.headers["content-type"] == "application/json"
    assert response.headers["x-content-type-options"] == "nosniff"


def test_a_huge_tensor_comes_as_a_summary(client: TestClient) -> None:
    response = client.post("/api/v1/runs", json={"code": "import torch\nx = torch.ones(1000, 1000)"})
    value = response.json()["tensors"][0]["value"]
    assert value["kind"] == "preview"
    assert value["stats"]["mean"] == 1
    assert len(response.content) < 100_000
