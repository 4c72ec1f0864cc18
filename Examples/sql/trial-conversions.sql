-- How many free trials of each product were followed by a paid period?
WITH periods AS (
  SELECT DISTINCT t.originalTransactionId, t.transactionId, t.productId, t.purchaseDate, t.revocationDate,
    t.offerDiscountType = 'FREE_TRIAL' AS isTrial
  FROM transactions t
  JOIN v1 ON v1.place = t.place
  WHERE t.originalTransactionId IS NOT NULL AND t.expiresDate IS NOT NULL
), trials AS (
  SELECT originalTransactionId, productId, min(purchaseDate) AS startedAt
  FROM periods
  WHERE isTrial
  GROUP BY originalTransactionId, productId
)
SELECT trials.productId, count(*) AS trials,
  sum(CASE WHEN EXISTS (
    SELECT 1 FROM periods paid
    WHERE paid.originalTransactionId = trials.originalTransactionId AND paid.purchaseDate > trials.startedAt
      AND paid.revocationDate IS NULL AND NOT coalesce(paid.isTrial, FALSE)
  ) THEN 1 ELSE 0 END) AS converted
FROM trials
GROUP BY trials.productId
ORDER BY trials.productId;
