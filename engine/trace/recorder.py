"""The observer: notes what happens as lean records while the program runs."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from engine.modes import STATE
from engine.tensor import TensorBase
from engine.trace.limits import QUEUE_NODES
from engine.trace.lines import current_line
from engine.trace.options import Options
from engine.trace.overflow import Overflow
from engine.trace.records import BackwardRecord, NodeRecord, OpRecord, ScopeRecord, Several, TensorRecord
from engine.trace.snapshots import NUMBERS
from engine.trace.tables import Tables

Queue = tuple[list[int], list[tuple[int, int]]]


class Recorder(Tables):
    """Implements every `on_…` of the engine's observers."""

    def __init__(self, options: Options | None = None) -> None:
        super().__init__(options or Options())
        self.module_calls: dict[int, int] = {}
        self.running: list[BackwardRecord] = []
        self.quiet = 0  # inside how many optimizer calls
        self.changed: dict[int, TensorBase] = {}  # what they have written so far

    def filled(self) -> None:
        """From here on steps are only counted."""
        STATE.observers = tuple(Overflow(self) if o is self else o for o in STATE.observers)

    # ---- forward --------------------------------------------------------------------------------
    def on_op(self, op: Any, values: Any, outs: Any, node: Any, target: Any) -> None:
        """An op ran, in place on `target` unless that is None."""
        if self.quiet or self.lost_steps:
            if target is not None:
                self.changed[id(target)] = target
            return
        inputs: list[Any] = []
        for v in values:
            if isinstance(v, TensorBase):
                number = v._trace_id
                inputs.append(self.tensors[number] if number is not None else self.tensor(v))
            else:
                inputs.append(self._several(v) if type(v) is list or type(v) is tuple else v)
        line, index = current_line(), len(self.steps)
        kind = "inplace" if target is not None else "view" if op.view else "compute"
        record = OpRecord(len(self.ops), op, op.name, inputs, kind, line, index, self.scope)
        if self.step("op" if target is None else "inplace", line, record) is None:
            return
        self.ops.append(record)
        self._outputs(record, outs, node)
        if target is not None:
            self.value_changed(target, index)
        elif op.name == "detach" and type(inputs[0]) is TensorRecord:
            self.share_storage(self.tensors[record.outputs[0]], inputs[0])

    def _outputs(self, record: OpRecord, outs: Any, node: Any) -> None:
        made = None
        if node is not None:
            made = (
                self.nodes[node.trace_id] if hasattr(node, "trace_id") else self.new_node(node, record.id, record.line)
            )
            made.op, record.grad_fn = record.id, made.id
        for t in outs:
            if t is None:
                continue
            number = t._trace_id
            if number is None:
                t = t._all_samples()
                number = t._trace_id
            if number is None:
                kept = self.new_tensor(t, record.id, record.step, record.line)
                if made is not None and made.awaits:
                    _fill_output(made, kept)
            else:
                kept = self.tensors[number]
                self.describe(t, kept)
            record.outputs.append(kept.id)

    def _several(self, v: Any) -> Any:
        """A list or tuple among an op's arguments: of tensors, or a constant."""
        if any(isinstance(x, TensorBase) for x in v):
            return Several([self.tensor(x) if isinstance(x, TensorBase) else None for x in v])
        return v

    def on_function(self, name: str, inputs: Any, outs: Any, node: Any) -> None:
        """A custom torch.autograd.Function ran forward."""
        if self.quiet or self.lost_steps:
            return
        arguments = [
            self.tensor(v) if isinstance(v, TensorBase) else self._several(v) if isinstance(v, list | tuple) else v
            for v in inputs
        ]
        line = current_line()
        record = OpRecord(len(self.ops), None, name, arguments, "compute", line, len(self.steps), self.scope)
        if self.step("op", line, record) is not None:
            self.ops.append(record)
            self._outputs(record, [t for t in outs if isinstance(t, TensorBase)], node)

    def on_create(self, t: Any, name: str) -> None:
        """A factory function made a leaf."""
        if self.quiet or self.lost_steps:
            return
        line, index = current_line(), len(self.steps)
        record = OpRecord(len(self.ops), None, name or "tensor", [], "create", line, index, self.scope)
        if self.step("create", line, record) is not None:
            self.ops.append(record)
            t = t._all_samples()
            known = t._trace_id
            made = self.new_tensor(t, record.id, index, line) if known is None else self.tensors[known]
            record.outputs.append(made.id)

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
        t = t._all_samples()
        if t._trace_id is not None:
            self.describe(t, self.tensor(t))

    def on_view_refreshed(self, t: Any, node: Any) -> None:
        if not self.lost_steps and t._all_samples() is t:
            self.describe(t, self.tensor(t))

    def on_data_set(self, t: Any) -> None:
        if not self.lost_steps:
            self.tensor(t).add("later", (len(self.steps), t._version, self.snapshots.take(t._a)))

    def on_grad_set(self, t: Any) -> None:
        if not self.lost_steps:
            self.grad_changed(t, len(self.steps))

    def on_mode(self, name: str, entered: bool) -> None:
        if not self.quiet:
            self.step("mode_enter" if entered else "mode_exit", current_line(), name)

    # ---- modules and optimizers -------------------------------------------------------------------
    def on_module_enter(self, module: Any) -> None:
        number = len(self.scopes)
        calls = self.module_calls[id(module)] = self.module_calls.get(id(module), 0) + 1
        parent = self.scopes[self.scope] if self.scope is not None else None
        cls = type(module).__name__
        name = cls
        if parent is not None:
            own = parent.path_to(module) or cls
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
        what = {"optimizer": type(optimizer).__name__, "tensors": numbers, **fields}
        step = self.step(kind, current_line(), what)
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
        number, line = len(self.backwards), current_line()
        roots = [self.node(fn).id for fn, _ in edges]
        root_tensors = [self.tensor(t).id for t in tensors if isinstance(t, TensorBase)]
        step = self.step("backward_start", line, number)
        keep, create = bool(run.keep_graph), bool(run.create_graph)
        record = BackwardRecord(number, call, roots, root_tensors, line, step or 0, keep, create)
        self.backwards.append(record)
        self.running.append(record)

    def on_backward_end(self, run: Any) -> None:
        record = self.running.pop()
        record.end_step = self.step("backward_end", record.line, record.id)

    def queue(self, run: Any, backward: BackwardRecord, sent: Sequence[tuple[int, int] | None]) -> Queue:
        """The ready queue and who still waits for how many gradients, both cut to a few; a node has `sent` its own.

        Who waits is copied from the pass once and then followed: most of it stays the same from node to node.
        """
        waiting = backward.waiting
        if waiting is None:
            waiting = backward.waiting = {self.node(fn).id: left for fn, left in run.waiting.items()}
        else:
            for edge in sent:
                if edge is not None:
                    number = edge[0]
                    left = waiting[number] = waiting[number] - 1
                    if not left:
                        del waiting[number]
        ready = [self.node(fn).id for fn in run.ready.order(QUEUE_NODES)]
        return ready, [*islice(waiting.items(), QUEUE_NODES)]

    def on_node(self, run: Any, node: Any, grads: Any, out: Any) -> None:
        record, backward = self.node(node), self.running[-1]
        queue = self.queue(run, backward, record.edges)
        if run.by_tensors:
            grads, out = ([None if g is None else g._a for g in each] for each in (grads, out))
        take = self.snapshots.take
        given = [g if type(g) in NUMBERS else take(g) for g in grads]
        sent = [g if type(g) in NUMBERS else take(g) for g in out]
        self.step("node_apply", backward.line, (record, backward.id, queue, given, sent))
        backward.order.append(record.id)

    def on_accumulate(self, run: Any, node: Any, before: Any, contribution: Any) -> None:
        record, backward = self.node(node), self.running[-1]
        variable = node.variable
        take = self.snapshots.take
        self.tensor(variable)
        what = (
            record, backward.id, self.queue(run, backward, ()), None if before is None else take(before._a),
            take(contribution._a if run.by_tensors else contribution), take(variable._grad._a),
        )  # fmt: skip
        step = self.step("accumulate", backward.line, what)
        backward.order.append(record.id)
        if step is not None:
            self.grad_changed(variable, step)

    def on_retain(self, run: Any, node: Any, tensor: Any) -> None:
        if not self.lost_steps:
            self.grad_changed(tensor, len(self.steps))

    def on_hook(self, run: Any, node: Any, kind: str, hook: Any, before: Any, after: Any) -> None:
        take = self.snapshots.take
        before = None if before is None else take(getattr(before, "_a", before))
        after = None if after is None else take(getattr(after, "_a", after))
        self.step("hook", current_line(), (self.node(node), kind, hook, before, after))

    def on_release(self, run: Any, node: Any) -> None:
        record = self.node(node)
        if not record.keys:
            return
        backward, step = self.running[-1], len(self.steps)
        freed = self.forget_saved(record)
        if self.step("release", backward.line, (record, backward.id, freed)) is not None:
            record.released = step


def _fill_output(node: NodeRecord, tensor: TensorRecord) -> None:
    """A node that saved its own output gets that tensor's number, known only now."""
    node.saved = [
        s._replace(tensor=tensor.id) if s.tensor is None and s.output_nr == tensor.output_nr else s for s in node.saved
    ]
