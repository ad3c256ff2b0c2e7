"""What PyTorch cannot tell: observers of module calls, and what is said of names that are not there yet."""

import pytest

import engine
from engine.absent import names_of
from engine.modes import STATE

torch = engine.install_as_torch()
nn = torch.nn


class Watcher:
    """Notes module calls; all else an observer is told goes by."""

    def __init__(self):
        self.seen = []

    def on_module_enter(self, module):
        self.seen.append(("enter", type(module).__name__))

    def on_module_exit(self, module):
        self.seen.append(("exit", type(module).__name__))

    def __getattr__(self, name):
        return lambda *args: None


@pytest.fixture
def watcher():
    watching = Watcher()
    before = STATE.observers
    STATE.observers = (watching,)
    yield watching
    STATE.observers = before


def test_observers_see_nested_calls(watcher):
    nn.Sequential(nn.Linear(1, 1), nn.ReLU())(torch.ones(1, 1))
    assert watcher.seen == [
        ("enter", "Sequential"), ("enter", "Linear"), ("exit", "Linear"), ("enter", "ReLU"), ("exit", "ReLU"),
        ("exit", "Sequential"),
    ]  # fmt: skip


def test_a_failing_call_is_left_too(watcher):
    with pytest.raises(RuntimeError):
        nn.Linear(2, 1)(torch.ones(1, 3))
    assert watcher.seen == [("enter", "Linear"), ("exit", "Linear")]


def test_a_name_that_pytorch_has_is_said_to_be_missing_here():
    missing = next(n for n in sorted(names_of("torch.nn")) if n not in vars(nn) and n[0].isupper())
    with pytest.raises(AttributeError, match=rf"^PyTorch has torch\.nn\.{missing}, the playground does not yet"):
        getattr(nn, missing)


def test_the_nearest_name_is_named():
    with pytest.raises(AttributeError, match=r"the nearest name here is torch\.batch_norm$"):
        torch.cudnn_batch_norm  # noqa: B018 - reading it is the test


def test_layers_say_they_live_in_torch():
    assert nn.Linear.__module__ == "torch.nn.modules.linear"
    assert nn.functional.relu is nn.modules.activation.ReLU.forward.__globals__["F"].relu
    assert torch.nn.modules.linear.Linear is nn.Linear


def test_the_default_stream_is_one_stream():
    torch.manual_seed(5)
    first = torch.rand(3)
    torch.default_generator.manual_seed(5)
    assert torch.equal(first, torch.rand(3, generator=torch.default_generator))
