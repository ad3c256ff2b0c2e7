"""The limited-memory quasi-Newton method: https://docs.pytorch.org/docs/stable/generated/torch.optim.LBFGS.html"""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.optim.line_search import Point, strong_wolfe
from engine.optim.optimizer import Optimizer, recorded
from engine.optim.per_parameter import check_at_least_zero
from engine.optim.real_parts import in_parts
from engine.tensor import Tensor, TensorBase

LEAST_CURVATURE = 1e-10  # pairs of steps and gradient changes with less are not remembered


class LBFGS(Optimizer):
    """Steps along an estimate of the Newton direction; its step calls the closure several times."""

    def __init__(
        self, params: Any, lr: Any = 1, max_iter: int = 20, max_eval: int | None = None, tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9, history_size: int = 100, line_search_fn: str | None = None,
    ):  # fmt: skip
        check_at_least_zero(learning_rate=lr)
        defaults = {
            "lr": lr, "max_iter": max_iter, "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change, "history_size": history_size,
            "line_search_fn": line_search_fn,
        }  # fmt: skip
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]

    def step(self, closure: Callable[[], Any]) -> Any:  # type: ignore[override]
        """Up to `max_iter` iterations; returns the closure's first loss. The closure is needed."""
        group = self.param_groups[0]
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first_loss = recorded(closure)
        loss, gradient = _number(first_loss), self._flat_gradient()
        state["func_evals"] += 1
        if np.abs(gradient).max() <= group["tolerance_grad"]:
            return first_loss
        lr = group["lr"]._a.item() if isinstance(group["lr"], TensorBase) else group["lr"]
        memory = _Memory(state, group["history_size"])
        evaluations = 1
        for iteration in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            direction = memory.direction(gradient)
            memory.gradient, memory.loss = gradient, loss
            memory.t = min(1.0, 1.0 / np.abs(gradient).sum()) * lr if state["n_iter"] == 1 else lr
            slope = gradient.dot(direction)
            if slope > -group["tolerance_change"]:
                break
            tried = 0
            if group["line_search_fn"] is not None:
                if group["line_search_fn"] != "strong_wolfe":
                    raise RuntimeError("only 'strong_wolfe' is supported")
                found, tried = strong_wolfe(
                    self._evaluator(closure, direction), Point(0, loss, gradient, slope), memory.t,
                    np.abs(direction).max(), group["tolerance_change"], group["max_eval"] - evaluations,
                )  # fmt: skip
                loss, gradient, memory.t = found.value, found.gradient, found.t
                self._move(memory.t, direction)
            else:
                self._move(memory.t, direction)
                if iteration != group["max_iter"]:
                    loss, tried = _number(recorded(closure)), 1
                    gradient = self._flat_gradient()
            evaluations += tried
            state["func_evals"] += tried
            if (
                evaluations >= group["max_eval"]
                or np.abs(gradient).max() <= group["tolerance_grad"]
                or np.abs(direction * memory.t).max() <= group["tolerance_change"]
                or abs(loss - memory.loss) < group["tolerance_change"]
            ):
                break
        memory.keep(state)
        return first_loss

    def _flat_gradient(self) -> np.ndarray:
        """All gradients in one vector, zeros for parameters without one."""
        return np.concatenate(
            [
                np.zeros_like(in_parts(p)._a).ravel() if p._grad is None else in_parts(p._grad)._a.ravel()
                for p in self._params
            ]
        )

    def _move(self, t: Any, direction: np.ndarray) -> None:
        """Add t times the direction to the parameters."""
        at = 0
        with self._announced():
            for p in map(in_parts, self._params):
                part = direction[at : at + p._a.size].reshape(p._a.shape)
                self._write(p, part.dtype.type(t) * part)
                at += p._a.size

    def _evaluator(self, closure: Callable[[], Any], direction: np.ndarray) -> Callable[[Any], Point]:
        """A function of the step length that tries it and puts the parameters back."""
        params = [in_parts(p) for p in self._params]
        before = [np.array(p._a) for p in params]

        def at(t: Any) -> Point:
            self._move(t, direction)
            loss, gradient = _number(recorded(closure)), self._flat_gradient()
            with self._announced():
                for p, a in zip(params, before, strict=True):
                    self._write(p, a, lambda memory, a, out: np.copyto(out, a))
            return Point(t, loss, gradient, gradient.dot(direction))

        return at


class _Memory:
    """The last steps and changes of gradient, from which the direction is estimated. Kept in the optimizer's state."""

    def __init__(self, state: dict[str, Any], size: int):
        kept = {k: _plain(v) for k, v in state.items()}
        self.size = size
        self.d: Any = kept.get("d")
        self.t: Any = kept.get("t")
        self.changes, self.steps, self.ro = kept.get("old_dirs", []), kept.get("old_stps", []), kept.get("ro", [])
        self.scale, self.al = kept.get("H_diag", 1), kept.get("al")
        self.gradient, self.loss = kept.get("prev_flat_grad"), kept.get("prev_loss")

    def direction(self, gradient: np.ndarray) -> np.ndarray:
        """The next direction, by the two-loop recursion; the first is steepest descent."""
        if self.gradient is None:
            self.d = -gradient
            return self.d
        change, step = gradient - self.gradient, self.d * self.t
        curvature = change.dot(step)
        if curvature > LEAST_CURVATURE:
            if len(self.changes) == self.size:
                for past in (self.changes, self.steps, self.ro):
                    past.pop(0)
            self.changes.append(change)
            self.steps.append(step)
            self.ro.append(1.0 / curvature)
            self.scale = curvature / change.dot(change)
        al = self.al = self.al or [None] * self.size
        q = -gradient
        for i in reversed(range(len(self.changes))):
            al[i] = self.steps[i].dot(q) * self.ro[i]
            q -= al[i] * self.changes[i]
        self.d = q * self.scale
        for i in range(len(self.changes)):
            self.d += (al[i] - self.changes[i].dot(self.d) * self.ro[i]) * self.steps[i]
        return self.d

    def keep(self, state: dict[str, Any]) -> None:
        """Write everything into the state, as tensors."""
        if self.al is not None:
            state["al"] = _as_tensors(self.al)
        for name, value in (
            ("d", self.d), ("t", self.t), ("old_dirs", self.changes), ("old_stps", self.steps), ("ro", self.ro),
            ("H_diag", self.scale), ("prev_flat_grad", self.gradient), ("prev_loss", self.loss),
        ):  # fmt: skip
            state[name] = _as_tensors(value)


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(v) for v in value]
    return value._a if isinstance(value, TensorBase) else value


def _as_tensors(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_tensors(v) for v in value]
    return Tensor._wrap(value) if isinstance(value, np.ndarray | np.generic) else value


def _number(loss: Any) -> float:
    return float(loss._a if isinstance(loss, TensorBase) else loss)
