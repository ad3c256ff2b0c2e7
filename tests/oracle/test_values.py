"""Optimizers, schedules, datasets and loaders against rows recorded from PyTorch."""

import json
import re
import warnings

import pytest

from engine import install_as_torch
from engine.reset import reset_engine
from tests.oracle.recordings import ADDRESS, load, near, plain
from tests.oracle.values import described, run

torch = install_as_torch()
OPTIMIZERS, SCHEDULERS = load("optimizers"), load("schedulers")
VALUES = {**load("optim_values"), **load("data")}


@pytest.fixture(autouse=True)
def fresh():
    reset_engine()
    torch.manual_seed(0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield caught


def scope():
    return {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "lr_scheduler": torch.optim.lr_scheduler}


def failure(e):
    return {"type": type(e).__name__, "message": ADDRESS.sub("0xADDR", str(e))}


@pytest.mark.parametrize("problem", ["quadratic", "nonconvex"])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_an_optimizer_takes_the_recorded_steps(name, problem):
    row = OPTIMIZERS[name]
    recorded, names = row["runs"][problem], scope()
    exec(recorded["setup"], names)
    run(row["make"], names, "opt")
    opt = names["opt"]
    assert repr(opt) == row["repr"]

    def closure():
        opt.zero_grad()
        exec(recorded["loss"], names)
        names["loss"].backward()
        return names["loss"]

    losses = []
    for _ in recorded["losses"]:
        loss = opt.step(closure) if row["closure"] else closure()
        if not row["closure"]:
            opt.step()
        losses.append(plain(loss.item()))
    assert near(recorded["losses"], losses)
    assert near(recorded["last"], {k: plain(names[k].tolist()) for k in recorded["last"]})
    if "state_dict" in recorded:
        assert near(recorded["state_dict"], described(opt.state_dict(), torch))


@pytest.mark.parametrize("name", SCHEDULERS)
def test_a_schedule_sets_the_recorded_rates(name, fresh):
    row, names = SCHEDULERS[name], scope()
    exec(row["setup"], names)
    if "exception" in row:
        with pytest.raises(Exception, match=re.escape(row["exception"]["message"])) as raised:
            exec(f"s = {row['make']}\n{row['step']}", names)
        assert type(raised.value).__name__ == row["exception"]["type"]
        return
    run(row["make"], names, "s")
    opt, s = names["opt"], names["s"]
    seen = {k: [] for k in row["watch"]}
    epochs = len(row["groups"][row["watch"][0]]) - 1
    for i in range(epochs + 1):
        for k, v in seen.items():
            v.append([list(g[k]) if isinstance(g[k], tuple) else g[k] for g in opt.param_groups])
        if i < epochs:
            opt.step()
            exec(row["step"], {**names, "i": i})
    assert near(row["groups"], seen)
    assert near(row["state_dict"], described(s.state_dict(), torch))
    assert [list(g) for g in opt.param_groups] == row["group_keys"]
    assert [[w.category.__name__, str(w.message)] for w in fresh] == row["warnings"]


@pytest.mark.parametrize("name", VALUES)
def test_a_program_makes_the_recorded_value(name, fresh):
    row, names, exception = VALUES[name], scope(), None
    try:
        run(row["code"], names)
    except Exception as e:  # noqa: BLE001  which exception is what is compared
        exception = failure(e)
    assert exception == row.get("exception")
    assert [[w.category.__name__, ADDRESS.sub("0xADDR", str(w.message))] for w in fresh] == row["warnings"]
    if "out" in row:
        assert near(row["out"], described(names["out"], torch)), json.dumps(described(names["out"], torch))
    assert near(row["rand_after"], torch.rand(3).tolist())
