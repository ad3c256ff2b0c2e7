"""Every class is in PyTorch's module, and its methods have the names and parameters that error messages quote."""

import importlib
import inspect
import sys
from types import FunctionType

import pytest

import engine
from engine.outline import borrowed, definitions
from tests.oracle.recordings import load

torch = engine.install_as_torch()
RECORDED = load("signatures")
IMPORTS = """
from torch.optim.adamw import AdamW
from torch.optim.lr_scheduler import _LRScheduler
from torch.nn.modules.loss import CrossEntropyLoss, _Loss, _WeightedLoss
from torch.nn.modules.batchnorm import _BatchNorm, _NormBase
from torch.nn.modules.utils import _pair, _triple
from torch.nn.modules.conv import _ConvNd
from torch.nn.parameter import Parameter, is_lazy
from torch.nn.modules.linear import Linear, Identity, F, Parameter, init
from torch.nn.init import xavier_uniform_
from torch.nn.modules.flatten import Flatten
from torch.nn.modules.upsampling import Upsample
from torch.nn.modules.transformer import _get_clones, _get_activation_fn
from torch.nn.utils.rnn import pad_sequence
import torch.nn.modules.activation as activation
import torch.nn.utils.clip_grad
import torch.optim.sgd
from torch.utils.data.sampler import SubsetRandomSampler
from torch.utils.data.dataloader import default_collate
from torch.utils.data.dataset import random_split
from torch.distributions.normal import Normal
from torch.distributions.utils import broadcast_all
from torch.distributions.kl import register_kl
from torch.autograd.grad_mode import no_grad
from torch.autograd.gradcheck import gradcheck
from torch.functional import einsum
from torch.types import Number
from torch import Tensor
from torch._tensor import Tensor
""".strip().splitlines()


def find(path):
    """The class at a path such as torch.nn.Linear; None where the engine lacks it."""
    *modules, name = path.split(".")
    owner = torch
    for part in modules[1:]:
        owner = getattr(owner, part)
    return getattr(owner, name, None)


def default(value):
    """A default as it was recorded. `activation` has the function's name here, which means the same."""
    if value == "relu":
        return value
    return value.__name__ if isinstance(value, FunctionType) else repr(value).replace("torch.Size([])", "()")


def signature(function):
    """Name and parameters in one line, without annotations."""
    parts, only_named = [], False
    for p in inspect.signature(function).parameters.values():
        text = p.name if p.default is p.empty else f"{p.name}={default(p.default)}"
        if p.kind is p.KEYWORD_ONLY and not only_named:
            parts.append("*")
        only_named = only_named or p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        parts.append({p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "") + text)
    return f"{function.__qualname__}({', '.join(parts)})"


PRESENT = sorted(path for path in RECORDED if find(path) is not None)


@pytest.mark.parametrize("path", PRESENT)
def test_class(path):
    cls, recorded = find(path), RECORDED[path]
    assert f"{cls.__module__}.{cls.__qualname__}" == recorded["class"]
    methods = {name: inspect.getattr_static(cls, name, None) for name in recorded["methods"]}
    ours = {name: signature(f) for name, f in methods.items() if isinstance(f, FunctionType)}
    assert ours == {name: recorded["methods"][name] for name in ours}


def subclasses(path):
    """The recorded classes that a class of the engine is a subclass of."""
    named = {find(p): RECORDED[p]["class"] for p in PRESENT}
    return {named[c] for c in find(path).__mro__ if c in named}


@pytest.mark.parametrize("path", PRESENT)
def test_isinstance(path):
    """A class is a subclass of another public one where PyTorch's is, and nowhere else."""
    ours = {RECORDED[p]["class"] for p in PRESENT}
    assert subclasses(path) == ours.intersection(RECORDED[path]["bases"])


@pytest.mark.parametrize("path", PRESENT)
def test_import(path):
    """A class is the same object in the module that its `__module__` names, and both can be imported."""
    cls = find(path)
    assert getattr(importlib.import_module(cls.__module__), cls.__name__) is cls


@pytest.mark.parametrize("module", sorted(definitions()))
def test_what_modules_define_and_lend(module):
    """What PyTorch defines in a module is there if it is anywhere, and what it borrows is the lender's."""
    if module not in sys.modules:
        return
    held = vars(sys.modules[module])
    for name in definitions()[module]:
        value = held.get(name)
        if isinstance(value, type | FunctionType):
            assert value.__module__ in (module, "torch") or module == "torch.functional"
    for borrower, name, home, original in borrowed():
        if borrower == module and original in vars(sys.modules.get(home, sys)):
            assert held[name] is vars(sys.modules[home])[original]


def test_nothing_says_that_it_is_the_engines():
    """`torch.typename`, which messages quote, names the module of what it is given."""
    held = {
        (name, key): v for name, m in sys.modules.items() if name.split(".")[0] == "torch" for key, v in vars(m).items()
    }
    held |= {("Tensor", key): v for key, v in vars(torch.Tensor).items()}
    ours = [at for at, v in held.items() if isinstance(v, type | FunctionType) and v.__module__.startswith("engine")]
    assert [at for at in ours if not at[1].startswith("_")] == []
    with pytest.raises(TypeError, match=r"^torch\.nn\.functional\.relu is not"):
        torch.nn.Sequential(torch.nn.functional.relu)


@pytest.mark.parametrize("statement", IMPORTS)
def test_imports_of_programs(statement):
    exec(statement, {})
