-- Version 1 of a Slipcast store, for SQLite and PostgreSQL alike.
--
-- Columns are spelled as Apple spells the members of its objects. They are not quoted, so that a query such as
-- SELECT notificationUUID FROM notifications is valid in both: SQLite ignores case, and PostgreSQL folds it. Dates are
-- milliseconds since 1970 UTC, prices are thousandths of the currency unit, ids are text, and what no record says is
-- NULL. "place" is the position of a record in the store: it ascends in the order of conversion, with gaps where a
-- record was there before. Objects inside objects (commitmentInfo, multiSeatInfo) stand in "body" alone.

-- One row for each run of slipcast that wrote here.
CREATE TABLE runs (
  run bigint NOT NULL PRIMARY KEY,
  startedAt bigint NOT NULL,
  finishedAt bigint,
  -- running, finished, stopped, tooManyRejects or interrupted
  state text NOT NULL,
  -- of slipcast
  version text NOT NULL,
  -- what the run depends on: its sources, options and rules; a run is only resumed with the same
  fingerprint text NOT NULL,
  sources text NOT NULL,
  read bigint NOT NULL,
  converted bigint NOT NULL,
  duplicate bigint NOT NULL,
  rejected bigint NOT NULL,
  ambiguous bigint NOT NULL,
  absorbed bigint NOT NULL,
  bytes bigint NOT NULL,
  -- the place of its first record, and how many records came so far
  firstPlace bigint NOT NULL,
  handed bigint NOT NULL,
  -- records of this run in notifications and answers, and the SHA-256 of their bodies in the order of their places,
  -- each followed by a line feed
  stored bigint NOT NULL,
  sha256 text NOT NULL,
  -- rows of this run in rejects
  keptRejects bigint NOT NULL,
  -- where to go on after an interruption
  checkpoint text
);

-- What runs must know of earlier messages of subscriptions that have messages without a time: a run that was interrupted,
-- and the runs that follow.
CREATE TABLE run_events (
  run bigint NOT NULL,
  part bigint NOT NULL,
  -- entries of 56 bytes in hexadecimal digits
  body text NOT NULL,
  PRIMARY KEY (run, part)
);

-- One row for each notification; the same notificationUUID comes once.
CREATE TABLE notifications (
  place bigint NOT NULL UNIQUE,
  notificationUUID text NOT NULL PRIMARY KEY,
  notificationType text,
  subtype text,
  version text,
  signedDate bigint,
  appAppleId bigint,
  bundleId text,
  bundleVersion text,
  environment text,
  status bigint,
  originalTransactionId text,
  transactionId text,
  webOrderLineItemId text,
  productId text,
  -- what the legacy record says: its type of the event, when it happened, when it was received
  notification_type text,
  eventTime bigint,
  receivedAt bigint,
  -- migration: the rule that chose the type, how sure it is, and the event that a companion message is part of
  rule text,
  confidence text,
  absorbedInto text,
  -- a digest of the legacy content, without receipt, secret and later purchases; NULL where it is unknown. A record with
  -- the same notificationUUID and another digest is a duplicate that differs: this row has a finding repeatDiffers
  content bigint,
  -- where it came from: the run, the source, the number of the record there, the row's own id
  run bigint NOT NULL,
  source text NOT NULL,
  record bigint NOT NULL,
  id text,
  -- the whole decoded notification, byte for byte
  body json NOT NULL
);

-- One row for each answer made of a receipt: a transaction history, or subscription statuses.
CREATE TABLE answers (
  place bigint NOT NULL UNIQUE,
  -- made of the body, so the same answer comes once
  answerUUID text NOT NULL PRIMARY KEY,
  -- history or statuses
  kind text NOT NULL,
  appAppleId bigint,
  bundleId text,
  environment text,
  eventTime bigint,
  receivedAt bigint,
  run bigint NOT NULL,
  source text NOT NULL,
  record bigint NOT NULL,
  id text,
  body json NOT NULL
);

-- One row for each transactionInfo; "item" counts them in their record, from 1.
CREATE TABLE transactions (
  place bigint NOT NULL,
  item bigint NOT NULL,
  originalTransactionId text,
  transactionId text,
  webOrderLineItemId text,
  bundleId text,
  productId text,
  subscriptionGroupIdentifier text,
  purchaseDate bigint,
  originalPurchaseDate bigint,
  expiresDate bigint,
  quantity bigint,
  type text,
  appAccountToken text,
  inAppOwnershipType text,
  signedDate bigint,
  revocationReason bigint,
  revocationDate bigint,
  isUpgraded boolean,
  offerType bigint,
  offerIdentifier text,
  environment text,
  storefront text,
  storefrontId text,
  transactionReason text,
  price bigint,
  currency text,
  offerDiscountType text,
  appTransactionId text,
  offerPeriod text,
  revocationType text,
  revocationPercentage bigint,
  billingPlanType text,
  previousOriginalTransactionId text,
  additionalTransactionReason text
);

-- One row for each renewalInfo; "item" is that of its transactionInfo.
CREATE TABLE renewal_infos (
  place bigint NOT NULL,
  item bigint NOT NULL,
  -- the subscription's status beside it
  status bigint,
  expirationIntent bigint,
  originalTransactionId text,
  autoRenewProductId text,
  productId text,
  autoRenewStatus bigint,
  isInBillingRetryPeriod boolean,
  priceIncreaseStatus bigint,
  gracePeriodExpiresDate bigint,
  offerType bigint,
  offerIdentifier text,
  signedDate bigint,
  environment text,
  recentSubscriptionStartDate bigint,
  renewalDate bigint,
  renewalPrice bigint,
  currency text,
  offerDiscountType text,
  appAccountToken text,
  appTransactionId text,
  offerPeriod text,
  renewalBillingPlanType text,
  renewalQuantity bigint
);

-- The possible readings of a record whose confidence is ambiguous.
CREATE TABLE candidates (
  place bigint NOT NULL,
  item bigint NOT NULL,
  notificationType text,
  subtype text,
  -- what would decide for this reading
  needs text
);

-- What a person should know about a record that was converted all the same.
CREATE TABLE findings (
  place bigint NOT NULL,
  code text NOT NULL,
  -- info or warning
  severity text NOT NULL,
  occurrences bigint NOT NULL,
  -- the legacy value that shows it first; empty for the record itself
  path text NOT NULL
);

-- Findings are read beside their records, so this index is there from the start.
CREATE INDEX findings_by_place ON findings (place);

-- What each code of a finding means.
CREATE TABLE finding_codes (
  code text NOT NULL PRIMARY KEY,
  severity text NOT NULL,
  message text NOT NULL
);

-- Records that could not be converted, or that the store could not hold.
CREATE TABLE rejects (
  run bigint NOT NULL,
  source text NOT NULL,
  record bigint NOT NULL,
  line bigint NOT NULL,
  byte_offset bigint NOT NULL,
  stage text NOT NULL,
  code text NOT NULL,
  path text NOT NULL,
  message text NOT NULL,
  id text,
  -- the record as it came, its secret replaced; in base64 where it is no UTF-8
  input text,
  inputBase64 text
);
