"""Files that the page saves, and files dropped on it."""

from pathlib import Path

from playwright.sync_api import Page

from tests.e2e.playground import Playground

# A moving picture is drawn picture by picture, which a busy machine takes its time for.
SAVED_WITHIN_MS = 120_000

DROP = """([text, name]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, { type: "application/json" }));
  const at = document.querySelector("[data-testid=editor]") ?? document.body;
  for (const kind of ["dragover", "drop"])
    at.dispatchEvent(new DragEvent(kind, { bubbles: true, composed: true, cancelable: true, dataTransfer: data }));
}"""


def saved(page: Playground, kind: str, folder: Path) -> Path:
    """Save one file from the dialog and close it."""
    if not page.page.get_by_test_id("share-dialog").is_visible():
        page.page.get_by_test_id("share").click()
    with page.page.expect_download(timeout=SAVED_WITHIN_MS) as download:
        page.page.get_by_test_id(f"save-{kind}").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    page.press("Escape")
    return path


def drop(page: Page, text: str, name: str = "run.json") -> None:
    page.evaluate(DROP, [text, name])
