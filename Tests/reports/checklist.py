"""Counts what was checked and prints a line each."""


class Checklist:
    def __init__(self, is_quiet=False):
        self.is_quiet = is_quiet
        self.passed = 0
        self.failed = []

    def check(self, what, holds, found=""):
        if holds:
            self.passed += 1
        else:
            self.failed.append(what)
        if not self.is_quiet:
            print(("ok    " if holds else "FAIL  ") + what + ("" if holds or found == "" else f": {found}"))
        return bool(holds)

    def equal(self, what, found, expected):
        return self.check(what, found == expected, f"{found!r}, expected {expected!r}")
