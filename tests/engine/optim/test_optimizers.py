"""What optimizers do to the engine: versions, observers, recording, and what they refuse."""

import pytest

from engine import install_as_torch
from engine.modes import STATE

torch = install_as_torch()
EVERY = ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam", "Rprop", "ASGD"]


class Watcher:
    """Notes what an optimizer says it does; all else an observer is told goes by."""

    def __init__(self):
        self.seen = []

    def on_optimizer_enter(self, optimizer, kind):
        self.seen.append(f"enter {kind}")

    def on_optimizer_exit(self, optimizer, kind, parameters, **fields):
        self.seen.append(f"exit {kind}")

    def on_before_write(self, t):
        self.seen.append("before")

    def on_written(self, t):
        self.seen.append("written")

    def __getattr__(self, name):
        return lambda *args, **kwargs: None


@pytest.fixture
def watcher():
    watching = Watcher()
    before = STATE.observers
    STATE.observers = (watching,)
    yield watching
    STATE.observers = before


def parameter():
    w = torch.tensor([1.0, -2.0], requires_grad=True)
    w.grad = torch.tensor([0.5, 1.0])
    return w


@pytest.mark.parametrize("name", EVERY)
def test_a_step_is_in_place_counted_and_announced(name, watcher):
    w = parameter()
    opt = getattr(torch.optim, name)([w])
    before, memory = w.tolist(), w.data_ptr()
    watcher.seen.clear()
    opt.step()
    assert w.tolist() != before
    assert w.data_ptr() == memory
    assert w.is_leaf
    writes = watcher.seen[1:-1]
    assert watcher.seen[0] == "enter optimizer_step"
    assert watcher.seen[-1] == "exit optimizer_step"
    assert writes == ["before", "written"] * w._version


@pytest.mark.parametrize("name", EVERY)
def test_maximize_is_the_step_of_the_negative_gradient(name):
    up, down = parameter(), parameter()
    down.grad = -up.grad
    getattr(torch.optim, name)([up], maximize=True).step()
    getattr(torch.optim, name)([down]).step()
    assert up.tolist() == down.tolist()


@pytest.mark.parametrize("name", EVERY)
def test_going_on_from_a_saved_state_is_going_on(name):
    w = parameter()
    opt = getattr(torch.optim, name)([w], lr=0.1)
    opt.step()
    copy = w.detach().clone().requires_grad_()
    copy.grad = w.grad.clone()
    resumed = getattr(torch.optim, name)([copy])
    resumed.load_state_dict(opt.state_dict())
    resumed.state = {copy: {k: v.clone() for k, v in resumed.state[copy].items()}} if opt.state else resumed.state
    opt.step()
    resumed.step()
    assert copy.tolist() == w.tolist()


def test_a_learning_rate_may_be_a_tensor():
    a, b = parameter(), parameter()
    torch.optim.Adam([a], lr=torch.tensor(0.5)).step()
    torch.optim.Adam([b], lr=0.5).step()
    assert a.tolist() == b.tolist()


def test_a_programs_own_optimizer_records_unless_it_says_not_to():
    class Plain(torch.optim.Optimizer):
        def __init__(self, params):
            super().__init__(params, {"lr": 0.1})

        def step(self):
            for group in self.param_groups:
                for p in group["params"]:
                    p -= group["lr"] * p.grad

    opt = Plain([parameter()])
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"):
        opt.step()
    with torch.no_grad():
        opt.step()
    assert opt.param_groups[0]["params"][0].tolist() == pytest.approx([0.95, -2.1])


def test_hooks_run_once_where_steps_call_each_other():
    seen = []

    class Twice(torch.optim.SGD):
        def step(self, closure=None):
            super().step()
            return super().step(closure)

    opt = Twice([parameter()], lr=0.1)
    opt.register_step_pre_hook(lambda o, args, kwargs: seen.append(args[0] is o))
    opt.register_step_post_hook(lambda o, args, kwargs: seen.append("after"))
    opt.step()
    assert seen == [True, "after"]


def test_steps_that_are_recorded_are_refused():
    with pytest.raises(NotImplementedError, match="differentiable=True"):
        torch.optim.SGD([parameter()], differentiable=True)


def test_lbfgs_finds_the_minimum_of_a_narrow_valley():
    x = torch.tensor([-1.5, 2.0], dtype=torch.float64, requires_grad=True)
    opt = torch.optim.LBFGS([x], max_iter=100, line_search_fn="strong_wolfe")

    def closure():
        opt.zero_grad()
        loss = (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
        loss.backward()
        return loss

    opt.step(closure)
    assert x.tolist() == pytest.approx([1.0, 1.0], abs=1e-5)
    assert opt.state[x]["n_iter"] == 41  # as many as PyTorch needs
    assert opt.state[x]["func_evals"] == 51


def test_an_averaged_model_holds_the_mean():
    model = torch.nn.Linear(1, 1, bias=False)
    averaged = torch.optim.swa_utils.AveragedModel(model)
    for value in (1.0, 2.0, 6.0):
        model.weight.data.fill_(value)
        averaged.update_parameters(model)
    assert averaged.module.weight.item() == pytest.approx(3.0)
