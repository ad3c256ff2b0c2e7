"""Runs operators on batches: what the dispatcher asks while a `vmap` is active.

An operator with a batched argument is run by its rule, on the tensors below the innermost level among the arguments;
those may be batched in turn. A derivative taken inside the vmap is recorded here, of the tensors of the level.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from engine.batching.call import Call
from engine.batching.composed import COMPOSED, DYNAMIC
from engine.batching.fallback import one_by_one
from engine.batching.functions import NO_RULE, NO_SETUP_CONTEXT, TWO_RULES, FunctionRule
from engine.batching.randomness import DRAWING, adapted, drawn_by_level, filled_alike
from engine.batching.rules import DECOMPOSED, rule_of
from engine.batching.tensor import ESCAPED, BatchedTensor, is_batched, level_of, lifted, part, unrecorded
from engine.batching.views import reshaped_inplace
from engine.composite import Composite
from engine.dispatch import make_node, must_keep_self, settle_outputs
from engine.inplace import check_inplace, rebase_history, reshaped_history
from engine.levels import births, born
from engine.modes import STATE
from engine.op import Op

_DYNAMIC = {
    **{n: DYNAMIC.format(n) for n in ("nonzero", "_unique2", "unique_dim", "unique_consecutive", "bincount")},
    "argwhere": DYNAMIC.format("nonzero"),
}


class Level:
    """One active vmap."""

    __slots__ = ("number", "size", "randomness")
    hides_graph = True  # what is not of a derivative inside it shows no graph

    def __init__(self, number: int, size: int, randomness: str):
        self.number, self.size, self.randomness = number, size, randomness


class Interpreter:
    """The active vmaps, the innermost last. `run` and `run_inplace` return NotImplemented for what is not theirs."""

    by_tensors = False
    ends_at_functions = False

    def __init__(self) -> None:
        self.levels: list[Level] = []

    @contextmanager
    def below(self, level: Level) -> Iterator[None]:
        """A block that runs outside a level, and outside those within it."""
        levels, transforms = self.levels, STATE.transforms
        self.levels = levels[: levels.index(level)]
        STATE.batching = self if self.levels else None
        STATE.transforms = transforms[: transforms.index(level)]
        try:
            yield
        finally:
            self.levels, STATE.batching, STATE.transforms = levels, self, transforms

    def level(self, number: int) -> Level:
        """An active vmap by its number."""
        for level in self.levels:
            if level.number == number:
                return level
        raise RuntimeError(ESCAPED)

    def _begin(self, op: Op, values: list[Any]) -> tuple[list[Any], Level | None]:
        """The arguments with draws as the active vmaps want them, and the innermost level among them."""
        if op.signature.base in DRAWING:
            values = adapted(self.levels, op, values)
        number = level_of(values)
        return values, self.level(number) if number else None

    def run(self, op: Op, values: list[Any]) -> Any:
        """Run an operator out of place."""
        values, level = self._begin(op, values)
        if level is None:
            return NotImplemented
        number = level.number
        if op.signature.base in _DYNAMIC:
            raise RuntimeError(_DYNAMIC[op.signature.base])
        needs = STATE.grad_enabled and op.grad_fn is not None and _needs(values, number)
        observers = STATE.observers
        if needs:
            STATE.observers = births(observers)  # the others are told of the operator the program wrote
        try:
            results = _results(self, op, values, level)
        finally:
            STATE.observers = observers
        single = not isinstance(results, list)
        pairs = [results] if single else results
        outs = tuple([None if t is None else BatchedTensor.around(t, d, number) for t, d in pairs])
        born(outs)
        if op.view and op.grad_fn is not None:  # what is detached is a tensor of its own
            _link(outs, values[op.tensors[0]], number, single)
        if needs:
            _record(op, values, outs, number)
        return outs[0] if single else outs

    def compose(self, record: Composite, values: list[Any]) -> Any:
        """Run a composed function: of operators with rules, unless it reads or makes elements itself."""
        rule = COMPOSED.get(record.name)
        return record.function(*values) if rule is None else rule(self, record, values)

    def drawn(self, draw: Callable[[tuple[int, ...]], Any], size: tuple[int, ...]) -> Any:
        """draw(size): random numbers as the active vmaps want them."""
        return drawn_by_level(self.levels, draw, size)

    def function_rule(self, cls: Any, args: tuple[Any, ...]) -> FunctionRule | None:
        """What runs instead of a custom Function's forward; None where that runs on batches as it is.

        Raises RuntimeError for a Function that cannot.
        """
        number = level_of(args)
        if not number:
            return None
        base = next(c for c in reversed(cls.__mro__) if "setup_context" in vars(c))  # torch.autograd.Function
        if cls.setup_context is base.setup_context:
            raise RuntimeError(NO_SETUP_CONTEXT)
        own = cls.vmap is not base.vmap
        if own and cls.generate_vmap_rule:
            raise RuntimeError(TWO_RULES.format(cls.__name__))
        if own:
            level = self.level(number)
            recorded = STATE.grad_enabled and _needs(list(args), number)
            return FunctionRule(cls, level, self.below(level), recorded)
        if not cls.generate_vmap_rule:
            raise RuntimeError(NO_RULE.format(cls.__name__))
        if STATE.grad_enabled and any(is_batched(a) and a._all_samples()._needs_grad for a in args):
            raise RuntimeError(
                f"the playground runs {cls.__name__} inside a vmap, but does not yet differentiate it from outside: "
                "take the derivative inside, as in vmap(grad(f))"
            )
        return None

    def after_function(self, *_call: Any) -> None:
        """Nothing is left to do after a custom Function."""

    def run_inplace(self, op: Op, values: list[Any]) -> Any:
        """Run an operator in place."""
        values, level = self._begin(op, values)
        if level is None:
            return NotImplemented
        number, target = level.number, values[0]
        if op.signature.base in DRAWING and level.randomness == "same":
            with self.below(level):
                return filled_alike(op, values)
        own = is_batched(target) and target._level == number
        needs = STATE.grad_enabled and op.grad_fn is not None and _needs(values, number)
        if not own and not needs:
            _results(self, op, values, level, True)
            return target
        if not own:
            raise RuntimeError(
                f"vmap: {op.signature.base} would change a tensor from outside the vmap by what differs between samples"
            )
        check_inplace(target, needs)
        if op.view:
            return self._reshape(op, values, level, needs)
        observers = STATE.observers
        kept = values
        if needs:
            STATE.observers = births(observers)
        try:
            if needs and must_keep_self(op, values):
                kept = [BatchedTensor.around(target._value.clone(), target._dim, number), *values[1:]]
                kept[0]._fn, kept[0]._nr, kept[0]._requires = target._fn, target._nr, target._requires
            if needs:
                for o in observers:
                    o.on_before_write(target)
            _results(self, op, values, level, True)
        finally:
            STATE.observers = observers
        node = None
        if needs:
            lift = [_lift(v, number) for v in values]
            node = make_node(op, lift, (target,), [_lift(v, number) for v in kept])
        target._version_counter().n += 1
        if node is not None:
            rebase_history(target, node)
            settle_outputs(node, target)
            for o in STATE.observers:
                o.on_op(op, values, (target,), node, target)
        return target

    def _reshape(self, op: Op, values: list[Any], level: Level, needs: bool) -> Any:
        target = values[0]
        before = unrecorded(target)
        before._fn, before._nr = target._fn, target._nr
        call = Call(op, values, level.number, level.size, True)
        with self.below(level):
            value, dim = reshaped_inplace(call)
        target.place(value, dim, level.number)
        node = make_node(op, [before, *values[1:]], (target,), values) if needs else None
        target._version_counter().n += 1
        if node is not None:
            reshaped_history(target, node)
        return target


def _needs(values: list[Any], number: int) -> bool:
    """Whether a derivative inside the level depends on any argument."""
    for v in values:
        if isinstance(v, list | tuple):
            if any(is_batched(x) and x._level == number and x._needs_grad for x in v):
                return True
        elif is_batched(v) and v._level == number and v._needs_grad:
            return True
    return False


def _results(interpreter: Interpreter, op: Op, values: list[Any], level: Level, inplace: bool = False) -> Any:
    """What the rule of an operator makes of a batch: a tensor below the level and where the samples lie, or several."""
    call = Call(op, values, level.number, level.size, inplace)
    if op.name in DECOMPOSED and not inplace and call.batched:
        out = DECOMPOSED[op.name](*[_plain(v, level.number) for v in values])
        return [part(t, level.number) for t in out] if isinstance(out, tuple) else part(out, level.number)
    with interpreter.below(level):
        if not call.batched:
            out = call.run()
            return [(t, None) for t in out] if isinstance(out, tuple) else (out, None)
        rule = rule_of(op)
        results = NotImplemented if rule is None else rule(call)
        if results is NotImplemented:
            return one_by_one(Call(op, values, level.number, level.size, inplace), told=bool(op.where))
        return results


def _plain(v: Any, number: int) -> Any:
    """An argument without the history it has inside the level."""
    return unrecorded(v) if is_batched(v) and v._level == number else v


def _lift(v: Any, number: int) -> Any:
    if isinstance(v, list | tuple):
        return [lifted(x, number) for x in v]
    return lifted(v, number)


def _record(op: Op, values: list[Any], outs: tuple[Any, ...], number: int) -> None:
    raised = [_lift(v, number) if i in op.tensors else v for i, v in enumerate(values)]
    node = make_node(op, raised, outs)
    for o in STATE.observers:
        o.on_op(op, values, outs, node, None)


def _link(outs: tuple[Any, ...], source: Any, number: int, single: bool) -> None:
    """Views know whose memory they are, as far as derivatives inside the level and versions go."""
    if not is_batched(source) or source._level != number:
        return
    base = source if source._base is None else source._base
    counter = source._version_counter()
    for t in outs:
        if t is not None:
            t._base, t._counter, t._view_version = base, counter, counter.n
            t._view_kind = source._view_kind if single else source._view_kind or "multi"
            if single and not STATE.grad_enabled and not t._view_kind:
                t._view_kind = "no_grad"
