"""Stored programs: in SQLite and in PostgreSQL, over HTTP, when the database is full, read-only or away."""

import dataclasses
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from fastapi.testclient import TestClient
from sqlalchemy import event

from backend.app import create_app
from backend.settings import Settings, SettingsError
from backend.store import identity
from backend.store.errors import StoreUnavailable
from backend.store.snippets import SnippetStore
from backend.store.tables import Base
from tests.backend.conftest import SETTINGS
from tests.backend.postgres import postgres
from tests.backend.service import printed

SNIPPETS = "/api/v1/snippets"
PROGRAM = "import torch\nx = torch.tensor(3.0, requires_grad=True)\n(x * x).backward()\nprint(x.grad)  # 字 '; --\n"
LONGEST_SEED = 2**63 - 1


def fill(store: SnippetStore) -> None:
    """Let its SQLite file grow no more; what is in it stays."""
    event.listen(store._engine, "connect", lambda connection, _record: connection.execute("PRAGMA max_page_count=1"))


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    if request.param == "sqlite":
        yield Settings(data_dir=str(tmp_path / "made" / "when needed"))
    else:
        with postgres() as url:
            yield Settings(database_url=url)


def test_a_database_without_an_encoding_keeps_every_letter() -> None:
    """As `initdb` makes one where no locale is set, in a small container say."""
    with postgres("SQL_ASCII") as url:
        store = SnippetStore(Settings(database_url=url))
        stored, is_new = store.put(PROGRAM, 0)
        assert is_new
        assert store.get(stored.id) == stored
        assert stored.code == PROGRAM
        store.close()


def test_a_store_keeps_programs(settings: Settings) -> None:
    store = SnippetStore(settings)
    first, is_new = store.put(PROGRAM, LONGEST_SEED)
    assert is_new
    assert store.get(first.id) == first
    assert (first.code, first.seed, first.expires_at) == (PROGRAM, LONGEST_SEED, None)
    assert store.put(PROGRAM, LONGEST_SEED) == (first, False)
    assert store.put(PROGRAM, 1)[0].id != first.id
    assert store.get("A" * 11) is None
    assert store.get("' OR 1=1 --") is None

    with ThreadPoolExecutor(8) as threads:  # two processes are two stores on one database
        other = SnippetStore(settings)
        stored = list(threads.map(lambda number: (store, other)[number % 2].put("print(2)", 0), range(16)))
    assert len({snippet.id for snippet, _is_new in stored}) == 1
    assert sum(is_new for _snippet, is_new in stored) >= 1
    assert other.get(first.id) == first

    renewing = SnippetStore(dataclasses.replace(settings, snippet_days=1.0))
    renewed, is_new = renewing.put(PROGRAM, LONGEST_SEED)
    assert not is_new
    assert renewed.expires_at is not None
    assert (renewed.expires_at - renewed.created_at).total_seconds() >= 86_400

    brief = SnippetStore(dataclasses.replace(settings, snippet_days=1e-9))
    gone, _is_new = brief.put("print('brief')", 0)
    assert brief.get(gone.id) is None
    again, is_new = store.put("print('brief')", 0)
    assert (again.id, is_new) == (gone.id, True)
    assert store.get(gone.id) == again
    brief.put("print('to be purged')", 0)
    store.put("print('purges')", 0)
    with store._engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM snippets WHERE expires_at IS NULL").scalar() == 4
        assert connection.exec_driver_sql("SELECT count(*) FROM snippets").scalar() == 5
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    for one in (store, other, renewing, brief):
        one.close()


def test_another_program_with_the_same_short_id_gets_a_longer_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SnippetStore(Settings(data_dir=str(tmp_path)))
    monkeypatch.setattr(identity, "candidates", lambda code, _seed: ["s" * 11, "s" * 10 + code[0] * 12])
    first, second = store.put("a", 0)[0], store.put("b", 0)[0]
    assert (first.id, second.id) == ("s" * 11, "s" * 10 + "b" * 12)
    assert (store.get(first.id), store.get(second.id)) == (first, second)


def test_a_full_database_says_so_and_loses_nothing(tmp_path: Path) -> None:
    store = SnippetStore(Settings(data_dir=str(tmp_path)))
    kept, _is_new = store.put(PROGRAM, 0)
    store.close()
    fill(store)
    with pytest.raises(StoreUnavailable, match="is full, so nothing was stored") as raised:
        store.put("#" * 60_000, 0)
    assert raised.value.is_full
    assert store.get(kept.id) == kept


def test_a_read_only_database_says_so_and_still_finds(tmp_path: Path) -> None:
    kept, _is_new = SnippetStore(Settings(data_dir=str(tmp_path))).put(PROGRAM, 0)
    file = next(tmp_path.iterdir())
    store = SnippetStore(Settings(database_url=f"sqlite:///file:{file}?mode=ro&uri=true"))
    with pytest.raises(StoreUnavailable, match="only be read just now"):
        store.put("print(1)", 0)
    assert store.get(kept.id) == kept


@pytest.mark.parametrize("url", ["postgresql://nobody@127.0.0.1:1/x", "sqlite:////proc/no/such/folder/x.db"])
def test_a_database_that_is_away_says_so(url: str) -> None:
    with pytest.raises(StoreUnavailable, match="does not answer"):
        SnippetStore(Settings(database_url=url)).put("print(1)", 0)


