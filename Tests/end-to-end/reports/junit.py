"""The JUnit file: what a common reader finds in it, and the form that Jenkins' schema allows."""

import re
import xml.etree.ElementTree as ElementTree

import junitparser

NUMBER, TIME, TEXT = r"\d+", r"\d*(\.\d*)?", r"(?s:.*)"

# Per element: children, required attributes, optional attributes.
FORM = {
    "testsuites": (
        {"testsuite"}, {}, {"name": TEXT, "time": TIME, "tests": NUMBER, "failures": NUMBER, "errors": NUMBER}),
    "testsuite": (
        {"properties", "testcase", "system-out", "system-err"},
        {"name": TEXT, "tests": NUMBER, "failures": NUMBER, "errors": NUMBER},
        {"skipped": NUMBER, "time": TIME, "timestamp": TEXT, "hostname": TEXT, "id": TEXT, "package": TEXT}),
    "testcase": (
        {"skipped", "error", "failure", "system-out", "system-err"}, {"name": TEXT},
        {"classname": r"slipcast\.(diff|parity)\.[A-Za-z]+", "time": TIME}),
    "failure": (set(), {}, {"type": TEXT, "message": TEXT}),
    "error": (set(), {}, {"type": TEXT, "message": TEXT}),
    "skipped": (set(), {}, {"type": TEXT, "message": TEXT}),
    "properties": ({"property"}, {}, {}),
    "property": (set(), {"name": TEXT, "value": TEXT}, {}),
    "system-out": (set(), {}, {}),
    "system-err": (set(), {}, {}),
}
MIXED = {"failure", "error", "skipped", "system-out", "system-err"}


def faults(element):
    """What in an element, and in those inside it, the form does not allow."""
    if element.tag not in FORM:
        return [f"<{element.tag}> is no element of JUnit"]
    children, required, optional = FORM[element.tag]
    found = [f"<{element.tag}> lacks {name}" for name in required if name not in element.attrib]
    for name, value in element.attrib.items():
        pattern = required.get(name, optional.get(name))
        if pattern is None or not re.fullmatch(pattern, value):
            found.append(f"<{element.tag}> has {name}={value!r}")
    texts = [element.text or ""] + [child.tail or "" for child in element]
    if element.tag not in MIXED and any(text.strip() for text in texts):
        found.append(f"<{element.tag}> holds text")
    for child in element:
        if child.tag not in children:
            found.append(f"<{child.tag}> stands in <{element.tag}>")
        found += faults(child)
    return found


def check(path, checks):
    """The report of a pair."""
    results, failing, skipped = check_form(path, checks)
    conflicts = [name for name, _ in results if name == "slipcast.diff.conflict"]
    expected = len(conflicts) - sum(name == "slipcast.diff.conflict" for name in skipped)
    checks.equal("junit: failures are the conflicts that are not ignored", failing, conflicts[:expected])


def check_parity(path, checks):
    """The report of two archives: access first, then missing events, the gates, and paths."""
    fails = "<title>Conflict: " in path.with_suffix(".html").read_text(encoding="utf-8")
    results, failing, _ = check_form(path, checks)
    kinds = [name.removeprefix("slipcast.parity.") for name, _ in results]
    checks.equal("junit: access comes first", kinds[:1], ["entitlement"])
    in_order = sorted(kinds[1:], key="missing unread gate field".split().index)
    checks.equal("junit: missing events come before gates, gates before paths", kinds[1:], in_order)
    checks.check("junit: there is a gate", "gate" in kinds)
    checks.equal("junit: a gate fails exactly when the verdict is conflict", "slipcast.parity.gate" in failing, fails)
    checks.check("junit: nothing fails unless a gate does", fails or not failing, failing)


def check_form(path, checks):
    """What holds of every report; gives the cases, and the class names of those that fail and that are skipped."""
    root = ElementTree.parse(path).getroot()
    checks.equal("junit: the root is testsuites", root.tag, "testsuites")
    checks.equal("junit: elements and attributes are those of the schema", faults(root), [])
    checks.check("junit: the file says that it is UTF-8", b'encoding="UTF-8"' in open(path, "rb").readline())

    parsed = junitparser.JUnitXml.fromfile(path)
    suites = list(parsed)
    checks.equal("junit: there is one suite", len(suites), 1)
    cases = [case for suite in suites for case in suite]
    results = [(case.classname, [type(result) for result in case.result]) for case in cases]
    failing = [name for name, result in results if junitparser.Failure in result]
    skipped = [name for name, result in results if junitparser.Skipped in result]
    for name, owner in [("testsuites", parsed), ("testsuite", suites[0])]:
        checks.equal(f"junit: {name} counts its cases", owner.tests, len(cases))
        checks.equal(f"junit: {name} counts its failures", owner.failures, len(failing))
        checks.equal(f"junit: {name} counts no error", owner.errors, 0)
    checks.equal("junit: testsuite counts what is skipped", suites[0].skipped, len(skipped))
    wordless = [case.name for case in cases for result in case.result if not result.message]
    checks.equal("junit: every failure and every skip has a message", wordless, [])
    checks.equal("junit: every case has a name", [case for case in cases if not case.name], [])
    return results, failing, skipped
