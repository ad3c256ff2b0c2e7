"""Functions that PyTorch has taken away: old programs that call them get its own advice what to write instead."""

from collections.abc import Callable
from typing import Any

from engine.composite import PythonFunction, python_function
from engine.renaming import renamed

_BEGIN = "This function was deprecated since version 1.9 and is now removed."
_EIG = (
    f"{_BEGIN} `torch.linalg.eig` returns complex tensors of dtype `cfloat` or `cdouble` rather than real tensors "
    "mimicking complex tensors.\n\n"
    "L, _ = torch.eig(A) should be replaced with:\nL_complex = torch.linalg.eigvals(A)\n\nand\n\n"
    "L, V = torch.eig(A, eigenvectors=True) should be replaced with:\nL_complex, V_complex = torch.linalg.eig(A)"
)
_SYMEIG = (
    f"{_BEGIN} The default behavior has changed from using the upper triangular portion of the matrix by default to "
    "using the lower triangular portion.\n\n"
    "L, _ = torch.symeig(A, upper=upper) should be replaced with:\n"
    "L = torch.linalg.eigvalsh(A, UPLO='U' if upper else 'L')\n\nand\n\n"
    "L, V = torch.symeig(A, eigenvectors=True) should be replaced with:\n"
    "L, V = torch.linalg.eigh(A, UPLO='U' if upper else 'L')"
)
_LSTSQ = (
    f"{_BEGIN} `torch.lstsq` is deprecated in favor of `torch.linalg.lstsq`.\n"
    "`torch.linalg.lstsq` has reversed arguments and does not return the QR decomposition in the returned tuple "
    "(although it returns other information about the problem).\n\n"
    "To get the QR decomposition consider using `torch.linalg.qr`.\n\n"
    "The returned solution in `torch.lstsq` stored the residuals of the solution in the last m - n columns of the "
    "returned value whenever m > n. In torch.linalg.lstsq, the residuals are in the field 'residuals' of the returned "
    "named tuple.\n\n"
    "The unpacking of the solution, as in\nX, _ = torch.lstsq(B, A).solution[:A.size(1)]\nshould be replaced with:\n"
    "X = torch.linalg.lstsq(A, B).solution"
)
_SOLVE = (
    f"{_BEGIN} `torch.solve` is deprecated in favor of `torch.linalg.solve`. `torch.linalg.solve` has its arguments "
    "reversed and does not return the LU factorization.\n\n"
    "To get the LU factorization see `torch.lu`, which can be used with `torch.lu_solve` or `torch.lu_unpack`.\n"
    "X = torch.solve(B, A).solution should be replaced with:\nX = torch.linalg.solve(A, B)"
)
_MATRIX_RANK = (
    f"{_BEGIN}\nPlease use the `torch.linalg.matrix_rank` function instead. The parameter 'symmetric' was renamed in "
    "`torch.linalg.matrix_rank()` to 'hermitian'."
)
_REINFORCE = """reinforce() was removed.
Use torch.distributions instead.
See https://pytorch.org/docs/main/distributions.html

Instead of:

probs = policy_network(state)
action = probs.multinomial()
next_state, reward = env.step(action)
action.reinforce(reward)
action.backward()

Use:

probs = policy_network(state)
# NOTE: categorical is equivalent to what used to be called multinomial
m = torch.distributions.Categorical(probs)
action = m.sample()
next_state, reward = env.step(action)
loss = -m.log_prob(action) * reward
loss.backward()
"""


def _removed(name: str, advice: str, **forms: Callable[..., None]) -> tuple[PythonFunction, ...]:
    """Functions of that name which raise RuntimeError with the advice, by place; each takes what its form takes."""

    def one(place: str, form: Any) -> PythonFunction:
        def refuse(*args: Any, **kwargs: Any) -> Any:
            taking(*args, **kwargs)
            raise RuntimeError(advice)

        inner = f"_{name}" if name == "symeig" else name  # as PyTorch has it
        taking = renamed(form, f"Tensor.{name}" if place == "method" else inner)
        named: Callable[..., Any] = refuse
        named.__name__ = named.__qualname__ = name
        named.__doc__ = f"Removed from PyTorch: raises RuntimeError, which says what takes the place of {name}."
        return python_function(place)(named)

    return tuple(one(place, form) for place, form in forms.items())


def _two(input: Any, A: Any, *, out: Any = None) -> None: ...


def _eig(self: Any, eigenvectors: bool = False, *, e: Any = None, v: Any = None) -> None: ...


def _symeig(input: Any, eigenvectors: bool = False, upper: bool = True, *, out: Any = None) -> None: ...


def _rank(input: Any, tol: Any = None, symmetric: bool = False, *, out: Any = None) -> None: ...


def _with_other(self: Any, other: Any) -> None: ...


def _with_vectors(self: Any, eigenvectors: bool = False) -> None: ...


def _with_reward(self: Any, reward: Any) -> None: ...


EIG = _removed("eig", _EIG, function=_eig, method=_with_vectors)
SYMEIG = _removed("symeig", _SYMEIG, function=_symeig, method=_with_vectors)
LSTSQ = _removed("lstsq", _LSTSQ, function=_two, method=_with_other)
SOLVE = _removed("solve", _SOLVE, function=_two, method=_with_other)
MATRIX_RANK = _removed("matrix_rank", _MATRIX_RANK, function=_rank)
REINFORCE = _removed("reinforce", _REINFORCE, method=_with_reward)
