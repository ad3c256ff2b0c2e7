"""What is known of a run so far: its steps, and the records of the tensors and nodes that were seen.

It keeps no tensor and no node alive: both carry their number, and are looked up weakly at the end.
"""

import math
import weakref
from typing import Any

import numpy as np

from engine.batching.tensor import all_elements
from engine.graph import AccumulateGrad, PackedTensor, SavedTensor
from engine.tensor import Tensor, TensorBase
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
from engine.trace.snapshots import NUMBERS, Snapshot, Snapshots
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
        self._sharing: dict[int, list[TensorRecord]] = {}  # by storage, where several tensors lie in it
        self._shown: dict[type, list[tuple[int, str]]] = {}  # by class of node: see `_names_of_saved`

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
        a = t._a
        value = a if type(a) in NUMBERS else self._first_snapshot(a)
        record = TensorRecord(number, weakref.ref(t), op, step, line, self.scope, value)
        self.tensors.append(record)
        if t._base is not None:
            base = self.tensor(t._base)
            record.base = base.id
            self._put(record, base.storage)
        self.describe(t, record)
        if t._grad_of is not None:
            owner = gradient_of(t)
            if owner is not None:
                record.names = [f"{n}.grad" for n in self.tensor(owner).names[:1]]
        if record.version:
            record.first_version = record.version
        if t._grad is not None:
            record.add("grads", (step, self.snapshots.take(t._grad._a)))
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
        if fn is None:
            record.grad_fn = None
        else:
            try:
                record.grad_fn = fn.trace_id
            except AttributeError:  # a node that has not been seen
                record.grad_fn = self.node(fn).id
        counter = t._counter
        record.version = 0 if counter is None or t._inference else counter.n
        record.requires, record.is_inference = t._requires, t._inference
        if fn is None and t._base is not None:
            record.requires = t._needs_grad  # a view that was not recorded: its base's
        record.output_nr, record.retains = t._nr, t._retains
        if type(t) is not Tensor:
            record.is_parameter = type(t).__name__ == "Parameter"

    def _put(self, record: TensorRecord, storage: int) -> None:
        """Note in whose memory a tensor lies."""
        record.storage = storage
        here = self._sharing.get(storage)
        if here is None:
            here = self._sharing[storage] = [self.tensors[storage]]
        here.append(record)

    def share_storage(self, record: TensorRecord, other: TensorRecord) -> None:
        """Note that a tensor that was just made lies in another one's memory."""
        if record.storage != other.storage:
            self._put(record, other.storage)

    def value_changed(self, t: Any, step: int) -> None:
        """A tensor's memory was written: it, its base and every view of it have a new value, or are one's gradient."""
        owner = gradient_of(t)
        if owner is not None:
            self.grad_changed(owner, step)
        storage = self.tensor(t).storage
        here = self._sharing.get(storage) or [self.tensors[storage]]
        for record in here.copy():
            alive = record.ref()
            if alive is None:
                here.remove(record)
            else:
                self.describe(alive, record)
                record.add("later", (step, record.version, self.snapshots.take(alive._a)))

    def grad_changed(self, t: Any, step: int) -> None:
        """A tensor's `.grad` was set, added to, or set to None."""
        record, snapshot = self.tensor(t), None
        if t._grad is not None:
            take = self.snapshots.take if record.grads else self._first_snapshot
            snapshot = take(t._grad._a)
            t._grad._grad_of = weakref.ref(t)
        record.add("grads", (step, snapshot))

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
        record = NodeRecord(number, fn.name(), op, line, now)
        self.nodes.append(record)
        if type(fn) is AccumulateGrad:
            record.tensor = self.tensor(fn.variable).id
            return record
        record.seq = fn.seq
        try:
            record.edges = [None if e is None else (e[0].trace_id, e[1]) for e in fn.edges]
        except AttributeError:  # of a node that has not been seen
            record.edges = [None if e is None else (self.node(e[0]).id, e[1]) for e in fn.edges]
        plan = record.plan = type(fn).plan
        saved = fn.saved
        if plan is None:
            record.is_custom = hasattr(fn, "saved_tensors")
            entries = [(f"saved_tensors[{i}]", entry) for i, entry in enumerate(saved or ())]
        elif saved:
            entries = [(name, saved[i]) for i, name in self._shown.get(type(fn)) or self._names_of_saved(fn)]
        else:
            return record
        if entries:
            self._save(record, entries)
        if record.keys:
            record.ref = _NodeEnd(fn, self._node_ended)
            record.ref.record = record
            self.saved_memory.note(now)
        return record

    def _names_of_saved(self, fn: Any) -> list[tuple[int, str]]:
        """What nodes of a class show of what they save: where it lies, and its name."""
        kind = type(fn)
        shown = [(i, f"_saved_{s.name}") for i, s in enumerate(kind.plan.saves) if s.exposed]
        self._shown[kind] = shown
        return shown

    def _save(self, record: NodeRecord, entries: list[tuple[str, Any]]) -> None:
        """Note what a node saves."""
        saved: list[SavedRecord] = []
        keys: list[tuple[int, int]] = []
        record.saved, record.keys = saved, keys
        entries.reverse()
        while entries:
            name, entry = entries.pop()
            if isinstance(entry, TensorBase):  # as an input at its version 0
                saved.append(self._saved_tensor(name, entry, entry._a, 0, None, keys))
                continue
            kind = type(entry)
            if kind is PackedTensor:
                if isinstance(entry.packed, TensorBase):
                    t = entry.packed
                    saved.append(SavedRecord(name, self.tensor(t).id, 0, self.snapshots.take(t._a), None))
                else:
                    saved.append(SavedRecord(name, None, None, None, "packed"))
            elif kind is SavedTensor:
                t = entry.tensor
                array = entry.array if t is None else t._a
                output_nr = entry.output_nr if t is None else None
                record.awaits = record.awaits or t is None
                saved.append(self._saved_tensor(name, t, array, entry.version, output_nr, keys))
            elif kind is list:
                entries.extend([(f"{name}[{i}]", e) for i, e in enumerate(entry)][::-1])
            else:
                saved.append(SavedRecord(name, None, None, None, entry))

    def _saved_tensor(
        self, name: str, t: Any, array: Any, version: int, output_nr: int | None, keys: list[tuple[int, int]]
    ) -> SavedRecord:
        """What is known of a saved tensor, or output without its tensor; its memory is added to `keys`."""
        number = None
        if t is not None:
            number = t._trace_id
            if number is None:
                number = self.tensor(t).id
        if type(array) in NUMBERS:
            snapshot, key = array, id(array)
        else:
            if type(array) is not np.ndarray:
                array = all_elements(array)
            snapshot = self.snapshots.take(array)
            base = array.base if type(array) is np.ndarray else None
            key = id(array if base is None else base)
        nbytes = array.nbytes
        keys.append((key, nbytes))
        self.saved_memory.hold(key, nbytes)
        return SavedRecord(name, number, version, snapshot, None, nbytes, output_nr)

    def _node_ended(self, end: "_NodeEnd") -> None:
        self.forget_saved(end.record)

    def forget_saved(self, record: NodeRecord) -> int:
        """A node freed what it saved, or died: the bytes that were freed with it."""
        keys, record.keys, record.ref = record.keys, (), None
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
