"""The rules of the architecture. Each takes a checkout and returns what breaks it, one sentence a violation."""

import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from tests.architecture.code import PACKAGES, Code, Import

# Inside the engine each imports only what stands to its left. "" is engine/__init__.py, the public face.
ENGINE_ORDER = (
    "errors", "type_names", "c_calls", "renaming", "hash_order", "warning", "dtypes", "device", "layout", "size",
    "storage", "storages", "settings", "attention_backends", "cuda", "accelerator", "distributed",
    "pytorch_names", "pytorch_inner_names", "pytorch_modules", "instead", "pytorch_classes",
    "pytorch_functions", "outline", "absent", "signature",
    "narrow", "op", "choosing",
    "normal_kernel", "random", "rejection", "ops", "modes", "writing", "anomaly", "graph", "tensor", "levels",
    "saving", "saved", "plan", "specialise", "overlap", "fitting", "inplace", "dispatch", "gradients", "pass_hooks",
    "ready_queue", "paths", "backward", "printing", "showing", "reset", "from_data", "creation", "dlpack",
    "generators", "return_types", "out_argument", "shortcuts", "arguments", "accidents", "overloads",
    "old_overloads", "builtin", "legacy", "composite", "overload_order", "functions", "composites", "records",
    "catalogue", "operators", "indexing", "methods", "batching", "amp", "method_signatures", "autograd", "profiler",
    "nn", "optim", "utils", "distributions", "testing", "func", "functorch", "signal", "serialization", "torch_version",
    "compiler", "jit", "torch_names", "annotations", "mirror", "modules", "install", "", "trace",
)  # fmt: skip

ENGINE_LIBRARIES = {"numpy", "ml_dtypes"}
SCHEMA_LIBRARIES = {"pydantic"}

MOST_LINES = 420
COUNTED = {".py", ".js", ".jsx", ".css", ".html"}

# An import in JavaScript: `import … from "x"`, `import "x"`, `export … from "x"`, `import("x")`, `new URL("x", …)`.
SCRIPT_IMPORT = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\(\s*)["']([^"']+)["']""")


def room(module: str) -> str:
    """The room a module of the project stands in."""
    if module == "backend.schemas":
        return "schema"
    if module == "engine.trace" or module.startswith("engine.trace."):
        return "trace"
    return module.partition(".")[0]


MAY_USE = {
    "engine": {"engine"},
    "trace": {"engine", "trace"},
    "schema": {"schema"},
    "backend": {"engine", "trace", "schema", "backend"},
}


def rooms(code: Code) -> list[str]:
    """frontend -> schema <- backend -> engine.trace -> engine, and each room's own libraries."""
    libraries = {
        "engine": ENGINE_LIBRARIES,
        "trace": ENGINE_LIBRARIES,
        "schema": SCHEMA_LIBRARIES,
        "backend": declared_libraries(code.root),
    }
    broken = []
    for found in code.imports:
        here = room(found.importer)
        if found.root in PACKAGES:
            if room(found.target) not in MAY_USE[here]:
                broken.append(f"{found}: {here} may use {', '.join(sorted(MAY_USE[here]))}")
        elif found.root not in libraries[here] and found.root not in sys.stdlib_module_names:
            broken.append(f"{found}: {here} may use the standard library, {', '.join(sorted(libraries[here]))}")
    return broken


def declared_libraries(root: Path) -> set[str]:
    """What pyproject.toml says the server needs, and starlette, which is fastapi's own foundation."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.split(r"[^\w.-]", requirement)[0] for requirement in project["dependencies"]}
    return {name.replace("-", "_") for name in names} | {"starlette"}


def engine_order(code: Code) -> list[str]:
    """Inside the engine imports go left along ENGINE_ORDER; imports for types alone are free."""
    parts = {engine_part(module) for module in code.modules if module.split(".")[0] == "engine"}
    broken = [f"engine.{part} has no place in ENGINE_ORDER" for part in sorted(parts - set(ENGINE_ORDER))]
    place = {part: number for number, part in enumerate(ENGINE_ORDER)}
    for found in code.imports:
        here, there = engine_part(found.importer), engine_part(found.target)
        inside = found.root == "engine" == found.importer.split(".")[0]
        if not inside or found.for_types_only or here not in place or there not in place:
            continue
        if place[there] > place[here]:
            broken.append(f"{found}, which stands to its right")
    return broken


def engine_part(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def cycles(code: Code) -> list[str]:
    """No module imports itself by way of others. Imports inside functions count, those for types alone don't."""
    edges: dict[str, list[Import]] = defaultdict(list)
    for found in code.imports:
        if found.target in code.modules and not found.for_types_only and found.target != found.importer:
            edges[found.importer].append(found)
    broken, finished = [], set()
    for start in code.modules:
        path, pending = [], [(start, iter(edges[start]))]
        path.append(start)
        while pending:
            module, rest = pending[-1]
            following = next((found.target for found in rest if found.target not in finished), None)
            if following is None:
                finished.add(module)
                pending.pop()
                path.pop()
            elif following in path:
                broken.append(" -> ".join([*path[path.index(following) :], following]))
            else:
                path.append(following)
                pending.append((following, iter(edges[following])))
    return broken


def local_imports(code: Code) -> list[str]:
    """No function imports from the project: what a module needs is said at its top."""
    return [f"{found} inside a function" for found in code.imports if found.in_function and found.root in PACKAGES]


def page_imports(root: Path) -> list[str]:
    """The page's sources reach no file outside frontend/src by a relative path."""
    sources = (root / "frontend" / "src").resolve()
    broken = []
    for path in sorted(sources.rglob("*.[jt]s*")):
        for target in SCRIPT_IMPORT.findall(path.read_text(encoding="utf-8")):
            if target.startswith(("/", "http:", "https:")):
                broken.append(f"{path.relative_to(root)} imports {target}: only packages and relative paths")
            elif target.startswith(".") and not (path.parent / target).resolve().is_relative_to(sources):
                broken.append(f"{path.relative_to(root)} imports {target}, outside frontend/src")
    return broken


def long_files(root: Path, folders: Iterable[str] = ("engine", "backend", "frontend/src")) -> list[str]:
    """No source file holds more than MOST_LINES lines; generated declarations (.d.ts) are not counted."""
    broken = []
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in COUNTED and path.is_file():
                lines = len(path.read_text(encoding="utf-8").splitlines())
                if lines > MOST_LINES:
                    broken.append(f"{path.relative_to(root)} has {lines} lines; the most is {MOST_LINES}")
    return broken


RULES_OF_CODE = (rooms, engine_order, cycles, local_imports)
RULES_OF_FILES = (page_imports, long_files)
