"""What people see and do: looks in four modes, the way from a search to an event and back, keys, no script."""

import json
import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "reports"))

from client import Pages, pages  # noqa: E402
from harness import Suite  # noqa: E402
from page import FAINT, Browsers, Checklist  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from world import KNOWN, World  # noqa: E402

SIZES = ((1280, 900), (390, 844))
QUICK = ("home", "customer", "event", "parity", "archive", "newest")
BLACK = """
return [...document.querySelectorAll("svg rect")].filter((one) => getComputedStyle(one).fill === "rgb(0, 0, 0)").length
"""
WIDE = "const e = document.documentElement; return [e.scrollWidth, e.clientWidth]"


def axe() -> str | None:
    """The source of axe-core, from the package that brings it."""
    try:
        import axe_playwright_python
    except ImportError:
        return None
    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def views(ui: Pages, world: World) -> dict[str, str]:
    """The views by name; an event with both records is found by its link."""
    text = ui.get(f"/customer/{KNOWN}")
    events = re.findall(r'href="(/event/[^"]+)"', text)
    found = {
        "home": "/", "matches": "/?q=57000000", "customer": f"/customer/{KNOWN}", "event": events[0], "parity": "/parity",
        "missing": "/parity?view=missing", "archive": "/archive", "rejects": "/archive?view=rejects", "rules": "/rules?q=D",
        "rule": "/rules/DID_RENEW", "nothing": "/customer/404",
        "simulated": f"/customer/{world.busiest()}", "newest": f"/customer/{world.busiest()}?order=newest",
    }  # fmt: skip
    return found


def schemes(suite: Suite, width: int) -> tuple[str, ...]:
    """The color schemes of a width; in short each width has one."""
    return ("light", "dark") if not suite.options.quick else ("light",) if width > 400 else ("dark",)


def looks(suite: Suite, world: World, browsers: Browsers) -> None:
    """Each view at two widths in both color schemes."""
    checks, source = Checklist(), axe()
    with pages(suite, world.both(), world.report()) as ui:
        page = browsers.page(Path("/"), checks)
        found = views(ui, world)
        for name in QUICK if suite.options.quick else found:
            page.address = ui.address + found[name]
            for width, height in SIZES:
                for scheme in schemes(suite, width):
                    page.open(width, scheme, height)
                    where = f"{name} at {width} px, {scheme}: "
                    page.save(suite.options.screenshots, f"{name}-{width}-{scheme}")
                    for state in ("first view", "all open"):
                        if state == "all open":
                            page.run("for (const part of document.querySelectorAll('details')) part.open = true")
                        sizes = page.run(WIDE)
                        checks.check(f"{where}no horizontal scroll, {state}", sizes[0] <= sizes[1], sizes)
                        checks.equal(f"{where}contrast is enough, {state}", page.run(FAINT), [])
                    checks.equal(f"{where}nothing is drawn black", page.run(BLACK), 0)
                    if source and scheme == "light":
                        checks.equal(f"{where}axe finds nothing", violations(page, source), [])
            quiet(page, ui, name)
    checks.end()


def violations(page, source: str) -> list[str]:
    # The policy of the page allows no script of others; the protocol of the browser does.
    page.run(source)
    found = page.browser.execute_async_script(
        "const done = arguments[0]; axe.run({resultTypes: ['violations']}).then((found) => done(found.violations))")
    return [f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in found]


