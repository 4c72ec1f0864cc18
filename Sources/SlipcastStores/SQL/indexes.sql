-- Indexes for the questions people ask; made when a run ends, because filling tables without them is faster.

-- The events of one subscription, in their order.
CREATE INDEX IF NOT EXISTS notifications_by_subscription ON notifications
  (originalTransactionId, coalesce(eventTime, signedDate, 0), coalesce(receivedAt, 0), place);
CREATE INDEX IF NOT EXISTS notifications_by_type ON notifications (notificationType, subtype, signedDate);
CREATE INDEX IF NOT EXISTS transactions_by_place ON transactions (place, item);
CREATE INDEX IF NOT EXISTS transactions_by_original ON transactions (originalTransactionId);
CREATE INDEX IF NOT EXISTS transactions_by_transaction ON transactions (transactionId);
CREATE INDEX IF NOT EXISTS transactions_by_line_item ON transactions (webOrderLineItemId);
CREATE INDEX IF NOT EXISTS renewal_infos_by_place ON renewal_infos (place, item);
CREATE INDEX IF NOT EXISTS candidates_by_place ON candidates (place, item);
CREATE INDEX IF NOT EXISTS findings_by_code ON findings (code);
CREATE INDEX IF NOT EXISTS rejects_by_run ON rejects (run);
-- What people have of a customer: few V1 records state them, so only these are in the index.
CREATE INDEX IF NOT EXISTS transactions_by_token ON transactions (appAccountToken) WHERE appAccountToken IS NOT NULL;
CREATE INDEX IF NOT EXISTS transactions_by_app_transaction ON transactions (appTransactionId)
  WHERE appTransactionId IS NOT NULL;
CREATE INDEX IF NOT EXISTS transactions_by_product ON transactions (productId, originalTransactionId);
CREATE INDEX IF NOT EXISTS states_by_subscription ON states (originalTransactionId, validFrom);
CREATE INDEX IF NOT EXISTS notifications_by_origin ON notifications (origin);
CREATE INDEX IF NOT EXISTS answers_by_origin ON answers (origin);
CREATE INDEX IF NOT EXISTS listed_periods_by_subscription ON listed_periods (originalTransactionId, subscription);
