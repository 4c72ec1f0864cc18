-- How many of a run's records (handed) the table states shows; NULL: none, and nothing of what its messages' lists show.
ALTER TABLE runs ADD COLUMN judged bigint;
UPDATE runs SET judged = handed WHERE state = 'finished' AND statesAt IS NOT NULL;

-- Subscriptions of which lists of V1 messages that serve stored show something new since their rows of states were written.
CREATE TABLE unjudged (
  originalTransactionId text NOT NULL PRIMARY KEY
);
