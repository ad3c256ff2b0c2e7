"""The graph of a trace as the renderers draw it: boxes and arrows with plain text, nothing of any language."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from backend.schemas import NodeInfo, OpInfo, TensorInfo, Trace

Shape = Literal["leaf", "tensor", "op", "node", "accumulate"]
_MOST_CHARACTERS = 120


@dataclass(frozen=True)
class Box:
    """`key` is letters and digits. `lines` may hold any text a program can make."""

    key: str
    shape: Shape
    lines: tuple[str, ...]
    scope: int | None = None


@dataclass(frozen=True)
class Arrow:
    """From one key to another. `kind`: data flows forward, gradients backward, a node belongs to its op."""

    start: str
    end: str
    kind: Literal["data", "gradient", "twin"]
    label: str = ""


def boxes(trace: Trace) -> Iterator[Box]:
    """Forward tensors and ops in the order of the run, then the nodes."""
    for tensor in trace.tensors:
        yield Box(f"t{tensor.id}", "leaf" if tensor.is_leaf else "tensor", _of_tensor(tensor), tensor.scope)
    for op in _shown(trace):
        where = f"line {op.line}" if op.line else ""
        yield Box(f"o{op.id}", "op", _texts(op.name, where), op.scope)
    names = {tensor.id: ", ".join(tensor.names[:2]) for tensor in trace.tensors}
    for node in trace.nodes:
        yield Box(f"n{node.id}", "node" if node.tensor is None else "accumulate", _of_node(node, names))


def arrows(trace: Trace) -> Iterator[Arrow]:
    """The program's data, then the gradient's way back, then which node belongs to which op."""
    for op in _shown(trace):
        for argument in op.inputs:
            for tensor in (argument.tensor, *(argument.tensors or ())):
                if tensor is not None:
                    yield Arrow(f"t{tensor}", f"o{op.id}", "data", short(argument.name))
        for tensor in op.outputs:
            yield Arrow(f"o{op.id}", f"t{tensor}", "data")
    for node in trace.nodes:
        for number, edge in enumerate(node.next_functions):
            if edge is not None and edge[0] is not None:
                label = node.input_names[number] if number < len(node.input_names) else ""
                yield Arrow(f"n{node.id}", f"n{edge[0]}", "gradient", short(label))
    for op in _shown(trace):
        if op.grad_fn is not None:
            yield Arrow(f"o{op.id}", f"n{op.grad_fn}", "twin")


def by_scope(trace: Trace) -> dict[int | None, list[Box]]:
    """The boxes of each module call; those outside any, and all nodes, under None."""
    inside: dict[int | None, list[Box]] = defaultdict(list)
    for box in boxes(trace):
        inside[box.scope].append(box)
    return inside


def headline(trace: Trace) -> str:
    """How the run ended, in one line."""
    outcome = trace.outcome
    if outcome.error is not None:
        where = f" at line {outcome.error.line}" if outcome.error.line else ""
        said = f": {outcome.error.message}" if outcome.error.message else ""
        return short(f"{outcome.status}{where}: {outcome.error.type}{said}", 400)
    return short(f"{outcome.status}: {outcome.message}", 400) if outcome.message else outcome.status


def short(text: str, most: int = _MOST_CHARACTERS) -> str:
    """One line of at most so many characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def figure(number: object) -> str:
    """A number with six digits, as far as it needs them."""
    return f"{number:.6g}" if isinstance(number, float) else short(str(number))


def _shown(trace: Trace) -> list[OpInfo]:
    """A factory has no box of its own: its tensor stands for it."""
    return [op for op in trace.ops if op.kind != "create"]


def _of_tensor(tensor: TensorInfo) -> tuple[str, ...]:
    name = ", ".join(tensor.names[:2]) or f"tensor {tensor.id}"
    kind = tensor.dtype.removeprefix("torch.")
    shape = "scalar" if not tensor.shape else "×".join(map(str, tensor.shape))
    return _texts(name, f"{kind} {shape}", _scalar(tensor))


def _scalar(tensor: TensorInfo) -> str:
    if tensor.shape or tensor.value.kind != "full":
        return ""
    grad = f", grad {figure(tensor.grad.data)}" if tensor.grad is not None and tensor.grad.kind == "full" else ""
    return f"{figure(tensor.value.data)}{grad}"


def _of_node(node: NodeInfo, names: dict[int, str]) -> tuple[str, ...]:
    name = node.name.rpartition("::")[2]
    if node.tensor is None:
        return _texts(name, f"line {node.line}" if node.line else "")
    return _texts(name, names.get(node.tensor) or f"tensor {node.tensor}")


def _texts(*lines: str) -> tuple[str, ...]:
    return tuple(short(line) for line in lines if line)
