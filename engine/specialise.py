"""Straight-line code for plain operators: running them forward, making their node, running its rules on arrays.

What engine.dispatch.run_general and make_node and engine.plan.OpNode do by looking at the plan each time is written
out here once per op, as Python source made from the same plan. It covers ops of a fixed number of outputs whose
differentiable inputs are single tensors; every other op, every node with a hook, and whatever runs in a mode of its own
takes the general way. Both ways give the same graph and numbers, which
tests/engine/test_specialise.py checks.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from types import CodeType
from typing import Any

import numpy as np

from engine.dtypes import NARROW
from engine.graph import RELEASED, SCALAR_META, PackedTensor, SavedTensor
from engine.modes import STATE
from engine.op import Op
from engine.ops.layouts import iterated
from engine.ops.undifferentiable import NODE
from engine.plan import GRAD, GRADS, MASK, OpNode, Plan, property_of
from engine.saving import save_input, save_output
from engine.storage import Version
from engine.tensor import Tensor, TensorBase

_REAL = (float, int)


def is_plain(op: Op, plan: Plan) -> bool:
    """Whether an op is of the simple kind."""
    if op.signature.returns_list or plan.has_list or not op.grad_fn or op.grad_fn == NODE:
        return False
    params = op.signature.params
    if any(s.kind == "input" and (s.is_list or params[s.index].type != "Tensor") for s in plan.saves):
        return False
    return not any(s.kind == "output_argsize" for s in plan.saves)


def runner(op: Op, plan: Plan, general: Callable[[Op, list[Any]], Any]) -> Callable[[list[Any]], Any] | None:
    """A function (values) -> Tensor that runs an op forward, as `general` does, which it leaves all unusual cases to.

    None for an op with a list of tensors, or one that writes into its inputs.
    """
    params = op.signature.params
    if op.writes or any(params[i].type != "Tensor" for i in op.tensors):
        return None
    lines = ["def run(values):", *_unless(_UNUSUAL, "values"), f"    {_listed('v', range(len(params)))} = values"]
    lines += _arrays(op, "values")
    arguments = ", ".join(f"a{i}" if i in op.tensors else f"v{i}" for i in range(len(params)))
    result = _result if op.signature.returns == 1 else _results
    lines += result(op, plan, f"forward({arguments})", "values")
    return _compiled(lines, _forward_scope(op, general), "run")


def operator(
    op: Op, plan: Plan, symbol: str, defaults: tuple[Any, ...], general: Any, other: Any
) -> Callable[[Any, Any], Any]:
    """A function (self, other) -> Tensor for Python's binary operator, which on arrays is the op's forward.

    Args:
        symbol: the operator in Python's words: "*".
        defaults: values of the op's further parameters.
        general: runs the op in unusual cases.
        other: (self, other) -> what any other kind of operand gives.
    """
    values = "[v0, v1, " + "".join(f"{d!r}, " for d in defaults) + "]"
    lines = [
        "def operate(v0, v1):",
        "    k = type(v1)",
        "    if k is not Tensor and k is not float and k is not int and not isinstance(v1, TensorBase):",
        "        return other(v0, v1)",
        *_unless(_UNUSUAL, values),
        *(f"    v{i} = {d!r}" for i, d in enumerate(defaults, 2)),
        *_arrays(op, values),
        *_result(op, plan, f"a0 {symbol} a1", values, floating=True),
    ]
    scope = _forward_scope(op, general) | {"other": other}
    return _compiled(lines, scope, "operate")


_UNUSUAL = "STATE.batching or STATE.inference or STATE.anomaly or STATE.saved_hooks or NARROW.used"
_FLOAT32 = np.dtype(np.float32)


def _unless(condition: str, values: str) -> list[str]:
    return [f"    if {condition}: return general(op, {values})"]


def _forward_scope(op: Op, general: Any) -> dict[str, Any]:
    return {
        "op": op, "general": general, "forward": op.forward, "REAL": _REAL, "F32": _FLOAT32, "float32": np.float32,
        "ndarray": np.ndarray, "Tensor": Tensor, "NARROW": NARROW, "iterated": iterated, **_node_scope(op),
    }  # fmt: skip


def _arrays(op: Op, values: str) -> list[str]:
    """From v0, v1, … the operands a0, a1, …; only floating-point ones of one dtype, where dtypes are promoted."""
    lines = []
    for i in op.tensors:
        lines += [f"    if isinstance(v{i}, TensorBase):", f"        a{i} = v{i}._a"]
        if i == op.tensors[0]:
            lines += ["    " + line for line in _unless(f"v{i}._inference", values)]
        if op.view:
            lines += [f"        if type(a{i}) is not ndarray: a{i} = v{i}._array()"]
        if op.promote is None:
            lines += [f"    else: a{i} = v{i}"]
            continue
        found = f"F32 if type(a{i}) is float32 else a{i}.dtype"
        first = i == op.tensors[0]
        if first:
            lines += [f"        d = {found}"]
        else:
            lines += [f"        if d is not ({found}) and d is not None: return general(op, {values})"]
            lines += [f"        if d is None: d = {found}"]
        lines += [f"    elif type(v{i}) in REAL:", f"        a{i} = v{i}"]
        if first:
            lines += ["        d = None"]
        lines += [f"    else: return general(op, {values})"]
    if op.promote is not None:
        lines += _unless('d is not F32 and (d is None or d.kind != "f")', values)
        scalars = [i for i in promoted(op) if i not in op.tensors]
        if scalars:
            lines += _unless(" or ".join(f"type(v{i}) is complex or type(v{i}) is bool" for i in scalars), values)
    return lines


def _result(op: Op, plan: Plan, call: str, values: str, floating: bool = False) -> list[str]:
    """The kernel's result as a Tensor with its node; what numpy refuses, the general way words.

    `floating`: the result is known to be of floating point.
    """
    first = op.tensors[0] if op.tensors else 0
    leave = ["    " + _told(values, "(t,)", "None"), "        return t"]
    lines = [
        *_called("out", call, values),
        *_laid_out(op),
        "    t = new(Tensor)",
        "    t._a = out; t._nr = 0; t._inference = t._requires = False",
    ]
    if op.view:
        lines += [
            f"    b = v{first}._base; t._base = v{first} if b is None else b",
            f"    c = v{first}._counter",
            f"    if c is None: c = v{first}._version_counter()",
            f"    t._counter = c; t._view_version = c.n; k = t._view_kind = v{first}._view_kind",
            "    if not STATE.grad_enabled:",
            '        if not k: t._view_kind = "no_grad"',
            "        t._fn = None",
            *leave,
        ]
    else:
        lines += ["    t._base = t._counter = None", "    if not STATE.grad_enabled:", "        t._fn = None", *leave]
    lines += _edges_or(plan, ["        t._fn = None", *leave], values)
    if not floating:
        lines += ['    if out.dtype.kind not in "fcV":', "        t._fn = None", *leave]
        lines += _unless('out.dtype.kind == "c"', values)  # another class of node
    return [*lines, *_node(op, plan, hooks=False, leave=()), _told(values, "(t,)", "n"), "    return t"]


def _laid_out(op: Op) -> list[str]:
    """A pointwise result in the order that its operands have in memory, where one of them does not lie row by row."""
    if not op.pointwise:
        return []
    unusual = " or ".join(f"(type(a{i}) is ndarray and not a{i}.flags.c_contiguous)" for i in op.tensors)
    operands = ", ".join(f"a{i}" if i in op.tensors else f"v{i}" for i in op.operands)
    return [
        "    if type(out) is ndarray and out.ndim > 1:",
        "        shape = out.shape",
        f"        if 1 in shape or 0 in shape or {unusual}: out = iterated(out, {operands})",
    ]


def _results(op: Op, plan: Plan, call: str, values: str) -> list[str]:
    """The same for a kernel of several results, any of which may be absent."""
    every = range(op.signature.returns)
    leave = ["    " + _told(values, "outs", "None"), "        return outs"]
    lines = _unless(f"isinstance(v{op.tensors[0]}, TensorBase)", values) if op.view else []
    lines += [
        *_called(_listed("o", every), call, values),
        *(f"    t{i} = None if o{i} is None else wrap(o{i})" for i in every),
        f"    outs = ({_listed('t', every)})",
        "    if not STATE.grad_enabled:",
        *leave,
        *_edges_or(plan, leave, values),
    ]
    lines += _unless(" or ".join(f"(o{i} is not None and o{i}.dtype.kind == 'c')" for i in every), values)
    return [*lines, *_node(op, plan, hooks=False, leave=leave), _told(values, "outs", "n"), "    return outs"]


def _told(values: str, outs: str, node: str) -> str:
    """The statement that tells the observers of an op that ran, and of the node it made."""
    return f"    for o in STATE.observers: o.on_op(op, {values}, {outs}, {node}, None)"


def _called(results: str, call: str, values: str) -> list[str]:
    return [
        "    try:",
        f"        {results} = {call}",
        f"    except (ValueError, OverflowError, NotImplementedError): return general(op, {values})",
    ]


def _listed(letter: str, numbers: Iterable[int]) -> str:
    return "".join(f"{letter}{i}, " for i in numbers)


def promoted(op: Op) -> tuple[int, ...]:
    """Positions of the arguments that are cast to their common dtype."""
    if op.promoted is None:
        names = ("other", "exponent", "self", "min", "max")
        extra = [i for i, p in enumerate(op.signature.params) if p.type == "Scalar" and p.name in names]
        op.promoted = (*op.tensors, *extra)
    return op.promoted


def node_maker(op: Op, plan: Plan) -> Callable[..., Any]:
    """A function (values, out) -> node that records an op that ran, as `make_node` does."""
    many = op.signature.returns
    lines = ["def make(values, t):", f"    {_listed('v', range(len(op.signature.params)))} = values"]
    if many == 1:
        lines += ["    out = t._a"]
    else:
        lines += [f"    {_listed('t', range(many))} = t"]
        lines += [f"    o{i} = None if t{i} is None else t{i}._a" for i in range(many)]
    lines += _edges(plan) + _node(op, plan, hooks=True, leave=["        return None"]) + ["    return n"]
    return _compiled(lines, _node_scope(op), "make")


def _edges(plan: Plan) -> list[str]:
    """e0, e1, …: where the gradients of the differentiable inputs go."""
    lines = []
    for k, p in enumerate(plan.positions):
        lines += [
            f"    if isinstance(v{p}, TensorBase):",
            f"        f = v{p}._fn",
            f"        if v{p}._base is not None: e{k} = v{p}._edge()",
            f"        elif f is not None: e{k} = (f, v{p}._nr)",
            f"        else: e{k} = v{p}._edge() if v{p}._requires else None",
            f"    else: e{k} = None",
        ]
    return lines


def _edges_or(plan: Plan, leave: list[str], values: str) -> list[str]:
    """The edges; when there is none, `leave`.

    A view that was made without recording requires grad as its base does, and has no edge: its node leads nowhere.
    """
    none = " and ".join(f"e{k} is None" for k in range(len(plan.positions)))
    lines = [*_edges(plan), f"    if {none or True}:"]
    for p in plan.positions:
        lines += [
            f"        if isinstance(v{p}, TensorBase) and v{p}._base is not None and v{p}._needs_grad:",
            f"            return general(op, {values})",
        ]
    return [*lines, *leave]


def _node(op: Op, plan: Plan, hooks: bool, leave: Sequence[str]) -> list[str]:
    """The node n of the result t, whose array is `out`, with what it saves; of several, t0, o0, t1, o1, and so on.

    Args:
        hooks: pack hooks for saved tensors may be set.
        leave: what is done when none of several results can have a gradient.
    """
    lines: list[str] = []
    saves: list[str] = []
    last: list[str] = []
    for i, s in enumerate(plan.saves):
        guard = f"e{s.guard} is not None" if s.guard is not None else ""
        v = f"v{s.index}"
        if s.kind == "input":
            pad = "        " if guard else "    "
            lines += [f"    s{i} = None", f"    if {guard}:"] if guard else []
            unusual = f"STATE.saved_hooks or {v}._inference" if hooks else f"{v}._inference"
            lines += [
                f"{pad}s{i} = {v}",
                f"{pad}if isinstance({v}, TensorBase):",
                f"{pad}    c = {v}._counter",
                f"{pad}    if {unusual} or (c is not None and c.n): s{i} = save_input({v})",
            ]
            saves.append(f"s{i}")
        elif s.kind == "attr":
            saves.append(v)
        elif s.kind == "output":
            t, out = ("t", "out") if op.signature.returns == 1 else (f"t{s.index}", f"o{s.index}")
            lines += [f"    if {t} is None: s{i} = None"]
            if hooks:  # the hook sees the node
                last += [f"    if STATE.saved_hooks and {t} is not None: n.saved[{i}] = save_output({t}, {s.index}, n)"]
            lines += [
                "    else:",
                f"        c = {t}._counter",
                f"        if c is None: c = {t}._counter = new(Version); c.n = 0",
                f"        s{i} = s = new(SavedTensor)",
                f"        s.tensor = None; s.array = {out}; s.counter = c; s.output_nr = {s.index}; s.version = c.n",
            ]
            saves.append(f"s{i}")
        elif s.kind == "sym_sizes" and not guard:
            saves.append(f"{v}._a.shape if isinstance({v}, TensorBase) else property_of('sym_sizes', {v}, None)")
        else:
            value = f"property_of({s.kind!r}, {v}, {s.detail!r})"
            saves.append(f"({value} if {guard} else ())" if guard else value)
    return [
        *lines,
        *_owners(op, leave),
        f"    n.edges = ({_listed('e', range(len(plan.positions)))})",
        "    n.extras = None",
        "    n.seq = STATE.sequence",
        "    STATE.sequence += 1",
        f"    n.saved = [{', '.join(saves)}]",
        *last,
    ]


def _owners(op: Op, leave: Sequence[str]) -> list[str]:
    """The node and its outputs: those that can have a gradient belong to it. When none can, `leave`."""
    if op.signature.returns == 1:
        return ["    n = t._fn = new(cls)", "    n.meta = META.get(type(out)) or ((out.shape, out.dtype),)"]
    every = range(op.signature.returns)
    able = [i for i in every if i not in op.nondiff]
    meta = [f"ABSENT if o{i} is None else (o{i}.shape, o{i}.dtype), " for i in every]
    return [
        *(f"    d{i} = o{i} is not None and o{i}.dtype.kind in 'fcV'" for i in able),
        f"    if not ({' or '.join(f'd{i}' for i in able) or 'False'}):",
        *leave,
        "    n = new(cls)",
        *(f"    if d{i}: t{i}._fn = n; t{i}._nr = {i}" for i in able),
        f"    n.meta = ({''.join(meta)})",
    ]


def _node_scope(op: Op) -> dict[str, Any]:
    return {
        "TensorBase": TensorBase, "STATE": STATE, "save_input": save_input, "save_output": save_output,
        "new": object.__new__, "SavedTensor": SavedTensor, "Version": Version, "cls": op.node_class,
        "property_of": property_of, "META": SCALAR_META, "ABSENT": ((), np.float32), "wrap": Tensor._wrap,
    }  # fmt: skip


def rules_runner(op: Op, plan: Plan) -> Callable[[Any, Any, bool], tuple[Any, ...]]:
    """A function (node, grads, free) -> gradients per edge, as `apply_arrays` and then, if `free`, `release` do."""
    lines = ["def run(node, grads, free):", "    s = node.saved", "    e = node.edges"]
    if any(GRAD in rule.reads for rule in plan.rules):
        lines += ["    grad = grads[0]"]
    scope: dict[str, Any] = {
        "SavedTensor": SavedTensor, "TensorBase": TensorBase, "RELEASED": RELEASED, "read": OpNode.read_entry,
        "PackedTensor": PackedTensor, "of_packed": _of_packed,
    }  # fmt: skip
    for k, rule in enumerate(plan.rules):
        results = ", ".join(f"g{i}" for i in rule.slots)
        unasked = " and ".join(f"e[{i}] is None" for i in rule.slots)
        if _passes_on(rule.rule):
            lines += [f"    {results} = None if {unasked} else grad"]
            continue
        scope[f"rule{k}"] = rule.rule
        lines += [f"    if {unasked}: {results.replace(', ', ' = ')} = None", "    else:"]
        asked = "".join(f"e[{i}] is not None, " for i in rule.slots)
        args = []
        for r in rule.reads:
            if r < 0:
                args.append({GRAD: "grad", GRADS: "grads", MASK: f"({asked})"}[r])
                continue
            save = plan.saves[r]
            if save.kind not in ("input", "output"):
                args.append(f"s[{r}]")
                continue
            args.append(f"v{r}")
            lines += [f"        v{r} = s[{r}]"]
            if save.kind == "input":
                lines += [
                    f"        if isinstance(v{r}, TensorBase):",
                    f"            c = v{r}._counter",
                    f"            v{r} = v{r}._a if c is None or not c.n else read(node, v{r})",
                ]
            else:
                lines += [
                    f"        if type(v{r}) is SavedTensor:",
                    f"            if v{r}.counter.n != v{r}.version: v{r}.check(node)",
                    f"            v{r} = v{r}.array",
                ]
            lines += [
                f"        elif type(v{r}) is PackedTensor: return of_packed(node, grads, free)",
                f"        else: v{r} = read(node, v{r})",
            ]
        lines += [f"        {results} = rule{k}({', '.join(args)})"]
    if plan.tensor_saves:
        lines += ["    if free:"]
        lines += [f"        if s[{i}] is not None: s[{i}] = RELEASED" for i in plan.tensor_saves]
    lines += [f"    return ({_listed('g', range(len(plan.positions)))})"]
    return _compiled(lines, scope, "run")


def _of_packed(node: Any, grads: Any, free: bool) -> Any:
    out = node.apply_arrays(grads)
    if free:
        node.release()
    return out


def _passes_on(rule: Any) -> bool:
    """Whether a rule is `lambda grad: grad`: read off its code, so that every such rule is known for one."""
    code, same = getattr(rule, "__code__", None), (lambda grad: grad).__code__
    return code is not None and (code.co_code, code.co_argcount) == (same.co_code, 1)


def _compiled(lines: list[str], scope: dict[str, Any], function: str) -> Callable[..., Any]:
    scope["__name__"] = __name__  # its frames are the engine's
    exec(_code("\n".join(lines)), scope)  # the source is made above, from the plan alone
    return scope[function]


@cache
def _code(source: str) -> CodeType:
    """Compiled once for all ops that are alike."""
    return compile(source, "<plain operator>", "exec")