def quiet(page, ui: Pages, name: str) -> None:
    messages = [entry["message"] for entry in page.browser.get_log("browser")
                if "404 (Not Found)" not in entry["message"]]  # fmt: skip
    page.checks.equal(f"{name}: the console stays empty", messages, [])
    events = [json.loads(entry["message"])["message"] for entry in page.browser.get_log("performance")]
    asked = {event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"}
    foreign = {one for one in asked if not one.startswith((ui.address, "about:", "data:"))}
    page.checks.equal(f"{name}: no request goes elsewhere", foreign, set())


def way(suite: Suite, world: World, browsers: Browsers) -> None:
    """Search, customer, event, back: the filters stay. By keys alone."""
    checks = Checklist()
    with pages(suite, world.both(), world.report()) as ui:
        page = browsers.page(Path("/"), checks)
        browser = page.browser
        page.address = ui.address + "/"
        page.open(1280, "light")
        page.keys("/")
        checks.equal("/ goes to the search", page.focus("id"), "search")
        page.keys(f"  {KNOWN} ", Keys.ENTER)
        checks.equal("an id opens its customer", page.settles(f"/customer/{KNOWN}", "return location.pathname"), f"/customer/{KNOWN}")
        sentence = browser.find_element(By.CSS_SELECTOR, "h1.sentence").text
        checks.check("the sentence answers", "access" in sentence, sentence)
        link = browser.find_element(By.PARTIAL_LINK_TEXT, "newest first")
        link.send_keys(Keys.ENTER)
        checks.equal("the order is in the address", page.settles("?order=newest", "return location.search"), "?order=newest")
        browser.find_element(By.CSS_SELECTOR, "ol.events details.why:has(a[href^='/event/']) > summary").send_keys(Keys.ENTER)
        events = browser.find_elements(By.CSS_SELECTOR, "ol.events details[open] a[href^='/event/']")
        checks.check("reasons unfold by keys", len(events) > 0)
        if events:
            events[0].send_keys(Keys.ENTER)
            checks.equal("an event opens", page.settles(True, "return location.pathname.startsWith('/event/')"), True)
            browser.back()
            checks.equal("back keeps the order", page.settles("?order=newest", "return location.search"), "?order=newest")
        page.address = ui.address + "/parity?view=missing"
        page.open(1280, "light")
        field = browser.find_element(By.ID, "find")
        field.send_keys("REFUND", Keys.ENTER)
        checks.equal("a filter is in the address", page.settles(True, "return location.search.includes('find=REFUND')"), True)
        checks.equal("the filter stays in its field", browser.find_element(By.ID, "find").get_attribute("value"), "REFUND")
        page.address = ui.address + f"/customer/{KNOWN}"
        page.open(1280, "light")
        page.keys(Keys.TAB)
        checks.equal("the first key leads to the content", page.focus("className"), "skip")
        outline = page.run("return getComputedStyle(document.activeElement).outlineStyle")
        checks.check("the focus can be seen", outline != "none", outline)
        # 14:13 UTC is 11:13 pm in Tokyo.
        for zone, is_added in (("Asia/Tokyo", True), ("UTC", False)):
            browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": zone})
            page.open(1280, "light")
            times = page.run("return [...document.querySelectorAll('time > .local')].map((one) => one.textContent)")
            checks.equal(f"local time is beside UTC, in {zone}", any("11:13" in one or "23:13" in one for one in times), is_added)
        browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})
        quiet(page, ui, "the way")
    checks.end()


def without_scripts(suite: Suite, world: World, browsers: Browsers) -> None:
    """The same way where no script runs."""
    checks = Checklist()
    with pages(suite, world.both(), world.report()) as ui:
        page = browsers.page(Path("/"), checks)
        page.scripts(False)
        try:
            page.address = ui.address + "/"
            page.open(1280, "light")
            field = page.browser.find_element(By.ID, "search")
            field.send_keys(KNOWN, Keys.ENTER)
            for _ in range(100):
                if "/customer/" in page.browser.current_url:
                    break
            heading = page.browser.find_element(By.CSS_SELECTOR, "h1.sentence").text
            checks.check("a search works without scripts", "access" in heading, heading)
            hidden = [one.text for one in page.browser.find_elements(By.CSS_SELECTOR, "button") if not one.is_displayed()]
            checks.equal("no control is dead", hidden, [])
        finally:
            page.scripts(True)
    checks.end()
