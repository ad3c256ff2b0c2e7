"""Every derivative rule against a numerical derivative of its own forward, from the samples of its record."""

import importlib
import pkgutil
import zlib

import numpy as np
import pytest

import engine.ops
from engine.op import Grad, Op, collect, rule_names
from engine.signature import REQUIRED

STEP = 1e-6


def every_op() -> list[Op]:
    """All records of all modules of engine.ops."""
    names = [m.name for m in pkgutil.iter_modules(engine.ops.__path__)]
    found = [op for n in names for op in collect(vars(importlib.import_module(f"engine.ops.{n}")))]
    return list(dict.fromkeys(found))


def bind(op: Op, sample: dict) -> dict:
    """All parameters of the signature by name, the defaults filled in."""
    return {p.name: sample.get(p.name, p.default) for p in op.signature.params}


def run(op: Op, args: dict) -> list:
    out = op.forward(*[v for v in args.values() if v is not REQUIRED])
    return [o if o is None else np.asarray(o) for o in (out if type(out) in (tuple, list) else [out])]


def prop(op: Op, name: str, args: dict):
    """A property of an input: `self_sym_sizes` and so on."""
    for tail, get in (
        ("_sym_sizes_opt", lambda a: (0,) if a is None else np.shape(a)),
        ("_sym_sizes", lambda a: a.shape),
        ("_args_sizes", lambda a: [t.shape for t in a]),
        ("_args_scalartypes", lambda a: [t.dtype for t in a]),
        ("_sym_numel", lambda a: a.size),
        ("_sym_strides", lambda a: tuple(s // a.itemsize for s in a.strides)),
        ("_sym_argsize_minus_1", lambda a: a.shape[-1]),
        ("_sym_argsize_minus_2", lambda a: a.shape[-2]),
        ("_geometry", lambda a: (a.shape, tuple(s // a.itemsize for s in a.strides), 0)),
        ("_dim", lambda a: a.ndim),
        ("_dtype", lambda a: a.dtype),
    ):
        if name.endswith(tail) and name[: -len(tail)] in args:
            return get(args[name[: -len(tail)]])
    base, _, k = name.rpartition("_sym_argsize_")
    assert base in args, f"{op.name}: a rule asks for {name}"
    return args[base].shape[int(k)]


def gradients(op: Op, args: dict, outs: list, ups: list, wanted: tuple[str, ...]) -> dict:
    """What the rules give for the inputs `wanted`."""
    out_names = op.outputs or (("result",) if len(outs) == 1 else tuple(f"result{i}" for i in range(len(outs))))
    known = {**args, **dict(zip(out_names, outs, strict=False)), "grads": ups, "grad": ups[0]}
    got = {}
    for key, g in op.grads.items():
        inputs = [k.strip() for k in key.split(",")]
        if not set(inputs) & set(wanted):
            continue
        call = {}
        for n in rule_names(g):
            call[n] = (
                known[n] if n in known else tuple(i in wanted for i in inputs) if n == "mask" else prop(op, n, args)
            )
        value = g.rule(**call)
        got.update(zip(inputs, value, strict=True) if len(inputs) > 1 else [(key, value)])
    return got


def reduced(grad, shape) -> np.ndarray:
    """Undo broadcasting, as the engine does."""
    grad = np.asarray(grad)
    grad = grad.sum(tuple(range(grad.ndim - len(shape)))) if grad.ndim > len(shape) else grad
    axes = tuple(i for i, n in enumerate(shape) if n == 1 and grad.shape[i] != 1)
    return grad.sum(axes, keepdims=True) if axes else grad


def is_real(a) -> bool:
    return getattr(a, "dtype", np.dtype(int)).kind == "f"


def differentiable(args: dict, op: Op) -> list[str]:
    """Inputs with a rule that hold real numbers."""
    named = {k.strip() for key in op.grads for k in key.split(",")}
    return [k for k in args if k in named and (is_real(args[k]) or (isinstance(args[k], list) and is_real(args[k][0])))]


def check(op: Op, sample: dict, rng: np.random.Generator) -> None:
    """Compare <upstream, d output> along a random direction with <gradient, direction>."""
    args = bind(op, sample)
    outs = run(op, args)
    real = [is_real(o) and i not in op.nondiff for i, o in enumerate(outs)]
    ups = [rng.normal(size=o.shape) if r else None for o, r in zip(outs, real, strict=True)]
    wanted = differentiable(args, op)
    assert wanted, f"{op.name}: no real input in the sample"
    grads = gradients(op, args, outs, ups, tuple(wanted))
    for name in wanted:
        value = args[name]
        many = isinstance(value, list)
        parts = value if many else [value]
        steps = [rng.normal(size=p.shape) for p in parts]

        def moved(h, name=name, parts=parts, steps=steps, many=many):
            new = [p + h * s for p, s in zip(parts, steps, strict=True)]
            return run(op, {**args, name: new if many else new[0]})

        plus, minus = moved(STEP), moved(-STEP)
        numeric = sum(
            float(((a - b) * u).sum()) / (2 * STEP) for a, b, u in zip(plus, minus, ups, strict=True) if u is not None
        )
        gs = grads[name] if many else [grads[name]]
        total = sum(
            float((reduced(g, p.shape) * s).sum()) for g, p, s in zip(gs, parts, steps, strict=True) if g is not None
        )
        scale = max(1.0, abs(numeric))
        assert abs(numeric - total) < 1e-5 * scale, f"{op.name}, {name}: rule {total}, numerically {numeric}"


@pytest.mark.parametrize("op", [o for o in every_op() if o.grads], ids=lambda o: o.name)
def test_rule(op):
    if op.samples is None:
        assert op.unchecked, f"{op.name} has derivatives but neither samples nor a reason"
        return
    rng = np.random.default_rng(zlib.crc32(op.name.encode()))
    for sample in op.samples(rng):
        check(op, sample, rng)


def test_a_wrong_rule_is_noticed():
    wrong = Op(
        "wrong(Tensor self) -> Tensor", np.sin, "WrongBackward0", {"self": Grad(lambda grad, self: grad * self, "")}
    )
    rng = np.random.default_rng(0)
    with pytest.raises(AssertionError, match="wrong, self"):
        check(wrong, {"self": rng.normal(size=3)}, rng)
