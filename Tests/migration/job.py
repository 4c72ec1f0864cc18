#!/usr/bin/env python3
"""Prints the script of a step of a workflow file: what stands behind its `run:`.

usage: job.py FILE STEP-NAME; reads the little YAML that Examples/migration/ci.yml needs
"""

import sys
from pathlib import Path


def script(lines: list[str], name: str) -> str:
    """The script of the step that is called so."""
    start = next((number for number, line in enumerate(lines) if line.strip() == f"- name: {name}"), None)
    if start is None:
        raise SystemExit(f"no step is called {name}")
    depth = lines[start].index("-")
    for number in range(start + 1, len(lines)):
        line = lines[number]
        if line.strip() and len(line) - len(line.lstrip()) <= depth:
            break
        if not line.strip().startswith("run:"):
            continue
        text = line.strip().removeprefix("run:").strip()
        if text != "|":
            return text
        inner = len(line) - len(line.lstrip())
        body = []
        for later in lines[number + 1 :]:
            if later.strip() and len(later) - len(later.lstrip()) <= inner:
                break
            body.append(later.strip())
        return "\n".join(body)
    raise SystemExit(f"the step {name} runs nothing")


if __name__ == "__main__":
    print(script(Path(sys.argv[1]).read_text(encoding="utf-8").splitlines(), sys.argv[2]))