def test_a_file_that_is_no_database_says_so(tmp_path: Path) -> None:
    (tmp_path / "snippets.sqlite3").write_bytes(b"not a database" * 100)
    with pytest.raises(StoreUnavailable, match="does not answer"):
        SnippetStore(Settings(data_dir=str(tmp_path))).put("print(1)", 0)


@pytest.mark.parametrize("url", ["nonsense", "mysql://x@y/z"])
def test_an_address_of_no_database_is_refused_at_the_start(url: str) -> None:
    with pytest.raises(SettingsError, match="DATABASE_URL"):
        SnippetStore(Settings(database_url=url))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = str(tmp_path_factory.mktemp("site"))
    with TestClient(create_app(dataclasses.replace(SETTINGS, data_dir=folder, snippet_rate="9/hour"))) as client:
        yield client


def test_a_link_gives_the_program_its_trace_and_its_graph(site: TestClient) -> None:
    created = site.post(SNIPPETS, json={"code": PROGRAM, "seed": 5})
    assert created.status_code == 201
    url = created.headers["location"]
    assert url == created.json()["url"]
    again = site.post(SNIPPETS, json={"code": PROGRAM, "seed": 5})
    assert (again.status_code, again.json()) == (200, created.json())

    got = site.get(url)
    assert got.json() == created.json()
    assert (got.json()["code"], got.json()["seed"]) == (PROGRAM, 5)
    assert site.get(url, headers={"if-none-match": got.headers["etag"]}).status_code == 304

    trace = site.get(f"{url}/trace").json()
    assert (printed(trace), trace["seed"]) == ("tensor(6.)\n", 5)
    assert site.get(f"{url}.dot").text.startswith("digraph")
    assert site.get(f"{url}.mmd").text.startswith("flowchart")
    assert site.get(f"{url}.exe").status_code == 404


@pytest.mark.parametrize("path", ["AAAAAAAAAAA", "AAAAAAAAAAA/trace", "AAAAAAAAAAA.dot", "short", "%00", "a" * 999])
def test_what_was_never_stored_is_a_problem_document(site: TestClient, path: str) -> None:
    response = site.get(f"{SNIPPETS}/{path}")
    assert response.status_code == 404
    assert "no such snippet" in response.json()["detail"]


@pytest.mark.parametrize(
    ("body", "status"), [({"code": "#" * 70_000}, 413), ({"code": 7}, 422), ({"code": "", "html": ""}, 422)]
)
def test_what_cannot_be_stored_is_refused(site: TestClient, body: dict, status: int) -> None:
    assert site.post(SNIPPETS, json=body).status_code == status


def test_a_client_may_store_so_many(site: TestClient) -> None:
    answers = [site.post(SNIPPETS, json={"code": f"print({number})"}) for number in range(10)]
    refused = answers[-1]
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) >= 1
    assert "snippets in one hour" in refused.json()["detail"]
    assert all("retry-after" in answer.headers for answer in answers if answer.status_code == 429)


def test_a_database_that_is_away_is_a_problem_document_and_runs_go_on(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'gone' / 'x.db'}"
    with TestClient(create_app(dataclasses.replace(SETTINGS, database_url=url))) as client:
        refused = client.post(SNIPPETS, json={"code": "print(1)"})
        assert refused.status_code == 503
        assert "does not answer" in refused.json()["detail"]
        assert refused.headers["content-type"] == "application/problem+json"
        assert client.post("/api/v1/runs", json={"code": "print(1)"}).status_code == 200
        (tmp_path / "gone").mkdir()
        assert client.post(SNIPPETS, json={"code": "print(1)"}).status_code == 201
    assert sqlite3.connect(tmp_path / "gone" / "x.db").execute("SELECT code FROM snippets").fetchall() == [
        ("print(1)",)
    ]


def test_a_full_database_is_a_problem_document_and_its_links_go_on(tmp_path: Path) -> None:
    app = create_app(dataclasses.replace(SETTINGS, data_dir=str(tmp_path)))
    with TestClient(app) as client:
        kept = client.post(SNIPPETS, json={"code": PROGRAM}).json()
        store: SnippetStore = app.state.snippets
        store.close()
        fill(store)
        refused = client.post(SNIPPETS, json={"code": "#" * 60_000})
        assert refused.status_code == refused.json()["status"] == 507
        assert "is full, so nothing was stored" in refused.json()["detail"]
        assert refused.json()["retry_after"] == int(refused.headers["retry-after"])
        assert client.get(kept["url"]).json() == kept


def test_a_database_from_before_the_first_migration_is_brought_up_to_date(settings: Settings) -> None:
    store = SnippetStore(settings)
    store.put(PROGRAM, 0)
    with store._engine.begin() as connection:  # what an interrupted first start leaves behind
        connection.exec_driver_sql("DROP TABLE snippets")
        connection.exec_driver_sql("DELETE FROM alembic_version")
    store.close()
    later = SnippetStore(settings)
    assert later.put(PROGRAM, 0)[1]
    with later._engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    later.close()
