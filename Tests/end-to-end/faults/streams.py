"""Standard streams that are closed, full, folders, pipes that end or never wait; files that change while being read."""

import os
import subprocess
import threading
import time
from pathlib import Path

from harness import Failure, require
from material import Material
from running import FAILED, FINDINGS, FINE, demand


def pipes(material: Material, is_full: bool) -> None:
    """`COMMAND | head -c 0`, `| head -n 1`: no message; a verdict keeps its status, cut data ends with 2."""
    for words in material.commands().values():
        for reader in (["head", "-c", "0"], ["head", "-n", "1"])[not is_full :]:
            status, said = piped(material, words, reader)
            is_verdict = words[0] in ("diff", "parity", "verify", "baseline")
            is_kept = status in (FINE, FINDINGS) or (status == FAILED and not is_verdict)
            is_silent = "ipe" not in said and "standard output" not in said
            require(is_kept and is_silent, f"{words} | {reader}: status {status}, {said[-500:]}")


def piped(material: Material, words: list[str], reader: list[str]) -> tuple[int, str]:
    command = [str(material.running.program), *words]
    with open(material.folder / "err.txt", "wb") as errors:
        first = subprocess.Popen(
            command, cwd=material.folder, stdout=subprocess.PIPE, stderr=errors, stdin=subprocess.DEVNULL
        )
        second = subprocess.Popen(reader, stdin=first.stdout, stdout=subprocess.DEVNULL)
        if first.stdout:
            first.stdout.close()
        second.wait(30)
        status = first.wait(30)
    return status, (material.folder / "err.txt").read_text(errors="replace")


def closed(material: Material, is_full: bool) -> None:
    """`<&-`, `>&-`, `2>&-`: told where data is lost by it, and never another file in its place."""
    for name, words in material.commands().items():
        if not is_full and name not in ("convert", "verify", "parity", "help"):
            continue
        material.expect(words, FINE, FINDINGS, closed=[0])
        seen = material.expect(words, FAILED, closed=[1], says="standard output")
        seen = material.run(words, closed=[2])
        demand(seen.status in (FINE, FINDINGS), f"{name} without standard error", seen)
        material.expect(words, FAILED, closed=[0, 1], says="standard output")
    for option in ("--to", "--rejects", "--provenance") if is_full else ("--to", "--rejects"):
        for descriptor in (1, 2):
            (material.folder / "kept.txt").unlink(missing_ok=True)
            words = ["convert", "v1.ndjson", option, "kept.txt"]
            material.run([*words, "--quiet"], closed=[0])
            whole = (material.folder / "kept.txt").read_bytes()
            (material.folder / "kept.txt").unlink()
            material.run(words, closed=[0, descriptor])
            found = (material.folder / "kept.txt").read_bytes() if (material.folder / "kept.txt").exists() else b""
            if not whole.startswith(found) or (descriptor == 2 and found != whole):
                raise Failure(f"{option} with descriptor {descriptor} closed: something else stands in its file")


def inputs(material: Material, is_full: bool) -> None:
    """Standard input that is closed, a folder, empty; and files that are none."""
    commands = [["convert", "-"], ["verify", "-"], ["inspect", "-"], ["sign", "identity", "-"], ["timeline", "-"]]
    commands += [["parity", "--legacy", "-", "--server", "v2.ndjson"], ["diff", "-", "one.v2.json"]]
    folder = os.open(material.folder, os.O_RDONLY)
    for words in commands:
        material.expect(words, FAILED, closed=[0], says="standard input")
        material.expect(words, FAILED, stdin=folder)
        material.expect(words)
    os.close(folder)
    for words in [["convert", "gone.json"], ["diff", "one.v1.json", "."], ["verify", "--root", "gone", "-"]]:
        material.expect(words, FAILED)


