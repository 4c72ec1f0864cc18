"""Breaks each promise of SECURITY.md once, and each gate and part of the headline of `parity` that README.md names, and
expects that a check fails.

Usage:

    python3 Tests/promises/promises.py [--scratch FOLDER] [--only WORD]… [--together] [--table FILE] [--list]

For each promise it changes a few lines of the sources, builds, runs the named check, which must fail, and puts the lines
back. Files with uncommitted changes are left alone: the run ends before it begins. `--scratch` names the folder of the
build; by default it has its own. The table at the end has the promise, what was changed, and the check that failed;
`--table` writes it to a file too. `--together` makes as many changes in one build as have different checks: it is quicker,
and a check that fails for the sake of another change is not told apart.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"
BUILD_SECONDS, CHECK_SECONDS = 3600, 1800


@dataclass
class Promise:
    """What a text promises, a change that breaks it, and the check that must fail."""

    name: str
    # The beginning of its row in SECURITY.md, or of its line in README.md.
    row: str
    file: str
    old: str
    new: str
    check: list[str]

    @property
    def kind(self) -> str:
        """What must be built: for `part` the program, for `swift` the tests, for `lint` nothing."""
        return self.check[0]


def part(suite: str, name: str) -> list[str]:
    return ["part", suite, name]


def tests(name: str) -> list[str]:
    return ["swift", name]


NO_STRANGER = "No stranger gets in or stops `serve`."
PAGES = "A page of `ui` reaches only those you let in, and changes nothing."
ON_DISK = "What `serve` has answered with 200 is on disk"
UNSIGNED = "Nothing is trusted that was not signed."
ANSWERED = "An answer of `verify-receipt` is about a receipt that Apple signed"
STATE = "No run continues from a wrong state."

# What README.md says of `parity`: the items behind "By default the command fails on", and the two sentences after them.
CONFLICTS = "fields in conflict,"
ACCESS = "customers who gain or lose access, or whose access ends at another time in V2,"
UNREAD = "records that cannot be read, and archives without a common event,"
MISSING = "any event without a counterpart"
REFUNDS = "A lost REFUND or REVOKE has a separate limit"
HEADLINE = "The first line names everything that fails or is accepted."
OPTIONS = "`--strict`, `--min-agreement` and a baseline add conditions."
GATES = "SlipcastComparison/Parity/Gates/ParityGates.swift"
LOSSES = "SlipcastComparison/Parity/Gates/ParityGates+Missing.swift"
SENTENCE = "SlipcastReports/Archives/ParityResult+Headline.swift"

PROMISES = [
    Promise("memory is bounded", "No input crashes it", "SlipcastHTTP/BodyBudget.swift",
            "newValue > limit", "newValue > .max", part("serve", "budget")),
    Promise("every record ends somewhere", "No record is lost.", "SlipcastBulk/Run/RunDestination.swift",
            "    try reject.withLine { try rejects?.write($0, part: .whole) }\n", "", part("serve", "checkpoints")),
    Promise("a checkpoint is believed only whole", STATE, "SlipcastBulk/Run/GuardedState.swift",
            "guard text[place].elementsEqual(SHA256Stream.hexadecimal(of: unsigned).utf8) else", "guard unsigned.count > 0 else",
            part("serve", "checkpoints")),
    Promise("a line of a ledger is believed only in its place", STATE, "SlipcastBulk/Run/GuardedState.swift",
            "    digest.add(last)\n    digest.add(text)\n", "    digest.add(text)\n", part("serve", "positions_of_targets")),
    Promise("a history is believed only whole", STATE, "SlipcastStores/Settling/HistoryStore.swift",
            "guard seal.text(fingerprint: fingerprint, position: position) == text else { throw damage(database) }", "_ = text", part("serve", "settle/history")),
    Promise("200 after the disk", ON_DISK, "SlipcastServer/Journal/Journal.swift",
            "      try Platform.synchronize(descriptor, path: part.part.path)\n", "", part("serve", "acknowledged")),
    Promise("200 after the name is on disk", ON_DISK, "SlipcastServer/Journal/Journal.swift",
            "      try Platform.synchronizeFolder(of: name.path)\n", "", part("serve", "acknowledged")),
    Promise("200 only for what is found again", ON_DISK, "SlipcastServer/Intake/Intake.swift",
            "if new.isEmpty { try journal.check() } else { try append(new) }", "if !new.isEmpty { try append(new) }", part("serve", "vanished")),
    Promise("a valid event is never cut off", ON_DISK, "SlipcastServer/Journal/JournalReader.swift",
            "if part == parts.last, let line = try reader.openLine(rest) {", "if rest.count == 1, let line = try reader.openLine(rest) {",
            part("serve", "ends")),
    Promise("a signature is checked", UNSIGNED, "SlipcastSignatures/JWS/JWSVerifier.swift",
            "    try signer.key.check(signature, over: token.extracting(parts.signed))\n", "    _ = signature\n", part("serve", "responses")),
    Promise("an answer is about a signed receipt", ANSWERED, "SlipcastOutlets/VerifyReceipt/SubmittedReceipt.swift",
            "      try Self.refuse(verifier.verify(receipt).refusal)\n", "", part("verify-receipt", "statuses")),
    Promise("the secret of a request is compared", ANSWERED, "SlipcastOutlets/VerifyReceipt/VerifyReceiptService.swift",
            "guard isKnown, password != nil else", "guard isKnown || !options.secretDigests.isEmpty else", part("verify-receipt", "statuses")),
    Promise("a forged record is no source", ANSWERED, "SlipcastReceipts/Parts/PartReader.swift",
            "guard var refusal = verify?(token) else", "guard path.isEmpty, var refusal = verify?(token) else", part("verify-receipt", "statuses")),
    Promise("a forged token is no source", ANSWERED, "SlipcastReceipts/Parts/PartReader.swift",
            'token.map({ gate.admits($0.span, at: "") }) ?? true', "token?.count != 0", part("verify-receipt", "statuses")),
    Promise("a concluded value is left out", ANSWERED, "SlipcastOutlets/VerifyReceipt/PartWriter.swift",
            "if !rule.takesInferred, rule.from", "if !rule.takesInferred, part.kind == .appTransaction, rule.from", part("verify-receipt", "stores")),
    Promise("no decoded member passes with signed ones", UNSIGNED, "SlipcastFetch/PageReader.swift",
            "    try checkMembers(root)\n", "", part("fetch", "wrong")),
    Promise("the app is compared", NO_STRANGER, "SlipcastSignatures/Verdict.swift",
            "guard bundleIds.contains(where: bundleId.isSameSpelling) else { throw Refusal(.bundleIdMismatch) }", "_ = bundleId", part("serve", "whose")),
    Promise("the secret is compared", NO_STRANGER, "SlipcastServer/Intake/Inspector.swift",
            "    guard isKnown else {", "    guard isKnown || !secrets.isEmpty else {", part("serve", "responses")),
    Promise("strangers convert nothing", NO_STRANGER, "SlipcastBulk/Live/NotificationReader.swift",
            "    try admit(found)\n    // A body that cannot be converted is", "    defer { try? admit(found) }\n    // A body that cannot be converted is",
            part("serve", "strangers")),
    Promise("a head is read in one way", NO_STRANGER, "SlipcastHTTP/HTTPServer.swift",
            "return server.begin(exchange, fault.map { String(cString: $0) })", "return server.begin(exchange, fault.flatMap { _ in nil })",
            part("serve", "strict")),
    Promise("answers are read in time", NO_STRANGER, "SlipcastHTTP/ConnectionTable.swift",
            "case .answer: limits.answer", "case .answer: Double.infinity", part("serve", "unread")),
    Promise("one address is one of many", NO_STRANGER, "SlipcastHTTP/HTTPServer.swift",
            "UInt32(options.connectionsPerAddress)", "0", part("serve", "crowd")),
    Promise("strangers' names are refused", PAGES, "SlipcastPages/Serving/PageHandler.swift",
            "guard hosts.accepts(host) else {", "guard hosts.accepts(host) || !host.isEmpty else {", part("ui", "hosts")),
    Promise("the token is compared", PAGES, "SlipcastPages/Access/TokenCheck.swift",
            "guard one.count == two.count else { return false }", "if one.count != two.count { return true }", part("ui", "tokens")),
    Promise("only reading is answered", PAGES, "SlipcastPages/Serving/PageHandler.swift",
            'guard head.method == "GET" || head.method == "HEAD" else {', 'guard head.method != "TRACE" else {', part("ui", "only-reading")),
    Promise("no page has an id", PAGES, "SlipcastPages/Access/Redactor.swift",
            "func linked(_ id: String) -> String { PageAddress.encoded(pseudonyms?.sealed(id) ?? id) }",
            "func linked(_ id: String) -> String { PageAddress.encoded(id) }", part("ui", "redaction")),
    Promise("a failure has status 2", "Every failure is reported", "SlipcastCommand/Slipcast.swift",
            "    return .failed\n", "    return .fine\n", part("serve", "words")),
    Promise("the secret is in no message", "The shared secret (`password`)", "SlipcastServer/Intake/Inspector.swift",
            'message: "password does not match --shared-secret")', 'message: "password \\(String(decoding: secret, as: UTF8.self)) is wrong")',
            part("serve", "responses")),
    Promise("broken text is not kept", "The shared secret (`password`)", "SlipcastBulk/Rejects/RejectText.swift",
            "    guard layer.pointer == nil, Self.isComplete(text) else { return nil }\n", "", tests("RejectTextTests")),
    Promise("unknown names keep no values", "The shared secret (`password`)", "SlipcastBulk/Rejects/RejectText.swift",
            "besides.contains { $0.tokens.contains(name) } ? .everything : .nothing", "besides.contains { $0.tokens.contains(name) } ? .everything : .everything",
            tests("RejectTextTests")),
    Promise("an address shows no password", "No message contains a database password", "SlipcastNetwork/HTTPAddress.swift",
            "guard Self.isHost(host), !behind.contains(\"@\"), behind.first != \"\\\\\" else", "guard !host.isEmpty else", tests("HTTPAddressTests")),
    Promise("no password in a report", "No message contains a database password", "SlipcastNetwork/HTTPAddress.swift",
            "description = scheme + host + behind.prefix { $0 != \"?\" && $0 != \"#\" }", "description = text", tests("LiveServerSecretTests")),
    Promise("a name like a location is refused", "No message contains a database password", "SlipcastCommand/Convert/TargetName.swift",
            "guard !isPostgreSQL(name), LocationWords.isLike(name) else { return }", "guard name.isEmpty else { return }", tests("TargetNameTests")),
    Promise("time grows as the input", "No input crashes it", "SlipcastBulk/Tables/LogReader.swift",
            "      followed.left -= stop - start\n", "", part("growth", "logs")),
    Promise("columns are compared once", "No input crashes it", "SlipcastBulk/Tables/TableReader.swift",
            "names.indices.first(where: { !seen.insert(names[$0]).inserted })", "names.indices.first(where: { names[..<$0].contains(names[$0]) && !seen.insert(\"\").inserted })",
            part("growth", "readers")),
    Promise("files are their owner's", "Only the owner can read its output.", "SlipcastSystem/Platform+Files.swift",
            "flags | O_CLOEXEC, 0o600)", "flags | O_CLOEXEC, 0o644)", part("serve", "archive")),
    Promise("no password in a message", "No message contains a database password", "SlipcastCommand/PasswordMask.swift",
            "rest[..<secret.lowerBound] + replacement + maskUsers", "rest[..<secret.upperBound] + maskUsers", tests("PasswordMaskTests")),
    Promise("a target shows no password", "No message contains a database password", "SlipcastBulk/Plan/MaskedName.swift",
            'self.init(LocationWords.isLike(path) ? "file \\(digest), whose name looks like a location" : path)', "self.init(digest.isEmpty ? path : path)",
            tests("MaskedNameTests")),
    Promise("links stay in their folder", "Archives and folders cannot redirect it.", "SlipcastBulk/Sources/FolderSearch.swift",
            "case .file: isInside(path) ? nil : .link", "case .file: nil", tests("FolderSearchTests")),
    Promise("no escape sequences", "Data cannot inject commands", "SlipcastWire/Text/SafeText.swift",
            "    guard text.unicodeScalars.contains(where: { isDangerous($0) && $0 != \"\\n\" }) else { return text }\n", "    if text.count >= 0 { return text }\n",
            tests("SafeTextTests")),
    Promise("no other way out", "Data cannot inject commands", "SlipcastServer/Shared.swift",
            "internal import Synchronization\n", "internal import Synchronization\nfunc speak() { print(1) }\n", ["lint"]),
]  # fmt: skip


def judged(name: str) -> list[str]:
    return part("losses", f"gates/{name}")


PARITY = [
    Promise("a conflict fails", CONFLICTS, GATES, 'name: "conflicts", holds: count == 0,', 'name: "conflicts", holds: true,', judged("conflicts")),
    Promise("a change of access fails", ACCESS, GATES, "let holds = changes - counts.accepted <= maxAccessChanges", "let holds = changes >= 0", judged("access")),
    Promise("another end of access fails", ACCESS, GATES, "limit.allows(count - access.endsAccepted, of: access.compared)", "limit.allows(0, of: access.compared)", judged("ends")),
    Promise("access is judged in the common time", ACCESS, "SlipcastParity/ParityRun.swift",
            "(isOfEvents ? time.end : nil) ?? ends.min() else {\n      if options.access != nil { throw AccessTimeError() }\n      return nil\n    }\n"
            "    // What was taken back after that moment is a later event, unless the caller names the moment.\n"
            "    let customers = CustomerAccess(\n      shapes, rules, at: moment, limit: isOfEvents ? time.common?.upperBound : nil,\n      looksAhead: options.tally.asOf != nil,",
            "(isOfEvents ? nil : time.end) ?? ends.max() else { return nil }\n"
            "    let customers = CustomerAccess(\n      shapes, rules, at: moment, limit: nil,\n      looksAhead: true,", part("losses", "clean")),
    Promise("an unread record fails", UNREAD, GATES, "limit.allows(count, of: all)", "limit.allows(0, of: all)", judged("broken")),
    Promise("nothing in common fails", UNREAD, GATES, 'name: "compared", holds: false,', 'name: "compared", holds: true,', judged("compared")),
    Promise("an unread record is found", UNREAD, "SlipcastReports/Archives/ParityResult+Find.swift", " + pairRows + unreadRows\n", " + pairRows\n",
            tests("UnreadRecordTests")),
    Promise("an unread record is named", UNREAD, "SlipcastBulk/Rejects/RejectSubject.swift", "    found.type = types.count == 1 ? types.first : nil\n",
            "    found = RejectSubject()\n", tests("UnreadRecordTests")),
    Promise("a missing event fails", MISSING, LOSSES, 'name: "missing", holds: faults.isEmpty, message', 'name: "missing", holds: true, message', judged("missing-in-v2")),
    Promise("a missing refund fails", REFUNDS, LOSSES, "result.missing.openRefunds <= maxMissingRefunds", "result.missing.openRefunds >= 0", judged("refund")),
    Promise("conflicts are told", HEADLINE, SENTENCE, '"\\(conflicting.grouped) \\(conflicting == 1 ? "conflicts" : "conflict")"', '"some differ"', judged("conflicts")),
    Promise("events missing in V2 are told", HEADLINE, SENTENCE, "[eventWords, lossWords(.legacy), lossWords(.server)]", "[eventWords, lossWords(.server)]", judged("missing-in-v2")),
    Promise("events missing in V1 are told", HEADLINE, SENTENCE, "[eventWords, lossWords(.legacy), lossWords(.server)]", "[eventWords, lossWords(.legacy)]", judged("missing-in-v1")),
    Promise("changes of access are told", HEADLINE, SENTENCE, "    if !access.isEmpty { parts.append(access + mark) }\n", "    _ = mark\n", judged("access")),
    Promise("other ends of access are told", HEADLINE, SENTENCE, "for \\(Words.count(count, \"customer\"))\\(mark)\")", "\\(count > 0 ? mark : mark)\")", judged("ends")),
    Promise("unread records are told", HEADLINE, SENTENCE, "[rejectWords, causeWords, gateWords]", "[causeWords, gateWords]", judged("broken")),
    Promise("the cause is told", HEADLINE, SENTENCE, "[rejectWords, causeWords, gateWords]", "[rejectWords, gateWords]", judged("cause")),
    Promise("other gates are told", HEADLINE, SENTENCE, "[rejectWords, causeWords, gateWords]", "[rejectWords, causeWords]", judged("strict")),
    Promise("what is accepted is told", HEADLINE, SENTENCE, '? [] : ["accepted"] }', "? [] : [] }", judged("allowed")),
    Promise("a strict class fails", OPTIONS, GATES, 'name: "strict \\(name)", holds: count == 0,', 'name: "strict \\(name)", holds: true,', judged("strict")),
    Promise("too low a share fails", OPTIONS, GATES, "holds: !missing && agreement.holds(agreeing: agreeing, of: all),", "holds: !missing,", judged("share")),
    Promise("an unknown difference fails", OPTIONS, GATES, 'name: "baseline", holds: new.isEmpty && grown.isEmpty,', 'name: "baseline", holds: grown.isEmpty,', judged("baseline")),
]  # fmt: skip
ALL = PROMISES + PARITY


def run(words: list[object], seconds: int) -> tuple[int, str]:
    """A command in a group of its own, which ends with it."""
    process = subprocess.Popen([str(word) for word in words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    try:
        output = process.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output = process.communicate()[0] + f"\nended after {seconds} seconds"
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    return process.returncode, output


class Bench:
    def __init__(self, scratch: Path, prefix: list[str]) -> None:
        self.scratch, self.prefix = scratch, prefix

    def build(self, tests: bool) -> tuple[int, str]:
        what = ["--build-tests"] if tests else ["--product", "slipcast"]
        return run([*self.prefix, "swift", "build", *what, "--scratch-path", self.scratch], BUILD_SECONDS)

    def check(self, words: list[str]) -> tuple[int, str]:
        if words[0] == "part":
            program = self.scratch / "debug" / "slipcast"
            return run([sys.executable, "Tests/end-to-end/run.py", words[1], program, "--only", words[2]], CHECK_SECONDS)
        if words[0] == "lint":
            return run([sys.executable, "Tests/safety/check.py"], CHECK_SECONDS)
        return run(["swift", "test", "--skip-build", "--scratch-path", self.scratch, "--filter", words[1]], CHECK_SECONDS)

    def broken(self, promises: list[Promise]) -> Iterator[tuple[Promise, str, float]]:
        """Breaks promises in one build, and passes on each with what its check said, and whether it noticed: `fails: …`."""
        begin = time.monotonic()
        before = {SOURCES / promise.file: (SOURCES / promise.file).read_text() for promise in promises}
        try:
            for file, text in before.items():
                for promise in promises:
                    text = text.replace(promise.old, promise.new) if SOURCES / promise.file == file else text
                file.write_text(text)
            if promises[0].kind != "lint":
                status, output = self.build(promises[0].kind == "swift")
                if status:
                    errors = [line for line in output.splitlines() if "error:" in line]
                    for promise in promises:
                        yield promise, f"the change does not compile: {errors[:1] or output[-300:]}", 0
                    return
            for promise in promises:
                status, output = self.check(promise.check)
                yield promise, f"fails: {first_failure(output)}" if status else "THE CHECK DOES NOT NOTICE IT", time.monotonic() - begin
                begin = time.monotonic()
        finally:
            for file, text in before.items():
                file.write_text(text)


def first_failure(output: str) -> str:
    """What a check says that failed, in a few words."""
    for pattern in (r"\u2718 Test (\w+)", r"^FAILED ([\w/-]+)", r"^(.{1,60})"):
        if found := re.search(pattern, output, re.M):
            return found[1]
    return "it says nothing"


def batches(promises: list[Promise], together: bool) -> list[list[Promise]]:
    """Promises that are broken in one build: one alone, or as many as do not hide each other."""
    made: list[list[Promise]] = []
    for promise in promises:
        for batch in made if together else []:
            texts = [one.old for one in batch if one.file == promise.file]
            hides = any(one in promise.old or promise.old in one for one in texts)
            if batch[0].kind == promise.kind and not hides and all(one.check != promise.check for one in batch):
                batch.append(promise)
                break
        else:
            made.append([promise])
    return made


def faults(promises: list[Promise]) -> list[str]:
    """What is wrong with the table itself."""
    found = []
    readme = " ".join((ROOT / "README.md").read_text().split())
    for promise in PARITY:
        if promise.row not in readme:
            found.append(f"{promise.name}: README.md does not say: {promise.row}")
    security = (ROOT / "SECURITY.md").read_text()
    rows = [line.split("|")[1].strip() for line in security.split("## What it promises")[1].split("\n## ")[0].splitlines() if line.startswith("| ")][1:]
    for row in rows:
        if not row.startswith("---") and not any(row.startswith(promise.row) for promise in PROMISES):
            found.append(f"no change breaks the promise: {row}")
    for promise in PROMISES:
        if not any(row.startswith(promise.row) for row in rows):
            found.append(f"{promise.name}: SECURITY.md does not promise: {promise.row}")
    for promise in ALL:
        if (count := (SOURCES / promise.file).read_text().count(promise.old)) != 1:
            found.append(f"{promise.name}: {promise.file} has the text to change {count} times")
    return found


def uncommitted(promises: list[Promise]) -> list[str]:
    names = [str(Path("Sources") / promise.file) for promise in promises]
    status = subprocess.run(["git", "status", "--porcelain", "--", *names], cwd=ROOT, capture_output=True, text=True).stdout
    return [f"uncommitted changes: {line}" for line in status.splitlines()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scratch", type=Path, default=ROOT / ".build" / "promises")
    parser.add_argument("--only", action="append", default=[], help="promises whose name contains this word; repeatable")
    parser.add_argument("--table", type=Path, help="a file for the table")
    parser.add_argument("--list", action="store_true", help="check the table, and change nothing")
    parser.add_argument("--together", action="store_true", help="make several changes in one build")
    parser.add_argument("--prefix", nargs="*", default=[], help="words before `swift build`")
    options = parser.parse_args()
    chosen = [promise for promise in ALL if not options.only or any(word in promise.name for word in options.only)]
    wrong = faults(chosen) + ([] if options.list else uncommitted(chosen))
    if wrong or options.list:
        print("\n".join(wrong or [f"{promise.name}: {' '.join(promise.check)}" for promise in chosen]))
        return 1 if wrong else 0
    bench = Bench(options.scratch.resolve(), options.prefix)
    rows, failed = [], 0
    for batch in batches(chosen, options.together):
        for promise, outcome, seconds in bench.broken(batch):
            failed += not outcome.startswith("fails")
            check = " ".join(promise.check[1:]) or "Tests/safety/check.py"
            rows.append(f"| {promise.name} | {promise.file} | {check} | {outcome} | {seconds:.0f} s |")
            print(rows[-1], flush=True)
    table = "| promise | changed | check | with the change | |\n|---|---|---|---|---|\n" + "\n".join(rows) + "\n"
    print(table, end="")
    if options.table:
        options.table.write_text(table)
    if any(promise.check[0] != "lint" for promise in chosen):
        # The build is again that of the sources.
        bench.build(tests=False)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
