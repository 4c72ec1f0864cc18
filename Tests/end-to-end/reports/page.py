"""The HTML report in a real browser: looks, filters, keys, and that nothing of the records comes alive."""

import base64
import pathlib
import shutil
import threading
import time

from harness import require_none
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

# Text whose contrast to what lies behind it is below 4.5 (WCAG AA), as the page computes it.
FAINT = """
const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
const light = (color) => numbers(color).slice(0, 3).map((part) => part / 255)
  .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
const ground = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor, parts = numbers(color);
    if (parts.length === 3 || parts[3] === 1) return color;
  }
  return "rgb(255, 255, 255)";
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), faint = [];
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || element.tagName === "SCRIPT" || !element.checkVisibility()) continue;
  const pair = [light(getComputedStyle(element).color), light(ground(element))].sort((a, b) => b - a);
  if ((pair[0] + 0.05) / (pair[1] + 0.05) < 4.5) faint.push(walker.currentNode.data.trim());
}
return faint;
"""
ALIVE = """
return [...document.querySelectorAll("img, iframe, object, embed, svg:not(.chart), link, base, form, script[src]")]
  .map((element) => element.tagName)
  .concat([...document.querySelectorAll("*")].flatMap((element) => [...element.attributes]
    .filter((attribute) => attribute.name.startsWith("on")).map((attribute) => attribute.name)))
  .concat([...document.links].filter((link) => !link.getAttribute("href").startsWith("#"))
    .filter((link) => link.protocol !== "https:" || link.rel !== "noreferrer").map((link) => link.href))
  .concat(document.scripts.length === 1 ? [] : ["scripts"])
  .concat(window.__pwned === undefined ? [] : ["window.__pwned"]);
"""
# The rows that the filters are about; a page of two archives shows pairs with rows of their own.
VISIBLE = "return [...document.querySelectorAll('.group > .row')].filter((row) => row.checkVisibility()).length"
ROWS = "return document.querySelectorAll('.group > .row').length"


class Enough(Exception):
    """One check has failed, and nobody needs to know of more."""


class Checklist:
    """Counts what was checked; with `seeks_fault` it ends with Enough at the first check that fails."""

    def __init__(self, seeks_fault=False):
        self.seeks_fault, self.count, self.failed = seeks_fault, 0, []

    def check(self, what, holds, found=""):
        self.count += 1
        if not holds:
            self.failed.append(f"{what}: {found}")
            if self.seeks_fault:
                raise Enough

    def equal(self, what, found, expected):
        self.check(what, found == expected, f"{found!r}, expected {expected!r}")

    def end(self):
        require_none(self.failed, self.count, "checks failed")


class Browsers:
    """One browser for each thread; all end with the block."""

    def __init__(self):
        self.local, self.all = threading.local(), []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for browser in self.all:
            browser.quit()

    def page(self, path, checks):
        if not hasattr(self.local, "browser"):
            options = webdriver.ChromeOptions()
            for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"]:
                options.add_argument(argument)
            options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
            options.binary_location = shutil.which("chromium") or ""
            service = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
            self.local.browser = webdriver.Chrome(options=options, service=service)
            self.all.append(self.local.browser)
        return Page(self.local.browser, path, checks)


class Page:
    """A report in a browser that may have shown others before."""

    def __init__(self, browser, path, checks):
        self.browser, self.address, self.checks = browser, path.resolve().as_uri(), checks
        self.scripts(True)
        browser.get("about:blank")
        for kind in ("browser", "performance"):
            browser.get_log(kind)

    def scripts(self, are_allowed):
        self.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not are_allowed})

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def open(self, width, scheme, height=900, motion="no-preference"):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        media = {"prefers-color-scheme": scheme, "prefers-reduced-motion": motion}
        features = [{"name": name, "value": value} for name, value in media.items()]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.browser.get(self.address)

    def check_looks(self, screenshots, sizes=((1280, 900), (375, 900))):
        for width, height in sizes:
            for scheme in ("light", "dark"):
                self.open(width, scheme, height)
                where = f"page at {width} px, {scheme}: "
                self.save(screenshots, f"{width}-{scheme}")
                for state in ("first view", "all open"):
                    if state == "all open":
                        self.unfold()
                    sizes = self.run("const e = document.documentElement; return [e.scrollWidth, e.clientWidth]")
                    self.checks.check(f"{where}no horizontal scroll, {state}", sizes[0] <= sizes[1], sizes)
                    self.checks.equal(f"{where}contrast is enough, {state}", self.run(FAINT), [])
                self.save(screenshots, f"{width}-{scheme}-open")

    def unfold(self):
        self.run("""document.getElementById('every')?.click();
          const unfold = document.getElementById('unfold');
          if (unfold?.textContent === 'Open all') unfold.click();
          for (const part of document.querySelectorAll('details')) part.open = true;""")

    def save(self, folder, name):
        if not folder:
            return
        height = self.run("return document.documentElement.scrollHeight")
        width = self.run("return document.documentElement.clientWidth")
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        picture = self.browser.execute_cdp_cmd(
            "Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        (pathlib.Path(folder) / f"{name}.png").write_bytes(base64.b64decode(picture["data"]))

    def settles(self, expected, script, *arguments):
        """What a script returns once the browser has followed a link or scrolled; it may take long where the machine is busy."""
        for _ in range(500):
            if (found := self.run(script, *arguments)) == expected:
                break
            time.sleep(0.02)
        return found

    def focus(self, name):
        """A property of what has the focus."""
        return self.run("return document.activeElement[arguments[0]]", name)

    @property
    def rows(self):
        return self.run(ROWS)

    @property
    def visible(self):
        return self.run(VISIBLE)

    @property
    def result(self):
        return self.browser.find_element(By.ID, "result").text

    def keys(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def tab_to(self, selector):
        """True when the tab key reaches an element that fits."""
        for _ in range(200):
            self.keys(Keys.TAB)
            if self.run("return document.activeElement.matches(arguments[0])", selector):
                return True
        return False

    def agrees(self, what):
        expected = f"{self.visible} of {self.rows} field{'' if self.rows == 1 else 's'} shown"
        self.checks.check(f"page: the count fits the rows, {what}", self.result.startswith(expected), self.result)
