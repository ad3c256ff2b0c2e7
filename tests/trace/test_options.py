"""What a run may be asked: what to record, other leaf values, where to stop, the elements of one tensor."""

from typing import Any

import pytest

from backend.schemas import Trace
from engine.trace import Options, trace_program
from engine.trace.probe import NotThere, parse_index

SQUARE = "import torch\nx = torch.tensor(3.0, requires_grad=True)\ny = x * x\ny.backward()\nprint(x.grad)\n"
LINEAR = (
    "import torch\n"
    "torch.manual_seed(1)\n"
    "m = torch.nn.Linear(2, 1)\n"
    "x = torch.arange(6.0).reshape(3, 2)\n"
    "loss = (m(x) ** 2).sum()\n"
    "loss.backward()\n"
)


def run(code: str, **options: Any) -> Trace:
    return Trace.model_validate(
        trace_program(code, 0, options=Options.from_plain(options)), strict=False, extra="forbid"
    )


def tensor(trace: Trace, name: str) -> Any:
    return next(t for t in reversed(trace.tensors) if name in t.names)


# ---- overrides -----------------------------------------------------------------------------------
def test_a_leaf_is_made_with_another_value() -> None:
    trace = run(SQUARE, overrides=[{"name": "x", "value": 5}])
    assert tensor(trace, "x").value.data == 5.0
    assert tensor(trace, "x").version == 0
    assert tensor(trace, "y").value.data == 25.0
    assert "".join(entry.text for entry in trace.console) == "tensor(10.)\n"
    (info,) = trace.overrides
    assert (info.name, info.tensor, info.step, info.problem) == ("x", tensor(trace, "x").id, 0, None)


def test_parameters_are_known_by_their_path_and_the_random_numbers_stay_drawn() -> None:
    plain = run(LINEAR)
    trace = run(LINEAR, overrides=[{"name": "m.weight", "value": [[1.0, -2.0]]}])
    assert tensor(trace, "m.weight").value.data == [[1.0, -2.0]]
    assert tensor(trace, "m.bias").value.data == tensor(plain, "m.bias").value.data
    bias = tensor(plain, "m.bias").value.data[0]
    expected = [1.0 * a - 2.0 * b + bias for a, b in [(0, 1), (2, 3), (4, 5)]]
    assert tensor(trace, "m.bias").grad.data[0] == pytest.approx(2 * sum(expected), rel=1e-6)


def test_a_line_names_what_is_made_on_it() -> None:
    trace = run("import torch\nz = torch.zeros(2) + 1\n", overrides=[{"line": 2, "value": [4.0, 5.0]}])
    assert tensor(trace, "z").value.data == [5.0, 6.0]
    assert trace.overrides[0].problem is None


def test_only_the_first_leaf_of_a_name_and_no_old_one_is_changed() -> None:
    code = "import torch\nfor i in range(2):\n    x = torch.tensor(1.0)\n    print(x.item())\ny = x\n"
    trace = run(code, overrides=[{"name": "x", "value": 7}, {"name": "y", "value": 8}, {"name": "nothing", "value": 1}])
    assert "".join(entry.text for entry in trace.console) == "7.0\n1.0\n"
    assert tensor(trace, "y").value.data == 1.0
    assert [info.problem is None for info in trace.overrides] == [True, False, False]


@pytest.mark.parametrize(
    ("made", "value", "says"),
    [
        ("torch.ones(3)", [1.0, 2.0], "`x` has the shape [2]; the tensor's is [3]"),
        ("torch.ones(2)", [[1.0], 2.0], "is not a number or a nested list"),
        ("torch.ones(2)", "many", "is not a number or a nested list"),
        ("torch.ones(2, dtype=torch.int64)", 1.5, "does not fit the tensor's dtype"),
        ("torch.ones(2, dtype=torch.uint8)", 300, "is out of range"),
        ("torch.ones(2)", {"a": 1}, "does not fit the tensor's dtype"),
    ],
)
def test_a_value_that_does_not_fit_ends_the_program(made: str, value: object, says: str) -> None:
    trace = run(f"import torch\nx = {made}\nprint('on')\n", overrides=[{"name": "x", "value": value}])
    assert trace.outcome.error is not None
    assert trace.outcome.error.type == "OverrideError"
    assert trace.outcome.error.line == 2
    assert says in trace.outcome.error.message
    assert trace.overrides[0].problem == trace.outcome.error.message
    assert trace.console == []


