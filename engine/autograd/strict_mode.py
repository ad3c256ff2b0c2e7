"""What `strict=True` of `torch.autograd.functional` refuses: outputs and derivatives that depend on nothing."""

from typing import Any

NOT_ALLOWED = "This is not allowed in strict mode"
OUTPUT = (
    "Output {} of the user-provided function does not require gradients. The outputs must be computed in a "
    "differentiable manner from the input when running in strict mode."
)
GRADIENT = (
    f"The gradient with respect to input {{}} is independent of the inputs of the user-provided function. "
    f"{NOT_ALLOWED}."
)
JACOBIAN = (
    "While computing the hessian, found that the jacobian of the user-provided function with respect to input {} is "
    f"independent of the input. {NOT_ALLOWED}. You should ensure that your function is twice differentiable and that "
    "the jacobian depends on the inputs (this would be violated by a linear function for example)."
)
HESSIAN = (
    "The hessian of the user-provided function with respect to input {} is independent of the input. "
    f"{NOT_ALLOWED}. You should ensure that your function is thrice differentiable and that the hessian depends on the "
    "inputs."
)
INDEPENDENT = f"The output of the user-provided function is independent of input {{}}. {NOT_ALLOWED}."
NO_GRADIENT = {
    "back": INDEPENDENT,
    "back_trick": (
        "The gradient with respect to the input is independent of entry {} in the grad_outputs when using the double "
        f"backward trick to compute forward mode gradients. {NOT_ALLOWED}."
    ),
    "double_back": f"The jacobian of the user-provided function is independent of input {{}}. {NOT_ALLOWED}.",
    "double_back_trick": (
        "The hessian of the user-provided function is independent of entry {} in the grad_jacobian. "
        f"{NOT_ALLOWED} as it prevents from using the double backward trick to replace forward mode AD."
    ),
}
FIXED = f"The {{}} of the user-provided function is independent of input {{}}. {NOT_ALLOWED} when create_graph=True."


def _check(tensors: Any, strict: bool, message: str) -> None:
    if not strict:
        return
    for i, t in enumerate(tensors):
        if t is None:
            raise RuntimeError(INDEPENDENT.format(i))
        if not t._needs_grad:
            raise RuntimeError(message.format(i))


def check_outputs(tensors: Any, strict: bool) -> None:
    """Raise RuntimeError for an output of the function without a gradient."""
    _check(tensors, strict, OUTPUT)


def check_gradients(tensors: Any, strict: bool) -> None:
    """Raise RuntimeError for a gradient that depends on no input."""
    _check(tensors, strict, GRADIENT)


def check_jacobian(tensors: Any, strict: bool) -> None:
    """Raise RuntimeError for a Jacobian that depends on no input."""
    _check([tensors] if not isinstance(tensors, tuple) else tensors, strict, JACOBIAN)


def check_hessian(tensors: Any, strict: bool) -> None:
    """Raise RuntimeError for a Hessian that depends on no input."""
    _check(tensors, strict, HESSIAN)


def check_dependence(found: Any, strict: bool, create_graph: bool, stage: str) -> None:
    """Raise RuntimeError where a gradient is missing, or has itself no gradient though a graph was asked for."""
    if not strict:
        return
    for i, g in enumerate(found):
        if g is None:
            raise RuntimeError(NO_GRADIENT[stage].format(i))
        if create_graph and not g._needs_grad:
            raise RuntimeError(FIXED.format("hessian" if "double" in stage else "jacobian", i))


def check_row(output: int, found: Any, strict: bool, create_graph: bool) -> None:
    """The same for one row of a Jacobian."""
    if not strict:
        return
    for i, g in enumerate(found):
        if g is None:
            raise RuntimeError(
                f"Output {output} of the user-provided function is independent of input {i}. {NOT_ALLOWED}."
            )
        if create_graph and not g._needs_grad:
            raise RuntimeError(FIXED.format("jacobian", output))
