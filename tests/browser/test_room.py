"""The room as people use it, in real browsers."""

import json
import re

import pytest
from selenium.webdriver.common.by import By

pytestmark = pytest.mark.browser
AGREE = "I agree to talk with an AI here"


def open_shared(browser, names="Orla, Pavel"):
    browser.write("Names, with commas between them", names)
    browser.choose(AGREE)
    browser.press("Open the room")
    browser.see("Speaking now")


def open_own(browse, names="Orla, Pavel"):
    """A room in which each has their own browser: host page, then one browser a person."""
    host = browse()
    host.write("Names, with commas between them", names)
    host.choose("Each on their own device")
    host.choose(AGREE)
    host.press("Open the room")
    host.see("Give each person their own link")
    paths = [link.get_attribute("href") for link in host.driver.find_elements(By.CSS_SELECTOR, "a[href*='seat=']")]
    people = []
    for path in paths:
        one = browse(path.removeprefix(host.url))
        one.choose(AGREE)
        one.press("Come in")
        one.see("What do you want to say?")
        people.append(one)
    return people


def test_two_people_in_two_browsers_see_each_other_and_the_reply(browse):
    orla, pavel = open_own(browse)
    orla.say("You said you would ring, and I sat there with the soup until nine.")
    pavel.see("I sat there with the soup until nine.")
    pavel.say("I don't know what you want me to say any more.")
    orla.see("I don't know what you want me to say any more.")
    orla.say("You always do this. You never answer me!")

    orla.see("Supporter")
    pavel.see("Supporter")
    assert [line for line in orla.log().splitlines() if line in ("Orla", "Pavel")] == ["Orla", "Pavel", "Orla"]
    assert "Speaking now" not in pavel.text()


def test_what_is_said_privately_never_reaches_the_room(browse):
    """F07, on the page: 0 occurrences anywhere the other can see."""
    orla, pavel = open_own(browse)
    orla.press("Speak privately")
    orla.write("Only for this page", "He reads my messages, the zeppelin knows.")
    orla.press("Say it privately")
    orla.see("zeppelin")
    orla.see("Nothing of it goes to the shared room")
    orla.say("Shall we talk about the holiday?")
    pavel.see("Shall we talk about the holiday?")

    assert "zeppelin" not in pavel.driver.page_source
    assert "zeppelin" not in orla.log()
    orla.press("Leave quickly")
    assert orla.driver.current_url == "about:blank"
    orla.driver.back()


PAYLOADS = [
    "<script>document.title='hit'</script>",
    "<img src=x onerror=\"document.title='hit'\">",
    "<img src='https://example.org/pixel.png'>",
    "<div style='position:fixed;inset:0;background:red'>gone</div>",
    "![x](https://example.org/p.png) [y](javascript:document.title='hit')",
]


def test_f04_payloads_are_shown_as_text_and_fetch_nothing(browse):
    """F04: 0 scripts run, 0 outbound requests, text literal."""
    browser = browse()
    open_shared(browser, "Orla, <i>Pavel</i>")
    for payload in PAYLOADS:
        browser.say(payload)

    assert browser.driver.title != "hit"
    events = [json.loads(entry["message"])["message"] for entry in browser.driver.get_log("performance")]
    asked = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
    assert asked
    assert [address for address in asked if not re.match(r"(http://127\.0\.0\.1:|data:|blob:)", address)] == []


def test_taking_back_erasing_and_deleting(browse):
    browser = browse()
    open_shared(browser)
    browser.say("The umbrella is gone.")
    browser.press("Take back my last turn")
    browser.say("The kettle is on.")
    assert "umbrella" not in browser.log()
    browser.press("Erase all my words")
    browser.say("What now?")
    assert "kettle" not in browser.log()
    browser.press("Delete the room")
    browser.see("Who is here?")
