-- What happened when, in dates that people read? Oldest first, in UTC.
SELECT eventTime, notificationType, subtype, originalTransactionId, productId, expiresDate, confidence
FROM events_view
WHERE origin = 'v1'
ORDER BY eventTime, place;
