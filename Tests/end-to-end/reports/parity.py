"""The page of two archives in a real browser: charts with words, keys, links into folded parts, no script."""

import re

import behavior
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


# A phone and a desk.
SIZES = ((1280, 900), (360, 740))

# What the tab key ought to reach, in the order of the document; the search starts where the document does.
STOPS = """
window.__stops = [...document.querySelectorAll("a[href], button, input, summary, [tabindex]")]
  .filter((element) => element.tabIndex >= 0 && !element.disabled && element.checkVisibility());
return window.__stops.length;
"""
STOP = """
const at = document.activeElement, style = getComputedStyle(at), box = at.getBoundingClientRect();
return [window.__stops.indexOf(at), style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
  box.bottom > 0 && box.top < innerHeight];
"""
# Bars whose contrast to the page is below 3 (WCAG AA for graphics).
PALE = """
const light = (color) => color.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
  .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
const ground = light(getComputedStyle(document.body).backgroundColor);
return [...new Set([...document.querySelectorAll("svg rect")].map((bar) => getComputedStyle(bar).fill))]
  .filter((fill) => {
    const pair = [light(fill), ground].sort((a, b) => b - a);
    return (pair[0] + 0.05) / (pair[1] + 0.05) < 3;
  });
"""
MOVING = """
return [...document.querySelectorAll("*")].filter((element) => {
  const style = getComputedStyle(element);
  return [style.transitionDuration, style.animationDuration].some((time) => parseFloat(time) > 0);
}).map((element) => element.tagName);
"""
LEVELS = "return [...document.querySelectorAll('h1, h2, h3, h4')].map((element) => Number(element.tagName[1]))"
LOST = """
return [...document.querySelectorAll('a[href^="#"]')].map((link) => link.hash)
  .filter((hash) => !document.getElementById(decodeURIComponent(hash.slice(1))));
"""
TWICE = """
const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
return ids.filter((id, place) => ids.indexOf(id) !== place);
"""
# Whether a target is unfolded, not hidden, and near enough to the window to be read.
REACHED = """
const target = document.getElementById(arguments[0]), box = target?.getBoundingClientRect();
if (!target) return [];
const heading = target.closest("details")?.querySelector("summary").getBoundingClientRect() ?? box;
return [target.checkVisibility(), heading.top >= -1 && heading.top < innerHeight];
"""


def check_page(page, screenshots=None, texts=()):
    page.check_looks(screenshots, SIZES)
    behavior.check_harmless(page, texts)
    check_structure(page)
    check_charts(page)
    check_bars(page)
    for width, height in SIZES:
        check_keys(page, width, height)
    check_links(page)
    check_matrix(page)
    check_motion(page)
    page.open(1280, "light")
    if page.rows > 1:
        behavior.check_filters(page)
        behavior.check_search(page)
    behavior.check_quiet(page)
    behavior.check_without_script(page)
    check_links_without_script(page)


def check_structure(page):
    page.open(1280, "light")
    levels = page.run(LEVELS)
    jumps = [pair for pair in zip(levels, levels[1:]) if pair[1] - pair[0] > 1]
    page.checks.check("page: headings leave out no level", levels[:1] == [1] and not jumps, jumps)
    page.checks.equal("page: there is one main heading", levels.count(1), 1)
    page.checks.equal("page: links lead somewhere", page.run(LOST), [])
    page.checks.equal("page: no id stands twice", page.run(TWICE), [])
    parts = page.run("return [...document.querySelectorAll('main > section')].map((part) => part.id)")
    page.checks.equal("page: access is the first of all findings", parts[:1], ["access"])
    nameless = page.run(
        "return [...document.querySelectorAll('table')].filter((table) => !table.caption?.textContent.trim()).length")
    page.checks.equal("page: every table has a caption", nameless, 0)
    texts = page.run("return document.body.textContent")
    rounded = re.findall(r"100% agree[^.]{0,20}[1-9][\d,]* (?:in )?conflict", texts)
    page.checks.equal("page: 100% is said of no conflict", rounded, [])


