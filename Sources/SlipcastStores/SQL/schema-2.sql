-- Why the input of a reject is not kept, as one word: it may hold the secret in a form that cannot be searched.
ALTER TABLE rejects ADD COLUMN inputOmitted text;

-- Version 1 told it at the end of the message.
UPDATE rejects SET inputOmitted = CASE
  WHEN message LIKE '%; the input is not kept (compressed)' THEN 'compressed'
  WHEN message LIKE '%; the input is not kept (encoded)' THEN 'encoded'
  WHEN message LIKE '%; the input is not kept (escaped)' THEN 'escaped'
  WHEN message LIKE '%; the input is not kept (binary)' THEN 'binary'
  WHEN message LIKE '%; the input is not kept (nested)' THEN 'nested'
END
WHERE input IS NULL AND inputBase64 IS NULL;
UPDATE rejects SET message = replace(message, '; the input is not kept (' || inputOmitted || ')', '')
WHERE inputOmitted IS NOT NULL;
