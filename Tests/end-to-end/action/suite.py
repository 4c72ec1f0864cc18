"""The GitHub Action, read as a runner reads it: no text of an archive is a command.

A runner takes a line that begins with `::`, blanks before it left out, and any `##[` in a line, for a command.
"""

import json
import re
from pathlib import Path

import harness
from harness import FIXTURES, ROOT, Outcome, Suite, require

ACTION = ROOT / "Packaging/action/compare.sh"
# What archives may hold as names of members, values and row ids.
HOSTILE = [
    "##[error]pwned", "::error::pwned", "::set-output name=verdict::parity", "x\n::add-mask::pwned", "##[add-path]/tmp/pwned",
    "::stop-commands::pwned", "::save-state name=x::pwned", "x\r::warning::pwned", "%0A::error::pwned", "  ::error::pwned",
    "x\u2028::error::pwned", "x\u0085##[command]pwned",
]  # fmt: skip


def commands(text: str) -> list[str]:
    """The commands that a runner finds."""
    found, stopped = [], ""
    for line in re.split("[\n\r\u2028\u0085]", text):
        place = line.strip()
        if stopped:
            if place == f"::{stopped}::":
                stopped = ""
            continue
        if place.startswith("::") or "##[" in line:
            found.append(place)
            if place.startswith("::stop-commands::"):
                stopped = place.removeprefix("::stop-commands::")
    return found


def compare(suite: Suite, name: str, legacy: Path, server: Path, status: tuple[int, ...], options: str = "") -> Outcome:
    folder = suite.folder / name
    folder.mkdir()
    (folder / "output").touch()
    (folder / "summary").touch()
    environment = {
        "LEGACY": str(legacy), "SERVER": str(server), "OPTIONS": options, "RUNNER_TEMP": str(folder),
        "GITHUB_OUTPUT": str(folder / "output"), "GITHUB_STEP_SUMMARY": str(folder / "summary"),
    }  # fmt: skip
    return harness.run(["bash", ACTION], status=status, environment=environment, merged=True, folder=folder)


def archives(suite: Suite) -> tuple[Path, Path]:
    """Records with such members and values, some of them broken."""
    record = json.loads((FIXTURES / "notifications/did-renew/v1.json").read_text("utf-8"))
    legacy, server = suite.folder / "legacy.ndjson", suite.folder / "server.ndjson"
    lines, others = [], []
    for number, text in enumerate(HOSTILE):
        lines.append(json.dumps(record | {text: text}))
        lines.append(json.dumps({"notification_type": {text: text}, text: 1}))
        lines.append(json.dumps({"notification_type": text, text: 1}))
        lines.append("{" + json.dumps(text) + ":tru}")
        lines.append(text)
        event = {"notificationType": text, "notificationUUID": f"{number:08x}-0000-4000-8000-000000000000", text: text}
        others.append(json.dumps(event | {"data": {text: text, "transactionInfo": {"productId": text, text: {}}}}))
        others.append("{" + json.dumps(text) + ":tru}")
    legacy.write_text("\n".join(lines) + "\n", "utf-8")
    server.write_text("\n".join(others) + "\n", "utf-8")
    return legacy, server


def judge(suite: Suite, name: str, outcome: Outcome, errors: int) -> None:
    found = commands(outcome.stdout)
    allowed = [one for one in found if one.startswith("::stop-commands::")]
    said = [one for one in found if one.startswith("::error title=slipcast::")]
    require(len(found) == len(allowed) + len(said), f"{name}: {found}", outcome)
    require(len(allowed) == 1 and len(said) == errors, f"{name}: {found}", outcome)
    require(not any("::" in one.removeprefix("::error title=slipcast::") for one in said), f"{name}: {said}")
    lines = (suite.folder / name / "output").read_text("utf-8").splitlines()
    require(all(re.fullmatch(r"[a-z-]+=\S*", line) for line in lines), f"{name}: {lines}")


def hostile_members(suite: Suite) -> None:
    legacy, server = archives(suite)
    for name, options in {"plain": "", "verbose": "--verbose", "rejects": f"--rejects\n{suite.folder / 'r.ndjson'}"}.items():
        judge(suite, name, compare(suite, name, legacy, server, (0, 1, 2), options), 0)


def hostile_names(suite: Suite) -> None:
    """A comparison that is not made says why in a command of its own, which is one line."""
    _, server = archives(suite)
    for number, text in enumerate(one for one in HOSTILE if "\n" not in one and "\r" not in one):
        name = f"missing-{number}"
        judge(suite, name, compare(suite, name, suite.folder / text.replace("/", "_"), server, (2,)), 1)


def the_reader_finds_commands(suite: Suite) -> None:
    """What stands in for a runner finds what a runner finds."""
    require(len(commands("a\n ::error::x\nb ##[error]y\n")) == 2, "commands are not found")
    require(len(commands("::stop-commands::t\n::error::x\n::t::\n::error::y\n")) == 2, "stopped commands are not found")


def run(suite: Suite) -> None:
    suite.part("reader", the_reader_finds_commands, suite)
    suite.part("members", hostile_members, suite)
    suite.part("names", hostile_names, suite)
