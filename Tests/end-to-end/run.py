"""Runs one of the end-to-end suites: what they try is the built program.

usage: python3 Tests/end-to-end/run.py SUITE SLIPCAST [OPTION…]; --help behind a suite's name lists its options

Prints one line for each part, with its checks and seconds, and `SUITE: N checks, M failures, S s` at the end. The exit
status is 1 after a failure; the folder is kept then. PostgreSQL is started where a suite needs it, unless
SLIPCAST_POSTGRES names a server, whose schema `public` is emptied.
"""

import importlib
import os
import shutil
import sys
import tempfile
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from contextlib import ExitStack
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Some suites compare what is left in folders of the checkout.
sys.dont_write_bytecode = True
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
sys.path.insert(0, str(HERE))

import postgresql  # noqa: E402
from harness import Suite  # noqa: E402


def main() -> int:
    names = sorted(path.parent.name for path in HERE.glob("*/suite.py"))
    if len(sys.argv) < 2 or sys.argv[1] not in names:
        sys.exit(f"{__doc__}\nsuites: {', '.join(names)}")
    name = sys.argv[1]
    sys.path.insert(0, str(HERE / name))
    suite = importlib.import_module("suite")
    parser = ArgumentParser(f"run.py {name}", description=suite.__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("slipcast", type=Path)
    parser.add_argument("--only", action="append", default=[], metavar="PART", help="run this part alone; repeatable")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="work in this folder and keep it")
    parser.add_argument("--seed", type=int, default=1, help="what chance depends on (default 1)")
    if hasattr(suite, "options"):
        suite.options(parser)
    options = parser.parse_args(sys.argv[2:])
    folder = (options.keep or Path(tempfile.mkdtemp(prefix=f"slipcast-{name}."))).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    # Some parts run as somebody else.
    folder.chmod(0o755)
    with ExitStack() as stack:
        if getattr(suite, "POSTGRESQL", False) and postgresql.NAME not in os.environ:
            os.environ[postgresql.NAME] = stack.enter_context(postgresql.server())
        here = Suite(name, options.slipcast.resolve(), folder, options)
        suite.run(here)
        status = here.end()
    if status == 0 and options.keep is None:
        shutil.rmtree(folder)
    return status


if __name__ == "__main__":
    sys.exit(main())
