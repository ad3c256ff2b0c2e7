"""`torch.__version__`: a string that compares as a version, with strings and with tuples of numbers."""

import re
from collections.abc import Iterable
from typing import Any

_FORM = re.compile(
    r"v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(a|b|c|rc|alpha|beta|pre|preview)[-_.]?(\d*))?"
    r"(?:-(\d+)|[-_.]?(?:post|rev|r)[-_.]?(\d*))?(?:[-_.]?(dev)[-_.]?(\d*))?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?",
    re.IGNORECASE,
)
_STAGES = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}


def _key(text: str) -> Any:
    """What a version is ordered by: release, what comes before and after it, its build; None if it is none."""
    found = _FORM.fullmatch(text.strip())
    if found is None:
        return None
    epoch, release, stage, number, post, later, dev, at, local = found.groups()
    numbers = [int(n) for n in release.split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    stage = stage and _STAGES.get(stage.lower(), stage.lower())
    after = -1 if post is None and later is None else int(post or later or 0)
    if stage:
        before: Any = (1, stage, int(number or 0))
    else:
        before = (0, "", 0) if dev and after < 0 else (2, "", 0)
    built = [(1, int(p), "") if p.isdigit() else (0, 0, p.lower()) for p in re.split(r"[-_.]", local)] if local else []
    return int(epoch or 0), numbers, before, after, (0, int(at or 0)) if dev else (1, 0), built


class TorchVersion(str):
    """A version such as "2.13.0+cpu". What is no version is compared as text."""

    __module__ = "torch.torch_version"
    __slots__ = ()

    def _compared(self, other: Any, method: str) -> bool:
        text = other if isinstance(other, str) or not isinstance(other, Iterable) else ".".join(map(str, other))
        mine, theirs = _key(self), _key(text) if isinstance(text, str) else None
        if mine is None or theirs is None:
            return getattr(super(), method)(other)
        return getattr(mine, method)(theirs)

    def __eq__(self, other: object) -> bool:
        return self._compared(other, "__eq__")

    def __ne__(self, other: object) -> bool:
        return not self._compared(other, "__eq__")

    def __lt__(self, other: Any) -> bool:
        return self._compared(other, "__lt__")

    def __le__(self, other: Any) -> bool:
        return self._compared(other, "__le__")

    def __gt__(self, other: Any) -> bool:
        return self._compared(other, "__gt__")

    def __ge__(self, other: Any) -> bool:
        return self._compared(other, "__ge__")

    __hash__ = str.__hash__
