-- What PostgreSQL needs beside version 1: words and ids compare by their bytes, whatever the database's language. It is
-- faster, and the order is that of SQLite.
ALTER TABLE notifications
  ALTER COLUMN notificationUUID TYPE text COLLATE "C",
  ALTER COLUMN notificationType TYPE text COLLATE "C",
  ALTER COLUMN subtype TYPE text COLLATE "C",
  ALTER COLUMN originalTransactionId TYPE text COLLATE "C",
  ALTER COLUMN transactionId TYPE text COLLATE "C",
  ALTER COLUMN webOrderLineItemId TYPE text COLLATE "C",
  ALTER COLUMN productId TYPE text COLLATE "C";
ALTER TABLE answers
  ALTER COLUMN answerUUID TYPE text COLLATE "C";
ALTER TABLE transactions
  ALTER COLUMN originalTransactionId TYPE text COLLATE "C",
  ALTER COLUMN transactionId TYPE text COLLATE "C";
ALTER TABLE renewal_infos
  ALTER COLUMN originalTransactionId TYPE text COLLATE "C";
ALTER TABLE findings
  ALTER COLUMN code TYPE text COLLATE "C";
ALTER TABLE finding_codes
  ALTER COLUMN code TYPE text COLLATE "C";
