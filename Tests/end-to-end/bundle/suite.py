"""The download: its archive, moved folders, an empty file system, older and newer systems, the container, the action.

Its programs are compared with the built one that is named. Empty and foreign systems are chroots and need root. The
latter are made by debootstrap and kept in .build/chroots, or where CHROOTS names a folder.
"""

import platform
import shutil
from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path

from action import Action
from archive import Archive, unpack
from container import Container
from harness import ROOT, Suite, require, run as execute
from places import Empty, Moved, read_me
from start import start_up
from systems import CODENAMES, Systems


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--bundle", type=Path, default=ROOT / ".build/bundle", metavar="FOLDER", help="of make bundle")
    parser.add_argument("--container", type=Path, default=ROOT / ".build/container", metavar="FOLDER",
                        help="of make container")  # fmt: skip
    parser.add_argument("--rebuild", action="store_true", help="build a clone of the last commit and compare; minutes")


def run(suite: Suite) -> None:
    version = execute([suite.slipcast, "--version"]).stdout.split()[1]
    name = f"slipcast-{version}-linux-{platform.machine()}"
    packed = suite.options.bundle / f"{name}.tar.gz"
    require(packed.is_file(), f"{packed} is missing: make bundle")
    # Some parts run as somebody else.
    root = unpack(packed, suite.folder / "unpacked") / f"slipcast-{version}"
    archive = Archive(suite, packed, root)
    for part in (archive.size, archive.entries, archive.sums, archive.libraries, archive.listing, archive.symbols):
        suite.part(f"archive/{part.__name__}", part)
    suite.part("archive/reproducible", archive.reproducible)
    if suite.options.rebuild:
        suite.part("archive/rebuild", archive.rebuild)
    moved = Moved(suite, root)
    for part in (moved.names, moved.links, moved.loader_variables, moved.mapped_files, moved.set_user_id, moved.torn):
        suite.part(f"moved/{part.__name__}", part)
    suite.part("read me", read_me, suite, packed)
    suite.part("start", start_up, suite.slipcast, root / "bin/slipcast")
    empty = Empty(suite, root)
    for part in (empty.commands, empty.databases, empty.tutorial, empty.again):
        suite.part(f"empty/{part.__name__}", part)
    container = Container(suite, packed, suite.options.container)
    parts = (container.layout, container.contents, container.commands, container.reproducible)
    for part in (*parts, container.other_reader):
        suite.part(f"container/{part.__name__}", part)
    action = Action(suite, packed)
    for part in (action.conflict, action.agreement, action.words, action.not_done, action.downloads, action.own):
        suite.part(f"action/{part.__name__}", part)
    with ExitStack() as stack:
        systems = Systems(suite, root, empty, stack)
        for codename in CODENAMES:
            suite.part(f"system/{codename}", systems.system, codename)
    shutil.rmtree(empty.root, ignore_errors=True)
