"""What a first visit loads until the graph is drawn, and nothing of what only some visitors ask for."""

import gzip
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest

from tests.e2e.playground import Playground
from tests.e2e.server import PAGE

pytestmark = pytest.mark.e2e

MOST_BYTES = 400_000
LATER = ("Compare", "Training", "animation", "offlinePage", "png-", "torchNames")


def test_the_first_visit_is_light(new_page: Callable[..., Playground]) -> None:
    page = new_page()
    asked: list[str] = []
    page.page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.open()
    loaded = {path for path in asked if path.startswith("/assets/") and path.endswith((".js", ".css"))}
    assert any("Graph" in path for path in loaded)
    assert [path for path in loaded if any(name in path for name in LATER)] == []
    sizes = [len(gzip.compress((PAGE.parent / path.lstrip("/")).read_bytes())) for path in loaded]
    assert sum(sizes) + len(gzip.compress(PAGE.read_bytes())) < MOST_BYTES
