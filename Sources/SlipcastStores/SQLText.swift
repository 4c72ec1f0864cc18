/// Text that becomes part of a statement: names and the user's own queries, never values.
enum SQLText {
  /// A name with its quotes doubled.
  static func doubled(_ name: String, _ quote: Character) -> String {
    String(name.flatMap { $0 == quote ? [quote, quote] : [$0] })
  }

  /// A query without its final semicolon, so that it can be put in parentheses.
  static func query(_ text: String) -> String {
    var rest = text[...]
    while let last = rest.last, last.isWhitespace || last == ";" { rest.removeLast() }
    return String(rest)
  }
}

extension StoreError {
  static func nullKey(_ location: String) -> StoreError {
    StoreError(
      .badKey, location, "read rows", "the key of a row is NULL, so a run could not resume after it",
      advice: "name another column with key=…, or read without a key")
  }

  static func keyTwice(_ location: String) -> StoreError {
    StoreError(
      .badKey, location, "read rows", "two rows have the same key, so a run that resumes after it could lose one",
      advice: "name a column of unique values with key=…, or read without a key")
  }
}
