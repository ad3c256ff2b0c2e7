"""Straight-line code for the commonest ops: making their node, and running its rules on arrays.

What engine.dispatch.make_node and engine.plan.OpNode do by looking at the plan each time is written out here once
per op, as Python source made from the same plan. It covers ops of one output whose differentiable inputs are single
tensors; every other op, and every node with a hook, takes the general way. Both ways give the same graph and numbers,
which tests/engine/test_specialise.py checks.
"""

from collections.abc import Callable
from typing import Any

from engine.graph import RELEASED, SavedTensor
from engine.modes import STATE
from engine.op import Op
from engine.plan import GRAD, OpNode, Plan, property_of
from engine.saving import save_input, save_output
from engine.storage import Version
from engine.tensor import TensorBase


def is_plain(op: Op, plan: Plan) -> bool:
    """Whether an op is of the simple kind."""
    if op.signature.returns != 1 or not plan.simple or op.nondiff or not op.grad_fn:
        return False
    params = op.signature.params
    if any(s.kind == "input" and (s.is_list or params[s.index].type != "Tensor") for s in plan.saves):
        return False
    if any(s.kind == "output_argsize" for s in plan.saves):
        return False
    return all(r >= 0 or r == GRAD for rule in plan.rules for r in rule.reads)


def node_maker(op: Op, plan: Plan) -> Callable[..., Any]:
    """A function (values, out) -> node that records an op that ran, as `make_node` does."""
    lines = ["def make(values, out):"]
    for k, p in enumerate(plan.positions):
        lines += [
            f"    t = values[{p}]",
            "    if isinstance(t, TensorBase):",
            f"        e{k} = (t._fn, t._nr) if t._fn is not None and t._base is None else t._edge()",
            f"    else: e{k} = None",
        ]
    saves = []
    for i, s in enumerate(plan.saves):
        guard = f"e{s.guard} is not None" if s.guard is not None else ""
        if s.kind == "input":
            lines += [f"    s{i} = None"]
            pad = "    "
            if guard:
                lines += [f"    if {guard}:"]
                pad = "        "
            lines += [
                f"{pad}t = values[{s.index}]",
                f"{pad}if not isinstance(t, TensorBase): s{i} = t",
                f"{pad}elif STATE.saved_hooks or t._inference: s{i} = save_input(t)",
                f"{pad}else:",
                f"{pad}    s{i} = s = new(SavedTensor); c = t._counter",
                f"{pad}    s.tensor = t; s.array = t._a; s.counter = c; s.output_nr = 0; s.version = 0 if c is None "
                "else c.n",
            ]
            saves.append(f"s{i}")
        elif s.kind == "attr":
            saves.append(f"values[{s.index}]")
        elif s.kind == "output":
            lines += [
                f"    if STATE.saved_hooks: s{i} = save_output(out, 0)",
                "    else:",
                "        c = out._counter",
                "        if c is None: c = out._counter = Version()",
                f"        s{i} = s = new(SavedTensor)",
                "        s.tensor = None; s.array = out._a; s.counter = c; s.output_nr = 0; s.version = c.n",
            ]
            saves.append(f"s{i}")
        elif s.kind == "sym_sizes" and not guard:
            other = "property_of('sym_sizes', t, None)"
            lines += [f"    t = values[{s.index}]", f"    s{i} = t._a.shape if isinstance(t, TensorBase) else {other}"]
            saves.append(f"s{i}")
        else:
            value = f"property_of({s.kind!r}, values[{s.index}], {s.detail!r})"
            saves.append(f"({value} if {guard} else ())" if guard else value)
    edges = "".join(f"e{k}, " for k in range(len(plan.positions)))
    lines += [
        "    a = out._a",
        "    n = new(cls)",
        f"    n.edges = ({edges})",
        "    n.meta = ((a.shape, a.dtype),)",
        "    n.extras = None",
        "    n.seq = STATE.sequence",
        "    STATE.sequence += 1",
        f"    n.saved = [{', '.join(saves)}]",
        "    out._fn = n",
        "    return n",
    ]
    scope: dict[str, Any] = {
        "TensorBase": TensorBase, "STATE": STATE, "save_input": save_input, "save_output": save_output,
        "new": object.__new__,
        "SavedTensor": SavedTensor, "Version": Version, "cls": op.node_class, "property_of": property_of,
    }  # fmt: skip
    return _compiled(lines, scope, f"<record {op.name}>", "make")


def rules_runner(op: Op, plan: Plan) -> Callable[[Any, Any, bool], tuple[Any, ...]]:
    """A function (node, grad, free) -> gradients per edge, as `apply_arrays` and then, if `free`, `release` do."""
    lines = ["def run(node, grad, free):", "    s = node.saved", "    e = node.edges"]
    scope: dict[str, Any] = {"SavedTensor": SavedTensor, "RELEASED": RELEASED, "read": OpNode.read_entry}
    for k, rule in enumerate(plan.rules):
        slot = rule.slots[0]
        scope[f"rule{k}"] = rule.rule
        lines += [f"    if e[{slot}] is None: g{slot} = None", "    else:"]
        args = []
        for r in rule.reads:
            if r == GRAD:
                args.append("grad")
                continue
            save = plan.saves[r]
            if save.kind not in ("input", "output"):
                args.append(f"s[{r}]")
                continue
            args.append(f"v{r}")
            lines += [f"        v{r} = s[{r}]", f"        if type(v{r}) is SavedTensor:"]
            if save.kind == "input":
                lines += [
                    f"            t = v{r}.tensor",
                    "            c = t._counter",
                    f"            if c is not None and c.n != v{r}.version: v{r}.check(node)",
                    f"            v{r} = t._a",
                ]
            else:
                lines += [
                    f"            if v{r}.counter.n != v{r}.version: v{r}.check(node)",
                    f"            v{r} = v{r}.array",
                ]
            lines += [f"        else: v{r} = read(node, v{r})"]
        lines += [f"        g{slot} = rule{k}({', '.join(args)})"]
    if plan.tensor_saves:
        lines += ["    if free:"]
        lines += [f"        if s[{i}] is not None: s[{i}] = RELEASED" for i in plan.tensor_saves]
    lines += [f"    return ({''.join(f'g{k}, ' for k in range(len(plan.positions)))})"]
    return _compiled(lines, scope, f"<rules of {op.name}>", "run")


def _compiled(lines: list[str], scope: dict[str, Any], name: str, function: str) -> Callable[..., Any]:
    exec(compile("\n".join(lines), name, "exec"), scope)  # the source is made above, from the plan alone
    return scope[function]
