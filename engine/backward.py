"""The backward pass: from roots and their gradients along the graph, iteratively, in PyTorch's order.

An ordinary pass carries numpy arrays; with `create_graph` it carries Tensors and records what the rules do. Hooks and
custom Functions always see Tensors.
"""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.anomaly import check_nan, warn_traceback
from engine.dispatch import apply, run_inplace
from engine.dtypes import from_numpy
from engine.gradients import cast, expandable, owned, sum_to, writable
from engine.graph import SCALAR_META, AccumulateGrad, Node
from engine.modes import STATE
from engine.ops.copy import COPY_, TO_COPY
from engine.ops.slicing import SELECT
from engine.ops.views import VIEW_AS_REAL
from engine.pass_hooks import leaf_hooks, post_hooks, pre_hooks, tensor_hooks
from engine.paths import on_a_path
from engine.ready_queue import ReadyQueue
from engine.storage import Version
from engine.tensor import Tensor
from engine.type_names import type_name

# A gradient that only this module's frame refers to may become `.grad` without a copy: the local and the call's own.
_SOLE_OWNER = 3


class Pass:
    """One backward pass: what is wanted of it, and its state while it runs."""

    def __init__(self, create_graph: bool, keep_graph: bool, inputs: Sequence[Any] | None, accumulate: bool):
        self.create_graph, self.keep_graph = create_graph, keep_graph
        self.accumulate, self.inputs = accumulate, inputs
        self.waiting: dict[Node, int] = {}  # gradients a node still waits for
        self.buffers: dict[Node, list[Any]] = {}
        self.ready = ReadyQueue()
        self.captures: dict[Node, list[tuple[int, int]]] = {}  # node -> (output number, index in inputs)
        self.added: dict[tuple[Node, int], int] = {}  # how often a leaf's or captured gradient was added to in place
        self.captured: list[Any] = [None] * (len(inputs) if inputs is not None else 0)
        self.needed: set[Node] | None = None
        self.observers = STATE.observers
        self.by_tensors = create_graph or (STATE.batching is not None and STATE.batching.by_tensors)

    # ---- setting up -----------------------------------------------------------------------------
    def start(self, edges: Sequence[tuple[Node, int]], grads: Sequence[Any]) -> None:
        """Count dependencies and put the root gradients in place."""
        roots = [fn for fn, _ in edges]
        self._count(roots)
        if self.inputs is not None:
            self._restrict(roots)
        for (fn, nr), g in zip(edges, grads, strict=True):
            self._put(fn, nr, g if self.by_tensors else g._a)
        for fn in dict.fromkeys(roots):
            if not self.waiting.get(fn):
                self.ready.push(fn)

    def _count(self, roots: list[Node]) -> None:
        waiting = self.waiting
        waiting.update(dict.fromkeys(roots, 0))
        todo = list(waiting)
        for node in todo:  # it grows on the way
            for edge in node.edges:
                if edge is not None:
                    fn = edge[0]
                    if fn in waiting:
                        waiting[fn] += 1
                    else:
                        waiting[fn] = 1
                        todo.append(fn)
        for fn in roots:
            if not waiting.get(fn, 1):
                del waiting[fn]

    def _restrict(self, roots: list[Node]) -> None:
        """Only nodes on a path to one of `inputs` run."""
        needed: set[Node] = set()
        for i, t in enumerate(self.inputs or ()):
            edge = t if isinstance(t, tuple) else t._edge()
            fn, nr = edge
            if self.accumulate and isinstance(fn, AccumulateGrad):
                needed.add(fn)
            else:
                self.captures.setdefault(fn, []).append((nr, i))
        self.needed = needed | on_a_path(roots, needed | self.captures.keys())

    def wanted(self, edges: Sequence[Any]) -> list[Any]:
        """Edges, with None for those that lead nowhere near one of `inputs`."""
        on_the_way, last = self.needed or (), self.captures
        return [e if e is not None and (e[0] in on_the_way or e[0] in last) else None for e in edges]

    # ---- running --------------------------------------------------------------------------------
    def run(self) -> None:
        """Run nodes until none is ready."""
        ready = self.ready
        if self.by_tensors or self.needed is not None or STATE.anomaly:
            while ready.heap:
                self._visit(ready.pop())
        elif self.observers:
            self._run_watched()
        else:
            self._run_plain()

    def _run_plain(self) -> None:
        """The same for an ordinary pass over all leaves: nodes of plain ops without hooks are run right here."""
        ready, buffers, waiting, free = self.ready, self.buffers, self.waiting, not self.keep_graph
        heap, push = ready.heap, ready.push
        node: Any = None
        while True:
            if node is None:
                if not heap:
                    return
                node = ready.pop()
            if type(node) is AccumulateGrad and node.extras is None:
                grads = buffers.pop(node, None)
                if grads is not None:
                    g = grads.pop()
                    self._accumulate(node, g)
                elif node.variable._post_hooks:
                    leaf_hooks(self, node.variable)
                node = g = None
                continue
            rules = node.fast_rules
            if rules is None or node.extras is not None or node not in buffers:
                self._visit(node)
                node = None
                continue
            out = rules(node, buffers.pop(node), free)
            edges = node.edges
            node = None
            for g, edge in zip(out, edges):  # noqa: B905  made together, and this loop is the engine's hottest
                if edge is None:
                    continue
                fn, nr = edge
                left = waiting[fn] = waiting[fn] - 1
                if g is not None:
                    meta = fn.meta
                    if SCALAR_META.get(type(g)) is not meta:
                        shape, dt = meta[nr]
                        if g.shape != shape or (g.dtype is not dt and g.dtype != dt):
                            g = self._fit(fn, 0, g, edge)
                    buffer = buffers.get(fn)
                    if buffer is not None and buffer[nr] is not None:
                        self._add(fn, nr, buffer, g, out)
                    elif len(meta) == 1:
                        buffers[fn] = [g]
                    else:
                        if buffer is None:
                            buffer = buffers[fn] = [None] * len(meta)
                        buffer[nr] = g
                if left == 0:
                    if node is None and not heap:
                        node = fn
                    else:
                        if node is not None:
                            push(node)
                            node = None
                        push(fn)
            out = g = None  # nothing of this node's may count as another owner of a gradient

    def _run_watched(self) -> None:
        """The same under the eyes of observers: they may keep every gradient, and are told of each node."""
        ready, buffers, free = self.ready, self.buffers, not self.keep_graph
        while ready.heap:
            node: Any = ready.pop()
            rules = node.fast_rules
            if rules is None or node.extras is not None or node not in buffers:
                self._visit(node)
                continue
            grads = buffers.pop(node)
            out = list(rules(node, grads, free))
            for i, edge in enumerate(node.edges):
                if edge is None:
                    continue
                fn, nr = edge
                g = out[i]
                if g is not None and SCALAR_META.get(type(g)) is not fn.meta:
                    g = out[i] = self._fit(node, i, g, edge)
                self._send(fn, nr, g, out)
            for o in self.observers:
                o.on_node(self, node, grads, out)
                if free:
                    o.on_release(self, node)

    def _visit(self, node: Node) -> None:
        grads = self.buffers.pop(node, None) or [None] * len(node.meta)
        extras = node.extras
        if extras is not None:
            grads = tensor_hooks(self, node, grads)
        if self.captures and node in self.captures:
            self._capture(node, grads)
        if self.needed is not None and node not in self.needed:
            return
        if extras is not None and extras.pre:
            grads = pre_hooks(self, node, grads)
        if type(node) is AccumulateGrad:
            if grads[0] is not None:
                g = grads.pop()
                self._accumulate(node, g)
            elif node.variable._post_hooks:
                leaf_hooks(self, node.variable)
            return
        out = self._fitted(node, self._apply(node, grads))
        if extras is not None and extras.post:  # they see gradients that fit, and what they return must fit too
            out = self._fitted(node, post_hooks(self, node, out, grads))
        if not self.keep_graph:
            node.release()
        if STATE.anomaly and STATE.check_nan:
            check_nan(node, out)
        for i, edge in enumerate(node.edges):
            if edge is not None:
                self._send(edge[0], edge[1], out[i], out)
        for o in self.observers:
            o.on_node(self, node, grads, out)
            if not self.keep_graph:
                o.on_release(self, node)

    def _apply(self, node: Node, grads: list[Any]) -> list[Any]:
        before, STATE.node = STATE.node, node
        try:
            if all(g is None for g in grads) and not node.runs_without:
                return [None] * len(node.edges)
            return node.apply_tensors(grads) if self.by_tensors else node.apply_arrays(grads)
        except Exception:
            if STATE.anomaly:
                warn_traceback(node)
            raise
        finally:
            STATE.node = before

    def _send(self, fn: Node, nr: int, g: Any, out: Sequence[Any]) -> None:
        waiting = self.waiting
        left = waiting[fn] = waiting[fn] - 1
        if g is not None:
            self._put(fn, nr, g, out)
        if left == 0:
            del waiting[fn]
            if self.needed is None or fn in self.needed or fn in self.captures:
                self.ready.push(fn)
            else:
                self.buffers.pop(fn, None)

    def _put(self, fn: Node, nr: int, g: Any, out: Sequence[Any] = ()) -> None:
        buffer = self.buffers.get(fn)
        if buffer is None:
            buffer = self.buffers[fn] = [None] * len(fn.meta)
        if buffer[nr] is None:
            buffer[nr] = g
        else:
            self._add(fn, nr, buffer, g, out)

    def _add(self, fn: Node, nr: int, buffer: list[Any], g: Any, out: Sequence[Any]) -> None:
        """Add a gradient to one that waits: in place where nothing else refers to that one, which counts a version.

        `out` are the gradients of the node that runs, which it is about to give away.
        """
        old = buffer[nr]
        if self.by_tensors:
            buffer[nr] = old + g
            return
        if self.observers:  # they may keep the array, so it is only counted
            alone = old is not g and sum(other is old for b in self.buffers.values() for other in b) == 1
            buffer[nr] = old + g
        else:
            owners = _SOLE_OWNER
            for o in out:
                if o is old:
                    owners += 1
            array = type(old) is np.ndarray
            alone = sys.getrefcount(old) <= owners and (not array or writable(old))
            if alone and array:
                old += g
            else:
                buffer[nr] = old + g
        if alone and (type(fn) is AccumulateGrad or fn in self.captures):
            self.added[fn, nr] = self.added.get((fn, nr), 0) + 1
        elif self.added:
            self.added.pop((fn, nr), None)

    def _fitted(self, node: Node, out: list[Any]) -> list[Any]:
        """What a node returned, each gradient as its edge takes it. Raises RuntimeError for too many or too few."""
        edges = node.edges
        if len(out) != len(edges):
            counts = f"(expected {len(edges)}, got {len(out)})"
            raise RuntimeError(f"Function {node.name()} returned an incorrect number of gradients {counts}")
        for i, edge in enumerate(edges):
            if edge is not None and out[i] is not None:
                out[i] = self._fit(node, i, out[i], edge)
        return out

    def _fit(self, node: Node, i: int, g: Any, edge: Any) -> Any:
        """The gradient reduced to the shape, and cast to the dtype, of what it is a gradient of."""
        shape, dt = edge[0].meta[edge[1]]
        a = g._a if self.by_tensors else g
        if a.shape != shape:
            if not expandable(shape, a.shape):
                raise RuntimeError(
                    f"Function {node.name()} returned an invalid gradient at index {i} - got {errors.sizes(a.shape)} "
                    f"but expected shape compatible with {errors.sizes(shape)}"
                )
            g = sum_to(g, a.shape, shape)
        if a.dtype == dt:
            return g
        if not self.by_tensors:
            return cast(g, np.dtype(dt))
        if a.dtype.kind == "c" != np.dtype(dt).kind:
            g = SELECT(VIEW_AS_REAL(g), -1, 0)
        wanted = from_numpy(np.dtype(dt))
        return g if g.dtype is wanted else apply(TO_COPY, (g,), {"dtype": wanted})

    def wrapped(self, g: Any) -> Any:
        """A gradient of this pass as a Tensor."""
        return g if self.by_tensors or g is None else Tensor._wrap(g)

    def unwrapped(self, g: Any) -> Any:
        """A Tensor as this pass carries gradients."""
        return g if self.by_tensors or g is None else g._a

    # ---- leaves ---------------------------------------------------------------------------------
    def _accumulate(self, node: AccumulateGrad, g: Any) -> None:
        variable = node.variable
        if not variable._requires:  # switched off, or detached in place, since it was recorded
            return
        before = variable._grad
        if self.by_tensors:
            contribution = g
            if before is None:
                fresh = Tensor._wrap(np.empty_like(variable._a))
                variable._grad = run_inplace(COPY_, [fresh, g if self.create_graph else g.detach(), False])
            else:
                variable._grad = before + g if self.create_graph else before.add_(g)
        elif before is None:
            unshared = sys.getrefcount(g) <= _SOLE_OWNER  # before another name is given to it
            contribution = g
            variable._grad = Tensor._wrap(owned(g, variable, unshared))
            if self.added and (unshared or self.observers):
                variable._grad._counter = Version(self.added.get((node, 0), 0))
        else:
            contribution = g
            target = before
            if self.observers:
                before = Tensor._wrap(np.array(target._a))
                for o in self.observers:
                    o.on_before_write(target)
            memory = target._array()
            memory += g
            target._version_counter().n += 1
        for o in self.observers:
            o.on_accumulate(self, node, before, contribution)
        if variable._post_hooks:
            leaf_hooks(self, variable)

    def _capture(self, node: Node, grads: list[Any]) -> None:
        for nr, i in self.captures[node]:
            g = grads[nr]
            if g is not None:
                wrapped = self.wrapped(g)
                if (node, nr) in self.added:
                    wrapped._counter = Version(self.added[node, nr])
                self.captured[i] = wrapped