def test_words_of_the_wire_are_numbers() -> None:
    trace = run("import torch\nx = torch.ones(2)\n", overrides=[{"name": "x", "value": ["nan", "-inf"]}])
    assert tensor(trace, "x").value.data == ["nan", "-inf"]


# ---- until ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(("line", "backwards"), [(4, 0), (5, 1)])
def test_a_program_stops_before_a_line(line: int, backwards: int) -> None:
    trace = run(SQUARE, until_line=line)
    assert trace.outcome.status == "ok"
    assert trace.outcome.message == f"Stopped before line {line}, as asked."
    assert len(trace.backwards) == backwards
    assert trace.console == []


@pytest.mark.parametrize(
    ("code", "line", "printed"),
    [
        ("print(1)\n\n# a word\nprint(2)\n", 3, "1\n"),
        ("for i in range(3):\n    print(i)\nelse:\n    print('end')\n", 3, "0\n1\n2\n"),
        ("for i in range(3):\n    print(i)\n", 2, ""),
        ("print(1); print(2)\nprint(3)\n", 1, ""),
        ("print(1)\nprint(\n    2,\n)\n", 3, "1\n"),
        ("def f():\n    print('in')\n    return 1\nprint(0)\nf()\n", 3, "0\nin\n"),
        ("from __future__ import annotations\nprint(1)\n", 1, ""),
        ("try:\n    1 / 0\nexcept ZeroDivisionError:\n    print('caught')\n    print(2)\n", 5, "caught\n"),
        ("match 1:\n    case 1:\n        print(1)\n        print(2)\n", 4, "1\n"),
        ("print(1)\nif True: print(2)\n", 2, "1\n"),
    ],
)
def test_the_statement_on_or_after_the_line(code: str, line: int, printed: str) -> None:
    trace = run(code, until_line=line)
    assert trace.outcome.message == f"Stopped before line {line}, as asked."
    assert "".join(entry.text for entry in trace.console) == printed


def test_a_line_that_is_not_reached() -> None:
    assert run(SQUARE, until_line=99).outcome.message == "The program ended without reaching line 99."


@pytest.mark.parametrize("step", range(8))
def test_a_program_stops_after_any_step_with_the_same_record(step: int) -> None:
    whole, part = run(SQUARE), run(SQUARE, until_step=step)
    assert len(whole.steps) == 8
    assert [s.kind for s in part.steps] == [s.kind for s in whole.steps[: step + 1]]
    assert part.outcome.status == "ok"


def test_a_program_cannot_talk_itself_out_of_its_stop() -> None:
    code = "import torch\ntry:\n    x = torch.ones(1)\n    y = x + 1\n    z = y + 1\nfinally:\n    raise ValueError\n"
    trace = run(code, until_step=1)
    assert (trace.outcome.status, trace.outcome.message) == ("ok", "Stopped after step 1, as asked.")
    assert len(trace.steps) == 2


def test_nothing_of_a_stop_is_left_for_the_next_run() -> None:
    run(SQUARE, until_step=4)
    assert run(SQUARE).model_dump(exclude={"outcome"}) == run(SQUARE).model_dump(exclude={"outcome"})
    assert run(SQUARE).outcome.status == "ok"


# ---- what is recorded ----------------------------------------------------------------------------
def test_shapes_alone() -> None:
    trace = run(LINEAR, values="none")
    weight = tensor(trace, "m.weight")
    assert (weight.value.data, weight.value.shape, weight.value.stats) == ([], [1, 2], None)
    assert weight.grad is not None
    assert any(one.what == "values" for one in trace.truncated)


