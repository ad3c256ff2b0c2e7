"""From the recorder's lean records to the Trace document of backend.schemas."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from engine.modes import STATE
from engine.torch_names import VERSION
from engine.trace import probe
from engine.trace.limits import MAX_SERIES_POINTS
from engine.trace.options import Asked, Options
from engine.trace.recorder import Recorder
from engine.trace.records import NodeRecord, OpRecord, SavedRecord, Several, TensorRecord
from engine.trace.rules import rule_document
from engine.trace.snapshots import NUMBERS, kept
from engine.trace.values import Values, dtype_name, number

_TEXT = 2_000
_NO_EDGE = (None, 0)


def build_document(recorder: Recorder, seed: int, error: dict[str, Any] | None, asked: Asked) -> dict[str, Any]:
    """The whole document; times are filled in by the caller."""
    STATE.observers = ()
    options = asked.options
    builder = _Builder(recorder, options)
    timeline = options.steps == "all"
    steps = builder.steps()
    lost, most = recorder.lost_steps, options.most_steps
    status, message = ("error", None) if error is not None else ("ok", asked.message)
    if lost and error is None:
        status = "too_large"
        message = (
            f"This run took {most + lost:,} steps; the first {most:,} are shown. Everything it printed is "
            "kept. Use fewer iterations to see the whole run."
        )
    truncated = _left_out(recorder, options)
    if lost:
        limit = f"at most {most:,} steps"
        truncated.append({"what": "steps", "limit": limit, "kept": most, "total": most + lost})
    document = {
        "schema_version": "1.0",
        "torch_version": str(VERSION),  # a plain text, which TorchVersion is not
        "seed": seed,
        "outcome": {"status": status, "error": error, "message": message, "run_ms": None, "total_ms": None},
        "console": builder.console(),
        "tensors": [builder.tensor(t) for t in recorder.tensors],
        "ops": [builder.op(o) for o in recorder.ops],
        "nodes": [builder.node(n) for n in recorder.nodes],
        "rules": {name: rule_document(op) for name, op in builder.rules.items()},
        "steps": steps if timeline else [],
        "backwards": builder.backwards(),
        "scopes": builder.scopes(),
        "memory": [{"step": s, "bytes": b} for s, b in recorder.saved_memory.timeline] if timeline else [],
        "series": builder.series() if timeline else [],
        "truncated": truncated,
        "overrides": asked.overrides,
        "slice": None if options.probe is None else probe.look(recorder, options.probe),
    }
    builder.values.finish()
    return document


def _left_out(recorder: Recorder, options: Options) -> list[dict[str, Any]]:
    """What the options left out, as entries of `truncated`."""
    left = []
    if options.values != "full":
        left.append({"what": "values", "limit": f"options.values is {options.values}", "kept": 0, "total": None})
    if not options.saved:
        total = sum(len(n.saved) for n in recorder.nodes)
        left.append({"what": "saved", "limit": "options.saved is false", "kept": 0, "total": total})
    if options.steps != "all":
        left.append({"what": "steps", "limit": "options.steps is final_graph", "kept": 0, "total": len(recorder.steps)})
    return left


class _Builder:
    def __init__(self, recorder: Recorder, options: Options):
        self.r = recorder
        self.options = options
        self.timeline = options.steps == "all"
        self.values = Values(options)
        self.last = max(len(recorder.steps) - 1, 0)
        self.hooks: dict[int, list[dict[str, Any]]] = defaultdict(list)
        self.rules: dict[str, Any] = {}
        self.parameters: dict[Any, list[str]] = {}  # by op, their names

    # ---- steps ----------------------------------------------------------------------------------
    def steps(self) -> list[dict[str, Any]]:
        """The timeline; without it, what the nodes must know of it all the same."""
        if self.timeline:
            return [self._step(i, *s) for i, s in enumerate(self.r.steps)]
        for kind, _line, _scope, what in self.r.steps:
            if kind == "hook":
                self._hook(*what[:3])
        return []

    def _step(self, index: int, kind: str, line: int | None, scope: int | None, what: Any) -> dict[str, Any]:
        value = self.values.at_step
        if kind == "node_apply":
            node, backward, queue, given, sent = what
            out = {
                "index": index, "kind": kind, "line": line, "backward": backward, "node": node.id,
                "grads_in": [value(x) for x in given], "grads_out": [value(x) for x in sent],
                "queue": {"ready": queue[0], "waiting": queue[1]},
            }  # fmt: skip
        elif kind == "op":
            out = {"index": index, "kind": kind, "line": line, "op": what.id}
        elif kind == "release":
            node, backward, freed = what
            out = {
                "index": index, "kind": kind, "line": line, "backward": backward, "bytes": freed, "node": node.id,
                "saved": [s.name for s in node.saved if s.snapshot is not None] if node.released == index else [],
            }  # fmt: skip
        elif kind == "accumulate":
            node, backward, queue, before, contribution, after = what
            out = {
                "index": index, "kind": kind, "line": line, "backward": backward, "node": node.id,
                "tensor": node.tensor, "before": value(before), "contribution": value(contribution),
                "after": value(after), "queue": {"ready": queue[0], "waiting": queue[1]},
            }  # fmt: skip
        else:
            out = {"index": index, "kind": kind, "line": line}
            self._rarer(out, kind, what)
        if scope is not None:
            out["scope"] = scope
        return out

    def _rarer(self, out: dict[str, Any], kind: str, what: Any) -> None:
        """The fields of a step that a run has few of."""
        if kind in ("create", "inplace"):
            out["op"] = what.id
            out["tensor"] = what.outputs[0] if what.outputs else None
        elif kind in ("backward_start", "backward_end"):
            out["backward"] = what
        elif kind in ("mode_enter", "mode_exit"):
            out["mode"] = what
        elif kind == "hook":
            node, _kind, _hook, before, after = what
            out["node"], out["tensor"], out["hook"] = node.id, node.tensor, self._hook(*what[:3])
            out["before"], out["after"] = self.values.at_step(before), self.values.at_step(after)
        elif kind == "print":
            out["text"] = what.text
        elif kind in ("warning", "error"):
            out["text"] = what
        else:
            out.update(what)

    def _hook(self, node: NodeRecord, kind: str, hook: Any) -> dict[str, Any]:
        code = getattr(hook, "__code__", None)
        described = {
            "kind": kind, "name": str(getattr(hook, "__name__", type(hook).__name__))[:_TEXT],
            "line": code.co_firstlineno if code is not None else None,
        }  # fmt: skip
        known = self.hooks[node.id]
        if described not in known:
            known.append(described)
        return described

    def console(self) -> list[dict[str, Any]]:
        recorded = [
            {"step": i, "stream": what.stream, "text": what.text, "line": line}
            for i, (kind, line, _scope, what) in enumerate(self.r.steps)
            if kind == "print"
        ]
        return recorded + [{"step": self.last, **printed} for printed in self.r.late_prints]

    # ---- tables ---------------------------------------------------------------------------------
    def tensor(self, t: TensorRecord) -> dict[str, Any]:
        alive, last, is_named, grads = t.ref(), self.last, bool(t.names), t.grads
        array = grad_array = None
        offset = 0
        if alive is not None:
            self.r.describe(alive, t)
            if not self.r.lost_steps:  # else they may have changed since
                array, grad_array = alive._a, None if alive._grad is None else alive._grad._a
            if alive._base is not None:
                offset = alive.storage_offset()
        held = t.later[-1][2] if t.later else t.value
        a = held if type(held) in NUMBERS else kept(held)
        value = self.values.at_the_end(held, is_named, array)
        grad = grads[-1][1] if grads else None
        grad_fn, requires_grad = t.grad_fn, t.requires or t.grad_fn is not None
        if grad is not None:
            why_no_grad = None
        elif not requires_grad:
            why_no_grad = "no_requires_grad"
        elif grad_fn is not None and not t.retains:
            why_no_grad = "is_not_leaf"
        else:
            why_no_grad = "not_reached" if self.r.backwards else "no_backward"
        return {
            "id": t.id, "names": t.names or [], "shape": value["shape"], "dtype": value["dtype"],
            "stride": [s // a.itemsize for s in a.strides] if a.shape else [],
            "storage": t.storage, "storage_offset": offset, "requires_grad": requires_grad, "is_leaf": grad_fn is None,
            "is_parameter": t.is_parameter, "is_inference": t.is_inference, "is_view": t.base is not None,
            "base": t.base, "version": t.version, "value": value,
            "values": self._history(t) if self.timeline and (t.version or t.later) else [],
            "grad": None if grad is None else self.values.at_the_end(grad, is_named, grad_array),
            "grads": [
                {"step": s if s < last else last, "value": self.values.at_step(x)} for s, x in grads
            ] if self.timeline and grads else [],
            "retains_grad": t.retains, "grad_fn": grad_fn, "output_nr": t.output_nr, "op": t.op,
            "created_step": t.step if t.step < last else last, "line": t.line, "scope": t.scope,
            "why_no_grad": why_no_grad,
        }  # fmt: skip

    def _history(self, t: TensorRecord) -> list[dict[str, Any]]:
        """Every value a tensor had; for one that never changed, `value` says it all."""
        return [{"step": min(s, self.last), "version": v, "value": self.values.at_step(x)} for s, v, x in t.values()]

    def op(self, o: OpRecord) -> dict[str, Any]:
        op, last = o.op, self.last
        if op is not None:
            name, overload, names = op.signature.base, op.name, self.parameters.get(op) or self._parameters(op)
        else:
            name = o.name
            overload = name if o.kind == "create" else f"{name}.apply"
            names = [f"input{i}" for i in range(len(o.inputs))]
        return {
            "id": o.id, "name": name, "overload": overload,
            "inputs": [  # some of the signature's may be left out
                {"name": n, "tensor": v.id} if type(v) is TensorRecord else _argument(n, v)
                for n, v in zip(names, o.inputs)  # noqa: B905
            ],
            "outputs": o.outputs, "kind": o.kind, "line": o.line, "step": o.step if o.step < last else last,
            "scope": o.scope, "grad_fn": o.grad_fn,
        }  # fmt: skip

    def _parameters(self, op: Any) -> list[str]:
        names = self.parameters[op] = [p.name for p in op.signature.params]
        return names

    def node(self, n: NodeRecord) -> dict[str, Any]:
        plan, last = n.plan, self.last
        rule, input_names = None, []
        if plan is not None:
            rule = plan.op.grad_fn
            if rule not in self.rules:
                self.rules[rule] = plan.op
            input_names = _per_edge(plan.inputs, len(n.edges))
        released = n.released
        if released is not None and released > last:
            released = last
        return {
            "id": n.id, "name": n.name, "next_functions": [_NO_EDGE if e is None else e for e in n.edges],
            "input_names": input_names,
            "saved": [self._saved(s, released) for s in n.saved] if self.options.saved else [],
            "sequence_nr": n.seq, "op": n.op, "tensor": n.tensor,
            "hooks": self.hooks.get(n.id, []),
            "rule": rule, "is_custom": n.is_custom, "line": n.line, "created_step": n.step if n.step < last else last,
        }  # fmt: skip

    def _saved(self, s: SavedRecord, released: int | None) -> dict[str, Any]:
        name, tensor, version, held, value, nbytes, _ = s
        if held is None:
            text, shown, released = _text(value), None, None
        else:
            text, shown = _described(held), self.values.when_small(held)
        return {
            "name": name, "tensor": tensor, "version": version, "text": text, "value": shown, "bytes": nbytes,
            "released_step": released,
        }  # fmt: skip

    def backwards(self) -> list[dict[str, Any]]:
        return [
            {
                "id": b.id, "call": b.call, "roots": b.roots, "root_tensors": b.root_tensors, "line": b.line,
                "start_step": min(b.start_step, self.last), "end_step": b.end_step, "retain_graph": b.retain,
                "create_graph": b.create, "order": b.order,
            }
            for b in self.r.backwards
        ]  # fmt: skip

    def scopes(self) -> list[dict[str, Any]]:
        return [
            {
                "id": s.id, "parent": s.parent, "name": s.name[:_TEXT], "module": s.class_name[:_TEXT], "call": s.call,
                "first_step": min(s.first_step, self.last),
                "last_step": None if s.last_step is None else min(s.last_step, self.last),
            }
            for s in self.r.scopes
        ]  # fmt: skip

    def series(self) -> list[dict[str, Any]]:
        """Scalars that a loop overwrites: bound by the same name on the same line more than once."""
        groups: dict[tuple[str, int], list[tuple[int, Any]]] = {}
        for name, line, step, value in self.r.names[:MAX_SERIES_POINTS]:
            groups.setdefault((name, line), []).append((min(step, self.last), value))
        return [
            {"name": name[:_TEXT], "line": line, "points": [{"step": s, "value": number(v)} for s, v in points]}
            for (name, line), points in groups.items()
            if len(points) > 1
        ]


def _argument(name: str, v: Any) -> dict[str, Any]:
    kind = type(v)
    if kind is TensorRecord:
        return {"name": name, "tensor": v.id}
    if kind is Several:
        return {"name": name, "tensors": [None if r is None else r.id for r in v.records]}
    return {"name": name, "constant": _text(v)}


def _described(s: Any) -> str:
    """A saved tensor in a word: its dtype and shape."""
    a = s if type(s) in NUMBERS else kept(s)
    return f"{dtype_name(a.dtype)} {list(a.shape)}"


def _text(v: Any) -> str:
    try:
        return repr(v)[:_TEXT]
    except Exception:  # noqa: BLE001  a program's own __repr__ may fail
        return object.__repr__(v)[:_TEXT]


def _per_edge(names: Sequence[str], edges: int) -> list[str]:
    """An input name per edge; a list's tensors are numbered."""
    if len(names) == edges:
        return list(names)
    if len(names) == 1:
        return [f"{names[0]}[{i}]" for i in range(edges)]
    return []
