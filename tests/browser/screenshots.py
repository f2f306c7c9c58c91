"""Pictures of the page for the documentation: `make screenshots` writes them to docs/screenshots.

Started as a module, it serves the page on a free port with the embedded engine and its data in a temporary folder, and drives a
headless chromium by what a person sees: labels and button texts.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from rescue_agent.engines.registry import make_engine
from tests.browser.conftest import Browser
from tests.served_page import served_page

LAPTOP, PHONE = (1280, 1000), (390, 844)
ROOM: Final = (
    ("Orla", "You said you would ring, and I sat there with the soup until nine."),
    ("Pavel", "I was working. I don't know what you want me to say any more."),
    ("Orla", "You always do this. You never answer me, and then I feel like a fool for waiting."),
)


@contextmanager
def browser(url: str, size: tuple[int, int], theme: str) -> Iterator[Browser]:
    """A headless chromium of a size in pixels, with the page open in a theme ("light" or "dark")."""
    options = webdriver.ChromeOptions()
    for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--force-prefers-reduced-motion"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    try:
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size is PHONE}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
        one = Browser(driver, url)
        one.open(f"/?__theme={theme}")
        yield one
    finally:
        driver.quit()


def save(one: Browser, path: Path) -> None:
    """A picture of what the window shows."""
    one.driver.execute_script("window.scrollTo(0, 0)")
    one.driver.save_screenshot(str(path))


def room(one: Browser) -> None:
    """Two people talk until the supporter has said something, and everybody may see what it sees."""
    one.write("Names, with commas between them", "Orla, Pavel")
    one.press("For facilitators")
    one.choose("People in the room may look")
    one.choose("I agree to talk with an AI here")
    one.press("Open the room")
    for speaker, words in ROOM:
        one.choose(speaker)
        one.say(words)
    one.see("Supporter")
    one.see("similar moments recalled")


def replay(one: Browser) -> None:
    """The first row at which agent and human differ."""
    one.to_tab("Replay")
    one.see("Row 1 of")
    one.press("Next difference")
    one.see("Agent and human supporter differ")


def scores(one: Browser) -> None:
    """A small run beside the baselines."""
    one.to_tab("Scores")
    one.press("Start a run")
    one.see("Done:")
    one.see("ITP, intervention time prediction")


def settings(one: Browser) -> None:
    """What runs here."""
    one.to_tab("Settings")
    one.see("What runs here")


def main(folder: Path) -> None:
    """Write all pictures into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    with served_page(make_engine("embedded")) as url:
        with browser(url, LAPTOP, "light") as one:
            for shown in (room, replay, scores, settings):
                shown(one)
                save(one, folder / f"{shown.__name__}.png")
        with browser(url, PHONE, "dark") as one:
            room(one)
            save(one, folder / "room_phone_dark.png")


if __name__ == "__main__":
    with TemporaryDirectory() as data:
        os.environ["RESCUE_DATA_DIR"] = data
        main(Path(sys.argv[1]))
