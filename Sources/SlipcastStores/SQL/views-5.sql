-- The view of version 3 with the side of each notification: whoever counts events chooses one.
CREATE VIEW events_view AS SELECT
  n.place, n.notificationUUID, n.notificationType, n.subtype, iso(n.signedDate) AS signedDate,
  CAST(n.appAppleId AS text) AS appAppleId, n.bundleId, n.environment, n.status, n.originalTransactionId,
  n.transactionId, n.webOrderLineItemId, n.productId, n.notification_type, iso(n.eventTime) AS eventTime,
  iso(n.receivedAt) AS receivedAt, n.rule, n.confidence, n.absorbedInto,
  t.type, t.inAppOwnershipType, t.appAccountToken, t.subscriptionGroupIdentifier,
  iso(t.purchaseDate) AS purchaseDate, iso(t.originalPurchaseDate) AS originalPurchaseDate,
  iso(t.expiresDate) AS expiresDate, iso(t.revocationDate) AS revocationDate, t.revocationReason, t.isUpgraded,
  t.offerType, t.offerIdentifier, t.transactionReason,
  r.autoRenewStatus, r.autoRenewProductId, r.expirationIntent, r.isInBillingRetryPeriod, r.priceIncreaseStatus,
  iso(r.gracePeriodExpiresDate) AS gracePeriodExpiresDate, iso(r.renewalDate) AS renewalDate,
  n.source, n.record, n.id, n.origin
FROM notifications n
LEFT JOIN transactions t ON t.place = n.place
LEFT JOIN renewal_infos r ON r.place = n.place;
