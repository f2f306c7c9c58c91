"""The tabs Replay, Scores and Settings as people use them, in a real browser."""

import re

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from eval.background import BackgroundRun
from eval.instances import PROTOCOLS, TaskName
from eval.plan import Plan
from eval.records import write_results
from rescue_agent.corpus.rescue import to_json
from rescue_agent.corpus.splits import bundled_episodes
from rescue_agent.moment import Mode
from rescue_agent.settings import settings

pytestmark = pytest.mark.browser


@pytest.fixture
def tab(browse):
    """tab(name) -> a browser with that tab open."""

    def opened(name):
        browser = browse()
        browser.to_tab(name)
        return browser

    return opened


def give(browser, button, path):
    """Choose a file, as the dialog behind the upload button does."""
    near = f"//button[normalize-space()={button!r}]/preceding-sibling::input | //button[normalize-space()={button!r}]//input"
    browser.until(lambda: browser.driver.find_elements(By.XPATH, near), f"no upload {button!r}")[0].send_keys(str(path))


def row(browser):
    return int(re.search(r"Row (\d+) of", browser.text())[1])


def test_stepping_through_an_episode_by_buttons_and_keys(tab):
    browser = tab("Replay")
    browser.see("Row 1 of 35")
    browser.see("Agent (embedded)")
    browser.press("Next")
    browser.see("Row 2 of 35")
    browser.press("Last")
    browser.see("Row 35 of 35")
    browser.press("Previous")
    browser.see("Row 34 of 35")

    view = browser.driver.find_element(By.CSS_SELECTOR, ".replay-desk [tabindex='0']")
    for key, number in ((Keys.HOME, 1), (Keys.ARROW_RIGHT, 2), (Keys.ARROW_RIGHT, 3), (Keys.ARROW_LEFT, 2), (Keys.END, 35)):
        view.send_keys(key)
        browser.see(f"Row {number} of 35")


def test_jumping_to_the_next_difference(tab):
    browser = tab("Replay")
    browser.see("Row 1 of")
    for kind in ("whom to address", "which strategy"):
        browser.choose(kind)
    found = []
    for _ in range(3):
        before = row(browser)
        browser.press("Next difference")
        browser.until(lambda before=before: row(browser) > before, "it did not go on")
        browser.see("Agent and human supporter differ: when to speak")
        found.append(row(browser))

    assert found == sorted(set(found))


def test_it_plays_and_pauses(tab):
    browser = tab("Replay")
    browser.see("Row 1 of")
    browser.choose("1")
    browser.press("Play")
    browser.see("Row 3 of")
    browser.press("Pause")
    browser.until(lambda: browser.driver.find_elements(By.XPATH, "//button[normalize-space()='Play']"), "it did not pause")


def test_a_bad_file_is_one_clear_line(tab, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text("<img src=https://example.org/x.png> no json\n", encoding="utf-8")
    browser = tab("Replay")
    browser.see("Row 1 of 35")
    give(browser, "Open a RESCUE file", bad)
    browser.see("bad.jsonl:1: not JSON")

    assert "Row 1 of 35" in browser.text()
    assert len(browser.driver.find_elements(By.CSS_SELECTOR, ".notice")) == 1


def test_an_uploaded_episode_is_replayed_as_text(tab, tmp_path, couple):
    path = tmp_path / "mine.jsonl"
    path.write_text(to_json(couple).replace("boiler man", "<img src=x onerror=document.title='hit'>") + "\n", encoding="utf-8")
    browser = tab("Replay")
    give(browser, "Open a RESCUE file", path)
    browser.see("Row 1 of 7")
    browser.see("You never said the <img src=x onerror=document.title='hit'> was coming.")
    browser.press("Next")
    browser.see("Row 2 of 7")

    assert browser.driver.title != "hit"


def test_a_small_run_is_stopped_and_another_one_shown(tab):
    browser = tab("Scores")
    browser.see("Nothing to show yet.")
    for task in ("ER", "VP", "RPP"):
        browser.choose(task)
    amount = browser.until(lambda: browser._shown("//input[@type='number']"), "no limit")[0]
    amount.send_keys(Keys.CONTROL, "a")
    amount.send_keys("200", Keys.TAB)
    browser.press("Start a run")
    browser.see("answers")
    browser.press("Stop")
    browser.see("nothing was scored.")

    for task in ("ER", "VP", "RPP", "STP", "SSP"):
        browser.choose(task)
    amount.send_keys(Keys.CONTROL, "a")
    amount.send_keys("5", Keys.TAB)
    browser.until(lambda: browser._shown("//button[normalize-space()='Start a run' and not(@disabled)]"), "it cannot start again")
    browser.press("Start a run")
    browser.see("Done: 20 answers by embedded, majority, random, nearest.")
    browser.see("ITP, intervention time prediction")


def test_results_of_the_command_are_opened(tab, engine, tmp_path):
    plan = Plan(bundled_episodes("test"), [TaskName.STP], PROTOCOLS["paper"], Mode.DIALOGUE, 0, 5)
    run = BackgroundRun(plan, "embedded")
    run.start()
    run.wait()
    write_results(tmp_path / "results.json", run.results)
    browser = tab("Scores")
    give(browser, "Open results.json", tmp_path / "results.json")
    browser.see("STP, support target prediction")
    browser.see("mean of ten published models")

    assert browser.driver.find_elements(By.CSS_SELECTOR, ".scores figure svg")


def test_the_language_is_kept_by_the_browser(tab):
    browser = tab("Settings")
    browser.choose("Deutsch")
    browser.see("Sprache")
    browser.to_tab("Wiedergabe")
    browser.see("Zeile 1 von 35")
    browser.driver.refresh()
    browser.to_tab("Wiedergabe")
    browser.see("Nächster Unterschied")


def test_the_settings_change_how_long_replies_are(tab, monkeypatch):
    monkeypatch.setattr(settings(), "reply_length", "normal")
    browser = tab("Settings")
    browser.see("embedded: on this computer")
    browser.press("Test the endpoint")
    browser.see("the embedded engine needs none")
    browser.choose("Short: one brief sentence")
    browser.until(lambda: settings().reply_length == "short", "the setting did not change")
