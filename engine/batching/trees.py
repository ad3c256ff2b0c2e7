"""Nested tuples, lists and dicts of tensors: their leaves, and the same structure around other leaves."""

from collections.abc import Callable, Iterator
from typing import Any


def is_node(tree: Any) -> bool:
    """Whether something is gone into."""
    return isinstance(tree, tuple | list | dict)


def leaves(tree: Any) -> list[Any]:
    """Everything in a tree that is no tuple, list or dict, in order."""
    if not is_node(tree):
        return [tree]
    parts = tree.values() if isinstance(tree, dict) else tree
    return [leaf for part in parts for leaf in leaves(part)]


def mapped(function: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """A tree of function(leaf, …); the others have the first one's structure."""
    if isinstance(tree, dict):
        made: Any = {k: mapped(function, v, *(o[k] for o in others)) for k, v in tree.items()}
        return made if type(tree) is dict else type(tree)(made)
    if isinstance(tree, tuple | list):
        parts = [mapped(function, *column) for column in zip(tree, *others, strict=True)]
        return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)
    return function(tree, *others)


def filled(tree: Any, values: Iterator[Any]) -> Any:
    """A tree with its leaves replaced, in order."""
    return mapped(lambda _: next(values), tree)


def structure_text(tree: Any, indent: int = 0) -> str:
    """The structure of a tree in words, `*` for each leaf: "TreeSpec(tuple, None, [*])"."""
    if not is_node(tree):
        return "*"
    named = isinstance(tree, dict)
    inner = indent + 2
    parts = [structure_text(part, inner) for part in (tree.values() if named else tree)]
    between = ",\n" + " " * inner
    return f"TreeSpec({type(tree).__name__}, {list(tree) if named else None}, [{between.join(parts)}])"


def spread(values: Any, tree: Any) -> list[Any] | None:
    """A value per leaf of a tree; one that is no node counts for all leaves below it. None where they do not fit."""
    if not is_node(values):
        return [values] * len(leaves(tree))
    if not is_node(tree) or len(values) != len(tree) or isinstance(values, dict) != isinstance(tree, dict):
        return None
    keys = tree if isinstance(tree, dict) else range(len(tree))
    parts = [spread(values[k], tree[k]) for k in keys]
    return None if any(p is None for p in parts) else [d for p in parts for d in p or ()]


def same_structure(a: Any, b: Any) -> bool:
    """Whether two trees differ only in their leaves."""
    if not is_node(a) or not is_node(b):
        return not is_node(a) and not is_node(b)
    if type(a) is not type(b) or len(a) != len(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same_structure(a[k], b[k]) for k in a)
    return all(same_structure(x, y) for x, y in zip(a, b, strict=True))
