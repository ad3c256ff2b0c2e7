"""Chains of views of views, written through: every alias sees every write, as memory laid out by hand does.

A program is drawn together with its model: flat numpy memories, and for each tensor which memory it sees, and how
(tests/engine/geometry.py). It is run on tensors and on the model; gradients are compared with the model's derivative
along a direction, which an imaginary step gives exactly.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import errors, install_as_torch
from tests.engine.geometry import RULES, Seen, by_rows

torch = install_as_torch()
SEVERAL = {"split", "chunk", "unbind"}
"""Methods that return several views, which may not be written while recording."""
COPIES = {"flip"}
REPEATABLE = {"fill_", "zero_"}
"""Writes that do not mind several elements in one place."""
ELEMENTWISE = {
    "add_": lambda a, v: a + v, "mul_": lambda a, v: a * v, "fill_": lambda a, v: v + 0 * a,
    "zero_": lambda a, v: 0 * a, "sin_": lambda a, v: np.sin(a),
}  # fmt: skip
VALUES = st.sampled_from([-1.5, -1.0, 0.25, 0.5, 2.0])


@dataclass
class Model:
    """Tensors by number: the memory each sees, and how."""

    memories: list[np.ndarray]
    seen: list[tuple[int, Seen]]
    versions: list[int] = field(default_factory=lambda: [0])

    def array(self, i: int) -> np.ndarray:
        m, s = self.seen[i]
        return s.of(self.memories[m])

    def look(self, i: int, name: str, args: tuple[Any, ...], part: int) -> None:
        """Add what a method returns."""
        m, s = self.seen[i]
        new = RULES[name](s, *args)
        if isinstance(new, list):
            new = new[part]
        if new is not None:
            self.seen.append((m, new))
            return
        copy = np.flip(self.array(i), args[0]) if name in COPIES else self.array(i).reshape(args[0])
        self.memories.append(np.array(copy).reshape(-1))
        self.versions.append(0)
        self.seen.append((len(self.memories) - 1, by_rows(copy.shape)))

    def write(self, i: int, how: str, value: Any) -> None:
        a = self.array(i)
        if how == "copy_":
            a[...] = self.array(value).copy()
        else:
            a[...] = ELEMENTWISE[how](a.copy(), value)
        self.versions[self.seen[i][0]] += 1


def tensor(a: np.ndarray) -> Any:
    """A tensor with these elements, laid out as PyTorch does it for what was not an array before."""
    return torch.tensor(a.reshape(-1).tolist(), dtype=torch.float64).reshape(a.shape)


def look(t: Any, name: str, args: tuple[Any, ...], part: int) -> Any:
    """The same of a tensor."""
    if name == "slice":
        d, start, stop, step = args
        return t[(slice(None),) * d + (slice(start, stop, step),)]
    out = getattr(t, name)(*args)
    if name in COPIES:
        return out.clone(memory_format=torch.contiguous_format)
    return out[part] if name in SEVERAL else out


def write(tensors: list[Any], i: int, how: str, value: Any) -> None:
    if how == "copy_":
        tensors[i].copy_(tensors[value].clone())
    else:
        getattr(tensors[i], how)(*[] if how in ("sin_", "zero_") else [value])


@st.composite
def arguments(draw, model: Model, i: int, names: list[str]) -> tuple[str, tuple[Any, ...], int]:
    """A method of views, arguments that suit tensor `i`, and which of several results to take."""
    m, s = model.seen[i]
    n = len(s.shape)
    name = draw(st.sampled_from(names if n else ["unsqueeze", "expand", "view", "squeeze"]))
    d = draw(st.integers(0, n - 1)) if n else 0
    part = 0
    if name in ("select", "unbind") and not s.shape[d]:
        name = "unsqueeze"
    if name == "diagonal" and n < 2:
        name = "permute"
    if name == "select":
        args: tuple[Any, ...] = (d, draw(st.integers(-s.shape[d], s.shape[d] - 1)))
    elif name == "narrow":
        start = draw(st.integers(0, s.shape[d]))
        args = (d, start, draw(st.integers(0, s.shape[d] - start)))
    elif name == "slice":
        args = (d, draw(st.integers(-3, 3)), draw(st.integers(-2, 5)), draw(st.integers(1, 3)))
    elif name in ("transpose", "movedim"):
        args = (d, draw(st.integers(0, n - 1)))
    elif name == "permute":
        args = (draw(st.permutations(range(n))),)
    elif name == "unsqueeze":
        args = (draw(st.integers(0, n)),)
    elif name == "squeeze":
        args = (d,) if n and draw(st.booleans()) else ()
    elif name == "expand":
        lead = tuple(draw(st.lists(st.integers(1, 2), max_size=1 if n < 4 else 0)))
        args = ((*lead, *[draw(st.integers(1, 3)) if k == 1 else k for k in s.shape]),)
    elif name in ("view", "reshape"):
        args = (draw(shapes_of(s.numel)),)
        if name == "view" and RULES["view"](s, *args) is None:
            name = "reshape"
    elif name == "as_strided":
        size = draw(st.lists(st.integers(0, 2), max_size=3))
        strides = [draw(st.integers(0, 3)) for _ in size]
        room = model.memories[m].size - Seen(tuple(size), tuple(strides), 0).end
        if room < 0:
            size, strides, room = [], [], model.memories[m].size - 1
        if room < 0:
            return draw(arguments(model, i, ["unsqueeze"]))
        args = (size, strides, draw(st.integers(0, room)))
    elif name == "unfold":
        size = draw(st.integers(0, s.shape[d]))
        args = (d, size, draw(st.integers(1, 3)))
    elif name == "diagonal":
        e = (d + draw(st.integers(1, n - 1))) % n
        args = (draw(st.integers(-2, 2)), d, e)
    elif name == "flip":
        args = (draw(st.lists(st.integers(0, n - 1), unique=True, max_size=2)),)
    else:
        args = (d,) if name == "unbind" else (draw(st.integers(1, 3)), d)
        part = draw(st.integers(0, len(RULES[name](s, *args)) - 1))
    return name, args, part


@st.composite
def shapes_of(draw, numel: int) -> tuple[int, ...]:
    """A shape of so many elements."""
    if not numel:
        return tuple(draw(st.permutations([0, *draw(st.lists(st.integers(1, 3), max_size=2))])))
    shape = []
    while numel > 1:
        n = draw(st.sampled_from([k for k in range(2, numel + 1) if numel % k == 0]))
        shape.append(n)
        numel //= n
    return tuple(draw(st.permutations(shape + [1] * draw(st.integers(0, 1)))))


@st.composite
def programs(draw, names: list[str], most: int = 7, recorded: bool = False) -> tuple[np.ndarray, list[Any], Model]:
    """An array, steps that look at tensors and write them, and the model after all of them.

    `recorded` ones leave elements that lie in one place alone: their gradient cannot be written.
    """
    shape = draw(st.lists(st.integers(0, 3), max_size=3))
    a = (np.arange(np.prod(shape, dtype=int)) % 5 / 2 - 0.75).reshape(shape)
    model, steps = Model([a.reshape(-1).copy()], [(0, by_rows(shape))]), []
    for _ in range(draw(st.integers(1, most))):
        i = draw(st.integers(0, len(model.seen) - 1))
        if draw(st.integers(0, 2)):
            name, args, part = draw(arguments(model, i, names))
            steps.append(("look", i, name, args, part))
            model.look(*steps[-1][1:])
        else:
            _, s = model.seen[i]
            if recorded and s.overlaps:
                continue
            how = draw(st.sampled_from(["fill_", "zero_"] if s.overlaps else [*ELEMENTWISE, "copy_"]))
            value: Any = draw(VALUES)
            if how == "copy_":
                value = draw(st.sampled_from([j for j, (_, o) in enumerate(model.seen) if o.shape == s.shape]))
            steps.append(("write", i, how, value))
            model.write(*steps[-1][1:])
    return a, steps, model


def run(t: Any, steps: list[Any]) -> list[Any]:
    """All tensors of a program that starts with `t`."""
    tensors = [t]
    for kind, i, *rest in steps:
        if kind == "look":
            tensors.append(look(tensors[i], *rest))
        else:
            write(tensors, i, *rest)
    return tensors


def rerun(memory: np.ndarray, shape: Any, steps: list[Any]) -> Model:
    """The model of the same program on another memory."""
    model = Model([memory], [(0, by_rows(shape))])
    for kind, *rest in steps:
        (model.look if kind == "look" else model.write)(*rest)
    return model


ALL = sorted(RULES)


@settings(max_examples=80)
@given(programs(ALL))
def test_every_alias_sees_every_write(program: Any) -> None:
    a, steps, model = program
    tensors = run(tensor(a), steps)
    for i, (t, (m, s)) in enumerate(zip(tensors, model.seen, strict=True)):
        assert t.shape == s.shape
        assert not s.numel or (t.stride(), t.storage_offset()) == s[1:]
        np.testing.assert_array_equal(t.numpy(), model.array(i))
        assert t._version == model.versions[m]
        first = next(j for j, (n, _) in enumerate(model.seen) if n == m)
        assert t.untyped_storage().data_ptr() == tensors[first].untyped_storage().data_ptr()


DIFFERENTIABLE = [n for n in ALL if n not in SEVERAL]


@settings(max_examples=150)
@given(programs(DIFFERENTIABLE, recorded=True), st.integers(0, 5))
def test_gradients_of_what_was_written_through_views(program: Any, turn: int) -> None:
    """Along a direction the loss changes as the model does, whatever was overwritten on the way."""
    a, steps, _ = program
    direction = np.cos(np.arange(a.size) + turn)
    moved = rerun(a.reshape(-1) + 1e-30j * direction, a.shape, steps)
    ups = [np.sin(1 + np.arange(s.numel) + k).reshape(s.shape) for k, (_, s) in enumerate(moved.seen)]
    want = sum(float((moved.array(k) * up).sum().imag) for k, up in enumerate(ups)) / 1e-30

    x = tensor(a).requires_grad_()
    tensors = run(x.clone(), steps)
    loss = sum((t * torch.tensor(up)).sum() for t, up in zip(tensors, ups, strict=True))
    loss.backward()
    got = float((x.grad.numpy().reshape(-1) * direction).sum())
    assert abs(got - want) <= 1e-9 * max(1, abs(want))


@settings(max_examples=50)
@given(programs(DIFFERENTIABLE, most=4, recorded=True), st.data())
def test_backward_refuses_what_was_changed_since_it_was_saved(program: Any, data: Any) -> None:
    a, steps, model = program
    tensors = run(tensor(a).requires_grad_().clone(), steps)
    saved = data.draw(st.integers(0, len(tensors) - 1), label="saved")
    out = tensors[saved] * tensors[saved]
    place = model.seen[saved][0]
    before = model.versions[place]
    for _ in range(data.draw(st.integers(0, 2), label="writes")):
        i = data.draw(st.integers(0, len(tensors) - 1), label="written")
        tensors[i].fill_(0.5)
        model.versions[model.seen[i][0]] += 1
    now = model.versions[place]
    if now == before:
        out.sum().backward()
    else:
        with pytest.raises(RuntimeError, match=f"is at version {now}; expected version {before} instead"):
            out.sum().backward()


@settings(max_examples=25)
@given(programs(ALL), st.data())
def test_a_write_to_repeated_elements_is_refused_and_changes_nothing(program: Any, data: Any) -> None:
    a, steps, model = program
    tensors = run(tensor(a), steps)
    i = data.draw(st.integers(0, len(tensors) - 1))
    wide = tensors[i].expand(2, *tensors[i].shape)
    if not wide.numel():
        return
    for how in sorted({*ELEMENTWISE, "copy_"} - REPEATABLE):
        with pytest.raises(RuntimeError) as refused:
            write([wide], 0, how, 0 if how == "copy_" else 2.0)
        assert str(refused.value) == errors.OVERLAPPING_INPLACE
    np.testing.assert_array_equal(tensors[i].numpy(), model.array(i))
