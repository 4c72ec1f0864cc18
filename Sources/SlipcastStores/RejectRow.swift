internal import SlipcastBulk
internal import SlipcastWire

extension RowBuffer {
  /// Lays out a row of `rejects`; not every database stores U+0000 in a text, so texts lose it and inputs become
  /// base64.
  mutating func append(_ reject: Reject, run: Int64) {
    let first = beginRow(.rejects, columns: StoreTable.rejects.columns.count)
    self[first] = .integer(run)
    self[first + 1] = appendSafely(reject.source)
    self[first + 2] = .integer(Int64(reject.record))
    self[first + 3] = .integer(Int64(reject.line))
    self[first + 4] = .integer(Int64(reject.offset))
    self[first + 5] = appendSafely(reject.stage.rawValue)
    self[first + 6] = appendSafely(reject.code)
    self[first + 7] = appendSafely(reject.path)
    self[first + 8] = appendSafely(reject.message)
    if let id = reject.id { self[first + 9] = appendSafely(id) }
    if let omitted = reject.inputOmitted {
      self[first + 12] = appendSafely(omitted)
    } else if !reject.input.contains(0), let text = String(validating: reject.input, as: UTF8.self) {
      self[first + 10] = append(text)
    } else {
      self[first + 11] = append(Base64.encode(reject.input))
    }
  }

  private mutating func appendSafely(_ text: String) -> StoreCell {
    guard text.utf8.contains(0) else { return append(text) }
    return append(String(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : Character($0) }))
  }
}
