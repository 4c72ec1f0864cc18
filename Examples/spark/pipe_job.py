#!/usr/bin/env python3
"""The shortest way: rdd.pipe. README.md says what slipcast_job.py does better.

    spark-submit pipe_job.py SLIPCAST INPUT OUTPUT

INPUT is JSON lines. SLIPCAST is a path on the nodes. OUTPUT/converted and OUTPUT/rejected are text files.
"""

import shlex
import sys

from pyspark import StorageLevel
from pyspark.sql import SparkSession


def main() -> None:
    slipcast, archive, output = sys.argv[1:]
    context = SparkSession.builder.appName("slipcast pipe").getOrCreate().sparkContext
    # Rejects come along on standard output; each begins with the place where it stood.
    command = f"{shlex.quote(slipcast)} convert --jobs 1 --exit-zero --quiet --rejects /dev/stdout"
    lines = context.textFile(archive).pipe(command, checkCode=True).persist(StorageLevel.DISK_ONLY)
    lines.filter(lambda line: not line.startswith('{"source":')).saveAsTextFile(f"{output}/converted")
    lines.filter(lambda line: line.startswith('{"source":')).saveAsTextFile(f"{output}/rejected")


if __name__ == "__main__":
    main()
