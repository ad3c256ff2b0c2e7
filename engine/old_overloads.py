"""Overloads of old that PyTorch still takes, with a warning: `x.add_(-lr, grad)`, `torch.addmm(beta, m, alpha, a, b)`.

Their notice hides them: no message about wrong arguments lists them.
"""

from collections.abc import Callable, Sequence
from typing import Any

from engine.overloads import ONLY_ONCE, Overload
from engine.signature import REQUIRED, Signature, parse

_OF_MATRICES = {
    "addbmm": "Tensor batch1, Tensor batch2",
    "addmm": "Tensor mat1, Tensor mat2",
    "addmv": "Tensor mat, Tensor vec",
    "addr": "Tensor vec1, Tensor vec2",
    "baddbmm": "Tensor batch1, Tensor batch2",
}
_SIGNATURES = {
    **{name: (f"{name}(Tensor self, Scalar alpha, Tensor other) -> Tensor",) for name in ("add", "sub")},
    **{
        name: (f"{name}(Tensor self, Scalar value, Tensor tensor1, Tensor tensor2) -> Tensor",)
        for name in ("addcdiv", "addcmul")
    },
    **{
        name: (
            f"{name}(Scalar beta, Tensor self, Scalar alpha, {tensors}) -> Tensor",
            f"{name}(Scalar beta, Tensor self, {tensors}) -> Tensor",
        )
        for name, tensors in _OF_MATRICES.items()
    },
}


def old_overloads(name: str, overloads: Sequence[Overload], signatures: Sequence[Signature], method: bool) -> list[Any]:
    """The hidden overloads of a builtin, for `name` or its in-place form `name_`; most have none.

    Args:
        overloads, signatures: what the builtin takes today, one for one.
    """
    made = []
    for text in _SIGNATURES.get(name.removesuffix("_"), ()):
        signature = parse(text)
        given = {p.name for p in signature.params}
        today = next((i for i, s in enumerate(signatures) if given <= {p.name for p in s.params}), None)
        if today is not None:
            call = _as_today(name, signature, signatures[today], overloads[today].call)
            numbers = tuple(a.name for a in overloads[today].arguments if a.number_ok)
            old = Overload(signature, call, numbers, method, takes_out=False)
            listed = "".join(f"\n\t{name}{o.described()}" for o in overloads)
            old.notice = (
                f"{ONLY_ONCE}{name} is deprecated:\n\t{name}{old.described()}\n"
                f"Consider using one of the following signatures instead:{listed}"
            )
            made.append(old)
    return made


def _as_today(
    name: str, old: Signature, today: Signature, call: Callable[[list[Any]], Any]
) -> Callable[[list[Any]], Any]:
    """The call of today's overload, from the values in the old order."""
    defaults = [None if p.default is REQUIRED else p.default for p in today.params]
    places = [today.index(p.name) for p in old.params]

    def run(values: list[Any]) -> Any:
        ordered = list(defaults)
        for place, v in zip(places, values, strict=True):
            ordered[place] = v
        return call(ordered)

    run.__name__ = name
    return run
