"""Distributions around the gamma function: values, draws, graphs, gradients, divergences and errors, as recorded."""

import pytest

import engine
from tests.oracle.recordings import chain, load, near, plain

torch = engine.install_as_torch()
ROWS = load("distributions")["rows"]


def names(leaves):
    """What the recorded expressions refer to; the leaves that they make are kept."""

    def g(*values):
        leaves.append(torch.tensor(values, requires_grad=True))
        return leaves[-1]

    return {**vars(torch.distributions), "torch": torch, "g": g, "t": lambda *values: torch.tensor(values)}


def outcome(row):
    leaves = []
    known = names(leaves)
    if "d" in row:
        known["d"] = eval(row["d"], known)
    torch.manual_seed(1)
    try:
        result = eval(row["code"], known)
    except Exception as e:  # noqa: BLE001  what it is, is compared
        return {"error": [type(e).__name__, str(e)]}
    if not isinstance(result, torch.Tensor):
        return {"text": result if isinstance(result, str) else repr(result)}
    out = {"values": plain(result.tolist()), "nodes": chain(result.grad_fn) if result.grad_fn else []}
    if "grads" in row:
        weights = torch.arange(1.0, 1 + result.numel()).reshape(result.shape)
        try:
            grads = torch.autograd.grad((result * weights).sum(), leaves, allow_unused=True)
            out["grads"] = plain([None if x is None else x.tolist() for x in grads])
        except NotImplementedError as e:
            out["grads"] = str(e)
    return out


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.get('d', '')} {row['code']}"[:90] for row in ROWS])
def test_row(row):
    got = outcome(row)
    assert {k: got.get(k) for k in ("error", "text")} == {k: row.get(k) for k in ("error", "text")}
    assert sorted(got.get("nodes", [])) == sorted(row.get("nodes", []))
    for kind in ("values", "grads"):
        assert near(row.get(kind), got.get(kind), 2e-5, 4e-6), kind
