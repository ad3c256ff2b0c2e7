"""Functions that do what a method of the same name does."""

from typing import Any

from engine.composite import Composite, composite


def _of_method(signature: str) -> Composite:
    """The function that calls the method of the same name on its first argument."""
    name = signature.partition("(")[0]

    def call(self: Any, *rest: Any) -> Any:
        return getattr(self, name)(*rest)

    return composite(signature, where=("function",))(call)


DETACH_ = _of_method("detach_(Tensor self) -> Tensor")
GET_DEVICE = _of_method("get_device(Tensor self) -> int")
RESOLVE_NEG = _of_method("resolve_neg(Tensor self) -> Tensor")


@composite("is_distributed(Tensor self) -> bool")
def is_distributed(self: Any) -> bool:
    """False: no tensor is spread over processes."""
    return False
