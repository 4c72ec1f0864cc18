-- Which status did each subscription have last, and what was its last event?
--
-- Statuses are Apple's: 1 active, 2 expired, 3 in billing retry, 4 in its grace period, 5 revoked.
SELECT n.originalTransactionId, n.productId, n.status, n.notificationType, n.subtype,
  coalesce(n.eventTime, n.signedDate) AS happenedAt
FROM notifications n
JOIN (
  SELECT originalTransactionId,
    max(place) AS place
  FROM (
    SELECT originalTransactionId, place,
      rank() OVER (
        PARTITION BY originalTransactionId ORDER BY coalesce(eventTime, signedDate, 0) DESC, coalesce(receivedAt, 0) DESC
      ) AS newest
    FROM notifications
    WHERE originalTransactionId IS NOT NULL AND absorbedInto IS NULL AND origin = 'v1'
  ) AS ranked
  WHERE newest = 1
  GROUP BY originalTransactionId
) AS latest ON latest.place = n.place
ORDER BY n.originalTransactionId;
