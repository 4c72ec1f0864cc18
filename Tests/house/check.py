"""Checks the documented dependencies between targets, and the lengths of files and functions.

Usage: python3 Tests/house/check.py

- ARCHITECTURE.md's table names every target of Package.swift except tests, with exactly the targets that it may import.
- Each target imports every target that the manifest allows. (The build rejects other imports:
  `--explicit-target-dependency-import-check error`.)
- No source file is longer than 400 lines, no function longer than 50. LONG lists exceptions with their reasons.
- No test has a time limit: its time would be that of a clock, while most of it is spent waiting for the other tests.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILE_LINES = 400
FUNCTION_LINES = 50
LONG = {
    "Sources/SlipcastComparison/Parity/Events/FieldBook.swift: init": "one line a field that parity asks for by number",
    "Sources/SlipcastSignatures/Refusal.swift: var message": "one line a reason; the compiler sees that none is missing",
}
SOURCES = {".swift", ".c", ".cpp", ".h", ".py", ".sh"}
ROW = re.compile(r"^\| (?P<names>`[^|]+`) \| [^|]+ \| [^|]+ \| (?P<imports>[^|]+?) *\|?$")
FUNCTION = re.compile(
    r"^(?P<indent> *)(?:@\S+ )*(?:(?:public|private|package|static|final|mutating|override|convenience|fileprivate) )*"
    r"(?P<name>(?:func|var) \w+|init|deinit|subscript)\b[^=]*\{$|"
    r"^(?P<indent2> *)(?:@\S+ )*(?:(?:public|private|package|static|final|mutating|override|convenience) )*"
    r"(?P<name2>func \w+|init)\??[(<][^{]*$"
)


def manifest() -> dict[str, dict]:
    """The targets of the package by name."""
    dump = subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, check=True, capture_output=True, text=True)
    return {target["name"]: target for target in json.loads(dump.stdout)["targets"]}


def dependencies(target: dict) -> set[str]:
    return {entry["byName"][0] for entry in target["dependencies"] if "byName" in entry}


def told(known: set[str]) -> dict[str, set[str]]:
    """The targets that each target may import, according to ARCHITECTURE.md."""
    rows = {}
    for line in (ROOT / "ARCHITECTURE.md").read_text().splitlines():
        row = ROW.match(line)
        if row is None:
            continue
        words = re.split(r", | and ", row["imports"].replace("`", ""))
        imports = {name for word in words for name in (word, "Slipcast" + word) if name in known}
        for name in re.findall(r"`([^`]+)`", row["names"]):
            if name in known:
                rows[name] = imports
    return rows


def imports(folder: Path) -> set[str]:
    found = set()
    for path in folder.rglob("*"):
        if path.suffix == ".swift":
            found |= set(re.findall(r"^(?:@\S+(?:\([^)]*\))? )*(?:\w+ )?import (\w+)", path.read_text(), re.MULTILINE))
    return found


def arrows() -> list[str]:
    targets = manifest()
    plan = told(set(targets))
    faults = []
    for name, target in targets.items():
        allowed = dependencies(target)
        folder = ROOT / (target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{name}")
        # C targets include headers; the command's tests need the program itself.
        if not name.startswith("CSlipcast"):
            unused = allowed - imports(folder) - {"slipcast"}
            faults += [f"Package.swift: {name} imports nothing of {other}" for other in sorted(unused)]
        if target["type"] == "test" or name == "SlipcastTestSupport":
            continue
        if name not in plan:
            faults.append(f"ARCHITECTURE.md: no row of its table is about {name}")
        elif plan[name] != allowed:
            more, less = sorted(plan[name] - allowed), sorted(allowed - plan[name])
            faults.append(f"ARCHITECTURE.md: {name}: more than in Package.swift: {more}; missing: {less}")
    return faults


def functions(path: Path) -> list[tuple[str, int]]:
    """The functions of a Swift file with their lengths; the format gives each its own closing line."""
    lines = path.read_text().splitlines()
    found = []
    for start, line in enumerate(lines):
        match = FUNCTION.match(line)
        if match is None:
            continue
        indent = match["indent"] if match["indent"] is not None else match["indent2"]
        closing = re.compile(rf"^{indent}\}}")
        end = next((at for at in range(start + 1, len(lines)) if closing.match(lines[at])), start)
        between = [text for text in lines[start + 1 : end] if text and not text.startswith(indent + " ")]
        # A declaration without a body: what closes is something around it.
        if all(text.startswith(indent + ")") for text in between):
            found.append((match["name"] or match["name2"], end - start + 1))
    return found


def lengths() -> list[str]:
    faults = []
    listed = subprocess.run(["git", "ls-files", "Sources", "Tests", "Mappings", "Examples"], cwd=ROOT, check=True,
                            capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.suffix not in SOURCES or not path.exists():
            continue
        count = len(path.read_text().splitlines())
        if count > FILE_LINES and name not in LONG:
            faults.append(f"{name}: {count} lines, more than {FILE_LINES}; split it")
        if path.suffix == ".swift":
            if ".timeLimit(" in path.read_text():
                faults.append(f"{name}: a time limit; measure growth in processor time (Tests/Support/ProcessorTime.swift)")
            for function, length in functions(path):
                if length > FUNCTION_LINES and f"{name}: {function}" not in LONG:
                    faults.append(f"{name}: {function}: {length} lines, more than {FUNCTION_LINES}; split it")
    return faults


def main() -> int:
    faults = arrows() + lengths()
    for fault in faults:
        print(fault)
    if not faults:
        print("dependencies and lengths are as documented")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
