"""Very many files, very long lines, streams without an end in sight: memory stays flat, and nothing is lost."""

import os
import shutil
import time
from typing import IO

import figures
from harness import Failure, require
from material import Material, record
from running import FAILED, FINDINGS, FINE, Limits, balanced, demand, expect_quick

MEGABYTE = 1 << 20


def folders(material: Material, is_full: bool) -> str:
    """A folder with 100,000 files, 32 descriptors; deep folders and links in a circle."""
    count = 100_000 if is_full else 3_000
    folder = material.folder / "crowd"
    folder.mkdir()
    text = record(material)
    for place in range(count):
        (folder / f"{place}.json").write_text(text)
    # A circle of links, and a folder that holds itself.
    (folder / "self").symlink_to(folder)
    told = []
    commands = [["convert"], ["timeline", "--format", "json"], ["verify"], ["inspect", "--format", "json"]]
    for words in commands if is_full else commands[:2]:
        seen = material.expect([*words, "crowd"], FINE, FINDINGS, limits=Limits(files=32), keeps=False, seconds=600)
        if words[0] == "convert" and balanced(seen).count("converted") != count:
            raise Failure(f"of {count} files not all were converted: {seen.told()}")
        expect_quick(seen, count * len(text))
        told.append(f"{words[0]} {seen.seconds:.1f} s {seen.memory:.0f} MB")
        if words[0] == "convert":
            demand(seen.memory <= figures.most("folders"), f"memory grows with the folder: {seen.memory:.0f} MB", seen)
    ordered = material.run(["convert", "--quiet", "--jobs", "1", "crowd"]).stdout
    if ordered != material.run(["convert", "--quiet", "--jobs", "4", "crowd"]).stdout:
        raise Failure("the order of many files depends on the workers")
    deep(material)
    shutil.rmtree(folder)
    return f"{count} files: {', '.join(told)}; a folder in itself, 70 levels, links that lead nowhere"


def deep(material: Material) -> None:
    path = material.folder / "deep"
    for _ in range(70):
        path = path / "d"
    path.mkdir(parents=True)
    (path / "one.json").write_text(record(material))
    material.expect(["convert", "deep"], FAILED, says="deep")
    lost = material.folder / "lost"
    lost.mkdir()
    (lost / "gone.json").symlink_to("nowhere.json")
    material.expect(["convert", "lost"], FAILED, says="gone.json: skipped")
    (lost / "gone.json").unlink()
    (lost / "circle.json").symlink_to("circle.json")
    material.expect(["convert", "lost"], FAILED, says="circle.json: skipped")


def long_line(material: Material, is_full: bool) -> str:
    """A line of 2 GB in a stream: one reject, and the records around it are converted."""
    megabytes = 2048 if is_full else 48
    good = (record(material) + "\n").encode()
    told = []
    for begins in (b'{"a":"', b"eyJ", b"{", b"[", b"M", b" "):
        if begins in b"[{M " and not is_full:
            continue

        def feed(pipe: IO[bytes], begins: bytes = begins) -> None:
            pipe.write(good + begins)
            filler = (begins[:1] if begins in b"{[" else b"A" if begins != b" " else b" ") * MEGABYTE
            for _ in range(megabytes):
                pipe.write(filler)
            pipe.write(b"\n" + good * 3)

        seen = material.expect(["convert", "--jobs", "2", "-"], FINE, FINDINGS, feed=feed, keeps=False, seconds=900)
        expect_quick(balanced(seen), megabytes * MEGABYTE)
        converted = 4
        if seen.count("converted") != converted or seen.count("rejected") > 1:
            raise Failure(f"a long line of {begins!r} takes records with it: {seen.told()}")
        told.append(f"{begins.decode()}… {seen.seconds:.1f} s {seen.memory:.0f} MB")
        require(seen.memory <= figures.most("long lines"), f"memory grows with the line: {seen.memory:.0f} MB")
    return f"{megabytes} MB in a line: {', '.join(told)}"


def streams(material: Material, is_full: bool) -> str:
    """10 GB of zeros, blanks, an array, junk, through every command that reads streams."""
    megabytes = 10_240 if is_full else 24
    good = (record(material) + "\n").encode()
    item = record(material).encode() + b","
    kinds = {
        "zeros": bytes(MEGABYTE),
        "blanks": b" " * MEGABYTE,
        "lines": b"\n" * MEGABYTE,
        "an array": item * (MEGABYTE // len(item) + 1),
    }
    commands = {"convert": ["convert", "--jobs", "2", "-"], "verify": ["verify", "--jobs", "2", "-"]}
    commands |= {"inspect": ["inspect", "--format", "json", "-"], "sign": ["sign", "identity", "-"]}
    told = []
    for kind, piece in kinds.items():
        for name, words in commands.items():
            if name != "convert" and (kind != "zeros" or not is_full):
                continue
            size = megabytes if name == "convert" else megabytes // 10

            def feed(pipe: IO[bytes], kind: str = kind, piece: bytes = piece, size: int = size) -> None:
                pipe.write(b"[" if kind == "an array" else good)
                for _ in range(size):
                    pipe.write(piece)
                if kind != "an array":
                    pipe.write(b"\n" + good)

            seen = material.expect(words, FINE, FINDINGS, feed=feed, keeps=False, seconds=3600)
            expect_quick(seen, size * MEGABYTE)
            demand(seen.memory <= figures.most("long streams"), f"{kind}: memory grows with the stream: {seen.memory:.0f} MB", seen)
            if name == "convert":
                balanced(seen)
            told.append(f"{kind} {name} {seen.seconds / (size * MEGABYTE / 1e6) * 1000:.0f} ms/MB {seen.memory:.0f} MB")
    return f"{megabytes} MB each (a tenth but for convert): {', '.join(told)}"


def short_records(material: Material, is_full: bool) -> str:
    """Nothing but records of two bytes: what is said of them is far longer than they are."""
    told = []
    for words in (["verify", "--jobs", "2", "-"], ["inspect", "--format", "json", "-"]):
        for megabytes in (4, 64) if is_full else (4, 12):

            def feed(pipe: IO[bytes], megabytes: int = megabytes) -> None:
                for _ in range(megabytes):
                    pipe.write(b"{}\n" * (MEGABYTE // 3))

            seen = material.expect(words, FINE, FINDINGS, feed=feed, keeps=False, seconds=1800)
            demand(seen.memory <= figures.most("short records"), f"{words[0]}: {seen.memory:.0f} MB", seen)
            told.append(f"{words[0]} {megabytes} MB: {seen.memory:.0f} MB")
    return ", ".join(told)


def sparse(material: Material, is_full: bool) -> str:
    """A file of 10 GB that takes no room: a record, a hole, a record."""
    size = 10 << 30 if is_full else 64 << 20
    good = (record(material) + "\n").encode()
    path = material.folder / "sparse.ndjson"
    with path.open("wb") as file:
        file.write(good)
        os.truncate(file.fileno(), size)
    with path.open("ab") as file:
        file.write(b"\n" + good)
    began = time.monotonic()
    seen = balanced(material.expect(["convert", "sparse.ndjson"], FINDINGS, keeps=False, seconds=1800))
    expect_quick(seen, size)
    demand(seen.memory <= figures.most("sparse file"), f"memory grows with the file: {seen.memory:.0f} MB", seen)
    path.unlink()
    demand((seen.count("converted"), seen.count("rejected")) == (2, 1), "a hole in a file", seen)
    return f"{size >> 20} MB, {time.monotonic() - began:.1f} s, {seen.memory:.0f} MB of memory"
