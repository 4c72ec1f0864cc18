-- How many purchases were refunded in each month (UTC), by product?
--
-- The end of Family Sharing (REVOKE) takes access back, but no money: the purchase of the other member counts. A refund
-- without the date of the refund counts in the month of its message. One that names no purchase does not count.
-- Dates are milliseconds, and the two databases have no calendar in common, so the month is computed from the days
-- since 1 March of year 0. V1 records contain no prices, so there are none here.
WITH refunds AS (
  SELECT t.transactionId, t.productId,
    min(coalesce(t.revocationDate, v1.eventTime, v1.receivedAt)) / 86400000 + 719468 AS days
  FROM transactions t
  JOIN v1 ON v1.place = t.place
  WHERE t.transactionId IS NOT NULL
    AND (t.revocationDate IS NOT NULL OR v1.notificationType = 'REFUND' AND coalesce(v1.confidence, '') <> 'ambiguous')
    AND coalesce(v1.notificationType, '') <> 'REVOKE'
    AND coalesce(t.inAppOwnershipType, 'PURCHASED') = 'PURCHASED'
  GROUP BY t.transactionId, t.productId
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
