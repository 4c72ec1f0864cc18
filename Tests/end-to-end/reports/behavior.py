"""What the page does when it is used."""

import json

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page import ALIVE


def check_page(page, screenshots=None, texts=()):
    page.check_looks(screenshots)
    check_harmless(page, texts)
    page.open(1280, "light")
    if page.rows > 0:
        check_first_view(page)
        check_filters(page)
        check_search(page)
        check_keyboard(page)
    check_quiet(page)
    check_without_script(page)


def check_filters(page):
    page.open(1280, "light")
    page.agrees("at first")
    page.browser.find_element(By.ID, "every").click()
    page.checks.equal("page: show all shows every row", page.visible, page.rows)
    for tile in page.browser.find_elements(By.CSS_SELECTOR, ".tile:not(:disabled)"):
        name, number = tile.get_attribute("data-class"), int(tile.find_element(By.CLASS_NAME, "number").text)
        before = page.visible
        tile.click()
        page.checks.equal(f"page: the filter {name} takes its rows away", before - page.visible, number)
        page.checks.equal(f"page: the filter {name} says that it is off", tile.get_attribute("aria-pressed"), "false")
        page.agrees(f"without {name}")
        tile.click()
        page.checks.equal(f"page: the filter {name} brings its rows back", page.visible, before)


def check_search(page):
    page.open(1280, "light")
    page.browser.find_element(By.ID, "every").click()
    field = page.browser.find_element(By.ID, "search")
    page.keys("/")
    page.checks.equal("page: / goes to the search", page.browser.switch_to.active_element, field)
    path = page.run("return document.querySelector('.group > .row:last-of-type .path').textContent")
    page.keys(path)
    page.checks.check("page: a path finds its row", 0 < page.visible, page.visible)
    page.checks.check("page: a path leaves other rows out", page.rows == 1 or page.visible < page.rows, page.visible)
    page.agrees("while searching")
    page.keys("no field says this")
    page.checks.equal("page: other words find nothing", page.visible, 0)
    nothing = page.browser.find_element(By.ID, "nothing")
    page.checks.check("page: that nothing was found is said", nothing.is_displayed())
    page.keys(Keys.ESCAPE)
    page.checks.equal("page: Escape clears the search", field.get_attribute("value"), "")
    page.checks.equal("page: Escape brings the rows back", page.visible, page.rows)
    label = page.run("return document.getElementById('search').labels[0].textContent")
    page.checks.equal("page: the search has a label", label, "Search")


def check_keyboard(page):
    page.open(1280, "light")
    page.checks.check("page: Tab reaches a filter", page.tab_to(".tile"))
    for name, key in [("Space", Keys.SPACE), ("Enter", Keys.ENTER)]:
        tile = page.browser.switch_to.active_element
        before = (tile.get_attribute("aria-pressed"), page.visible)
        page.keys(key)
        after = (tile.get_attribute("aria-pressed"), page.visible)
        page.checks.check(f"page: {name} switches a filter", before[0] != after[0] and before[1] != after[1], after)
    outline = page.run("return getComputedStyle(document.activeElement).outlineStyle")
    page.checks.check("page: the focus can be seen", outline != "none", outline)
    page.checks.check("page: Tab reaches a row", page.tab_to(".row > summary"))
    for name, key in [("Enter", Keys.ENTER), ("Space", Keys.SPACE)]:
        is_open = "return document.activeElement.parentElement.open"
        before = page.run(is_open)
        page.keys(key)
        page.checks.check(f"page: {name} unfolds a row", page.run(is_open) != before)


def check_first_view(page):
    page.open(1280, "light")
    conflicts = page.run(
        "return [...document.querySelectorAll('.row.conflict[data-fails]')].filter((row) => !row.open).length")
    page.checks.equal("page: conflicts are open at first", conflicts, 0)
    unnamed = page.run("""return [...document.querySelectorAll('.row')]
      .filter((row) => row.querySelector('.badge').textContent !== row.dataset.class).length""")
    page.checks.equal("page: every row names its class in letters", unnamed, 0)


def check_harmless(page, expected):
    page.open(1280, "light")
    page.checks.equal("page: nothing of the records comes alive", page.run(ALIVE), [])
    for text in expected:
        holds = page.run("return document.body.innerText.includes(arguments[0])", text)
        page.checks.check(f"page: {text!r} stands there as text", holds)


def check_without_script(page):
    page.scripts(False)
    page.open(1280, "light")
    displayed = [row for row in page.browser.find_elements(By.CSS_SELECTOR, ".group > .row") if row.is_displayed()]
    page.checks.equal("page without script: every row can be seen", len(displayed), page.rows)
    controls = [part for part in page.browser.find_elements(By.CLASS_NAME, "controls") if part.is_displayed()]
    page.checks.equal("page without script: no dead controls", len(controls), 0)
    page.scripts(True)


def check_quiet(page):
    messages = [entry["message"] for entry in page.browser.get_log("browser")]
    page.checks.equal("page: the console stays empty", messages, [])
    events = [json.loads(entry["message"])["message"] for entry in page.browser.get_log("performance")]
    asked = {
        event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"}
    page.checks.equal("page: no request leaves it", asked - {page.address, "about:blank", "data:,"}, set())
    page.checks.check("page: requests are seen at all", page.address in asked, asked)