def run_backward(
    tensors: Sequence[Any],
    grads: Sequence[Any],
    keep_graph: bool,
    create_graph: bool,
    inputs: Sequence[Any] | None = None,
    accumulate: bool = True,
    allow_unused: bool = True,
    call: str = "backward",
) -> list[Any]:
    """Run a backward pass from `tensors` with gradients `grads` (Tensors of equal shapes).

    Args:
        inputs: tensors to stop at; None for all leaves.
        accumulate: add into `.grad` of the leaves; otherwise return the gradients of `inputs`.

    Returns the gradients of `inputs` when not accumulating. Raises RuntimeError where PyTorch does.
    """
    edges = []
    for i, t in enumerate(tensors):
        edge = t if isinstance(t, tuple) else t._edge()
        if edge is None:
            raise RuntimeError(errors.NO_GRAD_FN.format(i))
        edges.append(edge)
    if inputs is not None:
        for t in inputs:
            if isinstance(t, Tensor):
                if accumulate:
                    t.retain_grad()
                elif not t._needs_grad:
                    raise RuntimeError("One of the differentiated Tensors does not require grad")
            elif not isinstance(t, tuple) or not t or not isinstance(t[0], Node):
                raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {type_name(t)}")
    run = Pass(create_graph, keep_graph, inputs, accumulate)
    grad_enabled, STATE.grad_enabled = STATE.grad_enabled, create_graph
    outer, STATE.backward_pass = STATE.backward_pass, run
    try:
        for o in run.observers:
            o.on_backward_start(run, tensors, edges, grads, call)
        run.start(edges, list(grads))
        run.run()
        for o in run.observers:
            o.on_backward_end(run)
    finally:
        STATE.grad_enabled, STATE.backward_pass = grad_enabled, outer
    if inputs is None or accumulate:
        return []
    if not allow_unused:
        unused = [i for i, g in enumerate(run.captured) if g is None]
        if unused:
            raise RuntimeError(errors.UNUSED.format(unused[0]))
    return run.captured
