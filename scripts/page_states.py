"""The states of the page that the pictures of docs/images show. Each is reached as a person would reach it."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from playwright.sync_api import Page

DESKTOP = (1440, 900)
PHONE = (390, 844)
# The node at which the default example is shown, and how far it may be from the start of backward.
NODE = "MulBackward0"
MOST_STEPS = 20
# Milliseconds until what moves has arrived.
SETTLE = 900

TRAINING = """# two layers
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(16, 4)
target = x.sum(dim=1, keepdim=True)

for step in range(12):
    loss = nn.functional.mse_loss(model(x), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
# Gradients of every size: the sigmoid lets little of them through.
FADING = """# a gradient that fades
import torch
x = torch.tensor(20.0, requires_grad=True)
w = torch.tensor(0.5, requires_grad=True)
y = torch.sigmoid(w * x)
loss = (y - 80.0) ** 2
loss.backward()
"""
SQUARE = """# plain
import torch
x = torch.tensor(2.0, requires_grad=True)
w = torch.tensor(3.0, requires_grad=True)
y = w * x
loss = y ** 2
loss.backward()
print(x.grad, w.grad)
"""
SIGMOID = SQUARE.replace("# plain", "# with a sigmoid").replace("y = w * x", "y = torch.sigmoid(w * x)")


@dataclass(frozen=True)
class State:
    """`show` drives a page that is open at `fragment`, with `programs` remembered if any are given."""

    name: str
    show: Callable[[Page], object] = lambda page: None
    fragment: str = ""
    language: str = "en"
    theme: Literal["light", "dark"] = "light"
    size: tuple[int, int] = DESKTOP
    programs: tuple[str, ...] = field(default=())

    def open(self, page: Page, address: str) -> None:
        """Bring a fresh page into the state."""
        if self.programs:
            kept = [{"id": number, "code": code} for number, code in enumerate(self.programs, 1)]
            text = json.dumps({"open": len(kept), "list": kept})
            page.add_init_script(f"localStorage.setItem('autograd-playground.programs', {json.dumps(text)})")
        page.goto(f"{address}/{self.fragment}")
        page.locator(".g-stage").wait_for()
        page.wait_for_timeout(SETTLE)
        self.show(page)
        page.wait_for_timeout(SETTLE)


def backward(page: Page) -> None:
    """Step into the backward pass of the default example."""
    page.get_by_test_id("player-backward").click()
    title = page.locator("[data-testid=step-card] h2").first  # out of sight on a phone
    for _ in range(MOST_STEPS):
        if NODE in (title.text_content() or ""):
            return
        page.get_by_test_id("player-next").click()
    raise SystemExit(f"screenshot: {NODE} did not come within {MOST_STEPS} steps")


def press(test_id: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_test_id(test_id).click()


def compare(page: Page) -> None:
    page.get_by_test_id("compare").click()
    page.locator(".compare-graph .g-box").first.wait_for()


STATES = (
    State("page", backward),
    State("page.zh", backward, language="zh"),
    State("dark", backward, theme="dark"),
    State("phone", backward, size=PHONE, language="zh", theme="dark"),
    State("error", fragment="#example=freed-graph"),
    State("compare", compare, programs=(SQUARE, SIGMOID)),
    State("training", press("training-open"), programs=(TRAINING,)),
    State("colours", fragment="#step=16&colour=grad", programs=(FADING,)),
    State("share", press("share")),
    State("lecture", backward, "#lecture=1"),
)
