-- Views for people and spreadsheets: dates are ISO 8601 in UTC with milliseconds, ids are text, absent values are NULL.
-- The word iso stands for what each database needs to write such a date; the tables below keep milliseconds.

-- One row for each notification, with its transaction and its renewal information.
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
  n.source, n.record, n.id
FROM notifications n
LEFT JOIN transactions t ON t.place = n.place
LEFT JOIN renewal_infos r ON r.place = n.place;

-- One row for each transaction of notifications and answers; "item" counts them in their record.
CREATE VIEW transactions_view AS SELECT
  t.place, t.item, t.originalTransactionId, t.transactionId, t.webOrderLineItemId, t.bundleId, t.productId,
  t.subscriptionGroupIdentifier, iso(t.purchaseDate) AS purchaseDate,
  iso(t.originalPurchaseDate) AS originalPurchaseDate, iso(t.expiresDate) AS expiresDate, t.quantity, t.type,
  t.appAccountToken, t.inAppOwnershipType, iso(t.signedDate) AS signedDate, t.revocationReason,
  iso(t.revocationDate) AS revocationDate, t.isUpgraded, t.offerType, t.offerIdentifier, t.environment, t.storefront,
  t.transactionReason, t.price, t.currency, t.offerDiscountType
FROM transactions t;

-- One row for each renewal information; "item" is that of its transaction.
CREATE VIEW renewal_infos_view AS SELECT
  r.place, r.item, r.status, r.originalTransactionId, r.productId, r.autoRenewProductId, r.autoRenewStatus,
  r.expirationIntent, r.isInBillingRetryPeriod, iso(r.gracePeriodExpiresDate) AS gracePeriodExpiresDate,
  r.priceIncreaseStatus, r.offerType, r.offerIdentifier, r.environment, iso(r.renewalDate) AS renewalDate,
  iso(r.recentSubscriptionStartDate) AS recentSubscriptionStartDate
FROM renewal_infos r;

-- One row for each run.
CREATE VIEW runs_view AS SELECT
  s.run, iso(s.startedAt) AS startedAt, iso(s.finishedAt) AS finishedAt, s.state, s.version, s.sources, s.read,
  s.converted, s.duplicate, s.rejected, s.ambiguous, s.absorbed
FROM runs s;
