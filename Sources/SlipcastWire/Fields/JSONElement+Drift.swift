// Values as V2 records have them that went through a warehouse: BigQuery, protobuf's JSON and ClickHouse write numbers of 64
// bits as text, and some write every value as text, or every text of digits as a number.

extension JSONElement {
  /// A text, or a number with the digits that it is written with.
  package var anyText: String? { kind == .string || kind == .number ? tape.text(index).string : nil }

  /// A whole number, or one that is written as text.
  package var anyInteger: Int64? { integer ?? integerInText }

  /// Whole milliseconds, or such a number that is written as text.
  package var anyMilliseconds: Int64? { milliseconds ?? integerInText }

  /// A boolean, or its word as text.
  package var anyBoolean: Bool? {
    guard kind == .string else { return boolean }
    let text = tape.text(index)
    return text == "true" ? true : text == "false" ? false : nil
  }

  /// Only in the spelling that a number has: other texts of digits are identifiers.
  private var integerInText: Int64? {
    guard kind == .string, let value = Int64(tape.text(index).string), String(value) == tape.text(index).string else {
      return nil
    }
    return value
  }
}
