-- How many rows a run wrote to listed_periods; NULL: it did not keep what lists show (convert without --settle).
ALTER TABLE runs ADD COLUMN listedPeriods bigint;

-- One row for each period of a subscription that the lists of V1 messages show: of the messages that convert --settle read,
-- and of those that serve stored. From these come the renewals and ends in timelines and in states that no message
-- reports. Dates are milliseconds.
CREATE TABLE listed_periods (
  run bigint NOT NULL,
  originalTransactionId text NOT NULL,
  -- numbers by which Slipcast recognises the subscription in its environment and app, the period, and the product
  subscription bigint NOT NULL,
  period bigint NOT NULL,
  product bigint NOT NULL,
  purchaseDate bigint NOT NULL,
  -- the latest that a list shows
  expiresDate bigint NOT NULL,
  -- the earliest that a list shows: when it was cancelled or upgraded, and when it was refunded or revoked
  cancellationDate bigint,
  revocationDate bigint,
  -- the latest end that messages about it show; NULL: no message is about it
  toldExpiresDate bigint,
  -- when the latest record without an event was written that shows auto-renew on
  renewsSeenDate bigint,
  -- a bit for each expiration intent (1 to 5) that records written after the end state, and 64 for a retry
  intents bigint NOT NULL,
  -- a bit each: 1 upgraded, 2 in a list that lacks nothing, 4 in a list written after its end and not taken back,
  -- 8 a message reports that it was taken back, 16 a message shows that it may not be renewed
  traits bigint NOT NULL,
  -- how many messages of the run show the subscription
  messages bigint NOT NULL
);