def check_charts(page):
    page.unfold()
    charts = page.browser.find_elements(By.CSS_SELECTOR, "svg")
    nameless = [chart for chart in charts if chart.aria_role not in ("img", "image") or not chart.accessible_name]
    page.checks.equal("page: every chart is an image with words", len(nameless), 0)
    empty = page.run(
        "return [...document.querySelectorAll('svg.stripe')].filter((svg) => !svg.querySelector('rect')).length")
    page.checks.equal("page: every bar has a length", empty, 0)
    low = page.run("""return [...document.querySelectorAll('svg.stripe')].filter((svg) => {
      const [conflict, other] = [svg.querySelector('rect.conflict'), svg.querySelector('rect:not(.conflict)')];
      return conflict && other && conflict.height.baseVal.value <= other.height.baseVal.value;
    }).length""")
    page.checks.equal("page: conflicts differ in more than color", low, 0)


def check_bars(page):
    for scheme in ("light", "dark"):
        page.open(1280, scheme)
        page.checks.equal(f"page, {scheme}: bars stand out from the page", page.run(PALE), [])


def check_keys(page, width, height):
    page.open(width, "light", height)
    where = f"page at {width} px: "
    count = page.run(STOPS)
    found, faint, out = [], 0, 0
    for _ in range(count):
        page.keys(Keys.TAB)
        place, is_marked, is_seen = page.run(STOP)
        found.append(place)
        faint += not is_marked
        out += not is_seen
    page.checks.equal(f"{where}Tab goes through the page in its order", found, list(range(count)))
    page.checks.equal(f"{where}the focus can be seen at every stop", (faint, out), (0, 0))
    page.open(width, "light", height)
    page.run(STOPS)
    page.keys(Keys.TAB)
    page.checks.equal(f"{where}the first stop skips what repeats", page.focus("textContent"), "Skip to the findings")
    page.keys(Keys.ENTER)
    page.checks.equal(f"{where}Enter on it goes to the findings", page.focus("id"), "findings")
    if page.run("return window.__stops.some((stop) => stop.closest('main'))"):
        page.keys(Keys.TAB)
        page.checks.check(
            f"{where}the next stop lies in the findings", page.run("return !!document.activeElement.closest('main')"))


def reached(page, what, hash):
    page.checks.equal(what, page.settles([True, True], REACHED, hash[1:]), [True, True])


def check_links(page):
    for kind in ("pair", "field"):
        page.open(1280, "light")
        links = page.run(
            f"return [...new Set([...document.querySelectorAll('a[href^=\"#{kind}-\"]')].map((link) => link.hash))]")
        for hash in links[:6]:
            page.open(1280, "light")
            page.run("""const link = [...document.querySelectorAll('a')].find((link) => link.hash === arguments[0]);
              for (let at = link; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
              link.focus();""", hash)
            page.keys(Keys.ENTER)
            reached(page, f"page: Enter on a link to {hash} unfolds it", hash)
            page.run("for (const part of document.querySelectorAll('details')) part.open = false")
            page.run("[...document.querySelectorAll('a')].find((link) => link.hash === arguments[0]).click()", hash)
            reached(page, f"page: a second time too, {hash}", hash)
        if links:
            page.browser.get("about:blank")
            page.browser.get(page.address + links[0])
            reached(page, f"page: so does the address {links[0]}", links[0])


def check_matrix(page):
    page.open(360, "light", 740)
    # Tables of charts are folded.
    page.unfold()
    boxes = page.browser.find_elements(By.CSS_SELECTOR, ".scroll")
    for box in boxes:
        is_wide = page.run("return arguments[0].scrollWidth > arguments[0].clientWidth", box)
        named = box.accessible_name and box.get_attribute("tabindex") == "0"
        page.checks.check("page: what scrolls has a name and a stop", named)
        if not is_wide:
            continue
        page.run("arguments[0].focus()", box)
        page.keys(Keys.ARROW_RIGHT)
        page.checks.check("page: keys scroll what is wide", page.settles(True, "return arguments[0].scrollLeft > 0", box))
    unmarked = page.run(
        "return [...document.querySelectorAll('.clash')].filter((cell) => !/✕/.test(cell.textContent)).length")
    page.checks.equal("page: cells in conflict have a mark", unmarked, 0)


def check_motion(page):
    page.open(1280, "light", motion="reduce")
    page.checks.equal("page: nothing moves for those who do not want it", page.run(MOVING), [])


def check_links_without_script(page):
    page.scripts(False)
    page.open(1280, "light")
    links = page.browser.find_elements(By.CSS_SELECTOR, "#access a[href^='#pair-']")
    if links:
        target = links[0].get_attribute("href")
        links[0].click()
        reached(page, "page without script: a link unfolds its pair", target[target.index("#"):])
    page.scripts(True)
