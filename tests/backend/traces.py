"""Traces made here, without the sandbox, for tests of what is made of them."""

import json
from typing import Any

from backend.schemas import Trace
from engine.trace import Options, trace_program

HOSTILE = 'x"];\n}` end <script>alert(1)</script> \\ \\n #59; {a|b} |"| %% \u202e 中文'
HOSTILE_PROGRAM = f"""
import torch
named = {{{HOSTILE!r}: torch.ones(2, requires_grad=True)}}
class Module(torch.nn.Module):
    def forward(self, x):
        return x * 2
Module.__name__ = {HOSTILE!r}
y = Module()(next(iter(named.values())).sum())
y.register_hook(lambda grad: grad)
y.backward()
raise ValueError({HOSTILE!r})
"""
SQUARE = "import torch\nx = torch.tensor(3.0, requires_grad=True)\ny = x * x\ny.backward()\nprint(x.grad)\n"


def trace_of(code: str, **options: Any) -> Trace:
    return Trace.model_validate_json(json.dumps(trace_program(code, 0, options=Options.from_plain(options))))
