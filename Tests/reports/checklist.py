"""Counts what was checked and prints a line each."""


class Enough(Exception):
    """One check has failed, and nobody needs to know of more."""


class Checklist:
    def __init__(self, seeks_fault=False):
        # Says nothing, and ends with Enough at the first check that fails.
        self.seeks_fault = seeks_fault
        self.passed = 0
        self.failed = []

    def check(self, what, holds, found=""):
        if holds:
            self.passed += 1
        else:
            self.failed.append(what)
            if self.seeks_fault:
                raise Enough
        if not self.seeks_fault:
            print(("ok    " if holds else "FAIL  ") + what + ("" if holds or found == "" else f": {found}"))
        return bool(holds)

    def equal(self, what, found, expected):
        return self.check(what, found == expected, f"{found!r}, expected {expected!r}")
