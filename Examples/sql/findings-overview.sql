-- Which findings do the converted records have, how often, and where does each occur first?
SELECT f.code, c.severity, count(*) AS records, sum(f.occurrences) AS occurrences, min(f.place) AS firstPlace, c.message
FROM findings f
LEFT JOIN finding_codes c ON c.code = f.code
GROUP BY f.code, c.severity, c.message
ORDER BY records DESC, f.code;
