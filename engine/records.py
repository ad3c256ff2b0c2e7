"""All operators there are: every Op of engine.ops and every composed function of engine.composites."""

import importlib
import pkgutil
from functools import cache
from types import ModuleType

import engine.composites
import engine.ops
from engine.composite import Composite, PythonFunction, collect
from engine.op import Op


def _modules(package: ModuleType) -> list[ModuleType]:
    names = sorted(m.name for m in pkgutil.iter_modules(package.__path__))
    return [importlib.import_module(f"{package.__name__}.{n}") for n in names]


@cache
def all_records() -> tuple[Op | Composite | PythonFunction, ...]:
    """Every record once, ops first, in the order in which they were made."""
    found: dict[str, Op | Composite | PythonFunction] = {}
    for module in [*_modules(engine.ops), *_modules(engine.composites)]:
        for record in collect(vars(module)):
            known = found.setdefault(record.name, record)
            if known is not record:
                raise ValueError(f"two records are named {record.name}")
    return tuple(sorted(found.values(), key=lambda r: (not isinstance(r, Op), r.order)))


@cache
def ops_by_name() -> dict[str, Op]:
    """Every Op by its full name, "add.Tensor"."""
    return {r.name: r for r in all_records() if isinstance(r, Op)}
