"""Python values with tensors in them, written as the recordings of optimizers and data write them."""

import ast
from typing import Any

from tests.oracle.recordings import ADDRESS, plain


def described(v: Any, torch: Any) -> Any:
    """A value as JSON that tells lists, tuples and dicts apart and keeps their order."""
    if isinstance(v, torch.Tensor):
        d = {"shape": list(v.shape), "dtype": str(v.dtype), "values": plain(v.detach().tolist())}
        if type(v) is not torch.Tensor:
            d["class"] = type(v).__name__
        if v.requires_grad:
            d["requires_grad"] = True
        if v.grad_fn is not None:
            d["grad_fn"] = v.grad_fn.name()
        return {"tensor": d}
    if v is None or isinstance(v, bool | int | float):
        return plain(v)
    if isinstance(v, str):
        return ADDRESS.sub("0xADDR", v)
    if isinstance(v, dict):
        return {type(v).__name__: [[described(k, torch), described(x, torch)] for k, x in v.items()]}
    if isinstance(v, tuple):
        return {type(v).__name__: [described(x, torch) for x in v]}
    if isinstance(v, list):
        return [described(x, torch) for x in v]
    if type(v).__name__ == "ndarray":
        return {"ndarray": {"dtype": str(v.dtype), "values": plain(v.tolist())}}
    return {"dtype": str(v)} if isinstance(v, torch.dtype) else {"type": type(v).__name__}


def run(code: str, names: dict[str, Any], target: str = "out") -> None:
    """Run code; the value of a last expression becomes `target` unless a statement set it."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<row>", "exec"), names)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), "<row>", "eval"), names)
        names.setdefault(target, value)
