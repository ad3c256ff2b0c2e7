"""Lazy modules: their parameters get their shapes from the first input."""

from typing import Any

from engine.nn.parameter import UninitializedParameter, UninitializedTensor


def uninitialized(dtype: Any = None) -> Any:
    """A parameter without a shape yet."""
    return UninitializedParameter(dtype=dtype)


class LazyModuleMixin:
    """Before its first call a lazy module reads the shapes it lacks from the arguments, and becomes an ordinary one."""

    cls_to_become: Any = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._initialize_hook = self.register_forward_pre_hook(  # type: ignore[attr-defined]
            LazyModuleMixin._infer_parameters, with_kwargs=True
        )

    def has_uninitialized_params(self) -> bool:
        """Whether a parameter or buffer still lacks its shape."""
        held = (*self._parameters.values(), *self._buffers.values())  # type: ignore[attr-defined]
        return any(isinstance(p, UninitializedTensor) for p in held)

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Give the parameters their shapes; subclasses say how."""
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def _infer_parameters(self, args: Any, kwargs: Any) -> None:
        self.initialize_parameters(*args, **kwargs)
        if self.has_uninitialized_params():
            raise RuntimeError(f"module {self._get_name()} has not been fully initialized")  # type: ignore[attr-defined]
        self._initialize_hook.remove()
        del self._initialize_hook
        if self.cls_to_become is not None:
            self.__class__ = self.cls_to_become


__all__ = ["LazyModuleMixin"]
