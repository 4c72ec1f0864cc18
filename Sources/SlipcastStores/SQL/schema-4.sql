-- Where the fault of a reject is (byte_offset is where its record starts), how long the record is in its source, and the
-- SHA-256 of these bytes: text that was not read completely is not kept, and is found in its source by them.
ALTER TABLE rejects ADD COLUMN faultOffset bigint;
ALTER TABLE rejects ADD COLUMN length bigint;
ALTER TABLE rejects ADD COLUMN sha256 text;
