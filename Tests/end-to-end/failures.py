"""Runs a command of Swift Testing, and says at the end once more what failed.

usage: python3 Tests/end-to-end/failures.py COMMAND…

A run prints some ten thousand lines; the one that names a failure is far above the last one. Output passes through as
it comes; where a test failed, its lines stand again before the runner's own summary, which stays last.
"""

import subprocess
import sys

ISSUE = "recorded an issue"
# How a line of the runner begins; a value or a comment may have lines of its own.
MARKS = ("✘", "◇", "✔", "➜")
SUMMARY = "Test run with"
# Lines of one failure, and of all.
MOST_EACH, MOST = 8, 80


def main() -> int:
    running = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True, errors="replace")
    failures: list[str] = []
    summary, follows = "", 0
    for line in running.stdout or ():
        print(line, end="", flush=True)
        if SUMMARY in line:
            summary = line
        if ISSUE in line:
            follows = MOST_EACH
        elif line.startswith(MARKS):
            follows = 0
        if follows:
            failures.append(line)
            follows -= 1
    code = running.wait()
    if code and failures:
        print(f"\nWhat failed ({sum(ISSUE in line for line in failures)}):")
        print("".join(line[:600].rstrip() + "\n" for line in failures[:MOST]), end="")
        print(summary, end="")
    # A signal is a negative code; as the shell says it.
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
