"""`nn.Module`: https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html"""

from collections.abc import Callable
from typing import Any, Self

from engine import dtypes
from engine.device import device
from engine.graph import HookDict
from engine.legacy import typename
from engine.modes import STATE, no_grad
from engine.nn.modules.global_hooks import *  # noqa: F403
from engine.nn.modules.global_hooks import GLOBAL, registered
from engine.nn.modules.hook_registration import HooksMixin
from engine.nn.modules.hooks import call_with_hooks
from engine.nn.modules.state import StateMixin
from engine.nn.modules.tree import TreeMixin
from engine.nn.parameter import Buffer, Parameter
from engine.tensor import TensorBase

_TABLES = ("_parameters", "_buffers", "_modules")


def overridable(method: Callable[..., Any]) -> Callable[..., Any]:
    """The method as it is. To a type checker it takes anything, because overriding ones take what they like."""
    return method


def _indented(text: str, by: int) -> str:
    first, *rest = text.split("\n")
    return "\n".join([first, *(" " * by + line for line in rest)])


class Module(StateMixin, TreeMixin, HooksMixin):
    """The base of all layers and networks. A subclass makes its parts in `__init__` and computes in `forward`."""

    training: bool
    dump_patches = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if kwargs:
            raise TypeError(
                f"{type(self).__name__}.__init__() got an unexpected keyword argument '{next(iter(kwargs))}'"
            )
        if args:
            raise TypeError(
                f"{type(self).__name__}.__init__() takes 1 positional argument but {len(args) + 1} were given"
            )
        self.__dict__.update(
            training=True, _parameters={}, _buffers={}, _non_persistent_buffers_set=set(),
            _backward_pre_hooks=HookDict(), _backward_hooks=HookDict(), _is_full_backward_hook=None,
            _forward_hooks=HookDict(), _forward_hooks_with_kwargs=HookDict(), _forward_hooks_always_called=HookDict(),
            _forward_pre_hooks=HookDict(), _forward_pre_hooks_with_kwargs=HookDict(), _state_dict_hooks=HookDict(),
            _state_dict_pre_hooks=HookDict(), _load_state_dict_pre_hooks=HookDict(),
            _load_state_dict_post_hooks=HookDict(), _modules={},
        )  # fmt: skip

    @overridable
    def forward(self, *input: Any) -> Any:
        """What the module computes; subclasses say."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    forward.__qualname__ = "_forward_unimplemented"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        hooked = (
            self._backward_hooks
            or self._backward_pre_hooks
            or self._forward_hooks
            or self._forward_pre_hooks
            or GLOBAL.any()
        )
        if not STATE.observers:
            return call_with_hooks(self, args, kwargs) if hooked else self.forward(*args, **kwargs)
        observers = STATE.observers
        for o in observers:
            o.on_module_enter(self)
        try:
            return call_with_hooks(self, args, kwargs) if hooked else self.forward(*args, **kwargs)
        finally:
            for o in observers:
                o.on_module_exit(self)

    # ---- parts ----------------------------------------------------------------------------------
    def register_buffer(self, name: str, tensor: Any, persistent: bool = True) -> None:
        """Keep a tensor that is no parameter; it is part of the state dict if `persistent`."""
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        self._check_name("buffer", name)
        if hasattr(self, name) and name not in self._buffers:
            raise KeyError(f"attribute '{name}' already exists")
        if tensor is not None and not isinstance(tensor, TensorBase):
            raise TypeError(
                f"cannot assign '{typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            )
        self._buffers[name] = registered(GLOBAL.new_buffer, self, name, tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name: str, param: Any) -> None:
        """Keep a parameter, or None to say that there could be one."""
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        self._check_name("parameter", name)
        if hasattr(self, name) and name not in self._parameters:
            raise KeyError(f"attribute '{name}' already exists")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{typename(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
            )
        if param is not None and param._fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created explicitly. To "
                f"express '{name}' as a function of another Tensor, compute the value in the forward() method."
            )
        self._parameters[name] = registered(GLOBAL.new_parameter, self, name, param)

    def add_module(self, name: str, module: Any) -> None:
        """Keep a submodule."""
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{typename(module)} is not a Module subclass")
        if not isinstance(name, str):
            raise TypeError(f"module name should be a string. Got {typename(name)}")
        if hasattr(self, name) and name not in self._modules:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f'module name can\'t contain ".", got: {name}')
        if name == "":
            raise KeyError('module name can\'t be empty string ""')
        self._modules[name] = registered(GLOBAL.new_module, self, name, module)

    def register_module(self, name: str, module: Any) -> None:
        """Keep a submodule."""
        self.add_module(name, module)

    @staticmethod
    def _check_name(kind: str, name: Any) -> None:
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {typename(name)}")
        if "." in name:
            raise KeyError(f'{kind} name can\'t contain "."')
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        for table in _TABLES:
            if table in own and name in own[table]:
                return own[table][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'", name=name, obj=self)

    def _forget(self, name: str, *tables: Any) -> None:
        for table in tables:
            if name in table:
                if isinstance(table, dict):
                    del table[name]
                else:
                    table.discard(name)

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        params, modules, buffers = own.get("_parameters"), own.get("_modules"), own.get("_buffers")
        if isinstance(value, Parameter):
            if params is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, own, self._buffers, self._modules, self._non_persistent_buffers_set)
            self.register_parameter(name, value)
        elif params is not None and name in params:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)"
                )
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            if modules is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name, own, self._parameters, self._buffers, self._non_persistent_buffers_set)
            modules[name] = registered(GLOBAL.new_module, self, name, value)
        elif modules is not None and name in modules:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as child module '{name}' (torch.nn.Module or None expected)"
                )
            modules[name] = registered(GLOBAL.new_module, self, name, value)
        elif isinstance(value, Buffer) or (buffers is not None and name in buffers):
            if value is not None and not isinstance(value, TensorBase):
                raise TypeError(
                    f"cannot assign '{typename(value)}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor or None "
                    "expected)"
                )
            kept = value.persistent if isinstance(value, Buffer) else name not in self._non_persistent_buffers_set
            self.register_buffer(name, value, kept)
        else:
            super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        for table in (self._parameters, self._buffers, self._modules):
            if name in table:
                del table[name]
                self._non_persistent_buffers_set.discard(name)
                return
        super().__delattr__(name)

    def __dir__(self) -> list[str]:
        names = [*dir(type(self)), *self.__dict__, *self._parameters, *self._modules, *self._buffers]
        return sorted({n for n in names if not n[:1].isdigit()})

    # ---- changes of all parts -------------------------------------------------------------------
    def _apply(self, fn: Callable[[Any], Any], recurse: bool = True) -> Self:
        if recurse:
            for module in self.children():
                module._apply(fn)
        for param in self._parameters.values():
            if param is None:
                continue
            with no_grad():
                param.data = fn(param)
                if param._grad is not None:
                    param._grad.data = fn(param._grad)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def apply(self, fn: Callable[[Any], Any]) -> Self:
        """Call fn on every module below, then on this one."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """Move or cast parameters and buffers. Only the CPU and floating-point dtypes."""
        wanted, where, memory_format = kwargs.get("dtype"), kwargs.get("device"), kwargs.get("memory_format")
        for a in args:
            if isinstance(a, dtypes.dtype):
                wanted = a
            elif isinstance(a, TensorBase):
                wanted = a.dtype
            elif isinstance(a, str | device | int) and not isinstance(a, bool):
                where = a
        if wanted is not None and not (wanted.is_floating_point or wanted.is_complex):
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={wanted}"
            )

        def convert(t: Any) -> Any:
            kind = t.dtype if wanted is None or t.dtype.rank < 2 else wanted
            return t.to(where, kind, memory_format=memory_format if t.ndim in (4, 5) else None)

        return self._apply(convert)

    def _cast(self, wanted: dtypes.dtype) -> Self:
        return self._apply(lambda t: t.to(wanted) if t.dtype.is_floating_point else t)

    def float(self) -> Self:
        """Cast floating-point parameters and buffers to float32."""
        return self._cast(dtypes.float32)

    def double(self) -> Self:
        """Cast floating-point parameters and buffers to float64."""
        return self._cast(dtypes.float64)

    def half(self) -> Self:
        """Cast floating-point parameters and buffers to float16."""
        return self._cast(dtypes.float16)

    def bfloat16(self) -> Self:
        """Cast floating-point parameters and buffers to bfloat16."""
        return self._cast(dtypes.bfloat16)

    def type(self, dst_type: Any) -> Self:
        """Cast all parameters and buffers."""
        return self._apply(lambda t: t.type(dst_type))

    def to_empty(self, *, device: Any, recurse: bool = True) -> Self:
        """Give all parameters and buffers new memory, whose contents are left to chance."""
        return self._apply(lambda t: t.new_empty(t.shape, device=device), recurse)

    def cpu(self) -> Self:
        """Everything is on the CPU already."""
        return self

    def cuda(self, device: Any = None) -> Self:
        """There is no CUDA here: PyTorch's own error."""
        return self._apply(lambda t: t.cuda(device))

    def train(self, mode: bool = True) -> Self:
        """Set training mode here and below."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Self:
        """Set evaluation mode here and below."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Set requires_grad of all parameters."""
        for p in self.parameters():
            p.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Drop the parameters' gradients, or zero them."""
        for p in self.parameters():
            if p._grad is None:
                continue
            if set_to_none:
                p.grad = None
            else:
                if p._grad.grad_fn is not None:
                    p._grad.detach_()
                else:
                    p._grad.requires_grad_(False)
                p._grad.zero_()

    def share_memory(self) -> Self:
        """One process has all the memory here."""
        return self

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is compiled here; the module runs as it is written."""

    # ---- text -----------------------------------------------------------------------------------
    def extra_repr(self) -> str:
        """What repr says of the module besides its parts."""
        return ""

    def _get_name(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = [f"({name}): {_indented(repr(m), 2)}" for name, m in self._modules.items()]
        body = lines + children
        if len(lines) == 1 and not children:
            return f"{self._get_name()}({lines[0]})"
        inner = "\n  " + "\n  ".join(body) + "\n" if body else ""
        return f"{self._get_name()}({inner})"


__all__ = ["Module"]
