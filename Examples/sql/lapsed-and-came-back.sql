-- Which subscriptions expired and were bought again later, and how many days were in between?
SELECT gone.originalTransactionId, max(gone.signedDate) AS expiredAt, back.signedDate AS cameBackAt,
  (back.signedDate - max(gone.signedDate)) / 86400000 AS days
FROM notifications gone
JOIN notifications back ON back.originalTransactionId = gone.originalTransactionId AND back.origin = gone.origin
WHERE gone.origin = 'v1' AND gone.notificationType = 'EXPIRED' AND back.notificationType = 'SUBSCRIBED'
  AND back.signedDate > gone.signedDate
GROUP BY gone.originalTransactionId, back.signedDate
ORDER BY gone.originalTransactionId, cameBackAt;