def test_sizes_up_to_which_values_are_whole() -> None:
    code = "import torch\nx = torch.arange(40.0)\n"
    kinds = {
        label: tensor(run(code, **options), "x").value.kind
        for label, options in {
            "default": {},
            "preview": {"values": "preview"},
            "small": {"value_elements": 39},
            "enough": {"value_elements": 40},
        }.items()
    }
    assert kinds == {"default": "full", "preview": "preview", "small": "preview", "enough": "full"}


def test_the_final_graph_without_its_timeline() -> None:
    whole, final = run(LINEAR), run(LINEAR, steps="final_graph", saved=False)
    assert [n.name for n in final.nodes] == [n.name for n in whole.nodes]
    assert final.backwards[0].order == whole.backwards[0].order
    assert final.steps == final.memory == final.series == []
    assert all(n.saved == [] for n in final.nodes)
    assert any(n.saved for n in whole.nodes)
    assert tensor(final, "m.weight").grad == tensor(whole, "m.weight").grad
    assert {one.what for one in final.truncated} == {"saved", "steps"}


def test_hooks_are_part_of_the_final_graph() -> None:
    code = SQUARE.replace("y.backward()", "y.register_hook(lambda g: g * 2); y.backward()")
    assert [n.hooks for n in run(code, steps="final_graph").nodes] == [n.hooks for n in run(code).nodes]


# ---- one tensor ----------------------------------------------------------------------------------
LARGE = "import torch\nw = torch.arange(1e6).reshape(1000, 1000).requires_grad_()\n(w * 2).sum().backward()\n"
CHANGED = "import torch\nx = torch.zeros(3)\nx[1] = 5\nx.add_(1)\n"


def look(code: str, **probe: Any) -> Any:
    return run(code, values="none", steps="final_graph", probe=probe).slice


def test_elements_of_a_tensor_that_is_too_large_for_a_trace() -> None:
    found = look(LARGE, tensor="w", index="999, -3:")
    assert found.value.data == [999997.0, 999998.0, 999999.0]
    assert (found.shape, found.value.shape, found.value.kind) == ([1000, 1000], [3], "full")
    assert look(LARGE, tensor="w", of="grad", index="0, :2").value.data == [2.0, 2.0]


def test_elements_at_a_version_and_at_a_step() -> None:
    by_version = [look(CHANGED, tensor="x", version=v).value.data for v in (0, 1, 2)]
    assert by_version == [[0.0, 0.0, 0.0], [0.0, 5.0, 0.0], [1.0, 6.0, 1.0]]
    steps = len(run(CHANGED).steps)
    assert look(CHANGED, tensor="x", step=0).value.data == by_version[0]
    assert look(CHANGED, tensor="x", step=steps - 1).value.data == by_version[2]


@pytest.mark.parametrize(
    ("probe", "says"),
    [
        ({"tensor": "q"}, "No tensor of this run is called `q`."),
        ({"tensor": 99}, "has no tensor 99"),
        ({"tensor": "x", "version": 9}, "no version 9; its last is 2"),
        ({"tensor": "x", "of": "grad"}, "has no gradient."),
        ({"tensor": "x", "index": "7"}, "does not fit the shape [3]"),
        ({"tensor": "x", "index": "0, 0"}, "does not fit the shape [3]"),
        ({"tensor": "x", "index": "__import__('os')"}, "is not an index"),
    ],
)
def test_what_is_not_there_is_said(probe: dict[str, Any], says: str) -> None:
    found = look(CHANGED, **probe)
    assert found.value is None
    assert says in found.problem


def test_a_slice_has_a_largest_size() -> None:
    assert "1,000,000 elements; at most 65,536" in look(LARGE, tensor="w").problem


def test_indices_are_read_as_python_writes_them() -> None:
    assert parse_index(" 1, -2:, ::3, ..., :4:2 ") == (1, slice(-2, None), slice(None, None, 3), ..., slice(None, 4, 2))
    assert parse_index("") == ()
    for wrong in ("1.5", "::-1", "1,", "a", "[0]", "1:2:0"):
        with pytest.raises(NotThere):
            parse_index(wrong)
