"""`state_dict` and `load_state_dict`: a module's parameters and buffers out to a dict and in again."""

from collections import OrderedDict, namedtuple
from collections.abc import Mapping
from typing import Any

from engine.graph import HookDict, RemovableHandle
from engine.modes import no_grad
from engine.nn.modules.global_hooks import register
from engine.nn.parameter import Parameter, is_lazy
from engine.tensor import TensorBase

EXTRA_STATE = "_extra_state"


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """What `load_state_dict` returns."""

    __slots__ = ()

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()

    __str__ = __repr__


class StateMixin:
    """The part of Module that saves and loads."""

    _version = 1
    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set[str]
    _state_dict_hooks: HookDict
    _state_dict_pre_hooks: HookDict
    _load_state_dict_pre_hooks: HookDict
    _load_state_dict_post_hooks: HookDict

    def get_extra_state(self) -> Any:
        """What a module saves besides its tensors; subclasses say."""
        raise RuntimeError(
            "Reached a code path in Module.get_extra_state() that should never be called. Please file an issue at "
            "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug."
        )

    def set_extra_state(self, state: Any) -> None:
        """Take back what `get_extra_state` gave; subclasses say."""
        raise RuntimeError(
            "Reached a code path in Module.set_extra_state() that should never be called. Please file an issue at "
            "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug."
        )

    def register_state_dict_post_hook(self, hook: Any) -> RemovableHandle:
        """Call hook(module, state_dict, prefix, local_metadata) after `state_dict`."""
        return register(self._state_dict_hooks, hook)

    _register_state_dict_hook = register_state_dict_post_hook

    def register_state_dict_pre_hook(self, hook: Any) -> RemovableHandle:
        """Call hook(module, prefix, keep_vars) before `state_dict`."""
        return register(self._state_dict_pre_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Any) -> RemovableHandle:
        """Call hook(module, state_dict, prefix, …) before `load_state_dict`."""
        return register(self._load_state_dict_pre_hooks, lambda *args: hook(self, *args))

    def register_load_state_dict_post_hook(self, hook: Any) -> RemovableHandle:
        """Call hook(module, incompatible_keys) after `load_state_dict`."""
        return register(self._load_state_dict_post_hooks, hook)

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        persistent = {n: b for n, b in self._buffers.items() if n not in self._non_persistent_buffers_set}
        for name, value in {**self._parameters, **persistent}.items():
            if value is not None:
                destination[prefix + name] = value if keep_vars or is_lazy(value) else value.detach()
        if type(self).get_extra_state is not StateMixin.get_extra_state:
            destination[prefix + EXTRA_STATE] = self.get_extra_state()

    def state_dict(self, *args: Any, destination: Any = None, prefix: Any = "", keep_vars: Any = False) -> Any:
        """Parameters and persistent buffers of this module and below, by dotted name."""
        if args:
            destination, prefix, keep_vars = (
                (*args, prefix, keep_vars)[:3] if len(args) == 1 else (*args, keep_vars)[:3]
            )
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            result = hook(self, destination, prefix, metadata)
            if result is not None:
                destination = result
        return destination

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        persistent = {n: b for n, b in self._buffers.items() if n not in self._non_persistent_buffers_set}
        for name, param in {**self._parameters, **persistent}.items():
            if param is None:
                continue
            key = prefix + name
            if key not in state_dict:
                if strict:
                    missing_keys.append(key)
                continue
            self._load_one(name, key, param, state_dict[key], local_metadata, error_msgs)
        extra = prefix + EXTRA_STATE
        if type(self).set_extra_state is not StateMixin.set_extra_state:
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            for key in state_dict:
                if key.startswith(prefix) and key != extra:
                    rest = key[len(prefix) :].split(".", 1)
                    if len(rest) > 1:
                        if rest[0] not in self._modules:
                            unexpected_keys.append(key)
                    elif self._parameters.get(rest[0]) is None and persistent.get(rest[0]) is None:
                        unexpected_keys.append(key)

    def _load_one(self, name: str, key: str, param: Any, given: Any, local_metadata: Any, errors: list[str]) -> None:
        if not isinstance(given, TensorBase):
            errors.append(
                f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from '
                f"checkpoint but received {type(given)}"
            )
            return
        if is_lazy(given):
            if is_lazy(param):  # neither knows its shape yet
                return
        elif not is_lazy(param):
            if len(param.shape) == 0 and len(given.shape) == 1:
                given = given[0]  # type: ignore[index]
            if given.shape != param.shape:
                errors.append(
                    f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, the "
                    "shape in current "
                    f"model is {param.shape}."
                )
                return
        try:
            with no_grad():
                if local_metadata.get("assign_to_params_buffers", False):
                    if isinstance(param, Parameter):
                        given = given if isinstance(given, Parameter) else Parameter(given, param._needs_grad)
                    setattr(self, name, given)
                else:
                    if is_lazy(param):
                        param.materialize(given.shape)
                    param.copy_(given)
        except Exception as e:  # noqa: BLE001 - whatever copying raises becomes a line of the report
            shown = given.shape if hasattr(given, "shape") else given
            errors.append(
                f'While copying the parameter named "{key}", whose dimensions in the model are {param.shape} and whose '
                f"dimensions in the checkpoint are {shown}, an exception occurred : {e.args}."
            )

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False) -> Any:
        """Copy a dict's tensors into this module and below. Raises RuntimeError listing everything that does "
        "not fit."""
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing: list[str] = []
        unexpected: list[str] = []
        errors: list[str] = []
        metadata = getattr(state_dict, "_metadata", None)
        state_dict = OrderedDict(state_dict)

        def load(module: Any, local: Any, prefix: str) -> None:
            known = {} if metadata is None else metadata.get(prefix[:-1], {})
            if assign:
                known["assign_to_params_buffers"] = assign
            module._load_from_state_dict(local, prefix, known, True, missing, unexpected, errors)
            for name, child in module._modules.items():
                if child is not None:
                    start = f"{prefix}{name}."
                    load(child, {k: v for k, v in local.items() if k.startswith(start)}, start)
            incompatible = _IncompatibleKeys(missing, unexpected)
            for hook in module._load_state_dict_post_hooks.values():
                if hook(module, incompatible) is not None:
                    raise AssertionError(
                        "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return "
                        "new values, if "
                        "incompatible_keys need to be modified, it should be done inplace."
                    )

        load(self, state_dict, "")
        if strict:
            if unexpected:
                quoted = ", ".join(f'"{k}"' for k in unexpected)
                errors.insert(0, f"Unexpected key(s) in state_dict: {quoted}. ")
            if missing:
                quoted = ", ".join(f'"{k}"' for k in missing)
                errors.insert(0, f"Missing key(s) in state_dict: {quoted}. ")
        if errors:
            raise RuntimeError(
                "Error(s) in loading state_dict for {}:\n\t{}".format(type(self).__name__, "\n\t".join(errors))
            )
        return _IncompatibleKeys(missing, unexpected)
