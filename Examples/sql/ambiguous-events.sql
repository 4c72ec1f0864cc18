-- Which events have more than one possible reading, what are the readings, and what would decide?
SELECT n.place, n.source, n.record, n.notification_type, n.notificationType AS taken, c.item,
  c.notificationType AS candidate, c.subtype AS candidateSubtype, c.needs
FROM notifications n
JOIN candidates c ON c.place = n.place
WHERE n.confidence = 'ambiguous'
ORDER BY n.place, c.item;
