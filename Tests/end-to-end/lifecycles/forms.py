"""What `--settle` finds is the same in every form of a run, in comparisons, and for a store; what is wrong is refused."""

import json
from pathlib import Path

import archive
from harness import Suite, require
from judge import name_of


def lines(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def bodies(seed: int, customers: int) -> list[str]:
    """The bodies of an archive, each once."""
    return [one.text for one in archive.make("dated", seed, customers).records if not one.is_repeat]


def events_of(timeline: str) -> list[str]:
    return [line for line in timeline.splitlines() if '"kind":"event"' in line or '"kind":"companion"' in line]


class Forms:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder = suite, suite.folder / "forms"

    def source(self) -> Path:
        path = self.folder / "archive.ndjson"
        if not path.exists():
            self.folder.mkdir()
            path.write_text("".join(f"{body}\n" for body in bodies(self.suite.options.seed, self.suite.options.customers)))
        return path

    def settled(self, *words: object, **more: object) -> str:
        return self.suite.run("convert", "--quiet", "--settle", *words, **more).stdout

    def same(self) -> str:
        """Standard input, workers, several sources, a checkpoint, signing and grouping change no reading."""
        source, target = self.source(), self.folder / "out.ndjson"
        wanted = self.settled("--jobs", "1", source)
        require(wanted.count('"settled"') > 10, "nothing is settled")
        require(self.settled("--jobs", "2", source) == wanted, "--jobs changes the output")
        require(self.settled("-", text=source.read_text()) == wanted, "standard input changes the output")
        checkpoint = self.folder / "run.json"
        words = ["convert", "--quiet", "--settle", source, "--to", target, "--checkpoint", checkpoint, "--checkpoint-every", "1"]
        self.suite.run(*words)
        require(target.read_text() == wanted, "a checkpoint changes the output")
        self.suite.run(*words, "--resume")
        other = self.suite.run(*[word for word in words if word != "--settle"], "--resume", status=2)
        require("options" in other.stderr, other.stderr)
        identity = self.folder / "identity"
        self.suite.run("identity", "--quiet", identity)
        # An event whose time nothing tells is refused: its certificates would be judged by it.
        rejects = self.folder / "rejects.ndjson"
        signed = self.settled("--sign", identity, "--rejects", rejects, source, status=(0, 1)).count("signedPayload")
        undated = [one["path"] for one in lines(rejects.read_text())]
        require(set(undated) <= {"signedDate"}, f"refused for {undated}")
        require(signed > 100 and signed + len(undated) == wanted.count("\n"), "a signed line is missing")
        require('"settled"' in self.settled("--group", source, "--summary", self.folder / "sum.json"), "grouping loses settled readings")
        summary = json.loads((self.folder / "sum.json").read_text())
        require(summary["ambiguousBefore"] > summary["ambiguous"], str(summary))
        self.store_and_sources(source, lines(wanted))
        return f"{wanted.count(chr(10))} lines"

    def store_and_sources(self, source: Path, wanted: list[dict]) -> None:
        store = self.folder / "store.sqlite"
        self.settled(source, "--to", store, "--execute")
        # A store has no lists, so it does not show periods that no message is about.
        once, again = (events_of(self.suite.run("timeline", "--quiet", one).stdout) for one in (source, store))
        require(once == again, "a store and its archive differ")
        records = source.read_text().splitlines(keepends=True)
        parts = [self.folder / "a.ndjson", self.folder / "b.ndjson"]
        for part, some in zip(parts, (records[: len(records) // 2], records[len(records) // 2 :])):
            part.write_text("".join(some))
        both = lines(self.settled(*parts))
        require([name_of(one) for one in both] == [name_of(one) for one in wanted], "two sources settle otherwise")
        sources = {one["source"] for line in both for one in line["migration"].get("settled", {}).get("by", [])}
        require(sources == {str(part) for part in parts}, f"witnesses name {sources}")

    def compared(self) -> str:
        """`parity --settle` holds V2 to the settled reading; without it, each candidate is accepted."""
        source, server = self.source(), self.folder / "server.ndjson"
        found = lines(self.settled(source))
        place = next(
            place for place, line in enumerate(found)
            if line["migration"].get("settled", {}).get("from") == "ambiguous"
            and "absorbed" not in line["migration"] and len(line["migration"]["candidates"]) > 1
        )  # fmt: skip
        other = next(one for one in found[place]["migration"]["candidates"] if name_of(one) != name_of(found[place]))
        found[place] = {key: value for key, value in found[place].items() if key not in ("notificationType", "subtype")}
        found[place] |= {key: other[key] for key in ("notificationType", "subtype") if key in other}
        server.write_text(
            "".join(json.dumps({key: one[key] for key in one if key != "migration"}) + "\n" for one in found)
        )
        conflicts = []
        for words in ([], ["--settle"]):
            told = self.suite.run("parity", "--format", "json", "--legacy", source, "--server", server, *words, status=(0, 1)).stdout
            fields = {one.get("v2Path"): one for one in json.loads(told)["fields"]}
            conflicts.append(sum(fields[path]["conflict"] for path in ("notificationType", "subtype") if path in fields))
        require(conflicts[1] > conflicts[0], f"conflicts of type and subtype: {conflicts}")
        return f"{conflicts[0]} -> {conflicts[1]} conflicts"

    def refused(self) -> str:
        """What is wrong about --complete is said, with what to write."""
        wrong = (["2021-01-01..2021-02-01"], ["2021", "--settle"], ["2022-01-01..2021-01-01", "--settle"])
        for words in wrong:
            outcome = self.suite.run("convert", "--complete", *words, self.source(), status=2)
            require("--complete" in outcome.stderr, outcome.stderr)
        return ""


def run(suite: Suite) -> None:
    forms = Forms(suite)
    for part in (forms.same, forms.compared, forms.refused):
        suite.part(f"forms/{part.__name__}", part)
