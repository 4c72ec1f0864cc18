-- Both sides of a migration: v1 for what Slipcast converted from version 1, v2 for what Apple made. Records of version 2
-- have no rule, no confidence and no notification_type; their bodies are Apple's, decoded.
ALTER TABLE notifications ADD COLUMN origin text NOT NULL DEFAULT 'v1';
ALTER TABLE answers ADD COLUMN origin text NOT NULL DEFAULT 'v1';

-- Until now, version 2 came from the endpoint alone, and no rule had read it.
UPDATE notifications SET origin = 'v2' WHERE rule IS NULL;

-- The records of version 1 without their shared secret, where convert --keep-bodies keeps them.
CREATE TABLE bodies (
  place bigint NOT NULL PRIMARY KEY,
  body json NOT NULL
);

-- When the table states was filled after a run; NULL while its subscriptions are to be judged.
ALTER TABLE runs ADD COLUMN statesAt bigint;

-- One row for each interval of a subscription, as timeline --states shows it; filled when a run of convert ends,
-- and while serve delivers. Intervals do not overlap: who had access on a day is one comparison with validFrom and validTo.
CREATE TABLE states (
  -- the side that shows it: v1, or v2 in a store that has nothing else
  origin text NOT NULL,
  originalTransactionId text,
  validFrom bigint NOT NULL,
  -- exclusive; NULL while nothing is known to end the state
  validTo bigint,
  -- V2's status, 1 to 5
  status bigint,
  -- yes, no or unknown
  access text NOT NULL,
  reason text NOT NULL,
  productId text,
  autoRenewStatus bigint,
  expiresDate bigint,
  offerType bigint,
  confidence text NOT NULL,
  -- the places of the messages that show it
  evidence json NOT NULL
);

-- One row for each record of both sides. Its name is a word of SQL, so it is quoted. Dates are milliseconds.
CREATE VIEW "both" AS SELECT
  n.place, n.origin, 'notification' AS kind, n.notificationUUID AS uuid, n.notificationType, n.subtype, n.signedDate,
  n.appAppleId, n.bundleId, n.environment, n.status, n.originalTransactionId, n.transactionId, n.webOrderLineItemId,
  n.productId, n.notification_type, n.eventTime, n.receivedAt, n.rule, n.confidence, n.absorbedInto, n.run, n.source,
  n.record, n.id, n.body
FROM notifications n
UNION ALL SELECT
  a.place, a.origin, a.kind, a.answerUUID, CAST(NULL AS text), CAST(NULL AS text), CAST(NULL AS bigint),
  a.appAppleId, a.bundleId, a.environment, CAST(NULL AS bigint), CAST(NULL AS text), CAST(NULL AS text),
  CAST(NULL AS text), CAST(NULL AS text), CAST(NULL AS text), a.eventTime, a.receivedAt, CAST(NULL AS text),
  CAST(NULL AS text), CAST(NULL AS text), a.run, a.source, a.record, a.id, a.body
FROM answers a;

-- The records that Slipcast converted from version 1.
CREATE VIEW v1 AS SELECT * FROM "both" WHERE origin = 'v1';

-- The records that Apple made.
CREATE VIEW v2 AS SELECT * FROM "both" WHERE origin = 'v2';