def devices(material: Material, is_full: bool) -> None:
    """/dev/full in the place of every output, for every command."""
    with open("/dev/full", "wb") as full:
        for words in material.commands().values():
            process = subprocess.run(
                [str(material.running.program), *words], cwd=material.folder, stdout=full, stderr=subprocess.PIPE,
                stdin=subprocess.DEVNULL, timeout=60, check=False,
            )  # fmt: skip
            if process.returncode != FAILED or b"No space left on device" not in process.stderr:
                raise Failure(f"{words} > /dev/full: status {process.returncode}, {process.stderr[-500:]!r}")
    for option in ("--rejects", "--provenance", "--to"):
        material.expect(["convert", "v1.ndjson", option, "/dev/full"], FAILED, says="/dev/full: cannot write")
    material.expect(["timeline", "v1.ndjson", "--rejects", "/dev/full"], FAILED, says="/dev/full: cannot write")
    for name in ("full.html", "full.json", "full.xml"):
        link = material.folder / name
        link.symlink_to("/dev/full")
        words = ["parity", "--legacy", "v1.ndjson", "--server", "v2.ndjson", "--report", name]
        material.expect(words, FAILED, says=name)
        link.unlink()


def fifo(material: Material, is_full: bool) -> str:
    """A named pipe as output gets the same bytes; one that is left alone ends the run as a closed pipe does."""
    path = material.folder / "fifo"
    os.mkfifo(path)
    whole = material.run(["convert", "--quiet", "v1.ndjson"]).stdout
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()), daemon=True)
    reader.start()
    material.expect(["convert", "--quiet", "v1.ndjson", "--to", "fifo"], FINDINGS)
    reader.join(10)
    require(read == [whole], f"a named pipe got {sum(map(len, read))} bytes in place of {len(whole)}")
    path.unlink()
    return "equal bytes"


def impatient(material: Material, is_full: bool) -> str:
    """Pipes that never wait (O_NONBLOCK), as some callers hand them on: the same bytes."""
    whole = material.run(["convert", "--quiet", "v1.ndjson"]).stdout
    text = (material.folder / "v1.ndjson").read_bytes()
    into, out = os.pipe(), os.pipe()
    os.set_blocking(into[0], False)
    os.set_blocking(out[1], False)
    command = [str(material.running.program), "convert", "--quiet", "-"]
    process = subprocess.Popen(command, cwd=material.folder, stdin=into[0], stdout=out[1], stderr=subprocess.PIPE)
    os.close(into[0])
    os.close(out[1])

    def feed() -> None:
        with open(into[1], "wb") as pipe:
            for at in range(0, len(text), 40_000):
                time.sleep(0.005)
                pipe.write(text[at : at + 40_000])
                pipe.flush()

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    with open(out[0], "rb") as pipe:
        time.sleep(0.2)
        found = pipe.read()
    feeder.join(10)
    words = process.stderr.read().decode(errors="replace") if process.stderr else ""
    if process.wait(30) != FINDINGS or found != whole.replace(b'"v1.ndjson"', b'"-"'):
        raise Failure(f"pipes that never wait: status {process.returncode}, {len(found)} bytes, {words[-500:]}")
    return "equal bytes"


def changing(material: Material, is_full: bool) -> str:
    """Files that vanish, are cut or grow while they are read: no crash, and counts that add up."""
    path = material.folder / "changing.ndjson"
    text = (material.folder / "v1.ndjson").read_bytes() * (40 if is_full else 15)
    changes = {"vanishes": Path.unlink, "is cut": lambda path: os.truncate(path, 1000), "grows": grow}
    commands = [["convert"], ["verify"], ["timeline"], ["inspect"], ["sign", "identity"]]
    for change in changes.values():
        for words in commands if is_full else commands[:2]:
            path.write_bytes(text)
            timer = threading.Timer(0.03, change, [path])
            timer.start()
            material.expect([*words, "changing.ndjson"], keeps=False)
            timer.join()
    path.unlink(missing_ok=True)
    return f"{', '.join(changes)}: {len(commands) if is_full else 2} commands"


def grow(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b'{"half a line')
