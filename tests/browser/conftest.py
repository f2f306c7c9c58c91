"""A served page, and real browsers (Debian's chromium, headless)."""

from contextlib import ExitStack

import pytest
from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    StaleElementReferenceException,
)
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from tests.served_page import served_page

WAIT = 30


@pytest.fixture(scope="session")
def url(engine):
    with served_page(engine) as address:
        yield address


class Browser:
    """One person's browser, driven by what a person sees: labels and texts."""

    def __init__(self, driver, url):
        self.driver, self.url = driver, url

    def open(self, path="/"):
        self.driver.get(self.url + path)
        self.see("rescue-agent")

    def until(self, action, complaint):
        """Do `action` until it gives something; the page may redraw in between."""
        passing = (StaleElementReferenceException, ElementNotInteractableException, ElementClickInterceptedException, IndexError)
        return WebDriverWait(self.driver, WAIT, ignored_exceptions=passing).until(lambda _: action(), complaint)

    def see(self, text):
        self.until(lambda: text in self.text(), f"{text!r} never showed")

    def text(self):
        return self.driver.find_element(By.TAG_NAME, "body").text

    def press(self, name):
        self.until(lambda: self._click(f"//button[starts-with(normalize-space(), {name!r})]"), f"no button {name!r}")

    def choose(self, label):
        self.until(lambda: self._click(f"//label[contains(normalize-space(), {label!r})]"), f"no choice {label!r}")

    def write(self, label, text):
        path = f"//label[contains(normalize-space(), {label!r})]//*[self::input or self::textarea]"
        self.until(lambda: self._fill(self._shown(path)[0], text), f"no field {label!r}")

    def _click(self, path):
        self._shown(path)[0].click()
        return True

    def _fill(self, field, text):
        field.clear()
        field.send_keys(text)
        return True

    def say(self, text):
        self.write("What do you want to say?", text)
        self.press("Say it")
        self.see(text.splitlines()[0])

    def to_tab(self, name):
        self.until(lambda: self._click(f"//button[@role='tab' and normalize-space()={name!r}]"), f"no tab {name!r}")

    def log(self):
        return self.driver.find_element(By.CSS_SELECTOR, "[aria-label=Conversation]").text

    def _shown(self, path):
        return [element for element in self.driver.find_elements(By.XPATH, path) if element.is_displayed()]


@pytest.fixture
def browse(url):
    """browse() -> a new browser with the page open."""
    with ExitStack() as stack:

        def one(path="/"):
            options = webdriver.ChromeOptions()
            for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1200,1600"):
                options.add_argument(flag)
            options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
            driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
            stack.callback(driver.quit)
            made = Browser(driver, url)
            made.open(path)
            return made

        yield one
