"""The web application: who sees what, how it looks and is used, with and without scripts, and how fast it answers.

Needs the packages of ../reports/requirements.txt; with axe-playwright-python (its script alone) axe looks at each view.
"""

from argparse import ArgumentParser
from pathlib import Path

import answering
import guarding
import hostility
import pairing
import reported
from harness import Suite
from world import World


BROWSED = {"looks", "way", "without-scripts", "files"}


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--screenshots", type=Path, metavar="FOLDER", help="keep what the browser showed")
    parser.add_argument("--quick", action="store_true", help="fewer pages, each in two of the four modes")
    parser.add_argument("--large", type=int, default=0, metavar="N", help="also time a store of N subscriptions")


def run(suite: Suite) -> None:
    world = World(suite)
    # What several parts read is made before them.
    world.both()
    world.report()
    suite.part("answers", answering.sentences, suite, world)
    checks = (guarding.only_reading, guarding.hosts, guarding.tokens, guarding.hostile, guarding.secrets, guarding.redaction,
              hostility.hostile_records, pairing.pairs, reported.reported, guarding.exports, guarding.long_exports, guarding.odd_stores, guarding.growing, guarding.clocks)  # fmt: skip
    parts = [(check.__name__.replace("_", "-"), check, suite, world) for check in checks]
    if only := suite.options.only:
        # Parts without a browser need no package.
        if not BROWSED.intersection(only):
            return suite.at_once(parts) if "speed" not in only else suite.part("speed", answering.speed, suite, suite.options.large)
    import browsing
    import filed

    with browsing.Browsers() as browsers:
        parts += [(name, check, suite, world, browsers) for name, check in
                  (("looks", browsing.looks), ("way", browsing.way), ("without-scripts", browsing.without_scripts),
                   ("files", filed.files))]  # fmt: skip
        suite.at_once(parts)
    if suite.options.large:
        suite.part("speed", answering.speed, suite, suite.options.large)
