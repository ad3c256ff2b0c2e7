"""All texts of the page as it is now, and what of them is in the wrong language."""

import re

from playwright.sync_api import expect

from tests.e2e.playground import Playground

# What is the same in every language: code, names of the program and of PyTorch, the brand, the other language's name.
SAME = (
    "code, pre, .code, .editor, .thing, .tex, .g-near, .g-legend, .g-row, .program, .compare-choice select, .brand, "
    "[data-testid=language], kbd, .error-message, .card-error h2, .inspect-name b"
)
NAME = re.compile(r"[A-Za-z]*(Backward|[._()\d]).*")
PROSE = re.compile(r"\b[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}\b")

READ = """(same) => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent && !parent.closest(`script, style, noscript, ${same}`)) found.push(node.textContent.trim());
  }
  for (const each of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
    if (each.closest(same)) continue;
    for (const name of ["aria-label", "title", "placeholder"]) found.push(each.getAttribute(name) ?? "");
  }
  return found.filter(Boolean);
}"""


def texts(page: Playground) -> set[str]:
    """All texts and labels of the page as it is now, without what is the same in every language."""
    return {text for text in page.page.evaluate(READ, SAME) if re.search(r"[A-Za-z]{3}", text)}


def left_over(chinese: set[str], english: set[str]) -> set[str]:
    """Texts of the page in Chinese that are the same in English, or hold three English words in a row."""
    same = {text for text in chinese & english if not NAME.fullmatch(text)}
    return same | {text for text in chinese if PROSE.search(text)}


def left_in_english(page: Playground) -> set[str]:
    """What is left over on a page in Chinese as it is now."""
    chinese = texts(page)
    page.language.click()
    expect(page.language).to_have_text("中文")
    english = texts(page)
    page.language.click()
    expect(page.language).to_have_text("English")
    return left_over(chinese, english)
