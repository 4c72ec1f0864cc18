-- How many purchases were refunded in each month (UTC), by product?
--
-- Dates are milliseconds, and the two databases have no calendar in common, so the month is computed from the days since
-- 1 March of year 0. V1 records contain no prices, so there are none here.
WITH refunds AS (
  SELECT DISTINCT t.transactionId, t.productId, t.revocationDate / 86400000 + 719468 AS days
  FROM transactions t
  JOIN v1 ON v1.place = t.place
  WHERE t.revocationDate IS NOT NULL
), eras AS (
  SELECT transactionId, productId, days / 146097 AS era, days % 146097 AS day FROM refunds
), years AS (
  SELECT transactionId, productId, era, day, (day - day / 1460 + day / 36524 - day / 146096) / 365 AS year FROM eras
), months AS (
  SELECT transactionId, productId, era * 400 + year AS year,
    (5 * (day - (365 * year + year / 4 - year / 100)) + 2) / 153 AS month
  FROM years
)
SELECT CASE WHEN month < 10 THEN year ELSE year + 1 END AS year,
  CASE WHEN month < 10 THEN month + 3 ELSE month - 9 END AS month,
  productId, count(*) AS refunds
FROM months
GROUP BY 1, 2, productId
ORDER BY 1, 2, productId;
