"""A Trace tells what happened: steps, values, the graph, what is saved, names, and how the run ended."""

import json
from pathlib import Path
from typing import Any

import pytest

from backend.sandbox.parts import pack
from backend.schemas import Trace
from engine.trace import Options, trace_program
from engine.trace.limits import MAX_STEPS

CHAIN = """import torch
x = torch.tensor(2.0, requires_grad=True)
w = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)
y = w * x + b
loss = y ** 2
loss.backward()
print(x.grad, w.grad, b.grad)
"""

RECORDED = "y = torch.ones(2, 3, requires_grad=True) * 2\n"
THROUGH = """class Through(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view(-1)
    @staticmethod
    def backward(ctx, g):
        return g.view(2, 3)
"""
TEXTS = Path(__file__).parents[2] / "frontend" / "src" / "i18n"


def traced(code: str, seed: int = 0) -> dict[str, Any]:
    """A trace as the page receives it, valid by the wire schema."""
    document = trace_program(code, seed)
    pack(document)  # nothing but plain values, as they leave the sandbox
    text = json.dumps(document, allow_nan=False)
    Trace.model_validate_json(text)
    return json.loads(text)


def named(trace: dict[str, Any], name: str) -> dict[str, Any]:
    return next(t for t in trace["tensors"] if name in t["names"])


