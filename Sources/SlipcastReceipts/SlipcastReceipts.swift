// Receipts that Apple signed, decoded into the legacy model.
