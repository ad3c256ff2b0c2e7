"""A trace as sentences: the program's run and above all its backward pass, to be read or to be read aloud.

One event a line, no tables and no drawing characters. Numbers are the trace's own; long tensors are summarised.
"""

from collections import defaultdict
from collections.abc import Iterator

from backend.inspection.graph import figure, headline, short
from backend.sandbox.verdict import visible
from backend.schemas import BackwardInfo, NodeInfo, Step, TensorInfo, Trace, Value

_WHY = {
    "is_not_leaf": "it is not a leaf, and retain_grad() was not called",
    "no_requires_grad": "it does not require grad",
    "not_reached": "no backward pass reached it",
    "no_backward": "no backward pass was run",
}
_SHORT_VALUE = 160


def render(trace: Trace) -> str:
    """The whole transcript, each line ended by a newline."""
    return "".join(f"{visible(line)}\n" for line in _Transcript(trace).lines())


class _Transcript:
    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.tensors = {tensor.id: tensor for tensor in trace.tensors}
        self.nodes = {node.id: node for node in trace.nodes}
        self.steps_of: dict[int, list[Step]] = defaultdict(list)
        for step in trace.steps:
            if step.backward is not None:
                self.steps_of[step.backward].append(step)

    def lines(self) -> Iterator[str]:
        yield f"Outcome: {headline(self.trace)}."
        counts = ((len(self.trace.tensors), "tensors"), (len(self.trace.ops), "operations"))
        yield f"{', '.join(f'{n} {what}' for n, what in counts)}, {len(self.trace.nodes)} backward nodes."
        yield from (f"Left out: {one.what}, because of this limit: {one.limit}." for one in self.trace.truncated)
        yield from self._overrides()
        yield from self._leaves()
        for number, backward in enumerate(self.trace.backwards, 1):
            yield ""
            yield from self._backward(number, backward)
        yield from self._gradients()
        if self.trace.console:
            yield ""
            yield "Printed:"
            yield from "".join(entry.text for entry in self.trace.console).splitlines()

    def _overrides(self) -> Iterator[str]:
        for one in self.trace.overrides:
            what = one.name or f"line {one.line}"
            yield one.problem or f"{what} was given another value, by request."

    def _leaves(self) -> Iterator[str]:
        for tensor in self.trace.tensors:
            if tensor.is_leaf and tensor.requires_grad and not tensor.is_view:
                line = f", made at line {tensor.line}" if tensor.line else ""
                yield f"Leaf {self._name(tensor.id)}{line}, is {_words(tensor.value)}."

    def _backward(self, number: int, backward: BackwardInfo) -> Iterator[str]:
        call = "backward()" if backward.call == "backward" else "torch.autograd.grad()"
        where = f" at line {backward.line}" if backward.line else ""
        roots = ", ".join(self._name(root) for root in backward.root_tensors) or "its roots"
        yield f"Backward pass {number} of {len(self.trace.backwards)}: {call}{where}, from {roots}."
        steps = self.steps_of[backward.id]
        if not self.trace.steps:
            order = ", ".join(self._node(node) for node in backward.order)
            yield f"The nodes ran in this order: {order}." if order else "No node ran."
            return
        last = backward.end_step if backward.end_step is not None else len(self.trace.steps)
        hooks = [step for step in self.trace.steps[backward.start_step : last] if step.kind == "hook"]
        for step in sorted([*steps, *hooks], key=lambda step: step.index):
            yield from self._step(step)
        if backward.end_step is None:
            yield "This pass did not finish."

    def _step(self, step: Step) -> Iterator[str]:
        node = self.nodes.get(step.node) if step.node is not None else None
        at = f"Step {step.index}: "
        if step.kind == "node_apply" and node is not None:
            given = " and ".join(_words(value) for value in step.grads_in or [])
            yield f"{at}{self._node(node.id)} receives {given or 'nothing'}.{self._sent(step, node)}"
        elif step.kind == "accumulate":
            name = self._name(step.tensor)
            before = "None" if step.before is None else _words(step.before)
            yield (
                f"{at}{name}.grad was {before}; {_words(step.contribution)} arrives; "
                f"{name}.grad is now {_words(step.after)}."
            )
        elif step.kind == "hook":
            hook = step.hook.name if step.hook is not None else "a hook"
            yield f"{at}hook {short(hook)} sees {_words(step.before)} and returns {_words(step.after)}."
        elif step.kind == "release" and node is not None and step.saved:
            yield f"{at}{self._node(node.id)} frees {short(', '.join(step.saved))}, {step.bytes} bytes."

    def _sent(self, step: Step, node: NodeInfo) -> str:
        parts = []
        for number, (value, edge) in enumerate(zip(step.grads_out or [], node.next_functions, strict=False)):
            if value is None or edge is None or edge[0] is None:
                continue
            name = node.input_names[number] if number < len(node.input_names) else f"input {number}"
            parts.append(f"{_words(value)} to {self._node(edge[0])} for its {name}")
        return f" It sends {'; '.join(parts)}." if parts else " It sends nothing on."

    def _gradients(self) -> Iterator[str]:
        named = [tensor for tensor in self.trace.tensors if tensor.names]
        if named:
            yield ""
            yield "At the end:"
        for tensor in named:
            if tensor.grad is not None:
                yield f"{self._name(tensor.id)}.grad is {_words(tensor.grad)}."
            else:
                why = _WHY.get(tensor.why_no_grad or "", "it was never set")
                yield f"{self._name(tensor.id)}.grad is None: {why}."

    def _node(self, number: int | None) -> str:
        node = self.nodes.get(number) if number is not None else None
        if node is None:
            return "a node that is not shown"
        if node.tensor is not None:
            return f"AccumulateGrad of {self._name(node.tensor)}"
        return f"{short(node.name.rpartition('::')[2])} of line {node.line}" if node.line else short(node.name)

    def _name(self, number: int | None) -> str:
        tensor: TensorInfo | None = self.tensors.get(number) if number is not None else None
        if tensor is None:
            return "a tensor that is not shown"
        return short(tensor.names[0]) if tensor.names else f"tensor {tensor.id}"


def _words(value: Value | None) -> str:
    """A value in words that can be heard: all of a small one, shape and range of a large one."""
    if value is None:
        return "nothing"
    shape = "×".join(map(str, value.shape))
    if value.kind == "full" and len(said := _numbers(value.data)) <= _SHORT_VALUE:
        return said
    if value.stats is not None:
        stats = value.stats
        return f"a {shape} tensor from {figure(stats.min)} to {figure(stats.max)} with norm {figure(stats.norm)}"
    return f"a {shape} tensor" if shape else "a number"


def _numbers(data: object) -> str:
    if isinstance(data, list):
        return f"[{', '.join(_numbers(item) for item in data)}]"
    return figure(data)
