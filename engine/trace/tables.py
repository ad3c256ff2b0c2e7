"""What is known of a run so far: its steps, and the records of the tensors and nodes that were seen.

It keeps no tensor and no node alive: both carry their number, and are looked up weakly at the end.
"""

import math
import weakref
from typing import Any

import numpy as np

from engine.batching.tensor import all_elements
from engine.graph import AccumulateGrad, PackedTensor, SavedTensor
from engine.saved import as_saved
from engine.tensor import TensorBase
from engine.trace.limits import RICH_RESULTS
from engine.trace.options import Options
from engine.trace.records import (
    BackwardRecord,
    NodeRecord,
    OpRecord,
    SavedRecord,
    ScopeRecord,
    Step,
    TensorRecord,
)
from engine.trace.saved_memory import SavedMemory
from engine.trace.snapshots import Snapshot, Snapshots
from engine.trace.statistics import histogram
from engine.trace.values import whole_elements


class Tables:
    """The tables, and how an entry is made. See engine.trace.records for what they hold."""

    def __init__(self, options: Options) -> None:
        self.steps: list[Step] = []
        self.tensors: list[TensorRecord] = []
        self.ops: list[OpRecord] = []
        self.nodes: list[NodeRecord] = []
        self.backwards: list[BackwardRecord] = []
        self.scopes: list[ScopeRecord] = []
        self.saved_memory = SavedMemory()
        self.snapshots = Snapshots(whole_elements(options), options.values != "none")
        self._histograms_left = RICH_RESULTS if options.values != "none" else 0
        self.names: list[tuple[str, int, int, Any]] = []
        self.scope: int | None = None
        self.lost_steps = 0
        self._most_steps = options.most_steps
        self.room = math.inf  # for so many steps; none beyond is added, nor counted as lost
        self.late_prints: list[dict[str, Any]] = []  # what was printed once the trace was full
        self._by_storage: dict[int, list[TensorRecord]] = {}
        self._shown: dict[type, list[tuple[int, str]]] = {}  # what nodes of a class save: see `_saved_by_op`

    # ---- steps ----------------------------------------------------------------------------------
    def step(self, kind: str, line: int | None, what: Any) -> int | None:
        """Add a step; None once the trace is full or the program was stopped."""
        index = len(self.steps)
        if index >= self._most_steps or index >= self.room:
            if index < self.room:
                self.lost_steps += 1
                if self.lost_steps == 1:
                    self.filled()
            return None
        self.steps.append((kind, line, self.scope, what))
        return index

    def filled(self) -> None:
        """Called once, at the first step that is lost."""

    # ---- tensors --------------------------------------------------------------------------------
    def tensor(self, t: Any) -> TensorRecord:
        """The record of a tensor, made when it is first seen; inside a vmap that of the whole batch."""
        number = t._trace_id
        if number is None:
            t = t._all_samples()
            number = t._trace_id
        if number is None:
            return self.new_tensor(t, None, len(self.steps), None)
        return self.tensors[number]

    def new_tensor(self, t: Any, op: int | None, step: int, line: int | None) -> TensorRecord:
        """The record of a tensor that has none yet; `op` made it, or nothing that was seen."""
        number = t._trace_id = len(self.tensors)
        record = TensorRecord(number, weakref.ref(t), None, op, step, line, self.scope)
        snapshot = self._first_snapshot(t._a)
        record.values.append((step, 0, snapshot))  # before it is listed: an interrupted record must still be whole
        self.tensors.append(record)
        if t._base is not None:
            base = self.tensor(t._base)
            record.base, record.storage = base.id, base.storage
        self._by_storage.setdefault(record.storage, []).append(record)
        self.describe(t, record)
        if t._grad_of is not None:
            owner = gradient_of(t)
            if owner is not None:
                record.names.extend(f"{n}.grad" for n in self.tensor(owner).names[:1])
        if record.version:
            record.values[0] = (step, record.version, snapshot)
        if t._grad is not None:
            record.grads.append((step, self.snapshots.take(t._grad._a)))
        return record

    def _first_snapshot(self, a: Any) -> Any:
        """A snapshot that may well stay the only one: with a histogram, while some are left."""
        snapshot = self.snapshots.take(a)
        if self._histograms_left and type(snapshot) is Snapshot and snapshot.summary is not None:
            self._histograms_left -= 1
            snapshot.summary.counts = snapshot.summary.counts or histogram(a)
        return snapshot

    def describe(self, t: Any, record: TensorRecord) -> None:
        """Note the autograd state a tensor has now."""
        fn = t._fn
        record.is_leaf = fn is None
        if fn is None:
            record.requires_grad, record.grad_fn = t._requires, None
        else:
            record.requires_grad = True
            try:
                record.grad_fn = fn.trace_id
            except AttributeError:  # a node that has not been seen
                record.grad_fn = self.node(fn).id
        counter = t._counter
        record.is_inference = t._inference
        record.version = 0 if counter is None or t._inference else counter.n
        record.output_nr = t._nr
        record.retains = t._retains
        record.class_name = type(t).__name__

    def share_storage(self, record: TensorRecord, other: TensorRecord) -> None:
        """Note that a tensor lies in another one's memory."""
        self._by_storage[record.storage].remove(record)
        record.storage = other.storage
        self._by_storage[other.storage].append(record)

    def value_changed(self, t: Any, step: int) -> None:
        """A tensor's memory was written: it, its base and every view of it have a new value, or are one's gradient."""
        owner = gradient_of(t)
        if owner is not None:
            self.grad_changed(owner, step)
        here = self._by_storage[self.tensor(t).storage]
        for record in here.copy():
            alive = record.ref()
            if alive is None:
                here.remove(record)
            else:
                self.describe(alive, record)
                record.values.append((step, record.version, self.snapshots.take(alive._a)))

    def grad_changed(self, t: Any, step: int) -> None:
        """A tensor's `.grad` was set, added to, or set to None."""
        grads, snapshot = self.tensor(t).grads, None
        if t._grad is not None:
            take = self.snapshots.take if grads else self._first_snapshot
            snapshot = take(t._grad._a)
            t._grad._grad_of = weakref.ref(t)
        grads.append((step, snapshot))

    # ---- nodes ----------------------------------------------------------------------------------
    def node(self, fn: Any) -> NodeRecord:
        """The record of a node, made when it is first seen."""
        try:
            return self.nodes[fn.trace_id]
        except AttributeError:
            return self.new_node(fn, None, None)

    def new_node(self, fn: Any, op: int | None, line: int | None) -> NodeRecord:
        """The record of a node that has none yet; `op` made it, or nothing that was seen."""
        number = fn.trace_id = len(self.nodes)
        now = max(len(self.steps) - 1, 0)  # the step of the op that made it is there already
        if type(fn) is AccumulateGrad:
            record = NodeRecord(number, fn.name(), None, op, line, now)
            self.nodes.append(record)
            record.tensor = self.tensor(fn.variable).id
            return record
        record = NodeRecord(number, fn.name(), fn.seq, op, line, now)
        self.nodes.append(record)
        edges = record.edges
        for e in fn.edges:
            if e is None:
                edges.append(None)
                continue
            try:
                edges.append((e[0].trace_id, e[1]))
            except AttributeError:
                edges.append((self.new_node(e[0], None, None).id, e[1]))
        record.plan = type(fn).plan
        if record.plan is not None:
            self._saved_by_op(record, fn)
        else:
            record.is_custom = hasattr(fn, "saved_tensors")
            for i, entry in enumerate(fn.saved or ()):
                self._save(record, f"saved_tensors[{i}]", entry)
        if record.keys:
            record.ref = _NodeEnd(fn, self._node_ended)
            record.ref.record = record
            self.saved_memory.note(now)
        return record

    def _saved_by_op(self, record: NodeRecord, fn: Any) -> None:
        kind = type(fn)
        shown = self._shown.get(kind)
        if shown is None:
            saves = record.plan.saves
            shown = self._shown[kind] = [(i, f"_saved_{s.name}") for i, s in enumerate(saves) if s.exposed]
        saved = fn.saved
        if saved:
            for i, name in shown:
                self._save(record, name, saved[i])

    def _save(self, record: NodeRecord, name: str, entry: Any) -> None:
        kind = type(entry)
        if kind is PackedTensor:
            entry = entry.packed if isinstance(entry.packed, TensorBase) else "packed"
            kind = type(entry)
        elif isinstance(entry, TensorBase):
            entry, kind = as_saved(entry), SavedTensor
        if kind is SavedTensor:
            t = entry.tensor
            if t is None:
                number, array = None, entry.array
            else:
                number, array = t._trace_id, t._a
                if number is None:
                    number = self.tensor(t).id
            if type(array) is not np.ndarray:
                array = all_elements(array)
            nbytes = array.nbytes
            saved = SavedRecord(name, number, entry.version, self.snapshots.take(array), None, nbytes)
            if t is None:
                saved.output_nr = entry.output_nr
            base = array.base if type(array) is np.ndarray else None
            key = id(array if base is None else base)
            record.keys.append((key, nbytes))
            self.saved_memory.hold(key, nbytes)
        elif kind is list:
            for i, e in enumerate(entry):
                self._save(record, f"{name}[{i}]", e)
            return
        elif isinstance(entry, TensorBase):
            saved = SavedRecord(name, self.tensor(entry).id, 0, self.snapshots.take(entry._a), None)
        else:
            saved = SavedRecord(name, None, None, None, entry)
        record.saved.append(saved)

    def _node_ended(self, end: "_NodeEnd") -> None:
        self.forget_saved(end.record)

    def forget_saved(self, record: NodeRecord) -> int:
        """A node freed what it saved, or died: the bytes that were freed with it."""
        keys, record.keys = record.keys, []
        return self.saved_memory.free(keys, len(self.steps)) if keys else 0


class _NodeEnd(weakref.ref):
    """Tells when a node dies, and whose record that is."""

    __slots__ = ("record",)
    record: NodeRecord


def gradient_of(t: Any) -> Any:
    """The tensor whose `.grad` a tensor is, as far as the recorder has seen; None otherwise."""
    reference = t._grad_of
    owner = reference() if reference is not None else None
    return owner if owner is not None and owner._grad is t else None
