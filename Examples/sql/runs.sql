-- What did each run read, and with which results? Every record is converted, a duplicate or rejected.
SELECT run, state, read, converted, duplicate, rejected, ambiguous, absorbed, bytes,
  (finishedAt - startedAt) / 1000 AS seconds, sources
FROM runs
ORDER BY run;
