"""The GitHub Action: its shell steps, run with the files and variables that a runner provides."""

import hashlib
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import yaml
from harness import ROOT, Suite, anew, require

FOLDER = ROOT / "Packaging/action"
EXAMPLES = ROOT / "Examples/migration"
PLACEHOLDER = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")


@dataclass
class Job:
    """What a run of the action left."""

    status: int = 0
    steps: dict[str, dict[str, str]] = field(default_factory=dict)
    outputs: dict[str, str] = field(default_factory=dict)
    summary: str = ""
    log: str = ""


class Runner:
    """Runs a composite action as GitHub's runner does: each step in a shell, until one fails."""

    def __init__(self, folder: Path, path: str) -> None:
        self.folder, self.path = folder, path
        self.workspace = anew(folder / "work space")
        self.action = yaml.safe_load((FOLDER / "action.yml").read_text())
        require(self.action["runs"]["using"] == "composite", "no composite action")

    def value(self, text: str, inputs: dict[str, str], job: Job, github: dict[str, str]) -> str:
        def one(match: re.Match) -> str:
            kind, *names = match[1].split(".")
            if kind == "inputs":
                return inputs[names[0]]
            if kind == "github":
                return github.get(names[0], "")
            require(kind == "steps" and names[1] == "outputs", f"unknown expression: {match[0]}")
            return job.steps.get(names[0], {}).get(names[2], "")

        return PLACEHOLDER.sub(one, text)

    def run(self, given: dict[str, str], server: str = "https://github.com", **github: str) -> Job:
        declared = self.action["inputs"]
        require(set(given) <= set(declared), f"an unknown input: {given}")
        require({name for name, one in declared.items() if one.get("required")} <= set(given), "an input is missing")
        inputs = {name: str(given.get(name, one.get("default", ""))) for name, one in declared.items()}
        job, path = Job(), self.path
        temporary = anew(self.folder / "temporary")
        for number, step in enumerate(self.action["runs"]["steps"]):
            require(step["shell"] == "bash", "a step without its shell")
            files = {name: temporary / f"{name}{number}" for name in ("OUTPUT", "STEP_SUMMARY", "PATH", "ENV")}
            for file in files.values():
                file.touch()
            script = temporary / f"step{number}.sh"
            # Inputs in the text of a script could be commands: they come as variables.
            require(not PLACEHOLDER.search(step["run"]), "an expression in a script")
            script.write_text(step["run"])
            settings = {
                "PATH": path, "HOME": str(temporary), "CI": "true", "GITHUB_ACTIONS": "true", "RUNNER_OS": "Linux",
                "RUNNER_ARCH": "X64", "RUNNER_TEMP": str(temporary), "GITHUB_WORKSPACE": str(self.workspace),
                "GITHUB_ACTION_PATH": str(FOLDER), "GITHUB_SERVER_URL": server,
                **{f"GITHUB_{name}": str(file) for name, file in files.items()},
                **{name: self.value(text, inputs, job, github) for name, text in step.get("env", {}).items()},
            }  # fmt: skip
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)], cwd=self.workspace, env=settings,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                timeout=300,
            )  # fmt: skip
            job.log += done.stdout
            job.summary += files["STEP_SUMMARY"].read_text()
            lines = files["OUTPUT"].read_text().splitlines()
            job.steps[step.get("id", str(number))] = dict(line.split("=", 1) for line in lines)
            path = os.pathsep.join([*files["PATH"].read_text().splitlines(), path])
            job.status = done.returncode
            if job.status != 0:
                break
        outputs = self.action["outputs"].items()
        job.outputs = {name: self.value(one["value"], inputs, job, github) for name, one in outputs}
        return job


