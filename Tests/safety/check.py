"""Compares the sources with what is said of them: which files are unsafe, and why that is safe.

Usage:

    python3 Tests/safety/check.py [--diagnostics LOG]

Reads Sources/UNSAFE.md, which lists every file with unsafe code under its reason, and searches all sources for such code:
a file that is not in the list fails, and so does a row without such a file. With --diagnostics, the output of
`swift build -Xswiftc -strict-memory-safety`, the compiler is asked as well; rows marked `compiler` are files in which it
alone finds something. It also looks for what must never come back: force-unwraps, `try!`, `as!`, and output that does
not pass through the two places that make it harmless.
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "Sources" / "UNSAFE.md"

UNSAFE = re.compile(
    r"\b(?:with)?Unsafe\w*|\bunsafe[A-Z]\w*|nonisolated\(unsafe\)|unowned\(unsafe\)|@unchecked\b|\bUnmanaged\b|"
    r"\bOpaquePointer\b|\b_withUnsafe\w+|\bassumingMemoryBound\b|\bbindMemory\b|\bwithMemoryRebound\b"
)
ROW = re.compile(r"^- `(?P<path>[^`]+)`(?P<mark> \(compiler\))?$")
DIAGNOSTIC = re.compile(r"^(?P<path>/[^:]+\.swift):\d+:\d+: warning: .*\[#StrictMemorySafety\]")
REASON = re.compile(r"^\s*// *(?:Unsafe on purpose|Safe to share)")
TRAPS = re.compile(r"\btry!|\bas!|[\w)\]]!(?=[\s.)\]},:;]|$)")
# Who may write to standard output and standard error: whatever is said passes through here.
WRITERS = {
    "Sources/SlipcastCommand/Console.swift": {"1", "2"},
    "Sources/SlipcastCommand/Screen/TextScreen.swift": {"1"},
    "Sources/SlipcastBulk/Outputs/LineOutput.swift": {"1"},
}
# Where another text reaches standard error, and why: nothing of it comes from input.
CONSTANT_TEXTS = {
    "Sources/CSlipcastProcess/": "the process is ending for lack of memory, threads or descriptors, or has no Swift yet",
    "Sources/CSlipcastLater/": "the process is ending, because a library that is named there cannot be loaded",
}
WRITE = re.compile(r"Platform\.write\(\s*(?P<descriptor>\d)\b")
SPEAKERS = re.compile(
    r"(?<!func )(?<![\w.])(?:print|debugPrint|dump|NSLog|os_log|v?[sf]?syslog|v?d?f?printf|f?puts|f?putc|putchar|fwrite|perror|err|errx|warn|warnx)\("
    r"|\b(?:SlipcastLibC|Glibc|Darwin|Musl)\.(?:print|puts|fputs|fwrite|perror|printf)\("
    r"|(?<!func )(?:(?<![\w.])|\b(?:SlipcastLibC|Glibc|Darwin|Musl)\.)p?writev?\(\s*(?:[012]\b|STD\w+_FILENO|fileno\()"
    r"|\bFileHandle\b|\bOutputStream\b|\bTextOutputStream\b|\bstd::c(?:out|err|log)\b|\b(?:stdout|stderr|STDOUT_FILENO|STDERR_FILENO)\b"
    r"|/dev/(?:stderr|stdout|tty|fd/[12])"
)
# Each of these must be found, and none of those that follow: the rule is tested whenever it is applied.
SPEAKING = [
    'print(text)', 'debugPrint(text, to: &x)', 'write(2, text, 5)', 'SlipcastLibC.write(STDERR_FILENO, p, n)', 'fputs(text, stderr)',
    'FileHandle.standardError.write(data)', 'let out = FileHandle(fileDescriptor: 2)', 'printf("%s", s);', 'fprintf(f, "x");', 'dprintf(2, "x");',
    'putchar(c);', 'std::cerr << text;', 'syslog(3, "%s", s)', 'NSLog(text)', 'writev(1, parts, 2)', 'fwrite(p, 1, n, stdout)', 'vprintf(f, a);', 'warnx("%s", s);',
]  # fmt: skip
SILENT = [
    'fingerprint(image)', 'func print(_ text: String)', 'console.print(text)', 'snprintf(b, n, f)', 'vsnprintf(b, n, f, a)', 'write(file, text, n)',
    'writer.write(2, text)', 'let stderrPath = x', 'Platform.write(descriptor, text, path: path)', 'self.write(records)', 'output(text)',
]  # fmt: skip
SHIPPED = re.compile(r"^Sources/(?!SlipcastBench/|SlipcastTesting/)")


def code(text: str) -> list[str]:
    """The lines of a source without comments and strings."""
    text = re.sub(r'"""[\s\S]*?"""', '""', text)
    return [re.sub(r'"(?:[^"\\]|\\.)*"', '""', line).split("//")[0] for line in text.splitlines()]


def table(faults: list[str]) -> dict[str, bool]:
    """The files of the list, each with whether the compiler alone finds something in it."""
    rows: dict[str, bool] = {}
    section, has_reason, says_itself = "", True, False
    for line in TABLE.read_text().splitlines():
        if line.startswith("## "):
            section, has_reason, says_itself = line, False, "say it themselves" in line
        elif match := ROW.match(line):
            path = "Sources/" + match["path"]
            if not has_reason:
                faults.append(f"{TABLE.name}: {section} lists files before it gives a reason")
            if path in rows:
                faults.append(f"{TABLE.name}: {path} is listed twice")
            if not (ROOT / path).is_file():
                faults.append(f"{TABLE.name}: {path} is not there; take its row out")
            elif says_itself and not any(map(REASON.match, (ROOT / path).read_text().splitlines())):
                faults.append(f"{path}: a comment `Unsafe on purpose: …` is missing")
            rows[path] = match["mark"] is not None
        elif line.startswith("- "):
            faults.append(f"{TABLE.name}: no row: {line}")
        elif line.strip():
            has_reason = True
    return rows


def compare_text(rows: dict[str, bool], unsafe: set[str], faults: list[str]) -> None:
    for path in sorted(unsafe - rows.keys()):
        faults.append(f"{path}: unsafe code, and Sources/UNSAFE.md does not say why it is safe")
    for path, is_compilers in rows.items():
        if not is_compilers and path not in unsafe and (ROOT / path).is_file():
            faults.append(f"{TABLE.name}: {path} has no unsafe code any more; take its row out")


def compare_diagnostics(log: Path, rows: dict[str, bool], faults: list[str]) -> None:
    found: set[str] = set()
    for line in log.read_text(errors="replace").splitlines():
        if (match := DIAGNOSTIC.match(line)) and "/Sources/" in match["path"]:
            found.add("Sources/" + match["path"].split("/Sources/", 1)[1])
    if not found:
        faults.append(f"{log}: the compiler has found nothing; was everything built anew with -strict-memory-safety?")
    for path in sorted(found - rows.keys()):
        faults.append(f"{path}: the compiler finds unsafe code, and Sources/UNSAFE.md does not say why it is safe")
    for path, is_compilers in rows.items():
        if found and is_compilers and path not in found:
            faults.append(f"{TABLE.name}: the compiler finds nothing in {path} any more; take its row out")
    print(f"the compiler finds unsafe code in {len(found)} files, all of them listed" if not faults else "")


def check_line(path: str, number: int, line: str, faults: list[str]) -> None:
    place = f"{path}:{number}"
    if TRAPS.search(line):
        faults.append(f"{place}: a force-unwrap, try! or as!: {line.strip()}")
    if (match := WRITE.search(line)) and match["descriptor"] not in WRITERS.get(path, set()):
        faults.append(f"{place}: output that passes by Console and StreamOutput: {line.strip()}")
    check_speaker(path, number, line, faults)


def check_speaker(path: str, number: int, line: str, faults: list[str]) -> None:
    if SHIPPED.match(path) and not path.startswith(tuple(CONSTANT_TEXTS)) and SPEAKERS.search(line):
        faults.append(f"{path}:{number}: output that passes by Console and StreamOutput: {line.strip()}")


def check_rule(faults: list[str]) -> None:
    """The rule about output finds what it is for."""
    faults += [f"the rule about output does not see: {line}" for line in SPEAKING if not SPEAKERS.search(line)]
    faults += [f"the rule about output takes this for output: {line}" for line in SILENT if SPEAKERS.search(line)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--diagnostics", type=Path)
    options = parser.parse_args()
    faults: list[str] = []
    rows = table(faults)
    unsafe: set[str] = set()
    for file in sorted((ROOT / "Sources").rglob("*.swift")):
        path = file.relative_to(ROOT).as_posix()
        lines = code(file.read_text())
        if any(map(UNSAFE.search, lines)):
            unsafe.add(path)
        for number, line in enumerate(lines, 1):
            check_line(path, number, line, faults)
    for file in sorted(path for ending in ("c", "h", "cpp", "cc", "m", "mm", "hpp") for path in (ROOT / "Sources").rglob(f"*.{ending}")):
        for number, line in enumerate(code(re.sub(r"/\*[\s\S]*?\*/", "", file.read_text())), 1):
            check_speaker(file.relative_to(ROOT).as_posix(), number, line, faults)
    check_rule(faults)
    compare_text(rows, unsafe, faults)
    if options.diagnostics:
        compare_diagnostics(options.diagnostics, rows, faults)
    for fault in faults:
        print(fault, file=sys.stderr)
    if not faults:
        print(f"{len(rows)} files with unsafe code, each with its reason")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
