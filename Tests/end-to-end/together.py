"""Makes several targets of the Makefile at once, all of them even after a failure, and says at the end what failed.

usage: python3 Tests/end-to-end/together.py AT-ONCE TARGET… [NAME=VALUE…]

The first target takes longest, so the others run with a lower priority. The output of each target is printed when it
ends, so lines of two never mix. Who reads a log reads its end: where a target failed, its last lines stand there again.
The very last line is the summary of the tests in Swift.
"""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

# How lines begin that say what failed; of a target without such a line, its last ones count.
FAILURES = ("FAILED", "What failed", "✘", "error:", "Traceback", "make")
MOST = 12
SUMMARY = "Test run with"


def make(target: str, settings: list[str], is_first: bool) -> tuple[str, int, float, list[str]]:
    start = time.monotonic()
    run = subprocess.run(
        [*([] if is_first else ["nice"]), "make", "--no-print-directory", target, *settings],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
    )
    return target, run.returncode, time.monotonic() - start, run.stdout.splitlines()


def telling(lines: list[str]) -> list[str]:
    failures = [line for line in lines if line.lstrip().startswith(FAILURES) and SUMMARY not in line]
    return (failures[-MOST:] if len(failures) > 1 else lines[-MOST:])


def main() -> int:
    if len(sys.argv) < 3 or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    targets = [word for word in sys.argv[2:] if "=" not in word]
    settings = [word for word in sys.argv[2:] if "=" in word]
    failed: list[tuple[str, int, list[str]]] = []
    seconds: list[str] = []
    summary = ""
    with ThreadPoolExecutor(int(sys.argv[1])) as pool:
        for done in as_completed([pool.submit(make, one, settings, one is targets[0]) for one in targets]):
            target, status, took, lines = done.result()
            print(*lines, sep="\n", flush=True)
            seconds.append(f"{target} {took:.0f} s")
            summary = next((line for line in reversed(lines) if SUMMARY in line), summary)
            if status:
                failed.append((target, status, lines))
    print("\n" + ", ".join(seconds))
    for target, status, lines in failed:
        print(f"\n{target} failed with status {status}:")
        print(*(line[:300] for line in telling(lines)), sep="\n")
    if summary:
        print(summary, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