class Action:
    def __init__(self, suite: Suite, bundle: Path) -> None:
        self.suite, self.bundle = suite, bundle
        folders = [part for part in os.environ["PATH"].split(os.pathsep) if not shutil.which("slipcast", path=part)]
        self.path = os.pathsep.join(folders)
        self.runner = Runner(anew(suite.folder / "runner"), self.path)
        for name in ("v1.ndjson", "v2.ndjson", "v1-fixed.ndjson", "known.json"):
            shutil.copy(EXAMPLES / name, self.runner.workspace)

    def run(self, status: int, /, server: str = "https://github.com", github: dict[str, str] | None = None,
            **inputs: str) -> Job:  # fmt: skip
        given = {"legacy": "v1.ndjson", "server": "v2.ndjson", "archive": str(self.bundle), **inputs}
        job = self.runner.run(given, server, **(github or {}))
        require(job.status == status, f"status {job.status}, expected {status}: {job.log[-2000:]}")
        return job

    def conflict(self) -> None:
        """The figures are those of the tutorial of a migration."""
        job = self.run(1)
        expected = {"verdict": "conflict", "agreeing": "9", "conflicting": "74", "only-legacy": "2", "only-server": "3",
                    "locked-out": "3", "served-for-free": "0"}  # fmt: skip
        require({name: job.outputs[name] for name in expected} == expected, f"{job.outputs}")
        require(job.summary.startswith("## ❌ Conflict: 10.84% of 83 events agree"), job.summary[:200])
        reports = Path(job.outputs["reports"])
        require((reports / "report.html").read_text().lstrip().lower().startswith("<!doctype html>"), "no page")
        failed = ElementTree.parse(reports / "junit.xml").getroot().iter("failure")
        require(len(list(failed)) > 0, "no test case failed")

    def agreement(self) -> None:
        """A baseline, and another folder for the reports."""
        job = self.run(0, legacy="v1-fixed.ndjson", baseline="known.json", reports="my reports")
        require((job.outputs["verdict"], job.outputs["agreeing"], job.outputs["conflicting"]) == ("parity", "80", "6"),
                f"{job.outputs}")  # fmt: skip
        require(job.summary.startswith("## ✅"), job.summary[:200])
        failed = ElementTree.parse(self.runner.workspace / "my reports/junit.xml").getroot().iter("failure")
        require(len(list(failed)) == 0, "a test case failed")

    def words(self) -> None:
        """Several archives and options; names with blanks, and names that are commands."""
        space = self.runner.workspace
        lines = (space / "v1.ndjson").read_text().splitlines(keepends=True)
        (space / "first half.ndjson").write_text("".join(lines[:45]))
        (space / "$(touch trap)`touch trap`.ndjson").write_text("".join(lines[45:]))
        archives = "first half.ndjson\n$(touch trap)`touch trap`.ndjson\n"
        job = self.run(1, legacy=archives, options="--max-missing\n5\n--same-span")
        require(job.outputs["conflicting"] == "74", f"{job.outputs}")
        require("✅ `missing`" in job.summary, "the option has no effect")
        require("❌ `missingRefunds`" in job.summary, "a limit for others let a lost refund pass")
        require(not (space / "trap").exists(), "an input was run as a command")

    def not_done(self) -> None:
        job = self.run(2, legacy="no-such-file.ndjson")
        require(job.outputs["verdict"] == "not-done" and "no-such-file" in job.summary, f"{job.outputs} {job.summary}")
        require("::error title=slipcast::slipcast: " in job.log, job.log)

    def downloads(self) -> None:
        """A sum is always compared; without an address, the release of the action's own version is taken."""
        right = hashlib.sha256(self.bundle.read_bytes()).hexdigest()
        self.run(1, sha256=right)
        for wrong in (right[:-1] + ("0" if right[-1] != "0" else "1"), "0" * 64):
            job = self.run(2, sha256=wrong)
            require("not the expected one" in job.log and not job.summary, job.log)
        alone = anew(self.suite.folder / "download alone")
        shutil.copy(self.bundle, alone)
        require("SHA256SUMS" in self.run(2, archive=str(alone / self.bundle.name)).log, "a download without its sum")
        version = self.suite.run("--version").stdout.split()[1]
        release = self.suite.folder / "host/example/slipcast/releases/download" / f"v{version}"
        release.mkdir(parents=True)
        shutil.copy(self.bundle, release)
        shutil.copy(self.bundle.parent / "SHA256SUMS", release)
        host = f"file://{self.suite.folder}/host"
        of_version = {"action_repository": "example/slipcast", "action_ref": f"v{version}"}
        require(self.run(1, host, of_version, archive="").outputs["verdict"] == "conflict", "the release")
        told = self.run(2, host, {**of_version, "action_ref": "main"}, archive="").log
        require("input archive" in told, told)

    def own(self) -> None:
        """A slipcast that the job installed is used."""
        self.runner.path = os.pathsep.join([str(self.suite.bin), self.path])
        require(self.run(1, archive="").outputs["verdict"] == "conflict", "no verdict")
        self.runner.path = self.path
