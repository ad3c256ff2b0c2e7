"""The observer: notes what happens as lean records while the program runs.

It keeps no tensor and no node alive: both carry their number, and are looked up weakly at the end.
"""

import math
import weakref
from itertools import islice
from typing import Any

from engine.batching.tensor import all_elements
from engine.graph import AccumulateGrad, PackedTensor, SavedTensor
from engine.modes import STATE
from engine.tensor import TensorBase
from engine.trace.limits import MAX_STEPS, QUEUE_NODES
from engine.trace.lines import current_line
from engine.trace.overflow import Overflow
from engine.trace.records import (
    BackwardRecord,
    Constant,
    NodeRecord,
    OpRecord,
    SavedRecord,
    ScopeRecord,
    StepRecord,
    TensorRecord,
    gradient_of,
)
from engine.trace.saved_memory import SavedMemory
from engine.trace.snapshots import Snapshots


class Recorder:
    """Implements every `on_…` of the engine's observers. See engine.trace.records for what it collects."""

    def __init__(self) -> None:
        self.steps: list[StepRecord] = []
        self.tensors: list[TensorRecord] = []
        self.ops: list[OpRecord] = []
        self.nodes: list[NodeRecord] = []
        self.backwards: list[BackwardRecord] = []
        self.scopes: list[ScopeRecord] = []
        self.saved_memory = SavedMemory()
        self.rules: dict[str, Any] = {}
        self.snapshots = Snapshots()
        self.names: list[tuple[str, int, int, Any]] = []
        self.scope: int | None = None
        self.module_calls: dict[int, int] = {}
        self.running: list[int] = []
        self.quiet = 0
        self.lost_steps = 0
        self.room = math.inf  # for so many steps; none beyond is added, nor counted as lost
        self.late_prints: list[dict[str, Any]] = []  # what was printed once the trace was full
        self.changed: dict[int, TensorBase] = {}

    # ---- steps ----------------------------------------------------------------------------------
    def step(self, kind: str, line: int | None = None, **fields: Any) -> int | None:
        """Add a step; None once the trace is full or the program was stopped."""
        index = len(self.steps)
        if index >= self.room:
            return None
        if index >= MAX_STEPS:
            if not self.lost_steps:
                STATE.observers = tuple(Overflow(self) if o is self else o for o in STATE.observers)
            self.lost_steps += 1
            return None
        self.steps.append(StepRecord(kind, current_line() if line is None else line, self.scope, fields))
        return index

    # ---- tensors --------------------------------------------------------------------------------
    def tensor(self, t: Any, op: int | None = None, step: int | None = None, line: int | None = None) -> TensorRecord:
        """The record of a tensor, made when it is first seen; inside a vmap that of the whole batch."""
        t = t._all_samples()
        number = t.__dict__.get("_trace_id")
        if number is not None:
            return self.tensors[number]
        number = len(self.tensors)
        t._trace_id = number
        base = self.tensor(t._base).id if t._base is not None else None
        now = len(self.steps) if step is None else step
        record = TensorRecord(number, weakref.ref(t), base, op, now, line, self.scope)
        record.storage = self.tensors[base].storage if base is not None else number
        record.shape, record.dtype = t._a.shape, t._a.dtype
        snapshot = self.snapshots.take(t._a)
        record.values.append((now, 0, snapshot))  # before it is listed: an interrupted record must still be whole
        self.tensors.append(record)
        self.describe(t, record)
        owner = gradient_of(t)
        if owner is not None:
            record.names.extend(f"{n}.grad" for n in self.tensor(owner).names[:1])
        record.values[0] = (now, record.version, snapshot)
        if t._grad is not None:
            record.grads.append((now, self.snapshots.take(t._grad._a)))
        return record

    def describe(self, t: Any, record: TensorRecord) -> None:
        """Note the autograd state a tensor has now."""
        record.requires_grad = t._requires or t._fn is not None
        record.is_leaf = t._fn is None
        record.is_inference = t._inference
        record.version = 0 if t._counter is None or t._inference else t._counter.n
        record.grad_fn = None if t._fn is None else self.node(t._fn).id
        record.output_nr = t._nr
        record.retains = t._retains
        record.class_name = type(t).__name__

    def value_changed(self, t: Any, step: int) -> None:
        """A tensor's memory was written: it, its base and every view of it have a new value, or are one's gradient."""
        owner = gradient_of(t)
        if owner is not None:
            self.grad_changed(owner, step)
        storage = self.tensor(t).storage
        for record in self.tensors:
            if record.storage == storage:
                alive = record.ref()
                if alive is not None:
                    self.describe(alive, record)
                    record.values.append((step, record.version, self.snapshots.take(alive._a)))

    def grad_changed(self, t: Any, step: int) -> None:
        """A tensor's `.grad` was set, added to, or set to None."""
        snapshot = None
        if t._grad is not None:
            snapshot = self.snapshots.take(t._grad._a)
            t._grad._grad_of = weakref.ref(t)
        self.tensor(t).grads.append((step, snapshot))

    # ---- nodes ----------------------------------------------------------------------------------
    def node(self, fn: Any, op: int | None = None, line: int | None = None) -> NodeRecord:
        """The record of a node, made when it is first seen."""
        number = getattr(fn, "trace_id", None)
        if number is not None:
            return self.nodes[number]
        number = fn.trace_id = len(self.nodes)
        now = max(len(self.steps) - 1, 0)  # the step of the op that made it is there already
        record = NodeRecord(number, fn.name(), None if isinstance(fn, AccumulateGrad) else fn.seq, op, line, now)
        self.nodes.append(record)
        if isinstance(fn, AccumulateGrad):
            record.tensor = self.tensor(fn.variable).id
            return record
        record.edges = [None if e is None else (self.node(e[0]).id, e[1]) for e in fn.edges]
        plan = type(fn).plan
        if plan is not None:
            self._saved_by_op(record, fn, plan)
        else:
            record.is_custom = hasattr(fn, "saved_tensors")
            self._saved_by_function(record, fn)
        return record

    def _saved_by_op(self, record: NodeRecord, fn: Any, plan: Any) -> None:
        record.rule = rule = plan.op.grad_fn
        self.rules.setdefault(rule, plan.op)
        record.input_names = list(plan.inputs)
        for save, entry in zip(plan.saves, fn.saved or (), strict=False):
            if save.exposed:
                self._save(record, f"_saved_{save.name}", entry, save.kind in ("input", "output"))
        self._watch(record, fn)

    def _saved_by_function(self, record: NodeRecord, fn: Any) -> None:
        for i, entry in enumerate(fn.saved or ()):
            self._save(record, f"saved_tensors[{i}]", entry, True)
        self._watch(record, fn)

    def _watch(self, record: NodeRecord, fn: Any) -> None:
        if record.keys:
            record.ref = weakref.ref(fn, lambda _: self._forget(record))
            self.saved_memory.note(max(len(self.steps) - 1, 0))

    def _save(self, record: NodeRecord, name: str, entry: Any, tensorial: bool) -> None:
        if isinstance(entry, list):
            for i, e in enumerate(entry):
                self._save(record, f"{name}[{i}]", e, tensorial)
            return
        if type(entry) is PackedTensor:
            entry = entry.packed if isinstance(entry.packed, TensorBase) else Constant("packed")
        if type(entry) is SavedTensor:
            t = entry.tensor
            number = self.tensor(t).id if t is not None else None
            array = all_elements(entry.array if t is None else t._a)
            kept = SavedRecord(name, number, entry.version, self.snapshots.take(array), None)
            kept.output_nr = entry.output_nr if t is None else None
            key = id(array if getattr(array, "base", None) is None else array.base)
            record.keys.append((key, array.nbytes))
            kept.bytes = array.nbytes
            self.saved_memory.hold(key, array.nbytes)
        elif isinstance(entry, TensorBase):
            kept = SavedRecord(name, self.tensor(entry).id, 0, self.snapshots.take(entry._a), None)
        else:
            kept = SavedRecord(name, None, None, None, entry)
        record.saved.append(kept)

    def _forget(self, record: NodeRecord) -> int:
        """A node freed what it saved, or died: the bytes that were freed with it."""
        keys, record.keys = record.keys, []
        return self.saved_memory.free(keys, len(self.steps))

    # ---- forward --------------------------------------------------------------------------------
    def on_op(self, op: Any, values: Any, outs: Any, node: Any, target: Any) -> None:
        if self.quiet or self.lost_steps:
            if target is not None:
                self.changed[id(target)] = target
            return
        line = current_line()
        number, index = len(self.ops), len(self.steps)
        kind = "inplace" if target is not None else "view" if op.view else "compute"
        inputs = [self._argument(p.name, v) for p, v in zip(op.signature.params, values, strict=False)]
        step = self.step("inplace" if target is not None else "op", line, op=number)
        if step is None:
            return
        record = OpRecord(number, op.signature.base, op.name, inputs, kind, line, index, self.scope)
        self.ops.append(record)
        self._outputs(record, outs, node, target)

    def _outputs(self, record: OpRecord, outs: Any, node: Any, target: Any) -> None:
        if node is not None:
            made = self.node(node, record.id, record.line)
            made.op, record.grad_fn = record.id, made.id
        for t in (t._all_samples() for t in outs if t is not None):
            known = "_trace_id" in t.__dict__
            kept = self.tensor(t, record.id, record.step, record.line)
            record.outputs.append(kept.id)
            if known:
                self.describe(t, kept)
            if record.name == "detach" and record.inputs[0].tensor is not None:
                kept.storage = self.tensors[record.inputs[0].tensor].storage
            if node is not None and not known:
                self._fill_output(self.nodes[record.grad_fn], kept)  # type: ignore[index]
        if target is not None:
            self.steps[record.step].fields["tensor"] = self.tensor(target).id
            self.value_changed(target, record.step)

    def _fill_output(self, node: NodeRecord, tensor: TensorRecord) -> None:
        """A node that saved its own output gets that tensor's number, known only now."""
        for s in node.saved:
            if s.tensor is None and s.snapshot is not None and s.output_nr == tensor.output_nr:
                s.tensor = tensor.id

    def _argument(self, name: str, v: Any) -> Constant:
        if isinstance(v, TensorBase):
            return Constant(name, tensor=self.tensor(v).id)
        if isinstance(v, list | tuple) and any(isinstance(x, TensorBase) for x in v):
            return Constant(name, tensors=[self.tensor(x).id if isinstance(x, TensorBase) else None for x in v])
        return Constant(name, value=v)

    def on_function(self, name: str, inputs: Any, outs: Any, node: Any) -> None:
        """A custom torch.autograd.Function ran forward."""
        if self.quiet or self.lost_steps:
            return
        line = current_line()
        number = len(self.ops)
        arguments = [self._argument(f"input{i}", v) for i, v in enumerate(inputs)]
        step = self.step("op", line, op=number)
        if step is None:
            return
        record = OpRecord(number, name, f"{name}.apply", arguments, "compute", line, step, self.scope)
        self.ops.append(record)
        self._outputs(record, [t for t in outs if isinstance(t, TensorBase)], node, None)

    def on_create(self, t: Any, name: str) -> None:
        if self.quiet or self.lost_steps:
            return
        line = current_line()
        number, index = len(self.ops), len(self.steps)
        if self.step("create", line, tensor=len(self.tensors), op=number) is None:
            return
        record = OpRecord(number, name or "tensor", name or "tensor", [], "create", line, index, self.scope)
        self.ops.append(record)
        kept = self.tensor(t, number, index, line)
        self.steps[index].fields["tensor"] = kept.id
        record.outputs.append(kept.id)

    def on_before_write(self, t: Any) -> None:
        self.snapshots.before_write(t._all_samples()._a)

    def on_value_changed(self, t: Any) -> None:
        """An op changed the values of an input that is not its target: running statistics."""
        if not self.quiet and not self.lost_steps:
            self.value_changed(t, max(len(self.steps) - 1, 0))

    def on_written(self, t: Any) -> None:
        """Memory was written outside an op, by an optimizer."""
        self.changed[id(t)] = t

    def on_requires_grad(self, t: Any) -> None:
        if "_trace_id" in (t := t._all_samples()).__dict__:
            self.describe(t, self.tensor(t))

    def on_view_refreshed(self, t: Any, node: Any) -> None:
        if not self.lost_steps and t._all_samples() is t:
            self.describe(t, self.tensor(t))

    def on_data_set(self, t: Any) -> None:
        if not self.lost_steps:
            self.tensor(t).values.append((len(self.steps), t._version, self.snapshots.take(t._a)))

    def on_grad_set(self, t: Any) -> None:
        if not self.lost_steps:
            self.grad_changed(t, len(self.steps))

    def on_mode(self, name: str, entered: bool) -> None:
        if not self.quiet:
            self.step("mode_enter" if entered else "mode_exit", mode=name)

    # ---- modules and optimizers -------------------------------------------------------------------
    def on_module_enter(self, module: Any) -> None:
        number = len(self.scopes)
        calls = self.module_calls[id(module)] = self.module_calls.get(id(module), 0) + 1
        parent = self.scopes[self.scope] if self.scope is not None else None
        cls = type(module).__name__
        name = cls
        if parent is not None:
            children = getattr(parent.module, "_modules", {})
            own = next((n for n, m in children.items() if m is module), cls)
            name = own if parent.parent is None else f"{parent.name}.{own}"
        self.scopes.append(ScopeRecord(number, self.scope, name, cls, calls, len(self.steps), module))
        self.scope = number

    def on_module_exit(self, module: Any) -> None:
        if self.scope is None:
            return
        record = self.scopes[self.scope]
        record.last_step = max(len(self.steps) - 1, record.first_step)
        self.scope = record.parent

    def on_optimizer_enter(self, optimizer: Any, kind: str) -> None:
        """`kind` is "zero_grad" or "optimizer_step": what happens inside becomes one step."""
        self.quiet += 1
        if self.quiet == 1:
            self.changed = {}

    def on_optimizer_exit(self, optimizer: Any, kind: str, parameters: Any, **fields: Any) -> None:
        self.quiet -= 1
        if self.quiet or self.lost_steps:
            return
        known = [p for p in parameters if p is not None]
        if kind == "optimizer_step":
            known = [p for p in known if id(p) in self.changed]
        numbers = [self.tensor(p).id for p in known]
        step = self.step(kind, optimizer=type(optimizer).__name__, tensors=numbers, **fields)
        if step is None:
            return
        for p in known:
            if kind == "zero_grad":
                if self.tensor(p).grads:
                    self.grad_changed(p, step)
            else:
                self.value_changed(p, step)

    # ---- backward -------------------------------------------------------------------------------
    def on_backward_start(self, run: Any, tensors: Any, edges: Any, grads: Any, call: str) -> None:
        number = len(self.backwards)
        roots = [self.node(fn).id for fn, _ in edges]
        root_tensors = [self.tensor(t).id for t in tensors if isinstance(t, TensorBase)]
        line = current_line()
        step = self.step("backward_start", line, backward=number)
        self.backwards.append(
            BackwardRecord(number, call, roots, root_tensors, line, step or 0, run.keep_graph, run.create_graph)
        )
        self.running.append(number)

    def on_backward_end(self, run: Any) -> None:
        number = self.running.pop()
        self.backwards[number].end_step = self.step("backward_end", backward=number)

    def queue(self, run: Any) -> tuple[list[int], list[tuple[int, int]]]:
        """The ready queue and who still waits for how many gradients, both cut to a few."""
        ready = [self.node(n).id for n in run.ready.order()[:QUEUE_NODES]]
        waiting = [(self.node(fn).id, left) for fn, left in islice(run.waiting.items(), QUEUE_NODES)]
        return ready, waiting

    def on_node(self, run: Any, node: Any, grads: Any, out: Any) -> None:
        record = self.node(node)
        current = self.running[-1]
        take = self.snapshots.take
        self.step(
            "node_apply", node=record.id, backward=current, queue=self.queue(run),
            grads_in=[None if g is None else take(getattr(g, "_a", g)) for g in grads],
            grads_out=[None if g is None else take(getattr(g, "_a", g)) for g in out],
        )  # fmt: skip
        self.backwards[current].order.append(record.id)

    def on_accumulate(self, run: Any, node: Any, before: Any, contribution: Any) -> None:
        record = self.node(node)
        current = self.running[-1]
        variable = node.variable
        take = self.snapshots.take
        step = self.step(
            "accumulate", node=record.id, tensor=self.tensor(variable).id, backward=current, queue=self.queue(run),
            before=None if before is None else take(before._a),
            contribution=take(getattr(contribution, "_a", contribution)), after=take(variable._grad._a),
        )  # fmt: skip
        self.backwards[current].order.append(record.id)
        if step is not None:
            self.grad_changed(variable, step)

    def on_retain(self, run: Any, node: Any, tensor: Any) -> None:
        if not self.lost_steps:
            self.grad_changed(tensor, len(self.steps))

    def on_hook(self, run: Any, node: Any, kind: str, hook: Any, before: Any, after: Any) -> None:
        take = self.snapshots.take
        record = self.node(node)
        self.step(
            "hook", node=record.id, tensor=record.tensor, hook=(kind, hook),
            before=None if before is None else take(getattr(before, "_a", before)),
            after=None if after is None else take(getattr(after, "_a", after)),
        )  # fmt: skip

    def on_release(self, run: Any, node: Any) -> None:
        record = self.node(node)
        if not record.keys:
            return
        names = [s.name for s in record.saved if s.snapshot is not None and s.released is None]
        step = len(self.steps)
        freed = self._forget(record)
        if self.step("release", node=record.id, backward=self.running[-1], saved=names, bytes=freed) is not None:
            for s in record.saved:
                if s.snapshot is not None and s.released is None:
                    s.released = step
