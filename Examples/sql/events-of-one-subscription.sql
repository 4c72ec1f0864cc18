-- What happened to one subscription, in the order of time? Replace 1000000000000001 by its originalTransactionId.
--
-- In a store of both sides, origin chooses one: v1 is what Slipcast converted, v2 what Apple made.
SELECT n.place, coalesce(n.eventTime, n.signedDate) AS happenedAt, n.notificationType, n.subtype, n.status,
  t.productId, t.expiresDate, n.confidence, n.absorbedInto
FROM notifications n
LEFT JOIN transactions t ON t.place = n.place
WHERE n.originalTransactionId = '1000000000000001' AND n.origin = 'v1'
ORDER BY coalesce(n.eventTime, n.signedDate, 0), coalesce(n.receivedAt, 0), n.place;
