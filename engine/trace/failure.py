"""What the program raised, described: type, message, line, the program's own frames, and which explanation fits."""

import traceback
from typing import Any

from engine.trace.lines import PROGRAM_FILE

# (part of the message, key of the page's explanation)
EXPLANATIONS = (
    ("Trying to backward through the graph a second time", "backward_twice"),
    ("does not require grad and does not have a grad_fn", "no_grad_fn"),
    ("grad can be implicitly created only for scalar outputs", "not_scalar"),
    ("a leaf Variable that requires grad is being used in an in-place", "inplace_leaf"),
    ("a view of a leaf Variable that requires grad is being used", "inplace_leaf"),
    ("has been modified by an inplace operation", "modified_inplace"),
    ("more than one element of the written-to tensor refers to a single memory location", "memory_repeated"),
    ("the written-to tensor refer to a single memory location", "memory_shared"),
    ("by moving both the view and the inplace either both inside the", "unrecorded_view"),
    ("This view was created inside a custom Function", "function_view"),
    ("This view is the output of a function that returns multiple views", "inplace_view"),
    ("is a view and is being modified inplace", "inplace_view"),
    ("appears to not have been used in the graph", "unused_input"),
    ("Inference tensors cannot be saved for backward", "inference_tensor"),
    ("Inplace update to inference tensor", "inference_tensor"),
    ("floating point dtype can require gradients", "integer_grad"),
    ("floating point and complex dtype can require gradients", "integer_grad"),
    ("Can't call numpy() on Tensor that requires grad", "numpy_grad"),
    ("shapes cannot be multiplied", "matmul_shapes"),
    ("must match the size of tensor", "broadcast"),
    ("view size is not compatible", "view_layout"),
    ("returned nan values", "nan_gradient"),
    ("must have the same dtype", "dtype_mismatch"),
    ("expected m1 and m2 to have the same dtype", "dtype_mismatch"),
    ("Mismatch in shape: grad_output", "gradient_shape"),
    ("Torch not compiled with CUDA enabled", "no_cuda"),
    ("you can only change requires_grad flags of leaf variables", "requires_grad_nonleaf"),
    ("can't retain_grad", "retain_grad_nothing"),
    ("trying to differentiate twice", "once_differentiable"),
    ("element 0 of tensors", "no_grad_fn"),
    ("TimeLimit", "timeout"),
)
_MAX_FRAMES = 30
_MAX_TRACEBACK = 50_000


def explanation_of(message: str) -> str | None:
    """The key of the explanation that fits an error message."""
    return next((key for part, key in EXPLANATIONS if part in message), None)


def describe_failure(e: BaseException, code: str) -> dict[str, Any] | None:
    """An exception as ErrorInfo of the wire schema; None for an ordinary sys.exit."""
    if isinstance(e, SystemExit) and e.code in (None, 0):
        return None
    message, kind = _message(e), type(e).__name__[:2000]
    frames = _frames(e, code)
    if isinstance(e, SyntaxError) and not frames:  # the program's own, not one that it raised
        line = e.lineno or None
        source = (e.text or "").rstrip("\n")
        frames = [{"line": line, "function": "<module>", "source": source.strip()[:2000]}] if line else []
        return {
            "type": kind, "message": str(e.msg)[:20_000], "line": line, "column": e.offset or None,
            "frames": frames, "traceback": _traceback_of_source(e), "explanation": None,
        }  # fmt: skip
    return {
        "type": kind, "message": message, "line": frames[-1]["line"] if frames else None, "column": None,
        "frames": frames, "traceback": _traceback(kind, frames, message), "explanation": explanation_of(message),
    }  # fmt: skip


def _message(e: BaseException) -> str:
    try:
        return str(e)[:20_000]
    except BaseException:  # noqa: BLE001  a program's own __str__ may do anything
        return ""


def _frames(e: BaseException, code: str) -> list[dict[str, Any]]:
    lines = code.splitlines()
    frames = []
    tb = e.__traceback__
    while tb is not None:
        f = tb.tb_frame.f_code
        if f.co_filename == PROGRAM_FILE and tb.tb_lineno:
            n = tb.tb_lineno
            source = lines[n - 1].strip()[:2000] if n <= len(lines) else ""
            frames.append({"line": n, "function": f.co_name[:2000], "source": source})
        tb = tb.tb_next
    if len(frames) > _MAX_FRAMES:
        frames = frames[: _MAX_FRAMES // 2] + frames[-_MAX_FRAMES // 2 :]
    return frames


def _traceback_of_source(e: SyntaxError) -> str:
    return "".join(traceback.format_exception_only(type(e), e))[:_MAX_TRACEBACK]


def _traceback(kind: str, frames: list[dict[str, Any]], message: str) -> str:
    text = "Traceback (most recent call last):\n"
    for f in frames:
        text += f'  File "{PROGRAM_FILE}", line {f["line"]}, in {f["function"]}\n    {f["source"]}\n'
    return text + (f"{kind}: {message}\n" if message else f"{kind}\n")
