"""From the recorder's lean records to the Trace document of backend.schemas."""

from collections import defaultdict
from typing import Any

from engine.modes import STATE
from engine.torch_names import VERSION
from engine.trace import probe
from engine.trace.limits import MAX_SERIES_POINTS, MAX_STEPS
from engine.trace.options import Asked, Options
from engine.trace.recorder import Recorder
from engine.trace.records import Constant, NodeRecord, OpRecord, TensorRecord
from engine.trace.rules import rule_document
from engine.trace.values import Values, dtype_name, number

_TEXT = 2_000
_MODULE_LIMIT = f"at most {MAX_STEPS:,} steps"


def build_document(recorder: Recorder, seed: int, error: dict[str, Any] | None, asked: Asked) -> dict[str, Any]:
    """The whole document; times are filled in by the caller."""
    STATE.observers = ()
    options = asked.options
    builder = _Builder(recorder, options)
    timeline = options.steps == "all"
    steps = builder.steps()
    lost = recorder.lost_steps
    status, message = ("error", None) if error is not None else ("ok", asked.message)
    if lost and error is None:
        status = "too_large"
        message = (
            f"This run took {MAX_STEPS + lost:,} steps; the first {MAX_STEPS:,} are shown. Everything it printed is "
            "kept. Use fewer iterations to see the whole run."
        )
    truncated = _left_out(recorder, options)
    if lost:
        truncated.append({"what": "steps", "limit": _MODULE_LIMIT, "kept": MAX_STEPS, "total": MAX_STEPS + lost})
    return {
        "schema_version": "1.0",
        "torch_version": VERSION,
        "seed": seed,
        "outcome": {"status": status, "error": error, "message": message, "run_ms": None, "total_ms": None},
        "console": builder.console(),
        "tensors": [builder.tensor(t) for t in recorder.tensors],
        "ops": [builder.op(o) for o in recorder.ops],
        "nodes": [builder.node(n) for n in recorder.nodes],
        "rules": {name: rule_document(op) for name, op in recorder.rules.items()},
        "steps": steps if timeline else [],
        "backwards": builder.backwards(),
        "scopes": builder.scopes(),
        "memory": [{"step": s, "bytes": b} for s, b in recorder.saved_memory.timeline] if timeline else [],
        "series": builder.series() if timeline else [],
        "truncated": truncated,
        "overrides": asked.overrides,
        "slice": None if options.probe is None else probe.look(recorder, options.probe),
    }


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

    # ---- steps ----------------------------------------------------------------------------------
    def steps(self) -> list[dict[str, Any]]:
        """The timeline; without it, what the nodes must know of it all the same."""
        if self.timeline:
            return [self._step(i, s) for i, s in enumerate(self.r.steps)]
        for s in self.r.steps:
            if s.kind == "hook":
                self._hook(s, *s.fields["hook"])
        return []

    def _step(self, index: int, s: Any) -> dict[str, Any]:
        out: dict[str, Any] = {"index": index, "kind": s.kind, "line": s.line}
        if s.scope is not None:
            out["scope"] = s.scope
        value = self.values.at_step
        for key, v in s.fields.items():
            if key in ("grads_in", "grads_out"):
                out[key] = [value(x) for x in v]
            elif key in ("before", "contribution", "after"):
                out[key] = value(v)
            elif key == "queue":
                out[key] = {"ready": v[0], "waiting": v[1]}
            elif key == "hook":
                out[key] = self._hook(s, *v)
            elif key != "stream":
                out[key] = v
        return out

    def _hook(self, s: Any, kind: str, hook: Any) -> dict[str, Any]:
        code = getattr(hook, "__code__", None)
        described = {
            "kind": kind, "name": str(getattr(hook, "__name__", type(hook).__name__))[:_TEXT],
            "line": code.co_firstlineno if code is not None else None,
        }  # fmt: skip
        known = self.hooks[s.fields["node"]]
        if described not in known:
            known.append(described)
        return described

    def console(self) -> list[dict[str, Any]]:
        recorded = [
            {"step": i, "stream": s.fields["stream"], "text": s.fields["text"], "line": s.line}
            for i, s in enumerate(self.r.steps)
            if s.kind == "print"
        ]
        return recorded + [{"step": self.last, **printed} for printed in self.r.late_prints]

    # ---- tables ---------------------------------------------------------------------------------
    def tensor(self, t: TensorRecord) -> dict[str, Any]:
        alive = t.ref()
        if alive is not None:
            self.r.describe(alive, t)
        last = t.values[-1][2]
        a = last.a if last.summary is None else None
        value = self.values.at_the_end(last, bool(t.names))
        grad = t.grads[-1][1] if t.grads else None
        shape = list(t.shape if a is None else a.shape)
        return {
            "id": t.id, "names": t.names, "shape": shape, "dtype": value["dtype"] if value else "torch.float32",
            "stride": [s // a.itemsize for s in a.strides] if a is not None and a.ndim else [],
            "storage": t.storage,
            "storage_offset": alive.storage_offset() if alive is not None and alive._base is not None else 0,
            "requires_grad": t.requires_grad, "is_leaf": t.is_leaf, "is_parameter": t.class_name == "Parameter",
            "is_inference": t.is_inference, "is_view": t.base is not None, "base": t.base, "version": t.version,
            "value": value,
            "values": self._history(t) if self.timeline else [],
            "grad": self.values.at_the_end(grad, bool(t.names)),
            "grads": [{"step": min(s, self.last), "value": self.values.at_step(x)} for s, x in t.grads]
            if self.timeline else [],
            "retains_grad": t.retains, "grad_fn": t.grad_fn, "output_nr": t.output_nr, "op": t.op,
            "created_step": min(t.step, self.last), "line": t.line, "scope": t.scope,
            "why_no_grad": None if grad is not None else self._why_no_grad(t),
        }  # fmt: skip

    def _history(self, t: TensorRecord) -> list[dict[str, Any]]:
        """Every value a tensor had; none for one that never changed, whose `value` says it all."""
        if len(t.values) == 1 and t.version == 0:
            return []
        return [{"step": min(s, self.last), "version": v, "value": self.values.at_step(x)} for s, v, x in t.values]

    def _why_no_grad(self, t: TensorRecord) -> str:
        if not t.requires_grad:
            return "no_requires_grad"
        if not t.is_leaf and not t.retains:
            return "is_not_leaf"
        return "not_reached" if self.r.backwards else "no_backward"

    def op(self, o: OpRecord) -> dict[str, Any]:
        return {
            "id": o.id, "name": o.name, "overload": o.overload, "inputs": [_argument(c) for c in o.inputs],
            "outputs": o.outputs,
            "kind": o.kind, "line": o.line, "step": min(o.step, self.last), "scope": o.scope, "grad_fn": o.grad_fn,
        }  # fmt: skip

    def node(self, n: NodeRecord) -> dict[str, Any]:
        return {
            "id": n.id, "name": n.name, "next_functions": [(None, 0) if e is None else e for e in n.edges],
            "input_names": _per_edge(n.input_names, len(n.edges)),
            "saved": [self._saved(s) for s in n.saved] if self.options.saved else [],
            "sequence_nr": n.seq, "op": n.op, "tensor": n.tensor, "hooks": self.hooks.get(n.id, []), "rule": n.rule,
            "is_custom": n.is_custom, "line": n.line, "created_step": min(n.step, self.last),
        }  # fmt: skip

    def _saved(self, s: Any) -> dict[str, Any]:
        value = self.values.when_small(s.snapshot)
        text = _text(s.value) if s.snapshot is None else _described(s.snapshot)
        return {
            "name": s.name, "tensor": s.tensor, "version": s.version, "text": text, "value": value, "bytes": s.bytes,
            "released_step": None if s.released is None else min(s.released, self.last),
        }  # fmt: skip

    def backwards(self) -> list[dict[str, Any]]:
        return [
            {
                "id": b.id, "call": b.call, "roots": b.roots, "root_tensors": b.root_tensors, "line": b.line,
                "start_step": min(b.start_step, self.last), "end_step": b.end_step, "retain_graph": bool(b.retain),
                "create_graph": bool(b.create), "order": b.order,
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


def _argument(c: Constant) -> dict[str, Any]:
    if c.tensor is not None:
        return {"name": c.name, "tensor": c.tensor}
    if c.tensors is not None:
        return {"name": c.name, "tensors": c.tensors}
    return {"name": c.name, "constant": _text(c.value)}


def _described(s: Any) -> str:
    """A saved tensor in a word: its dtype and shape."""
    kept = s.a if s.summary is None else s.summary
    return f"{dtype_name(kept.dtype)} {list(kept.shape)}"


def _text(v: Any) -> str:
    try:
        return repr(v)[:_TEXT]
    except Exception:  # noqa: BLE001  a program's own __repr__ may fail
        return object.__repr__(v)[:_TEXT]


def _per_edge(names: list[str], edges: int) -> list[str]:
    """An input name per edge; a list's tensors are numbered."""
    if len(names) == edges:
        return names
    if len(names) == 1:
        return [f"{names[0]}[{i}]" for i in range(edges)]
    return []