def of_kind(trace: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [s for s in trace["steps"] if s["kind"] == kind]


def printed(trace: dict[str, Any]) -> str:
    return "".join(c["text"] for c in trace["console"])


@pytest.fixture(scope="module")
def chain() -> dict[str, Any]:
    return traced(CHAIN)


def test_one_timeline(chain: dict[str, Any]) -> None:
    kinds = [s["kind"] for s in chain["steps"]]
    assert kinds == [
        "create", "create", "create", "op", "op", "op", "backward_start", "node_apply", "release", "node_apply",
        "accumulate", "node_apply", "release", "accumulate", "accumulate", "backward_end", "print",
    ]  # fmt: skip
    assert [s["index"] for s in chain["steps"]] == list(range(len(kinds)))
    assert chain["outcome"]["status"] == "ok"


def test_gradients_flow_with_their_numbers(chain: dict[str, Any]) -> None:
    names = {n["id"]: n["name"] for n in chain["nodes"]}
    flow = {
        names[s["node"]]: ([g["data"] for g in s["grads_in"]], [g and g["data"] for g in s["grads_out"]])
        for s in of_kind(chain, "node_apply")
    }
    assert flow == {
        "PowBackward0": ([1.0], [14.0]),
        "AddBackward0": ([14.0], [14.0, 14.0]),
        "MulBackward0": ([14.0], [28.0, 42.0]),
    }
    assert {n: named(chain, n)["grad"]["data"] for n in "xwb"} == {"x": 42.0, "w": 28.0, "b": 14.0}
    assert printed(chain) == "tensor(42.) tensor(28.) tensor(14.)\n"


def test_lines_names_and_graph(chain: dict[str, Any]) -> None:
    y = named(chain, "y")
    node = chain["nodes"][y["grad_fn"]]
    assert (node["name"], node["line"], node["input_names"]) == ("AddBackward0", 5, ["self", "other"])
    mul, b = (chain["nodes"][i] for i, _ in node["next_functions"])
    assert mul["name"] == "MulBackward0"
    assert chain["tensors"][b["tensor"]]["names"] == ["b"]
    assert chain["rules"]["MulBackward0"]["backward"]["self"] == r"[[grad]] \cdot [[other]]"


def test_saved_tensors_live_until_they_are_released(chain: dict[str, Any]) -> None:
    mul = next(n for n in chain["nodes"] if n["name"] == "MulBackward0")
    released = next(s for s in of_kind(chain, "release") if s["node"] == mul["id"])
    assert {s["name"]: (chain["tensors"][s["tensor"]]["names"], s["released_step"]) for s in mul["saved"]} == {
        "_saved_self": (["w"], released["index"]),
        "_saved_other": (["x"], released["index"]),
    }
    assert [m["bytes"] for m in chain["memory"]] == [8, 12, 8, 0]
    op_step = chain["ops"][mul["op"]]["step"]
    assert mul["created_step"] == chain["memory"][0]["step"] == op_step


def test_the_queue_counts_down(chain: dict[str, Any]) -> None:
    name = {n["id"]: n["name"].rsplit(":", 1)[-1] for n in chain["nodes"]}
    first = of_kind(chain, "node_apply")[0]["queue"]
    assert [name[i] for i in first["ready"]] == ["AddBackward0"]
    assert {name[i]: left for i, left in first["waiting"]}["MulBackward0"] == 1
    assert of_kind(chain, "accumulate")[-1]["queue"] == {"ready": [], "waiting": []}


def test_a_second_backward_adds_up() -> None:
    trace = traced(
        "import torch\nw = torch.tensor(3.0, requires_grad=True)\nfor _ in range(2):\n    (w * w).backward()\n"
    )
    steps = of_kind(trace, "accumulate")
    assert [(s["before"] and s["before"]["data"], s["contribution"]["data"], s["after"]["data"]) for s in steps] == [
        (None, 6.0, 6.0),
        (6.0, 6.0, 12.0),
    ]
    assert [g["value"]["data"] for g in named(trace, "w")["grads"]] == [6.0, 12.0]


def test_in_place_changes_make_versions_and_keep_the_past() -> None:
    trace = traced("import torch\nx = torch.ones(2)\ny = x * 2\ny.add_(1)\ny[0] = 9.0\n")
    y = named(trace, "y")
    assert y["version"] == 2
    assert [(v["version"], v["value"]["data"]) for v in y["values"]] == [
        (0, [2.0, 2.0]),
        (1, [3.0, 3.0]),
        (2, [9.0, 3.0]),
    ]
    assert [trace["ops"][s["op"]]["name"] for s in of_kind(trace, "inplace")] == ["add", "copy_"]


def test_an_error_keeps_the_trace_up_to_it() -> None:
    trace = traced("import torch\nx = torch.tensor(2.0, requires_grad=True)\ny = x * x\ny.backward()\n\ny.backward()\n")
    error = trace["outcome"]["error"]
    assert trace["outcome"]["status"] == "error"
    assert (error["type"], error["line"], error["explanation"]) == ("RuntimeError", 6, "backward_twice")
    assert len(trace["backwards"]) == 2
    assert trace["backwards"][1]["end_step"] is None
    assert trace["steps"][-1]["kind"] == "error"
    assert named(trace, "x")["grad"]["data"] == 4.0


def test_a_view_that_was_not_recorded_requires_grad_as_its_base_does() -> None:
    trace = traced("import torch\n" + RECORDED + "x = torch.ones(3)\nwith torch.no_grad():\n    v, w = y[0], x[0]\n")
    assert [named(trace, n)["requires_grad"] for n in "vw"] == [True, False]
    assert named(trace, "v")["is_leaf"] is True


@pytest.mark.parametrize(
    ("code", "key"),
    [
        ("x = torch.arange(5.)\nx[1:] += x[:-1]", "memory_shared"),
        ("x = torch.ones(4)\ntorch.add(x[1:], 1, out=x[:-1])", "memory_shared"),
        ("x = torch.ones(3, 3)\nx += x.t()", "memory_shared"),
        ("x = torch.zeros(1).expand(3)\nx.add_(1)", "memory_repeated"),
        (RECORDED + "with torch.no_grad(): v = y[0]\ny.mul_(2)\nv + 1", "unrecorded_view"),
        (RECORDED + "with torch.no_grad(): v = y[0]\nv.mul_(2)", "unrecorded_view"),
        (RECORDED + "with torch.no_grad(): v = y[0]\nv[0].mul_(2)", "unrecorded_view"),
        (RECORDED + "with torch.inference_mode(): v = y[0]\ny.mul_(2)\nv + 1", "unrecorded_view"),
        (RECORDED + "v, w = y.unbind()\nv.mul_(2)", "inplace_view"),
        (RECORDED + THROUGH + "v = Through.apply(y)\nv.mul_(2)", "function_view"),
    ],
)
def test_a_change_in_place_that_is_refused_is_explained_at_its_line(code: str, key: str) -> None:
    code = "import torch\n" + code
    error = traced(code)["outcome"]["error"]
    assert (error["type"], error["line"], error["explanation"]) == ("RuntimeError", len(code.splitlines()), key)
    for language in ("en", "zh"):
        texts = (TEXTS / f"{language}.js").read_text(encoding="utf-8")
        assert f'"explain.{key}.why"' in texts
        assert f'"explain.{key}.fix"' in texts


@pytest.mark.parametrize(
    ("code", "kind", "line"),
    [("x = (", "SyntaxError", 1), ("def f(:\n  pass", "SyntaxError", 1), ("1/0", "ZeroDivisionError", 1),
     ("\x00", "SyntaxError", None), ("raise KeyError('a')", "KeyError", 1), ("raise SystemExit(3)", "SystemExit", 1)],
)  # fmt: skip
def test_any_failure_is_an_outcome(code: str, kind: str, line: int | None) -> None:
    error = traced(code)["outcome"]["error"]
    assert (error["type"], error["line"]) == (kind, line)


def test_an_exception_whose_text_fails_is_still_told() -> None:
    trace = traced("class E(Exception):\n    def __str__(self): raise ValueError\nraise E()")
    assert trace["outcome"]["error"]["type"] == "E"


def test_nothing_is_an_empty_trace() -> None:
    trace = traced("")
    assert trace["outcome"]["status"] == "ok"
    assert trace["steps"] == trace["tensors"] == []


def test_too_many_steps_are_cut_and_said() -> None:
    trace = traced(f"import torch\nx = torch.zeros(1)\nfor _ in range({MAX_STEPS}):\n    x = x + 1\nprint(x)\n")
    assert trace["outcome"]["status"] == "too_large"
    assert len(trace["steps"]) <= MAX_STEPS
    assert trace["truncated"][0]["kept"] == MAX_STEPS < trace["truncated"][0]["total"]
    assert f"{MAX_STEPS:,}" in trace["outcome"]["message"]


def test_a_recording_without_a_request_may_hold_more_or_fewer_steps() -> None:
    code = f"import torch\nx = torch.zeros(1)\nfor _ in range({MAX_STEPS}):\n    x = x + 1\n"
    more = trace_program(code, options=Options(most_steps=4 * MAX_STEPS))
    assert more["outcome"]["status"] == "ok"
    assert len(more["steps"]) > MAX_STEPS
    assert more["truncated"] == []
    fewer = trace_program(code, options=Options(most_steps=3))
    assert len(fewer["steps"]) == 3
    assert fewer["truncated"][0]["limit"] == "at most 3 steps"
    assert fewer["truncated"][0]["total"] == len(more["steps"])
    assert "the first 3 are shown" in fewer["outcome"]["message"]


def test_infinities_are_tagged() -> None:
    trace = traced("import torch\nx = torch.tensor([float('nan'), float('inf'), -float('inf'), 1.0])\n")
    assert named(trace, "x")["value"]["data"] == ["nan", "inf", "-inf", 1.0]


def test_large_tensors_are_summaries() -> None:
    value = named(traced("import torch\nx = torch.arange(10000.0)\n"), "x")["value"]
    assert value["kind"] == "preview"
    assert value["data"][:3] == [0.0, 1.0, 2.0]
    assert value["stats"]["max"] == 9999.0
    assert sum(value["histogram"]["counts"]) == 10000


def test_a_call_is_named_by_the_path_of_its_module() -> None:
    """As `named_modules()` names it in PyTorch: through containers that are never called, and from call to call."""
    trace = traced("""import torch
from torch import nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.arms = nn.ModuleDict({"left": nn.Linear(2, 2)})

    def forward(self, x):
        return self.arms["left"](x)

class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(2))
        self.inner = nn.ModuleDict({"rows": nn.ModuleList([nn.Tanh()])})

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        self.late = nn.ModuleList([nn.ReLU()])
        return nn.Sigmoid()(self.late[0](self.inner["rows"][0](x)))

Stack()(torch.ones(1, 2))
""")
    assert [(s["name"], s["module"]) for s in trace["scopes"]] == [
        ("Stack", "Stack"),
        ("blocks.0", "Block"),
        ("blocks.0.arms.left", "Linear"),
        ("blocks.1", "Block"),
        ("blocks.1.arms.left", "Linear"),
        ("inner.rows.0", "Tanh"),
        ("late.0", "ReLU"),
        ("Sigmoid", "Sigmoid"),
    ]


def test_modules_make_scopes_and_optimizers_steps() -> None:
    trace = traced(
        "import torch\nfrom torch import nn\n"
        "model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))\n"
        "opt = torch.optim.SGD(model.parameters(), lr=0.1)\n"
        "for _ in range(2):\n    opt.zero_grad()\n    loss = model(torch.ones(1, 2)).sum()\n"
        "    loss.backward()\n    opt.step()\n"
    )
    assert [(s["name"], s["module"], s["call"]) for s in trace["scopes"]][:4] == [
        ("Sequential", "Sequential", 1), ("0", "Linear", 1), ("1", "ReLU", 1), ("2", "Linear", 1),
    ]  # fmt: skip
    assert trace["scopes"][1]["parent"] == 0
    assert named(trace, "model.0.weight")["is_parameter"]
    assert [v["version"] for v in named(trace, "model.0.weight")["values"]][-2:] == [2, 3]  # 1 is the initialisation
    assert len(of_kind(trace, "optimizer_step")) == len(of_kind(trace, "zero_grad")) == 2
    (series,) = [s for s in trace["series"] if s["name"] == "loss"]
    assert len(series["points"]) == 2


def test_warnings_hooks_and_modes_are_steps() -> None:
    trace = traced(
        "import torch, warnings\nx = torch.ones(2, requires_grad=True)\ny = x * 2\ny.register_hook(lambda g: g * 10)\n"
        "with torch.no_grad():\n    z = x + 1\nwarnings.warn('mind')\ny.sum().backward()\n"
    )
    assert [s["mode"] for s in of_kind(trace, "mode_enter")] == ["no_grad"]
    (hook,) = of_kind(trace, "hook")
    assert (hook["before"]["data"], hook["after"]["data"], hook["hook"]["line"]) == ([1.0, 1.0], [10.0, 10.0], 4)
    assert of_kind(trace, "warning")[0]["line"] == 7
    assert "UserWarning: mind" in printed(trace)


def test_why_there_is_no_gradient() -> None:
    trace = traced(
        "import torch\na = torch.ones(1, requires_grad=True)\nb = torch.ones(1, requires_grad=True)\n"
        "c = torch.ones(1)\nd = a * c\nd.sum().backward()\n"
    )
    reasons = {n: named(trace, n)["why_no_grad"] for n in "abcd"}
    assert reasons == {"a": None, "b": "not_reached", "c": "no_requires_grad", "d": "is_not_leaf"}


def test_runs_do_not_see_each_other() -> None:
    traced(
        "import torch\ntorch.set_grad_enabled(False)\ntorch.set_default_dtype(torch.float64)\n"
        "torch.set_printoptions(precision=1)\n"
    )
    trace = traced("import torch\nx = torch.rand(1)\nprint(torch.is_grad_enabled(), x.dtype, x)\n", seed=0)
    assert printed(trace) == "True torch.float32 tensor([0.4963])\n"


def test_a_custom_function_is_one_op() -> None:
    trace = traced(
        "import torch\nclass Cube(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n"
        "        ctx.save_for_backward(x)\n        return x ** 3\n    @staticmethod\n    def backward(ctx, g):\n"
        "        x, = ctx.saved_tensors\n        return 3 * x ** 2 * g\n"
        "x = torch.tensor(2.0, requires_grad=True)\ny = Cube.apply(x)\ny.backward()\n"
    )
    node = trace["nodes"][named(trace, "y")["grad_fn"]]
    assert (node["name"], node["is_custom"], node["saved"][0]["name"]) == ("CubeBackward", True, "saved_tensors[0]")
    assert trace["ops"][node["op"]]["overload"] == "Cube.apply"
    assert named(trace, "x")["grad"]["data"] == 12.0


def test_running_statistics_have_a_past() -> None:
    trace = traced(
        "import torch\nbn = torch.nn.BatchNorm1d(1)\nfor _ in range(2):\n    bn(torch.tensor([[0.0], [2.0]]))\n"
    )
    mean = named(trace, "bn.running_mean")
    assert [round(v["value"]["data"][0], 4) for v in mean["values"]][-3:] == [0.0, 0.1, 0.19]


def test_a_gradient_used_as_a_tensor_is_called_by_its_owner() -> None:
    trace = traced("import torch\nw = torch.tensor(3.0, requires_grad=True)\n(w * w).backward()\nstep = w.grad * 0.1\n")
    assert named(trace, "w.grad")["value"]["data"] == 6.0
