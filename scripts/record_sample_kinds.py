"""Record which inputs of each kind PyTorch's operators take, into tests/oracle/sample_kinds.json.

`python -m scripts.record_sample_kinds`, run where PyTorch is installed. Per kind and operator: a letter for every input
that tests/engine/sample_kinds.py makes: "+" taken, "1" taken without a second derivative, "w" taken with a derivative
that PyTorch's own gradcheck finds wrong, "-" refused, "x" where PyTorch itself ends; and where none is taken, PyTorch's
words for the first.
"""

import json
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch

from engine.op import Op
from engine.records import all_records
from tests.engine.sample_kinds import MADE, Sample, is_array, twins

TARGET = Path(__file__).parent.parent / "tests" / "oracle" / "sample_kinds.json"


def call(op: Op, sample: Sample) -> str:
    """The letter for PyTorch's operator of that name, run forward and backward. Raises what it raises."""
    base, _, overload = op.name.partition(".")
    function = getattr(getattr(torch.ops.aten, base), overload or "default")
    rules = {name.strip() for key in op.grads for name in key.split(",")}
    named = {a.name: a for a in function._schema.arguments}
    wanted: list[Any] = []

    def tensor(name: str, v: Any) -> Any:
        if not is_array(v):
            return v
        t = torch.tensor(np.asarray(v))
        if name in rules and t.dtype.is_floating_point:
            wanted.append(t.requires_grad_())
        return t

    positional, keywords = [], {}
    for p in op.signature.params:
        v = sample.get(p.name, p.default)
        v = [tensor(p.name, x) for x in v] if type(v) is list else tensor(p.name, v)
        if p.name == "input_dtype":
            v = torch.float64
        if not named[p.name].kwarg_only:
            positional.append(v)
        elif v is not None or not named[p.name].has_default_value():
            keywords[p.name] = v

    def differentiable(*given: Any) -> Any:
        new = iter(given)

        def put(v: Any) -> Any:
            return next(new) if isinstance(v, torch.Tensor) and v.requires_grad else v

        put_in = [[put(x) for x in v] if type(v) is list else put(v) for v in positional]
        out = function(*put_in, **{k: put(v) for k, v in keywords.items()})
        outs = (out,) if isinstance(out, torch.Tensor) else out
        return tuple(o for o in outs if isinstance(o, torch.Tensor) and o.requires_grad)

    outs = differentiable(*wanted)
    if not outs:
        return "+"
    torch.autograd.grad(outs, wanted, [torch.ones_like(o) for o in outs], allow_unused=True)
    for check, letter in ((torch.autograd.gradcheck, "w"), (torch.autograd.gradgradcheck, "1")):
        try:
            check(differentiable, wanted, fast_mode=True)
        except Exception:  # noqa: BLE001  a mismatch, or that there is no second derivative
            return letter
    return "+"


def outcomes(calls: list[tuple[Op, Sample]]) -> Iterator[str]:
    """The letter of each call, "-" with the words of the refusal; where PyTorch ends, another process goes on."""
    done = 0
    while done < len(calls):
        out_of, into = os.pipe()
        child = os.fork()
        if not child:
            with os.fdopen(into, "w") as answers:
                for op, sample in calls[done:]:
                    try:
                        said = call(op, sample)
                    except Exception as error:  # noqa: BLE001  whatever PyTorch says is recorded
                        said = "-" + (str(error).splitlines() or [type(error).__name__])[0]
                    print(said, file=answers, flush=True)
            os._exit(0)
        os.close(into)
        with os.fdopen(out_of) as answers:
            for line in answers:
                yield line.rstrip("\n")
                done += 1
        os.waitpid(child, 0)
        if done < len(calls):
            yield "x"
            done += 1


def main() -> None:
    """Write the recording."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    ops = [r for r in all_records() if isinstance(r, Op) and r.grads and r.samples is not None]
    recorded: dict[str, Any] = {kind: {} for kind in MADE} | {"words": {kind: {} for kind in MADE}}
    for kind in MADE:
        calls = [(op, twin) for op in ops for twin in twins(op, kind)]
        for (op, _), said in zip(calls, outcomes(calls), strict=True):
            letters = recorded[kind].get(op.name, "") + said[0]
            recorded[kind][op.name] = letters
            words = recorded["words"][kind]
            if set(letters) & set("+1w"):
                words.pop(op.name, None)
            elif len(said) > 1:
                words.setdefault(op.name, said[1:])
    TARGET.write_text(json.dumps(recorded, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
