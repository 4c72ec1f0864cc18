#!/usr/bin/env bash
# Builds all tests with a sanitizer and runs them.
# usage: sanitize.sh thread|address [OPTION…]   the options are those of `swift test`
set -euo pipefail
kind=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../.."
options=(-c release --scratch-path ".build/$kind" --sanitize "$kind" -Xswiftc -enable-testing)
swift build --build-tests "${options[@]}"
# A finding must end the run: a second program that unwinds it would wait for an answer.
export SWIFT_BACKTRACE=enable=no
export TSAN_OPTIONS="halt_on_error=1:exitcode=99:suppressions=$here/thread.supp"
export ASAN_OPTIONS="detect_leaks=1:detect_stack_use_after_return=1"
export LSAN_OPTIONS="suppressions=$here/leaks.supp:print_suppressions=0"
python3 Tests/end-to-end/postgresql.py swift test --skip-build "${options[@]}" "$@"
