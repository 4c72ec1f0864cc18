-- Which records could the last run not convert, and why?
SELECT r.source, r.record, r.line, r.stage, r.code, r.path, r.message
FROM rejects r
WHERE r.run = (SELECT max(run) FROM runs)
ORDER BY r.source, r.record;
