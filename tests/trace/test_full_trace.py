"""A run that is longer than a trace: the first steps are kept, the rest is counted, whatever its depth."""

from engine.trace import trace_program
from engine.trace.limits import MAX_STEPS

LONG = 2 * MAX_STEPS


def test_a_graph_deeper_than_the_trace_is_walked_back_and_counted() -> None:
    trace = trace_program(
        f"import torch\nx = y = torch.ones(2, requires_grad=True)\nfor i in range({LONG}):\n    x = x * 1.0\n"
        "x.sum().backward()\nprint(y.grad)\n"
    )
    assert trace["outcome"]["status"] == "too_large"
    assert len(trace["steps"]) == MAX_STEPS
    assert trace["truncated"][0]["total"] >= 2 * LONG
    assert "".join(entry["text"] for entry in trace["console"]) == "tensor([1., 1.])\n"


def test_what_was_recorded_stays_as_it_was() -> None:
    trace = trace_program(
        "import torch\nseen = torch.zeros(2)\nb = torch.ones(2)\n"
        f"for i in range({MAX_STEPS}):\n    b * 1.0\nseen.add_(7)\n"
    )
    seen = next(tensor for tensor in trace["tensors"] if tensor["names"] == ["seen"])
    assert [moment["value"]["data"] for moment in seen["values"]] == [[0, 0]]
    assert trace["outcome"]["status"] == "too_large"


def test_a_module_call_that_was_under_way_is_closed() -> None:
    trace = trace_program(
        "import torch\nclass M(torch.nn.Module):\n    def forward(self, x):\n"
        f"        for i in range({MAX_STEPS}):\n            x = x + 1\n        return x\n"
        "class Outer(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.m = M()\n"
        "    def forward(self, x):\n        return self.m(self.m(x))\nOuter()(torch.ones(1))\n"
    )
    assert [scope["last_step"] for scope in trace["scopes"]] == [MAX_STEPS - 1] * 2
