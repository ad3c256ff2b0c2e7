"""Recordings of PyTorch, and what it means that a value agrees with one."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")
FREED = "after they have already been freed"


def load(name: str) -> dict[str, Any]:
    """A file of this folder, by name without ending."""
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


def plain(v: Any) -> Any:
    """Numbers and nested lists as the recordings write them."""
    if isinstance(v, float):
        return v if v - v == 0 else "nan" if v != v else "inf" if v > 0 else "-inf"
    if isinstance(v, complex):
        return {"complex": [plain(v.real), plain(v.imag)]}
    if isinstance(v, list | tuple):
        return [plain(x) for x in v]
    return v if v is None or isinstance(v, bool | int | str) else ADDRESS.sub("0xADDR", repr(v))


def printed(call: str, names: dict[str, Any], show: Callable[[Any], str] = repr) -> str:
    """What a call gives, as `show` has it, or the type and the first line of its error."""
    try:
        result = eval(call, names)
    except Exception as e:  # noqa: BLE001  its type and text are the outcome
        return f"{type(e).__name__}: {str(e).splitlines()[0]}"
    return show(result)


def near(want: Any, got: Any, rtol: float = 1e-5, atol: float = 1e-6) -> bool:
    """Equal, floats within tolerance."""
    if isinstance(want, list) and isinstance(got, list):
        return len(want) == len(got) and all(near(a, b, rtol, atol) for a, b in zip(want, got, strict=True))
    if isinstance(want, dict) and isinstance(got, dict):
        return want.keys() == got.keys() and all(near(want[k], got[k], rtol, atol) for k in want)
    if isinstance(want, float) or isinstance(got, float):
        numbers = isinstance(want, int | float) and isinstance(got, int | float)
        return numbers and not isinstance(want, bool) and abs(want - got) <= atol + rtol * abs(want)
    return want == got


def saved_value(v: Any, tensor: type) -> Any:
    """A saved attribute as the recordings write it."""
    if isinstance(v, tensor):
        few = v.numel() <= 64
        return {
            "kind": "tensor", "shape": list(v.shape), "dtype": str(v.dtype),
            "values": plain(v.detach().tolist()) if few else None,
        }  # fmt: skip
    if isinstance(v, list | tuple) and any(isinstance(x, tensor) for x in v):
        return {"kind": "tensors", "items": [saved_value(x, tensor) for x in v]}
    return {"kind": type(v).__name__, "value": plain(v)}


def saved_attributes(node: Any, tensor: type) -> dict[str, Any]:
    """All that a node saved, by attribute name."""
    names = [a for a in dir(node) if a.startswith("_saved_")]
    if "saved_tensors" in dir(node):
        names.append("saved_tensors")
    out = {}
    for a in names:
        try:
            out[a] = saved_value(getattr(node, a), tensor)
        except RuntimeError as e:
            if FREED not in str(e):
                raise
            out[a] = {"kind": "freed"}
    for a, v in vars(node).items() if hasattr(node, "__dict__") else ():
        if not a.startswith("_"):
            out["ctx." + a] = saved_value(v, tensor)
    if "needs_input_grad" in dir(node):
        out["needs_input_grad"] = saved_value(node.needs_input_grad, tensor)
    return out


def graph(root: Any) -> tuple[list[Any], list[Any]]:
    """The graph below a node: [name, edges] per node in the order they are met, and the nodes."""
    order: dict[int, int] = {}
    nodes, todo = [], [root]
    for node in todo:
        if id(node) not in order:
            order[id(node)] = len(order)
            nodes.append(node)
            todo += [n for n, _ in node.next_functions if n is not None]
    shape = [[n.name(), [[None if f is None else order[id(f)], i] for f, i in n.next_functions]] for n in nodes]
    return shape, nodes


def recorded_graph(nodes: dict[str, Any], root: str) -> tuple[list[Any], list[str]]:
    """The same of a recording."""
    order: dict[str, int] = {}
    todo = [root]
    for key in todo:
        if key not in order:
            order[key] = len(order)
            todo += [n for n, _ in nodes[key]["next_functions"] if n is not None]
    edges = [
        [nodes[k]["name"], [[None if n is None else order[n], i] for n, i in nodes[k]["next_functions"]]] for k in order
    ]
    return edges, list(order)


def chain(root: Any) -> list[str]:
    """Node names below a node, breadth first, a list for create_graph rows."""
    names, queue, seen = [], [root], {id(root)}
    for node in queue:
        names.append(node.name())
        for n, _ in node.next_functions:
            if n is not None and id(n) not in seen:
                seen.add(id(n))
                queue.append(n)
    return names
